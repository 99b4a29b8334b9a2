package org.readpast.jms.engine.routing;

import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.readpast.jms.config.Routes;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.destination.ReadpastQueue;
import org.readpast.jms.engine.session.EngineSession;
import org.readpast.jms.engine.session.ProviderConsumer;
import org.readpast.jms.engine.session.ProviderSender;
import org.readpast.jms.engine.session.ProviderSession;
import org.readpast.jms.engine.source.BrowseCursor;
import org.readpast.jms.engine.source.Delivery;
import org.readpast.jms.engine.source.Subscription;
import org.readpast.jms.engine.support.Problems;
import org.readpast.jms.engine.transaction.AcknowledgeMode;
import org.readpast.jms.engine.transaction.SessionLock;
import org.readpast.jms.selector.Selector;

/** A session whose destinations are in several databases: what is asked of it is done by its {@link SessionParts}. */
final class RoutedSession implements ProviderSession {

    private final Databases databases;
    private final Placement placement;
    private final RoutedTemporaries temporaries;
    private final Consumer<RoutedSession> onClose;
    private final SessionLock lock = new SessionLock(true);
    private final SessionParts parts;
    private final QueueMoves moves;
    private final QueueConsumers onQueues;
    private final RoutedSender sender;
    private final AtomicBoolean closing = new AtomicBoolean();

    RoutedSession(
            Databases databases,
            Placement placement,
            Branches branches,
            RoutedTemporaries temporaries,
            AcknowledgeMode mode,
            Consumer<RoutedSession> onClose) {
        this.databases = databases;
        this.placement = placement;
        this.temporaries = temporaries;
        this.onClose = onClose;
        this.parts = new SessionParts(databases, branches, mode, lock);
        this.moves = new QueueMoves(databases, parts);
        this.onQueues = new QueueConsumers(placement, moves);
        this.sender = new RoutedSender(parts, placement, temporaries, moves);
    }

    @Override
    public AcknowledgeMode mode() {
        return parts.mode();
    }

    @Override
    public ProviderSender sender() {
        return sender;
    }

    // Receiving

    @Override
    public ProviderConsumer consume(ReadpastDestination queue, Selector selector) throws JMSException {
        checkOpen();
        if (queue.isTemporary()) {
            TemporaryConsumer consumer = temporaries.consume(parts, queue, selector);
            parts.add(consumer);
            return consumer;
        }
        String from = placement.of(queue, moves::receivedFrom);
        RoutedConsumer consumer = new RoutedConsumer(
                parts, queue, from, database -> parts.in(database).consume(queue, selector));
        onQueues.add(consumer);
        return consumer;
    }

    @Override
    public ProviderConsumer subscribe(Subscription subscription) throws JMSException {
        checkOpen();
        String database = subscription.topic().isTemporary()
                ? temporaries.first()
                : placement.of(subscription.topic(), moves::sentTo);
        return new RoutedConsumer(
                parts, subscription.topic(), database, there -> parts.in(there).subscribe(subscription));
    }

    /** Its name does not say which database it is in. */
    @Override
    public void unsubscribe(String subscriptionName) throws JMSException {
        checkOpen();
        JMSException unknown = null;
        JMSException problem = null;
        for (String database : databases.names()) {
            try {
                parts.in(database).unsubscribe(subscriptionName);
                return;
            } catch (InvalidDestinationException e) {
                unknown = e;
            } catch (IllegalStateException e) {
                throw e;
            } catch (JMSException e) {
                problem = problem == null ? e : problem;
            }
        }
        throw problem == null ? unknown : problem;
    }

    @Override
    public BrowseCursor browse(ReadpastQueue queue, Selector selector) throws JMSException {
        checkOpen();
        if (!queue.isTemporary()) {
            String sentTo = placement.of(queue, moves::sentTo);
            String receivedFrom = placement.of(queue, moves::receivedFrom);
            return sentTo.equals(receivedFrom)
                    ? parts.in(sentTo).browse(queue, selector)
                    : new Cursors(List.of(
                            parts.in(receivedFrom).browse(queue, selector),
                            parts.in(sentTo).browse(queue, selector)));
        }
        List<BrowseCursor> cursors = new ArrayList<>();
        for (String database : temporaries.databasesOf(queue)) {
            cursors.add(parts.in(database).browse(queue, selector));
        }
        if (cursors.isEmpty()) {
            // Of another connection, or nowhere yet.
            cursors.add(parts.in(temporaries.find(queue, null)).browse(queue, selector));
        }
        return new Cursors(cursors);
    }

    /** One after the other. */
    private record Cursors(List<BrowseCursor> all) implements BrowseCursor {

        @Override
        public Delivery next() throws JMSException {
            for (BrowseCursor cursor : all) {
                Delivery next = cursor.next();
                if (next != null) {
                    return next;
                }
            }
            return null;
        }

