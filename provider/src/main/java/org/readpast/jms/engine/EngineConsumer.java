package org.readpast.jms.engine;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.selector.Selector;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoredMessage;

/** A consumer of a queue, or of a subscription of a topic. As JMS has it, one thread uses it at a time, {@link #close} excepted. */
public final class EngineConsumer {

    /** A {@code receive} that does not wait. */
    public static final long NO_WAIT = -1;

    private final EngineSession session;
    private final ReadpastDestination destination;

    /** Without meaning for a consumer of a topic. */
    private final int queueId;

    private final Selector selector;

    /** Null for a consumer of a queue. */
    private final SubscriptionUse subscription;

    private final Waiter waiter;

    /** Claimed and not yet delivered; void when the epoch is over. Used with the session's turn. */
    private final Deque<StoredMessage> claimed = new ArrayDeque<>();

    private long claimedInEpoch;
    private volatile DeliveryListener listener;
    private volatile boolean closed;

    private EngineConsumer(
            EngineSession session,
            ReadpastDestination destination,
            int queueId,
            Selector selector,
            SubscriptionUse subscription) {
        this.session = session;
        this.destination = destination;
        this.queueId = queueId;
        this.selector = selector;
        this.subscription = subscription;
        this.waiter = new Waiter(selector != null);
    }

    static EngineConsumer ofQueue(EngineSession session, ReadpastDestination queue, int queueId, Selector selector) {
        return new EngineConsumer(session, queue, queueId, selector, null);
    }

    /** Without a selector: what the subscription's does not match never gets into it. */
    static EngineConsumer ofTopic(EngineSession session, ReadpastDestination topic, SubscriptionUse subscription) {
        return new EngineConsumer(session, topic, 0, null, subscription);
    }

    /**
     * Receives the next message.
     *
     * @param timeoutMillis how long to wait: 0 for ever, {@link #NO_WAIT} not at all
     * @return null when the time is over, or the consumer, session or connection was closed meanwhile
     * @throws IllegalStateException if it is closed, or the session has a listener
     */
    public <T> T receive(long timeoutMillis, DeliveryReader<T> reader) throws JMSException {
        checkOpen();
        session.checkMayReceive();
        long deadline = timeoutMillis == 0 ? Long.MAX_VALUE : System.nanoTime() + timeoutMillis * 1_000_000;
        while (true) {
            int from = destinationId();
            long mark = session.hub().arrivals().mark(from);
            Received<T> received = session.receive(this, reader);
            if (received != null) {
                return received.value();
            }
            if (timeoutMillis == NO_WAIT || isOver() || !await(from, mark, deadline)) {
                return null;
            }
        }
    }

    /** What a reader made of a message, which may be null. */
    record Received<T>(T value) {}

    private boolean await(int from, long mark, long deadline) throws JMSException {
        Arrivals arrivals = session.hub().arrivals();
        boolean listening = session.isStarted();
        if (listening) {
            arrivals.enter(waiter, Map.of(from, mark));
        }
        try {
            return isOver() || listening != session.isStarted() || waiter.await(deadline);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw JmsErrors.causedBy(new JMSException(this + ": interrupted while waiting for a message"), e);
        } finally {
            if (listening) {
                arrivals.leave(waiter, List.of(from));
            }
        }
    }

    /** Sets the listener, or with null takes it away. */
    public void listen(DeliveryListener newListener) throws JMSException {
        checkOpen();
        session.listen(this, newListener);
    }

    /** Closes; waits for a running listener unless called from it. Idempotent. */
    public void close() throws JMSException {
        if (!closed) {
            closed = true;
            waiter.signal();
            try {
                session.closed(this);
            } finally {
                endSubscription();
            }
        }
    }

    /** Ends its use of a subscription, if it is of one. Idempotent. */
    void endSubscription() throws JMSException {
        if (subscription != null) {
            subscription.end();
        }
    }

    public boolean isClosed() {
        return closed;
    }

    private boolean isOver() {
        return closed || session.isOver();
    }

    private void checkOpen() throws JMSException {
        session.checkOpen();
        if (closed) {
            throw new IllegalStateException("The consumer of " + destination + " is closed");
        }
    }

    /**
     * The next message for this consumer, claiming where none is left. With the session's turn.
     *
     * @return null if there is none
     */
    StoredMessage next(Acknowledgement acknowledgement) throws StoreException {
        if (claimedInEpoch != session.transaction().epoch()) {
            claimed.clear();
        }
        if (claimed.isEmpty()) {
            refill(acknowledgement.claim(this));
        }
        StoredMessage message = claimed.poll();
        if (message == null) {
            session.hub().arrivals().foundNothing(destinationId());
            return null;
        }
        session.hub().arrivals().claimed(message.key().destinationId());
        return session.transaction().complete(message);
    }

    /** Takes what was claimed for it. With the session's turn. */
    void refill(Collection<StoredMessage> messages) {
        claimed.clear();
        claimed.addAll(messages);
        claimedInEpoch = session.transaction().epoch();
    }

    /** Lets others have what it has claimed and not delivered. With the session's turn. */
    void forgo() {
        if (claimedInEpoch == session.transaction().epoch()) {
            session.transaction().forgo(claimed);
        }
        claimed.clear();
    }

    /** With the session's turn. */
    void setListener(DeliveryListener newListener) {
        listener = newListener;
    }

    DeliveryListener listener() {
        return listener;
    }

    /** Where its messages wait now. */
    int destinationId() {
        return subscription == null ? queueId : subscription.destinationId();
    }

    ReadpastDestination destination() {
        return destination;
    }

    Selector selector() {
        return selector;
    }

    void wakeUp() {
        waiter.signal();
    }

    /** For errors and logs. */
    @Override
    public String toString() {
        return session.name() + " on " + destination;
    }
}
