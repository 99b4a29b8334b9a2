package org.readpast.jms.engine.source;

import jakarta.jms.JMSException;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.selector.Selector;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.LeaseTerms;

/** Where a consumer's messages wait: a queue, or a subscription of a topic. Thread-safe. */
public final class Source {

    /**
     * In what way its messages are claimed.
     *
     * @param lease on what terms they are claimed by lease; null for by lock
     */
    record Claiming(GroupUse groups, LeaseTerms lease) {}

    private static final long AT_REST = Long.MIN_VALUE;

    private final OpenSources openSources;
    private final ReadpastDestination destination;

    /** Null for a subscription. */
    private final QueueUse queue;

    private final Selector selector;

    /** Null for a queue. */
    private final SubscriptionUse subscription;

    private final GroupUse groups;

    /** Null for claims by lock. */
    private final LeaseTerms lease;

    /** When a listener began to work on a message of it, by {@link System#nanoTime()}; {@link #AT_REST} while none does. */
    private volatile long listeningSince = AT_REST;

    private Source(
            OpenSources openSources,
            ReadpastDestination destination,
            QueueUse queue,
            Selector selector,
            SubscriptionUse subscription,
            Claiming claiming) {
        this.openSources = openSources;
        this.destination = destination;
        this.queue = queue;
        this.selector = selector;
        this.subscription = subscription;
        this.groups = claiming.groups();
        this.lease = claiming.lease();
    }

    static Source ofQueue(
            OpenSources openSources,
            ReadpastDestination destination,
            QueueUse queue,
            Selector selector,
            Claiming claiming) {
        return new Source(openSources, destination, queue, selector, null, claiming);
    }

    /** Without a selector: what the subscription's does not match never gets into it. */
    static Source ofTopic(
            OpenSources openSources, ReadpastDestination topic, SubscriptionUse subscription, Claiming claiming) {
        return new Source(openSources, topic, null, null, subscription, claiming);
    }

    /**
     * Ends the use of groups, and of the queue or subscription. Idempotent.
     *
     * @return false if unacknowledged messages hold groups that are to be given up when their transaction ends
     */
    public boolean end() throws JMSException {
        openSources.remove(this);
        try {
            return groups.end(destinationId());
        } finally {
            if (subscription != null) {
                subscription.end();
            } else {
                queue.end();
            }
        }
    }

    /** Gives up the groups that could not be given up at its end, and returns whether that is done. */
    public boolean giveUpGroups() {
        return groups.endAgain(destinationId());
    }

    /** What to ask for in a claim within the application's own transaction, which is always by lock. */
    public ClaimRequest lockingRequest(int max) {
        return groups.request(ungrouped(max));
    }

    /** What to ask for in a claim. By lease without regard to groups, which may be gone by now. */
    public ClaimRequest request(int max) {
        return isLeased() ? ungrouped(max).onLease(lease) : lockingRequest(max);
    }

    /** What to ask for in a claim from a queue that was found to have groups. By lease it is refused. */
    public ClaimRequest requestByGroups(int max) {
        return lockingRequest(max).onLease(lease);
    }

    private ClaimRequest ungrouped(int max) {
        return ClaimRequest.fromHead(destinationId(), max, selector);
    }

    /** Whether its messages are claimed by lease. */
    public boolean isLeased() {
        return lease != null;
    }

    /** Whether not every message that waits there may be for this consumer. */
    public boolean isSelective() {
        return selector != null || isOrdered();
    }

    /** Whether a message may have to wait until an earlier one is done with: of its group, or any of an exclusive consumer. */
    public boolean isOrdered() {
        return groups.isSelective(destinationId());
    }

    /** Where its messages wait now. */
    public int destinationId() {
        return subscription == null ? queue.id() : subscription.destinationId();
    }

    public ReadpastDestination destination() {
        return destination;
    }

    /**
     * A listener begins to work on a message. Where several do at the same time, the last one that has begun counts.
     *
     * @param nanos when, by {@link System#nanoTime()}
     */
    public void listening(long nanos) {
        listeningSince = nanos;
    }

    /** It has ended. */
    public void listened() {
        listeningSince = AT_REST;
    }

    /** For how long it has been at work; 0 while it is not. */
    long listeningNanos(long now) {
        long since = listeningSince;
        return since == AT_REST ? 0 : now - since;
    }

    /** Null for all messages. */
    Selector selector() {
        return selector;
    }

    /** For errors and logs. */
    @Override
    public String toString() {
        return destination.toString();
    }
}
