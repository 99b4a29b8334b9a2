package org.readpast.jms.engine.routing;

import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.config.Routes;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.destination.ReadpastQueue;
import org.readpast.jms.engine.session.EngineSession;
import org.readpast.jms.engine.session.ProviderConsumer;
import org.readpast.jms.engine.session.ProviderSender;
import org.readpast.jms.engine.session.ProviderSession;
import org.readpast.jms.engine.session.SendCompletion;
import org.readpast.jms.engine.session.SessionSender;
import org.readpast.jms.engine.source.BrowseCursor;
import org.readpast.jms.engine.source.Delivery;
import org.readpast.jms.engine.source.Subscription;
import org.readpast.jms.engine.support.Problems;
import org.readpast.jms.engine.transaction.AcknowledgeMode;
import org.readpast.jms.engine.transaction.SessionLock;
import org.readpast.jms.selector.Selector;

/**
 * A session whose destinations are in several databases: one session in each that it has used. They share a lock, so that no two of them are
 * at work at a time, and a listener of one may use all. What is one transaction is in one database: from the first send or receive of a
 * transacted session to its commit or rollback, and from the first receive of a CLIENT session to its acknowledgement.
 */
final class RoutedSession implements ProviderSession, ProviderSender, SessionRules {

    private final Databases databases;
    private final Placement placement;
    private final Branches branches;
    private final RoutedTemporaries temporaries;
    private final QueueMoves moves;
    private final AcknowledgeMode mode;
    private final Consumer<RoutedSession> onClose;
    private final SessionLock lock = new SessionLock(true);
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile boolean closed;

    /** Whether its connection is being closed. */
    private volatile boolean over;

    /** By the names of their databases. Added to with the monitor. */
    private final Map<String, EngineSession> parts = new ConcurrentHashMap<>();

    private final Set<TemporaryConsumer> onTemporaries = ConcurrentHashMap.newKeySet();

    private final QueueConsumers onQueues;

    /** Which sends asynchronously: one at a time, so that completions come in the order of the sends. Null for none yet. */
    private volatile EngineSession sender;

    /** Where the last message came from; null for none yet. */
    private volatile String lastReceived;

    RoutedSession(
            Databases databases,
            Placement placement,
            Branches branches,
            RoutedTemporaries temporaries,
            AcknowledgeMode mode,
            Consumer<RoutedSession> onClose) {
        this.databases = databases;
        this.placement = placement;
        this.branches = branches;
        this.temporaries = temporaries;
        this.moves = new QueueMoves(databases, this);
        this.onQueues = new QueueConsumers(placement, moves);
        this.mode = mode;
        this.onClose = onClose;
    }

    @Override
    public AcknowledgeMode mode() {
        return mode;
    }

    @Override
    public EngineSession in(String database) throws JMSException {
        EngineSession there = parts.get(database);
        if (there != null) {
            return there;
        }
        checkOpen();
        // Without the monitor, as it takes long where the database is away.
        branches.at(database);
        synchronized (this) {
            checkOpen();
            there = parts.get(database);
            if (there == null) {
                there = branches.at(database).createSession(mode, lock);
                parts.put(database, there);
            }
            return there;
        }
    }

    // Which database (§6.2.7)

    @Override
    public boolean isOneTransaction() {
        return mode == AcknowledgeMode.TRANSACTED || mode == AcknowledgeMode.CLIENT;
    }

    /** The database that the session's transaction is in, or will be as soon as its listener is called; null for any. */
    private String working() {
        if (!isOneTransaction()) {
            return null;
        }
        return first(EngineSession::hasListener)
                .or(() -> first(EngineSession::isAtWork))
                .orElse(null);
    }

