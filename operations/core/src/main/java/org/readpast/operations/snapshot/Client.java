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

    /** What it told of itself, unless that is older than it may be while it runs; null then. */
    public ClientReport currentReport(Instant now) {
        return report != null && report.isCurrent(now) ? report : null;
    }

    /** The process and host in words. */
    public String who() {
        return Words.who(process, host, instance);
    }
}
