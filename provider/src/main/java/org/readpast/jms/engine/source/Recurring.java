package org.readpast.jms.engine.source;

import org.readpast.jms.config.Settings;
import org.readpast.jms.engine.support.Outage;
import org.readpast.jms.engine.support.Outages;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * A chore that goes on when the database has been away, and that is left to others where this user may not do it. Used by one thread, but
 * for {@link #isAllowed}.
 */
final class Recurring implements Runnable {

    /** A part of a chore. */
    @FunctionalInterface
    interface Batch {

        /** Returns whether there is more to be done. */
        boolean run() throws StoreException;
    }

    private static final Logger LOG = Loggers.of(Recurring.class);

    private final String activity;
    private final Batch batch;
    private final Outage outage;
    private final LeftToOthers leftToOthers;

    /** Whether it failed when it was last tried. */
    private volatile boolean failed;

    /** @param activity what it does and where, for the log */
    Recurring(String activity, Settings settings, Outages outages, Batch batch) {
        this.activity = activity;
        this.batch = batch;
        this.outage = new Outage(activity, LOG, settings, outages);
        this.leftToOthers = new LeftToOthers(activity, settings.recoveryCeilingMillis());
    }

    /** Whether this user may do it and it works, as far as is known. */
    boolean isAllowed() {
        return !failed;
    }

    @Override
    public void run() {
        runBatch();
    }

    /**
     * Returns whether there is more to be done. Only when there is not, it is known whether all works: a batch that leaves more may have left
     * out what fails.
     */
    boolean runBatch() {
        if (leftToOthers.isNow()) {
            return false;
        }
        try {
            if (batch.run()) {
                return true;
            }
            failed = false;
            outage.over();
            leftToOthers.over();
        } catch (StoreException e) {
            failed = true;
            if (e.failure() == Failure.PERMISSION) {
                leftToOthers.begin(e);
            } else {
                outage.again(e);
            }
        } catch (Throwable e) {
            failed = true;
            outage.end();
            LOG.error("{} failed and will be tried again", activity, e);
        }
        return false;
    }
}