    private Optional<String> first(Predicate<EngineSession> what) {
        return parts.entrySet().stream()
                .filter(part -> what.test(part.getValue()))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    @Override
    public Optional<String> listensIn() {
        return first(EngineSession::hasListener);
    }

    private void check(String database, ReadpastDestination destination, String working) throws JMSException {
        if (working != null && !working.equals(database)) {
            boolean listens = parts.get(working).hasListener();
            throw new IllegalStateException(
                    destination + " is in database '" + database + "', and the session's "
                            + (listens
                                    ? "message listener"
                                    : mode == AcknowledgeMode.CLIENT ? "unacknowledged messages" : "transaction")
                            + (listens || mode == AcknowledgeMode.TRANSACTED ? " is" : " are") + " in '" + working
                            + "': nothing is committed in two databases together. "
                            + (listens
                                    ? "Use another session"
                                    : mode == AcknowledgeMode.CLIENT
                                            ? "Acknowledge or recover first, or use another session"
                                            : isMovedFrom(working, destination)
                                                    ? "The queue was moved there, so a transaction in its old place cannot send to it: use another"
                                                            + " session, or wait until nothing is left in the old place"
                                                    : "Commit or roll back first, use another session, or route both to one database"));
        }
        if (databases.hasTransaction(database)) {
            return;
        }
        String elsewhere = joined();
        if (elsewhere != null) {
            throw new IllegalStateException(
                    destination + " is in database '" + database
                            + "', and the calling thread has a transaction in '" + elsewhere
                            + "' that it would not be part of: do it outside of that transaction, or route both to one database");
        }
    }

    private boolean isMovedFrom(String database, ReadpastDestination destination) throws JMSException {
        return destination instanceof ReadpastQueue && in(database).moveOf(destination.getName()) != null;
    }

    /** The database whose transaction the calling thread has by a framework; null if none. */
    private String joined() throws JMSException {
        for (String database : databases.names()) {
            if (databases.hasTransaction(database)) {
                return database;
            }
        }
        return null;
    }

    private String databaseOf(ReadpastDestination destination, String preferred) throws JMSException {
        return destination.isTemporary()
                ? temporaries.find(destination, preferred)
                : placement.of(destination, moves::sentTo);
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
    public void checkMayReceive() throws JMSException {
        for (EngineSession part : parts.values()) {
            part.checkMayReceive();
        }
        if (onTemporaries.stream().anyMatch(TemporaryConsumer::hasListener)) {
            throw new IllegalStateException(
                    "The session has a message listener, so nothing can be received synchronously (§6.2.6)");
        }
    }

    @Override
    public boolean mayReceive(String database) {
        String working = working();
        return working == null || working.equals(database);
    }

    @Override
    public void checkMayReceive(String database, ReadpastDestination from) throws JMSException {
        check(database, from, working());
    }

    @Override
    public void checkMayListen(String database, ReadpastDestination to) throws JMSException {
        check(database, to, working());
    }

    @Override
    public boolean leave(String database, Runnable leaving) {
        if (!isOneTransaction()) {
            leaving.run();
            return true;
        }
        if (!lock.tryLock()) {
            return false;
        }
        try {
            boolean free = !parts.get(database).isAtWork();
            if (free) {
                leaving.run();
            }
            return free;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void received(String database) {
        lastReceived = database;
    }

    // Sending

    @Override
    public ProviderSender sender() {
        return this;
    }

    /** Where a message is sent. The sends of a CLIENT session are committed by themselves, wherever they go. */
    private EngineSession target(ReadpastDestination destination, EncodedMessage message) throws JMSException {
        checkOpen();
        String working = mode == AcknowledgeMode.TRANSACTED ? working() : null;
        String database = databaseOf(destination, working == null ? lastReceived : working);
        check(database, destination, working);
        EngineSession target = in(database);
        if (message.replyTo() != null) {
            ReadpastDestination replyTo = ReadpastDestination.parse(message.replyTo());
            if (replyTo.isTemporary()) {
                temporaries.reachIn(database, replyTo);
            } else if (!replyTo.isComposite()) {
                placement.tellOfReplies(destination, database, replyTo);
            }
        }
        return target;
    }

    @Override
    public void send(ReadpastDestination destination, EncodedMessage message, long timeToLive, long deliveryDelay)
            throws JMSException {
        EngineSession target = target(destination, message);
        try {
            target.sender().send(destination, message, timeToLive, deliveryDelay);
        } catch (InvalidDestinationException e) {
            // Of a transaction other messages may be lost with it, and the application sends all of them again.
            EngineSession moved = isRefusedAsMoved(e) ? target(destination, message) : target;
            if (moved == target) {
                throw e;
            }
            moved.sender().send(destination, message, timeToLive, deliveryDelay);
        }
    }

    private boolean isRefusedAsMoved(JMSException e) {
        return SessionSender.MOVED.equals(e.getErrorCode()) && mode != AcknowledgeMode.TRANSACTED;
    }

    @Override
    public void sendAsync(
            ReadpastDestination destination,
            EncodedMessage message,
            long timeToLive,
            long deliveryDelay,
            SendCompletion completion)
            throws JMSException {
        EngineSession target = target(destination, message);
        EngineSession before = sender;
        if (before != null && before != target) {
            before.awaitCompleted("an asynchronous send to another database");
        }
        sender = target;
        target.sender().sendAsync(destination, message, timeToLive, deliveryDelay, completion);
    }

    @Override
    public <E extends Exception> void whileCompleting(SessionLock.Wait<E> wait) throws E {
        EngineSession sending = sender;
        if (sending == null) {
            wait.run();
        } else {
            sending.sender().whileCompleting(wait);
        }
    }

    // Receiving

    @Override
    public ProviderConsumer consume(ReadpastDestination queue, Selector selector) throws JMSException {
        checkOpen();
        if (queue.isTemporary()) {
            TemporaryConsumer consumer = temporaries.consume(this, queue, selector);
            onTemporaries.removeIf(TemporaryConsumer::isClosed);
            onTemporaries.add(consumer);
            return consumer;
        }
        String from = placement.of(queue, moves::receivedFrom);
        RoutedConsumer consumer =
                new RoutedConsumer(this, queue, from, database -> in(database).consume(queue, selector));
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
                this, subscription.topic(), database, there -> in(there).subscribe(subscription));
    }

    /** Its name does not say which database it is in. */
    @Override
    public void unsubscribe(String subscriptionName) throws JMSException {
        checkOpen();
        JMSException unknown = null;
        JMSException problem = null;
        for (String database : databases.names()) {
            try {
                in(database).unsubscribe(subscriptionName);
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
                    ? in(sentTo).browse(queue, selector)
                    : new Cursors(List.of(
                            in(receivedFrom).browse(queue, selector), in(sentTo).browse(queue, selector)));
        }
        List<BrowseCursor> cursors = new ArrayList<>();
        for (String database : temporaries.databasesOf(queue)) {
            cursors.add(in(database).browse(queue, selector));
        }
        if (cursors.isEmpty()) {
            // Of another connection, or nowhere yet.
            cursors.add(in(temporaries.find(queue, null)).browse(queue, selector));
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
        for (EngineSession part : workingFirst()) {
            part.commit();
        }
    }

    @Override
    public void rollback() throws JMSException {
        checkTransacted("rollback");
        for (EngineSession part : workingFirst()) {
            part.rollback();
        }
    }

    private List<EngineSession> workingFirst() {
        List<EngineSession> order = new ArrayList<>(parts.values());
        String working = working();
        if (working != null) {
            EngineSession first = parts.get(working);
            order.remove(first);
            order.add(0, first);
        }
        return order;
    }

    private void checkTransacted(String call) throws JMSException {
        checkOpen();
        if (mode != AcknowledgeMode.TRANSACTED) {
            throw new IllegalStateException(call + " is for transacted sessions");
        }
    }

    @Override
    public void recover() throws JMSException {
        checkOpen();
        if (mode == AcknowledgeMode.TRANSACTED) {
            throw new IllegalStateException("recover is for sessions that are not transacted; use rollback");
        }
        Problems problems = new Problems();
        parts.values().forEach(part -> problems.attempt(part::recover));
        problems.throwFirst();
    }

    @Override
    public void acknowledge() throws JMSException {
        checkOpen();
        Problems problems = new Problems();
        parts.values().forEach(part -> problems.attempt(part::acknowledge));
        problems.throwFirst();
    }

    @Override
    public Connection sqlConnection(ReadpastDestination of) throws JMSException {
        checkOpen();
        String working = working();
        if (of != null) {
            String database = sqlDatabaseOf(of, working);
            check(database, of, working);
            return in(database).sqlConnection(null);
        }
        String chosen = working == null ? joined() : working;
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
        return in(chosen).sqlConnection(null);
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
        return databaseOf(of, working);
    }

    // Its life

    @Override
    public void checkOpen() throws JMSException {
        if (closed && !isInListenerOrCallback()) {
            throw new IllegalStateException("The session is closed");
        }
    }

    /** Whether the caller is a message listener or a completion listener of this session. */
    boolean isInListenerOrCallback() {
        return parts.values().stream().anyMatch(EngineSession::isInListenerOrCallback);
    }

    @Override
    public boolean isOver() {
        return closed || over;
    }

    @Override
    public long closeTimeoutMillis() {
        return databases.settings(Routes.HOME).closeTimeoutMillis();
    }

    /** Its connection is being closed: whoever waits for a message gets none. */
    void cease() {
        over = true;
        temporaries.wakeUp();
    }

    /** Its connection is closed, and closes its parts. */
    void end() throws JMSException {
        closed = true;
        temporaries.wakeUp();
        for (TemporaryConsumer consumer : onTemporaries) {
            consumer.close();
        }
        onClose.accept(this);
    }

    @Override
    public void close() throws JMSException {
        for (EngineSession part : parts.values()) {
            part.checkMayClose();
        }
        if (!closing.compareAndSet(false, true)) {
            awaitClosed();
            return;
        }
        synchronized (this) {
            closed = true;
        }
        temporaries.wakeUp();
        // No listener may lose another database while it runs. It may use one for the first time.
        parts.values().forEach(EngineSession::cease);
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(closeTimeoutMillis());
        lock.awaitFree(deadline);
        parts.values().forEach(part -> part.awaitCallbacks(deadline));
        Problems problems = new Problems();
        parts.values().forEach(part -> problems.attempt(part::close));
        onTemporaries.forEach(consumer -> problems.attempt(consumer::close));
        onClose.accept(this);
        problems.throwFirst();
    }

    @Override
    public void awaitClosed() throws JMSException {
        for (EngineSession part : parts.values()) {
            part.awaitClosed();
        }
    }
}
