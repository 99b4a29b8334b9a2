package org.readpast.jms.engine;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.destination.ReadpastQueue;
import org.readpast.jms.selector.Selector;

/** The consumers that are open in a session. Thread-safe. */
public final class SessionConsumers implements Iterable<EngineConsumer> {

    private final EngineSession session;
    private final EngineConnection connection;
    private final List<EngineConsumer> open = new CopyOnWriteArrayList<>();

    /** Of consumers that are closed, whose groups unacknowledged messages still hold. */
    private final Set<Source> leaving = ConcurrentHashMap.newKeySet();

    SessionConsumers(EngineSession session, EngineConnection connection) {
        this.session = session;
        this.connection = connection;
    }

    /**
     * A consumer of a queue.
     *
     * @param selector null for all messages
     * @throws InvalidDestinationException if it is a temporary queue of another connection
     */
    public EngineConsumer create(ReadpastDestination destination, Selector selector) throws JMSException {
        session.checkOpen();
        return open(connection.source(destination, selector));
    }

    /**
     * A consumer of a subscription of a topic, which exists when this returns.
     *
     * @throws jakarta.jms.IllegalStateException if a subscription of this name is in use otherwise, or of the other kind
     * @throws InvalidDestinationException if it is a temporary topic that is gone, or of another connection
     */
    public EngineConsumer subscribe(Subscription subscription) throws JMSException {
        session.checkOpen();
        return open(connection.source(subscription));
    }

    /**
     * Deletes a durable subscription of the connection's client id.
     *
     * @throws InvalidDestinationException if there is none of this name
     * @throws jakarta.jms.IllegalStateException if it is in use
     */
    public void unsubscribe(String subscriptionName) throws JMSException {
        session.checkOpen();
        connection.hub().subscriptions().unsubscribe(connection, subscriptionName);
    }

    /** A walk over the messages that are in the queue now; null selector for all. Not tied to any transaction. */
    public BrowseCursor browse(ReadpastQueue queue, Selector selector) throws JMSException {
        session.checkOpen();
        connection.temporaries().checkMayConsume(queue);
        Hub hub = connection.hub();
        return new PagedBrowse(hub.store(), queue, hub.destinations().idOf(queue, connection.autoCreation()), selector);
    }

    private EngineConsumer open(Source source) throws JMSException {
        EngineConsumer consumer = new EngineConsumer(session, source);
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

    /**
     * Whether what comes back now does so because deliveries end: a listener is not to blame for what it has not finished when its
     * connection is stopped or closed, nor who rolls back what he has received once that is stopped. To close without a commit what has been
     * received is how an application may tell that it has failed.
     */
    boolean endInOrder() {
        boolean listening = hasListener() || session.assigned().hasListener();
        return session.isOver()
                ? listening
                : !session.isStarted() && (listening || session.mode() == AcknowledgeMode.TRANSACTED);
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

    /** A transaction of the session has ended, which closed consumers may have waited for with the end of theirs. */
    void transactionEnded() {
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
