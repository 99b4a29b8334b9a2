package org.readpast.jms.engine;

import jakarta.jms.JMSException;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.selector.Selector;

/** Where a consumer's messages wait: a queue, or a subscription of a topic. Thread-safe. */
final class Source {

    private final ReadpastDestination destination;

    /** Without meaning for a subscription. */
    private final int queueId;

    private final Selector selector;

    /** Null for a queue. */
    private final SubscriptionUse subscription;

    private Source(ReadpastDestination destination, int queueId, Selector selector, SubscriptionUse subscription) {
        this.destination = destination;
        this.queueId = queueId;
        this.selector = selector;
        this.subscription = subscription;
    }

    static Source ofQueue(ReadpastDestination queue, int queueId, Selector selector) {
        return new Source(queue, queueId, selector, null);
    }

    /** Without a selector: what the subscription's does not match never gets into it. */
    static Source ofTopic(ReadpastDestination topic, SubscriptionUse subscription) {
        return new Source(topic, 0, null, subscription);
    }

    /** Ends the use of a subscription, if it is one. Idempotent. */
    void end() throws JMSException {
        if (subscription != null) {
            subscription.end();
        }
    }

    /** Where its messages wait now. */
    int destinationId() {
        return subscription == null ? queueId : subscription.destinationId();
    }

    ReadpastDestination destination() {
        return destination;
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
