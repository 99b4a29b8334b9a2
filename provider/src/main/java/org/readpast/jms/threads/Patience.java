package org.readpast.jms.threads;

import java.util.concurrent.TimeUnit;

/** Growing pauses between one question and the next, for a bounded time. Not thread-safe. */
public final class Patience {

    private static final long FIRST_MILLIS = 20;
    private static final long CEILING_MILLIS = 500;

    private final long deadline;
    private long pause = FIRST_MILLIS;

    /**
     * From now on.
     *
     * @param millis how long it lasts
     */
    public Patience(long millis) {
        this.deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Whether there is no time left for another question. */
    public boolean isOver() {
        return System.nanoTime() - deadline > 0;
    }

    /** Waits before the next question; false without waiting where the time is over, or if the thread is interrupted, which it stays. */
    public boolean pause() {
        if (isOver()) {
            return false;
        }
        try {
            TimeUnit.MILLISECONDS.sleep(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        pause = Math.min(2 * pause, CEILING_MILLIS);
        return true;
    }
}