        @Override
        public void close() {
            all.forEach(BrowseCursor::close);
        }
    }

    // Ends of transactions

    @Override
    public void commit() throws JMSException {
        checkTransacted("commit");
        for (EngineSession part : parts.workingFirst()) {
            part.commit();
        }
    }

    @Override
    public void rollback() throws JMSException {
        checkTransacted("rollback");
        for (EngineSession part : parts.workingFirst()) {
            part.rollback();
        }
    }

    private void checkTransacted(String call) throws JMSException {
        checkOpen();
        if (!parts.isTransacted()) {
            throw new IllegalStateException(call + " is for transacted sessions");
        }
    }

    @Override
    public void recover() throws JMSException {
        checkOpen();
        if (parts.isTransacted()) {
            throw new IllegalStateException("recover is for sessions that are not transacted; use rollback");
        }
        Problems problems = new Problems();
        parts.all().forEach(part -> problems.attempt(part::recover));
        problems.throwFirst();
    }

    @Override
    public void acknowledge() throws JMSException {
        checkOpen();
        Problems problems = new Problems();
        parts.all().forEach(part -> problems.attempt(part::acknowledge));
        problems.throwFirst();
    }

    @Override
    public Connection sqlConnection(ReadpastDestination of) throws JMSException {
        checkOpen();
        String working = parts.working();
        if (of != null) {
            String database = sqlDatabaseOf(of, working);
            parts.check(database, of, working);
            return parts.in(database).sqlConnection(null);
        }
        String chosen = working == null ? parts.joined() : working;
        if (chosen == null && databases.names().size() == 1) {
            chosen = databases.names().get(0);
        }
        if (chosen == null) {
            checkTransacted("sqlConnection");
            throw new IllegalStateException(
                    "The session has sent and received nothing in its transaction yet, which may be in any of the"
                            + " databases " + databases.names() + ": send or receive first, or say which one by"
                            + " sqlConnection(destination)");
        }
        return parts.in(chosen).sqlConnection(null);
    }

    /**
     * Where the SQL connection for a destination is. A queue that is moved may be in two databases: it is where its messages are received, if the
     * session's transaction is there, or is nowhere yet and there is a consumer.
     */
    private String sqlDatabaseOf(ReadpastDestination of, String working) throws JMSException {
        if (!of.isTemporary() && !of.isComposite()) {
            String receivedFrom = working == null ? onQueues.consumedFrom(of) : placement.of(of, moves::receivedFrom);
            if (receivedFrom != null && (working == null || working.equals(receivedFrom))) {
                return receivedFrom;
            }
        }
        return sender.databaseOf(of, working);
    }

    // Its life

    @Override
    public void checkOpen() throws JMSException {
        parts.checkOpen();
    }

    /** Whether the caller is a message listener or a completion listener of this session. */
    boolean isInListenerOrCallback() {
        return parts.isInListenerOrCallback();
    }

    /** Whether it delivers nothing any more. */
    boolean isOver() {
        return parts.isOver();
    }

    /** See {@link QueueConsumers#haveToTurn}. */
    boolean hasToTurn() {
        return onQueues.haveToTurn();
    }

    /** See {@link QueueConsumers#turn}. */
    void turn() throws JMSException {
        onQueues.turn();
    }

    @Override
    public long closeTimeoutMillis() {
        return databases.settings(Routes.HOME).closeTimeoutMillis();
    }

    /** Its connection is being closed: whoever waits for a message gets none. */
    void cease() {
        parts.cease();
        temporaries.wakeUp();
    }

    /** Its connection is closed, and closes its parts. */
    void end() throws JMSException {
        parts.end();
        temporaries.wakeUp();
        for (TemporaryConsumer consumer : parts.onTemporaries()) {
            consumer.close();
        }
        onClose.accept(this);
    }

    @Override
    public void close() throws JMSException {
        for (EngineSession part : parts.all()) {
            part.checkMayClose();
        }
        if (!closing.compareAndSet(false, true)) {
            awaitClosed();
            return;
        }
        parts.end();
        temporaries.wakeUp();
        // No listener may lose another database while it runs. It may use one for the first time.
        parts.all().forEach(EngineSession::cease);
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(closeTimeoutMillis());
        lock.awaitFree(deadline);
        parts.all().forEach(part -> part.awaitCallbacks(deadline));
        Problems problems = new Problems();
        parts.all().forEach(part -> problems.attempt(part::close));
        parts.onTemporaries().forEach(consumer -> problems.attempt(consumer::close));
        onClose.accept(this);
        problems.throwFirst();
    }

    @Override
    public void awaitClosed() throws JMSException {
        for (EngineSession part : parts.all()) {
            part.awaitClosed();
        }
    }
}
