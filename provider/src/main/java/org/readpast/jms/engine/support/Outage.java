package org.readpast.jms.engine.support;

import org.readpast.jms.config.Settings;
import org.slf4j.Logger;

/**
 * One thread's trouble with the database, from its first failure to its recovery: says so once in the log, where nobody else has said that the
 * database is away, and how long to wait before each new attempt. Not thread-safe.
 */
public final class Outage {

    private final String activity;
    private final Logger log;
    private final Settings settings;
    private final Outages all;
    private long delay;
    private boolean told;

    /**
     * @param activity what cannot be done, as in "receiving from queue 'orders'"
     * @param all of the same database
     */
    public Outage(String activity, Logger log, Settings settings, Outages all) {
        this.activity = activity;
        this.log = log;
        this.settings = settings;
        this.all = all;
    }

    public boolean isOn() {
        return delay > 0;
    }

    /** Another failure; returns the milliseconds to wait before the next attempt. */
    public long again(Throwable problem) {
        delay = isOn() ? Math.min(delay * 2, settings.recoveryCeilingMillis()) : settings.recoveryDelayMillis();
        // What goes on failing after others got over it is told of a little later.
        if (!told && !all.isKnown(problem, this)) {
            told = true;
            log.warn("Trouble {}: {}. Trying again until it works.", activity, problem.getMessage());
        } else {
            log.debug("Trouble {}: {}", activity, problem.getMessage());
        }
        return delay;
    }

    /** An attempt worked. */
    public void over() {
        if (isOn()) {
            delay = 0;
            all.over(this);
            if (told) {
                told = false;
                log.info("Recovered {}.", activity);
            }
        }
    }

    /** There will be no further attempt, or what fails now is not the database: others tell of it. */
    public void end() {
        all.over(this);
    }
}
