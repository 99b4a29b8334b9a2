package org.readpast.ra;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What keeps a message-driven bean from its messages: it is told in one line as it begins and in one as it is over, and each attempt in
 * between comes later than the one before. Thread-safe.
 */
final class Outage {

    private static final Logger LOG = LoggerFactory.getLogger(Outage.class);

    private static final long FIRST_MILLIS = 500;
    private static final long MOST_MILLIS = 30_000;

    private final String owner;
    private int failures;
    private long sinceNanos;

    /** What was told last; null where nothing is wrong. */
    private String problem;

    Outage(String owner) {
        this.owner = owner;
    }

    /** Notes a failure, and returns how many milliseconds to wait before the next attempt. */
    synchronized long failed(Throwable cause) {
        problem = text(cause);
        if (failures++ == 0) {
            sinceNanos = System.nanoTime();
            LOG.warn("{}: no messages for now, trying again until there are: {}", owner, problem);
        }
        LOG.debug("{}: attempt {} failed", owner, failures, cause);
        long delay = Math.min(MOST_MILLIS, FIRST_MILLIS << Math.min(failures - 1, 10));
        return delay / 2 + ThreadLocalRandom.current().nextLong(delay);
    }

    /** Notes that it is over, if there was one. */
    synchronized void over() {
        if (failures > 0) {
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - sinceNanos);
            LOG.info("{}: messages are delivered again, after {} failures in {} s", owner, failures, seconds);
            failures = 0;
            problem = null;
        }
    }

    /** What keeps it from its messages; null if nothing does. */
    synchronized String problem() {
        return problem;
    }

    private static String text(Throwable cause) {
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }
}
