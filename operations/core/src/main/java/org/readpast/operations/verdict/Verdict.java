package org.readpast.operations.verdict;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.readpast.operations.snapshot.Snapshot;

/** What is wrong in a database, and why, as far as it tells. Thread-safe. */
public final class Verdict {

    private final Limits limits;

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

    /** The findings, the worst first; none where nothing is wrong and everything could be read. */
    public List<Finding> judge(Snapshot seen) {
        List<Finding> findings = new ArrayList<>();
        new QueueCases(seen, limits).judge(findings);
        new ClientCases(seen, limits).judge(findings);
        new MessageCases(seen, limits).judge(findings);
        new ServerCases(seen, limits).judge(findings);
        new UnknownCases(seen).judge(findings);
        findings.sort(Comparator.comparing(Finding::severity).thenComparing(Finding::cause));
        return List.copyOf(findings);
    }
}
