package org.readpast.jms.engine.transaction;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import org.readpast.jms.engine.arrival.Arrivals;
import org.readpast.jms.engine.source.Source;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoredMessage;

/**
 * Claims messages of one source within a session, and keeps what is claimed and not yet delivered; that is void when the epoch
 * it was claimed in is over. Used with the session's lock; not thread-safe.
 */
public final class Claimer {

    private final Source source;
    private final String description;
    private final SessionTransaction transaction;
    private final Arrivals arrivals;
    private final Deque<StoredMessage> claimed = new ArrayDeque<>();
    private long claimedInEpoch;
    private long allowance;

    /**
     * @param owner the session's name, for errors and logs
     * @param allowance how many messages it may deliver in all
     */
    public Claimer(Source source, String owner, SessionTransaction transaction, Arrivals arrivals, long allowance) {
        this.source = source;
        this.description = owner + " on " + source;
        this.transaction = transaction;
        this.arrivals = arrivals;
        this.allowance = allowance;
    }

    /**
     * Claims, where nothing is left of the last claim and something is still allowed.
     *
     * @return whether there is a message to deliver
     */
    public boolean fill(Acknowledgement acknowledgement) throws StoreException {
        if (claimedInEpoch != transaction.epoch()) {
            claimed.clear();
        } else if (!claimed.isEmpty() && isTooLate(claimed.peek())) {
            forgo();
        }
        if (claimed.isEmpty() && allowance > 0) {
            long mark = mark();
            refill(acknowledgement.claim(this));
            if (claimed.isEmpty()) {
                foundNothing(mark);
            }
        }
        return !claimed.isEmpty();
    }

    /** The state of its queue, to be asked for before a claim. */
    public long mark() {
        return arrivals.mark(source.destinationId());
    }

    /** A claim for it, made after this mark was asked for, found nothing. */
    public void foundNothing(long mark) {
        arrivals.foundNothing(source.destinationId(), mark);
    }

    /** What was claimed ahead by lease is delivered with at least half of its time before it, or claimed anew. */
    private static boolean isTooLate(StoredMessage message) {
        return message.lease() != null && message.lease().isHalfOver();
    }

    /** The next message to deliver, claiming where none is left; null if there is none. */
    public StoredMessage next(Acknowledgement acknowledgement) throws StoreException {
        if (!fill(acknowledgement)) {
            return null;
        }
        StoredMessage message = claimed.remove();
        allowance--;
        arrivals.claimed(message.key().destinationId());
        return transaction.complete(message);
    }

    /** Takes what was claimed for it. */
    void refill(Collection<StoredMessage> messages) {
        claimed.clear();
        claimed.addAll(messages);
        claimedInEpoch = transaction.epoch();
    }

    /** Whether it has claimed messages that are not delivered. */
    boolean hasMore() {
        return claimedInEpoch == transaction.epoch() && !claimed.isEmpty();
    }

    /** Lets others have what it has claimed and not delivered, and returns how many that is. */
    public int forgo() {
        int given = 0;
        if (claimedInEpoch == transaction.epoch()) {
            transaction.forgo(claimed);
            given = claimed.size();
        }
        claimed.clear();
        return given;
    }

    /** How many to claim at once, where the acknowledge mode would have so many. */
    int atMost(int wanted) {
        return (int) Math.min(wanted, allowance);
    }

    /** Whether it may deliver any more. */
    public boolean isAllowedMore() {
        return allowance > 0;
    }

    Source source() {
        return source;
    }

    /** For errors and logs. */
    @Override
    public String toString() {
        return description;
    }
}
