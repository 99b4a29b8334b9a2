package org.readpast.bridge.batch;

import java.util.concurrent.TimeUnit;

/** Keeps all links of a bridge together to so many messages in a second. Thread-safe. */
public final class Pace {

    private final int perSecond;
    private long freeAt = System.nanoTime();

    /**
     * A pace at which nothing has moved yet.
     *
     * @param perSecond 0 for no limit
     */
    public Pace(int perSecond) {
        this.perSecond = perSecond;
    }

    /** For how many milliseconds whoever has moved these messages has to wait. */
    public synchronized long millisAfter(int messages) {
        if (perSecond == 0) {
            return 0;
        }
        long now = System.nanoTime();
        freeAt = Math.max(freeAt, now) + messages * TimeUnit.SECONDS.toNanos(1) / perSecond;
        return TimeUnit.NANOSECONDS.toMillis(freeAt - now);
    }
}
