package org.readpast.jms.engine.session;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.destination.ReadpastQueue;
import org.readpast.jms.engine.arrival.Waiter;
import org.readpast.jms.engine.runtime.ProviderRuntime;
import org.readpast.jms.engine.source.BrowseCursor;
import org.readpast.jms.engine.source.Source;
import org.readpast.jms.engine.source.Sources;
import org.readpast.jms.engine.source.Subscription;
import org.readpast.jms.engine.support.Problems;
import org.readpast.jms.engine.transaction.Recipient;
import org.readpast.jms.engine.transaction.SessionTransaction;
import org.readpast.jms.selector.Selector;

/** The consumers that are open in a session. Thread-safe. */
public final class SessionConsumers implements Iterable<EngineConsumer> {

    private final ConsumerSession session;
    private final SessionTransaction transaction;
    private final Sources sources;
    private final ProviderRuntime runtime;
    private final List<EngineConsumer> open = new CopyOnWriteArrayList<>();

    /** Of consumers that are closed, whose groups unacknowledged messages still hold. */
    private final Set<Source> leaving = ConcurrentHashMap.newKeySet();

    SessionConsumers(
            ConsumerSession session, SessionTransaction transaction, Sources sources, ProviderRuntime runtime) {
        this.session = session;
        this.transaction = transaction;
        this.sources = sources;
        this.runtime = runtime;
    }

    /**
     * A consumer of a queue.
     *
     * @param selector null for all messages
     * @throws InvalidDestinationException if it is a temporary queue of another connection
     */
    public EngineConsumer create(ReadpastDestination destination, Selector selector) throws JMSException {
        return create(destination, selector, null);
    }

    /** @param together is signalled with the consumer, which is one of several that are waited for; or null */
    EngineConsumer create(ReadpastDestination destination, Selector selector, Waiter together) throws JMSException {
        session.checkOpen();
        return open(sources.of(destination, selector), together);
    }

    /**
     * A consumer of a subscription of a topic, which exists when this returns.
     *
     * @throws jakarta.jms.IllegalStateException if a subscription of this name is in use otherwise, or of the other kind
     * @throws InvalidDestinationException if it is a temporary topic that is gone, or of another connection
     */
    public EngineConsumer subscribe(Subscription subscription) throws JMSException {
        session.checkOpen();
        return open(sources.of(subscription), null);
    }

    /**
     * Deletes a durable subscription of the connection's client id.
     *
     * @throws InvalidDestinationException if there is none of this name
     * @throws jakarta.jms.IllegalStateException if it is in use
     */
    public void unsubscribe(String subscriptionName) throws JMSException {
        session.checkOpen();
        sources.unsubscribe(subscriptionName);
    }

    /** A walk over the messages that are in the queue now; null selector for all. Not tied to any transaction. */
    public BrowseCursor browse(ReadpastQueue queue, Selector selector) throws JMSException {
        session.checkOpen();
        return sources.browse(runtime.store(), queue, selector);
    }

    private EngineConsumer open(Source source, Waiter together) throws JMSException {
        Recipient recipient = new Recipient(source, session.name(), Long.MAX_VALUE);
        EngineConsumer consumer = new EngineConsumer(session, source, recipient, runtime, together);
        open.add(consumer);
        if (session.isOver()) {
            end(source);
        }
        session.checkOpen();
        return consumer;
    }

    void closed(EngineConsumer consumer) {
        open.remove(consumer);
    }

    boolean hasListener() {
        return open.stream().anyMatch(consumer -> consumer.listener() != null);
    }

    /** Whether no consumer but this one has a listener. */
    boolean isOnlyListener(EngineConsumer consumer) {
        return open.stream().allMatch(other -> other == consumer || other.listener() == null);
    }

    boolean isConsuming(ReadpastDestination destination) {
        return open.stream()
                .anyMatch(consumer -> consumer.source().destination().equals(destination));
    }

    /** Whoever waits looks again. */
    void wakeUp() {
        open.forEach(EngineConsumer::wakeUp);
    }

    /** The consumer of a source is closed. */
    void end(Source source) throws JMSException {
        if (!source.end()) {
            leaving.add(source);
        }
    }

    /** Does what waits for the end of the session's transaction. With the lock. */
    void afterWork() {
        if (!transaction.isAtStake()) {
            transactionEnded();
        }
    }

    /** A transaction of the session has ended, which closed consumers may have waited for with the end of theirs. */
    private void transactionEnded() {
        leaving.removeIf(Source::giveUpGroups);
    }

    /** The session is closed, and with it their use of subscriptions and groups ends, of each though that of another fails. */
    void end() throws JMSException {
        transactionEnded();
        Problems problems = new Problems();
        for (EngineConsumer consumer : open) {
            problems.attempt(() -> consumer.source().end());
        }
        problems.throwFirst();
    }

    @Override
    public Iterator<EngineConsumer> iterator() {
        return open.iterator();
    }
}
