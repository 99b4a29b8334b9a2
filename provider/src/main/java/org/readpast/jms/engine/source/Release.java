package org.readpast.jms.engine.source;

import org.readpast.jms.engine.support.Uninterrupted;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * Gives something up in the database that nobody holds any more: at once, or while the database is away again and again until it is
 * done, as long as the runtime lives; what is left then goes with this JVM's presence.
 */
public final class Release {

    private static final Logger LOG = Loggers.of(Release.class);
    private static final long RETRY_MILLIS = 2_000;

    /** May be done more than once. */
    @FunctionalInterface
    public interface Step {
        void run() throws StoreException;
    }

    private final Housekeeping housekeeping;
    private final String what;
    private final Step step;

    /** Whether the log has what was not expected. Used by the thread of the chores. */
    private boolean isTold;

    private Release(Housekeeping housekeeping, String what, Step step) {
        this.housekeeping = housekeeping;
        this.what = what;
        this.step = step;
    }

    /**
     * Carries it out, now or later.
     *
     * @param what for the log, such as {@code The client id 'a'}
     * @throws StoreException if trying again would not help; what is unchecked is thrown too, and it is tried again
     */
    public static void carryOut(Housekeeping housekeeping, String what, Step step) throws StoreException {
        new Release(housekeeping, what, step).now();
    }

    /** The same on another thread, for who has waited for the database already. */
    static void carryOutSoon(Housekeeping housekeeping, String what, Step step) {
        housekeeping.later(0, new Release(housekeeping, what, step)::again);
    }

    private void now() throws StoreException {
        try {
            Uninterrupted.run(step::run);
        } catch (StoreException e) {
            if (!mayWorkLater(e)) {
                throw e;
            }
            String meaning = what + " could not be given up in the database yet, which is tried again";
            if (e.failure() == Failure.LOCK_TIMEOUT) {
                // Somebody else holds it: that is no outage, and passes.
                LOG.debug("{}: {}", meaning, e.getMessage());
            } else {
                housekeeping.outages().tell(LOG, e, this, meaning);
            }
            housekeeping.later(RETRY_MILLIS, this::again);
        } catch (RuntimeException | Error e) {
            housekeeping.later(RETRY_MILLIS, this::again);
            throw e;
        }
    }

    private void again() {
        try {
            step.run();
            housekeeping.outages().over(this);
            LOG.info("{} no longer has to be given up in the database.", what);
        } catch (StoreException e) {
            if (mayWorkLater(e)) {
                housekeeping.later(RETRY_MILLIS, this::again);
            } else {
                housekeeping.outages().over(this);
                LOG.warn("{} could not be given up in the database: {}", what, e.getMessage());
            }
        } catch (RuntimeException | Error e) {
            housekeeping.later(RETRY_MILLIS, this::again);
            // The next outage is to be told of, though this goes on.
            housekeeping.outages().over(this);
            if (isTold) {
                LOG.debug("{} could still not be given up in the database: {}", what, e.toString());
            } else {
                isTold = true;
                LOG.error("{} could not be given up in the database, which is tried again", what, e);
            }
        }
    }

    static boolean mayWorkLater(StoreException problem) {
        return problem.failure().isTransient() || problem.failure() == Failure.IN_DOUBT;
    }
}
