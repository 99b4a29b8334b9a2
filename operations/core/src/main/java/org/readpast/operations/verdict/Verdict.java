package org.readpast.operations.verdict;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.readpast.operations.snapshot.Snapshot;

/**
 * What is wrong in a database, and why, as far as it tells. It remembers which messages were first in their queues: who looks again and again
 * asks the same one. Thread-safe.
 */
public final class Verdict {

    private static final Set<Cause> ENDED_BY_PROGRESS =
            EnumSet.of(Cause.GROUP_STUCK, Cause.NO_SELECTOR_MATCHES, Cause.STANDS_STILL);

    private final Limits limits;
    private final Progress progress = new Progress();

    /** A verdict by the usual limits. */
    public Verdict() {
        this(Limits.usual());
    }

    /**
     * @param limits from where on something is worth a finding
     */
    public Verdict(Limits limits) {
        this.limits = limits;
    }

    /**
     * The findings, the worst first; none where nothing is wrong and everything could be read.
     *
     * @param seen of the same database as those before
     */
    public List<Finding> judge(Snapshot seen) {
        List<Finding> findings = new ArrayList<>();
        Set<Integer> goingOn = progress.since(seen.takenAt().minus(limits.waiting()), seen);
        new QueueCases(seen, limits, goingOn).judge(findings);
        new ClientCases(seen, limits).judge(findings);
        new MessageCases(seen, limits).judge(findings);
        new ServerCases(seen, limits).judge(findings);
        new UnknownCases(seen).judge(findings);
        findings.sort(Comparator.comparing(Finding::severity).thenComparing(Finding::cause));
        return List.copyOf(findings);
    }

    /**
     * Whether a later look may show that there is nothing in a finding: that a consumer works on what it has acknowledged already, and takes
     * the next message then.
     */
    public static boolean maySolveItself(Finding finding) {
        return ENDED_BY_PROGRESS.contains(finding.cause());
    }
}
