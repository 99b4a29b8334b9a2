package org.readpast.jms.engine.support;

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.config.Settings;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;
import org.slf4j.Logger;

/**
 * What all threads of a runtime meet while its database is away: the log has one warning of it, from the thread that meets it first. Thread-safe.
 */
public final class Outages {

    /** Of {@code poolTimeoutMillis}, or of five seconds: what waits longest for an answer is housekeeping. */
    private static final int LONGEST_WAIT = 4;

    private static final long LEAST_MILLIS = 5_000;

    /** While a database does not answer, the pool's connections are all in use. */
    private static final Set<Failure> SHARED =
            EnumSet.of(Failure.CONNECTION_LOST, Failure.IN_DOUBT, Failure.UNDONE, Failure.POOL_EXHAUSTED);

    private final long lateNanos;

    /** The reporter of the outage that goes on; null while there is none. Guarded by this. */
    private Object teller;

    /** Until when what fails may have been begun in the last one, by {@link System#nanoTime()}. Guarded by this. */
    private long lateUntil = System.nanoTime();

    public Outages(Settings settings) {
        lateNanos = TimeUnit.MILLISECONDS.toNanos(LONGEST_WAIT * Math.max(LEAST_MILLIS, settings.poolTimeoutMillis()));
    }

    /**
     * Whether the log knows of a problem already: everybody has it, and somebody has told of it, or has just got over it, so that what fails
     * may have been begun before. If not, the caller tells of it, and says when it is over.
     */
    public synchronized boolean isKnown(Throwable problem, Object whose) {
        if (!(problem instanceof StoreException trouble) || !SHARED.contains(trouble.failure())) {
            return false;
        }
        if (System.nanoTime() - lateUntil < 0) {
            return true;
        }
        if (teller == null) {
            teller = whose;
        }
        return teller != whose;
    }

    /**
     * Logs what a problem means, as a warning unless the log knows of it: see {@link #isKnown}.
     *
     * @param meaning what could not be done, and what becomes of it
     */
    public void tell(Logger log, Throwable problem, Object whose, String meaning) {
        if (isKnown(problem, whose)) {
            log.debug("{}: {}", meaning, problem.getMessage());
        } else {
            log.warn("{}: {}", meaning, problem.getMessage());
        }
    }

    /** The reporter of the outage works again. */
    public synchronized void over(Object whose) {
        if (teller == whose) {
            teller = null;
            lateUntil = System.nanoTime() + lateNanos;
        }
    }
}
