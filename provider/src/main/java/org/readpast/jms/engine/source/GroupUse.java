package org.readpast.jms.engine.source;

import jakarta.jms.JMSException;
import org.readpast.jms.engine.arrival.ArrivalNews;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.GroupHolder;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/** One consumer's part in the groups of its queue, from its creation to its close. Thread-safe. */
final class GroupUse {

    private static final Logger LOG = Loggers.of(GroupUse.class);
    private static final long RETRY_MILLIS = 1_000;

    private final Groups groups;
    private final Presence presence;
    private final Housekeeping housekeeping;
    private final ArrivalNews news;
    private final GroupHolder holder;

    /** Guarded by this. */
    private boolean begun;

    /** Guarded by this. */
    private boolean ended;

    GroupUse(Groups groups, Presence presence, Housekeeping housekeeping, ArrivalNews news, GroupHolder holder) {
        this.groups = groups;
        this.presence = presence;
        this.housekeeping = housekeeping;
        this.news = news;
        this.holder = holder;
    }

    /** Whether not every message of the queue may be for this consumer, because of groups. */
    boolean isSelective(int destinationId) {
        return holder.isExclusive() || groups.areIn(destinationId);
    }

    /** The request, made one by groups where the queue has some. */
    ClaimRequest request(ClaimRequest request) {
        if (!isSelective(request.destinationId())) {
            return request;
        }
        begin();
        return request.by(holder);
    }

    private synchronized void begin() {
        if (!begun) {
            begun = true;
            groups.begins(holder);
        }
    }

    /**
     * The consumer is closed: gives up its groups, so that others take them. A group with messages that are not acknowledged is
     * given up when their transaction has ended, see {@link #endAgain}; that is tried now and then as well.
     *
     * @return whether all are given up
     */
    boolean end(int destinationId) throws JMSException {
        try {
            if (endNow(destinationId)) {
                return true;
            }
        } catch (StoreException e) {
            if (!e.failure().isTransient()) {
                throw JmsErrors.jms("Giving up the message groups of a closed consumer failed", e);
            }
            String meaning = "A consumer is closed; the database will be told later that it has no groups";
            housekeeping.outages().tell(LOG, e, this, meaning);
        } catch (RuntimeException | Error e) {
            housekeeping.later(RETRY_MILLIS, () -> endLater(destinationId));
            throw e;
        }
        housekeeping.later(RETRY_MILLIS, () -> endLater(destinationId));
        return false;
    }

    /** Tries once more what {@link #end} could not do, and returns whether it is done. */
    boolean endAgain(int destinationId) {
        try {
            return endNow(destinationId);
        } catch (StoreException e) {
            LOG.debug("A closed consumer's groups could still not be given up: {}", e.getMessage());
            if (e.failure().isTransient()) {
                return false;
            }
            housekeeping.outages().over(this);
            return true;
        } catch (RuntimeException | Error e) {
            housekeeping.outages().over(this);
            throw e;
        }
    }

    private synchronized boolean endNow(int destinationId) throws StoreException {
        if (ended || !holder.mayHaveGroups()) {
            groups.ended(holder);
            return true;
        }
        ended = presence.releaseGroups(holder);
        housekeeping.outages().over(this);
        if (ended) {
            groups.ended(holder);
        }
        news.available(destinationId);
        return ended;
    }

    private void endLater(int destinationId) {
        boolean isDone = false;
        try {
            isDone = endAgain(destinationId);
        } finally {
            if (!isDone) {
                housekeeping.later(RETRY_MILLIS, () -> endLater(destinationId));
            }
        }
    }
}
