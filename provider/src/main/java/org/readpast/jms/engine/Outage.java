package org.readpast.jms.engine;

import org.readpast.jms.config.Settings;
import org.slf4j.Logger;

/**
 * One thread's trouble with the database, from its first failure to its recovery: says so once in the log, and how long to wait
 * before each new attempt. Not thread-safe.
 */
final class Outage {

    private final String activity;
    private final Logger log;
    private final Settings settings;
    private long delay;

    /**
     * @param activity what cannot be done, as in "receiving from queue 'orders'"
     */
    Outage(String activity, Logger log, Settings settings) {
        this.activity = activity;
        this.log = log;
        this.settings = settings;
    }

    boolean isOn() {
        return delay > 0;
    }

    /** Another failure; returns the milliseconds to wait before the next attempt. */
    long again(Throwable problem) {
        if (!isOn()) {
            delay = settings.recoveryDelayMillis();
            log.warn("Trouble {}: {}. Trying again until it works.", activity, problem.getMessage());
        } else {
            delay = Math.min(delay * 2, settings.recoveryCeilingMillis());
            log.debug("Still trouble {}: {}", activity, problem.getMessage());
        }
        return delay;
    }

    /** An attempt worked. */
    void over() {
        if (isOn()) {
            delay = 0;
            log.info("Recovered {}.", activity);
        }
    }
}
