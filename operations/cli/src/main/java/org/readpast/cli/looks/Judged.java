package org.readpast.cli.looks;

import java.util.List;
import org.readpast.cli.terminal.Target;
import org.readpast.operations.snapshot.Snapshot;
import org.readpast.operations.verdict.Finding;
import org.readpast.operations.verdict.Verdict;

/**
 * What a database says, and what is wrong there.
 *
 * @param findings the worst first
 */
record Judged(Snapshot seen, List<Finding> findings) {

    private static final int MILLIS_LATER = 5_000;

    /** Looks, and once more some seconds later where that may show that somebody works after all. */
    static Judged look(Target database) throws Exception {
        Verdict verdict = new Verdict();
        Judged first = look(database, verdict);
        if (first.findings.stream().noneMatch(Verdict::maySolveItself)) {
            return first;
        }
        Thread.sleep(MILLIS_LATER);
        return look(database, verdict);
    }

    private static Judged look(Target database, Verdict verdict) throws Exception {
        Snapshot seen = database.look(Snapshot::take);
        return new Judged(seen, verdict.judge(seen));
    }
}
