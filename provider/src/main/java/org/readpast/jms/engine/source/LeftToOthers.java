package org.readpast.jms.engine.source;

import java.util.concurrent.TimeUnit;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * What this user may not do. A server that fails over or is restored refuses what it will allow again, so it is tried again
 * after a while. Used by one thread.
 */
final class LeftToOthers {

    private static final Logger LOG = Loggers.of(LeftToOthers.class);

    private final String activity;
    private final long whileMillis;
    private boolean told;

    /** By {@link System#nanoTime()}. */
    private long untilNanos = System.nanoTime();

    /** @param whileMillis after so long it is tried again */
    LeftToOthers(String activity, long whileMillis) {
        this.activity = activity;
        this.whileMillis = whileMillis;
    }

    boolean isNow() {
        return untilNanos - System.nanoTime() > 0;
    }

    void begin(StoreException refusal) {
        untilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(whileMillis);
        if (!told) {
            told = true;
            LOG.info(
                    "{} is left to users with more rights, and tried again now and then: {}",
                    activity,
                    refusal.getMessage());
        }
    }

    void over() {
        if (told) {
            told = false;
            LOG.info("{} is allowed again", activity);
        }
    }
}
