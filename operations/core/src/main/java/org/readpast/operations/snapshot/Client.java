package org.readpast.operations.snapshot;

import java.time.Instant;
import org.readpast.operations.database.Words;

/**
 * A JVM that is connected.
 *
 * @param instance its id
 * @param host null where it did not say
 * @param process as {@code pid 4711}
 * @param startedAt when it connected first
 * @param missingSince since when others miss the lock that shows that it lives; null if they don't
 * @param release of its Readpast; null where it was not asked
 * @param schemaVersion the version of the schema that its Readpast was made for; null where it was not asked
 * @param report what it told of itself last; null where it was not asked, or has not told yet
 */
public record Client(
        String instance,
        String host,
        String process,
        Instant startedAt,
        Instant missingSince,
        String release,
        Integer schemaVersion,
        ClientReport report) {

    /**
     * Since when it is missed, by others or because it has told nothing of itself for longer than it may while it runs: where all JVMs have
     * died nobody is left to miss one. Null if it is not missed.
     */
    public Instant lostSince(Instant now) {
        if (missingSince != null || report == null || report.isCurrent(now)) {
            return missingSince;
        }
        return report.at();
    }

    /** The process and host in words. */
    public String who() {
        return Words.who(process, host, instance);
    }
}
