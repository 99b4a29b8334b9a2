package org.readpast.operations;

import java.time.Instant;

/**
 * A JVM that is connected.
 *
 * @param instance its id
 * @param host null where it did not say
 * @param process as {@code pid 4711}
 * @param startedAt when it connected first
 * @param missingSince since when others miss the lock that shows that it lives; null if they don't
 */
public record Client(String instance, String host, String process, Instant startedAt, Instant missingSince) {

    /** The process and host in words. */
    public String who() {
        return Words.who(process, host, instance);
    }
}
