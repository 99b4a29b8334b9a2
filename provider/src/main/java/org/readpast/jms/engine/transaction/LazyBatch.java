package org.readpast.jms.engine.transaction;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How many messages a session that acknowledges lazily claims at once: as many as it gets through in a moment, since nobody else
 * can have them meanwhile. At first one, then at the most twice as many as last time. Not thread-safe.
 */
final class LazyBatch {

    private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final int LARGEST_STEP = 2;

    private final int most;
    private final LongSupplier nanoTime;

    /** How many the last claim got, and when. */
    private int claimed;

    private long claimedAt;

    /**
     * @param most never more than this
     * @param nanoTime the clock, as {@link System#nanoTime()}
     */
    LazyBatch(int most, LongSupplier nanoTime) {
        this.most = most;
        this.nanoTime = nanoTime;
    }

    /** How many to claim now that those claimed last have been consumed. */
    int next() {
        long passed = Math.max(1, nanoTime.getAsLong() - claimedAt);
        long inAMoment = claimed * MOMENT_NANOS / passed;
        return (int) Math.max(1, Math.min(most, Math.min(inAMoment, (long) claimed * LARGEST_STEP)));
    }

    /** This many were claimed. */
    void claimed(int count) {
        claimed = count;
        claimedAt = nanoTime.getAsLong();
    }
}
