package org.readpast.jms.engine;

import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.destination.ReadpastTemporaryQueue;
import org.readpast.jms.destination.ReadpastTemporaryTopic;
import org.readpast.jms.engine.EngineConnectionConsumer.Dispatch;
import org.readpast.jms.engine.runtime.ProviderRuntime;
import org.readpast.jms.engine.session.EngineSession;
import org.readpast.jms.engine.source.ConnectionContext;
import org.readpast.jms.engine.source.Source;
import org.readpast.jms.engine.source.Sources;
import org.readpast.jms.engine.source.Subscription;
import org.readpast.jms.engine.source.Temporaries;
import org.readpast.jms.engine.support.AutoCreation;
import org.readpast.jms.engine.support.BranchConnection;
import org.readpast.jms.engine.support.ExceptionReporter;
import org.readpast.jms.engine.support.Joining;
import org.readpast.jms.engine.support.Problems;
import org.readpast.jms.engine.support.SharedProblems;
import org.readpast.jms.engine.support.Uninterrupted;
import org.readpast.jms.engine.transaction.AcknowledgeMode;
import org.readpast.jms.engine.transaction.SessionLock;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.selector.Selector;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/** A connection: sessions that start, stop and close together, a client id, temporary destinations. Thread-safe. */
public final class EngineConnection implements ConnectionContext, ProviderConnection {

    private static final Logger LOG = Loggers.of(EngineConnection.class);

    private enum Phase {
        STOPPED,
        STARTED,
        /** Listeners that are running have everything at their service until they return (§6.1.8). */
        CLOSING,
        CLOSED
    }

    private final ProviderRuntime runtime;
    private final Joining joining;
    private final String name;
    private final Consumer<EngineConnection> onClose;
    private final ConnectionIdentity identity;
    private final ExceptionReporter exceptions;
    private final Set<EngineSession> sessions = ConcurrentHashMap.newKeySet();
    private final Temporaries temporaries;
    private final AutoCreation autoCreation;
    private final Sources sources;
    private final Set<EngineConnectionConsumer> connectionConsumers = ConcurrentHashMap.newKeySet();
    private final AtomicInteger sessionNumbers = new AtomicInteger();
    private final AtomicInteger connectionConsumerNumbers = new AtomicInteger();

    private final SharedProblems problems = new SharedProblems(this::report);

    private volatile Phase phase = Phase.STOPPED;

    /** Whether closing is over. */
    private final CountDownLatch closed = new CountDownLatch(1);

    /** Whether {@link #onClose} was run. */
    private final AtomicBoolean left = new AtomicBoolean();

    EngineConnection(ProviderRuntime runtime, Joining joining, String name, Consumer<EngineConnection> onClose) {
        this.runtime = runtime;
        this.joining = joining;
        this.name = name;
        this.onClose = onClose;
        this.identity = new ConnectionIdentity(runtime.clientIds());
        this.temporaries = new Temporaries(
                runtime.presence(),
                runtime.destinations(),
                runtime.arrivals(),
                runtime.housekeeping(),
                this,
                this::isConsuming);
        this.autoCreation = new AutoCreation(runtime.settings().autoCreate());
        this.sources = new Sources(
                this,
                runtime.settings(),
                runtime.presence(),
                runtime.destinations(),
                runtime.subscriptions(),
                runtime.groups(),
                temporaries,
                runtime.openSources());
        this.exceptions = new ExceptionReporter("exceptions-" + name);
    }

    @Override
    public String clientId() throws JMSException {
        checkOpen();
        return identity.clientId();
    }

    @Override
    public String consumerName() {
        String clientId = identity.clientId();
        return clientId != null ? clientId : instance();
    }

    /** By which the database knows this JVM. */
    public String instance() {
        return runtime.presence().instance();
    }

    @Override
    public void checkHasClientId(String what) throws JMSException {
        if (clientId() == null) {
            throw new IllegalStateException(
                    "The connection has no client id, which " + what + " needs; set one, or configure the factory's");
        }
    }

    @Override
    public synchronized void setClientId(String id) throws JMSException {
        checkOpen();
        identity.take(id);
    }

    /** From now on a listener is told, again and again, while a queue of the database is moved; it must not wait. */
    public void onMoves(Runnable listener) throws JMSException {
        try {
            runtime.store().onMoves(listener);
        } catch (StoreException e) {
            throw JmsErrors.jms("No word of moved queues", e);
        }
    }

    /** Ends that. */
    public void offMoves(Runnable listener) throws JMSException {
        try {
            runtime.store().offMoves(listener);
        } catch (StoreException e) {
            throw JmsErrors.jms("No word of moved queues", e);
        }
    }

    /**
     * Goes by a client id that another connection has taken, in another database: the application knows both as one.
     *
     * @throws IllegalStateException as {@link #setClientId}
     */
    public void goBy(String id) throws JMSException {
        checkOpen();
        identity.goBy(id);
    }

    @Override
    public EngineSession createSession(AcknowledgeMode mode) throws JMSException {
        return createSession(mode, new SessionLock());
    }

    /**
     * A new session. Costs no round trip.
     *
     * @param lock of all sessions that the application knows as one, so that only one of them is at work at a time
     */
    public EngineSession createSession(AcknowledgeMode mode, SessionLock lock) throws JMSException {
        checkOpen();
        use();
        return opened(new EngineSession(runtime, this, sources, mode, joining, lock, nextSession(), this::closed));
    }

    /**
     * A new session all of whose work is in branches of distributed transactions.
     *
     * @param branches where they are; closed with the session, or with the last branch where that is later
     * @throws jakarta.jms.JMSSecurityException if the database refuses user or password
     * @throws JMSException if it cannot be reached
     */
    public EngineSession createSession(BranchConnection branches) throws JMSException {
        checkOpen();
        use();
        try {
            branches.open();
        } catch (SQLException e) {
            throw JmsErrors.jms(
                    "No XA session", runtime.store().explain(e, "The connection of an XA session", "connecting"));
        }
        Joining joinsBranches = new Joining(Joining.Kind.BRANCH, branches);
        return opened(new EngineSession(
                runtime,
                this,
                sources,
                AcknowledgeMode.TRANSACTED,
                joinsBranches,
                new SessionLock(),
                nextSession(),
                session -> {
                    branches.close();
                    closed(session);
                }));
    }

    /**
     * Where XA sessions find connections, if the database can take part in distributed transactions.
     *
     * @throws JMSException saying what is missing
     */
    public MessageStore.XaSource xaSource() throws JMSException {
        try {
            List<String> obstacles = runtime.store().obstaclesToDistributedTransactions();
            if (!obstacles.isEmpty()) {
                throw new JMSException("No XA on " + runtime.store().describe() + ": " + String.join(" ", obstacles));
            }
            return runtime.store().xaSource();
        } catch (StoreException e) {
            throw JmsErrors.jms("Looking whether there can be XA failed", e);
        }
    }

    private String nextSession() {
        return name + "-" + sessionNumbers.incrementAndGet();
    }

    private EngineSession opened(EngineSession session) throws JMSException {
        sessions.add(session);
        try {
            checkOpen();
            return session;
        } catch (IllegalStateException closedMeanwhile) {
            Problems.attemptBehind(closedMeanwhile, session::close);
            throw closedMeanwhile;
        }
    }

    /**
     * Consumes a queue with an application server's sessions (§11.2.4).
     *
     * @param selector null for all messages
     * @param maxMessages how many messages a session may be assigned at one time, 1 or more
     * @throws InvalidDestinationException if it is a temporary queue of another connection
     */
    public EngineConnectionConsumer createConnectionConsumer(
            ReadpastDestination queue, Selector selector, SessionPool pool, int maxMessages) throws JMSException {
        checkOpen();
        use();
        return open(sources.of(queue, selector), new Dispatch(pool, maxMessages));
    }

    /**
     * Consumes a subscription of a topic with an application server's sessions (§11.2.4).
     *
     * @param maxMessages how many messages a session may be assigned at one time, 1 or more
     * @throws IllegalStateException if a subscription of this name is in use otherwise, or of the other kind
     * @throws InvalidDestinationException if it is a temporary topic that is gone, or of another connection
     */
    public EngineConnectionConsumer createConnectionConsumer(
            Subscription subscription, SessionPool pool, int maxMessages) throws JMSException {
        checkOpen();
        use();
        return open(sources.of(subscription), new Dispatch(pool, maxMessages));
    }

    private EngineConnectionConsumer open(Source source, Dispatch dispatch) throws JMSException {
        String number = name + "-" + connectionConsumerNumbers.incrementAndGet();
        EngineConnectionConsumer consumer =
                new EngineConnectionConsumer(runtime, this, source, number, dispatch, connectionConsumers::remove);
        connectionConsumers.add(consumer);
        if (isClosed()) {
            consumer.close();
        }
        checkOpen();
        boolean started = false;
        try {
            consumer.start();
            started = true;
            return consumer;
        } finally {
            if (!started) {
                consumer.close();
            }
        }
    }

    @Override
    public void start() throws JMSException {
        use();
        change(Phase.STARTED);
    }

    @Override
    public void stop() throws JMSException {
        checkNotInListener("stop");
        use();
        change(Phase.STOPPED);
        for (EngineSession session : sessions) {
            session.stopped();
        }
    }

    /** Counts as a use, after which no client id can be set any more. */
    public void use() {
        identity.use();
    }

    private void change(Phase to) throws JMSException {
        synchronized (this) {
            checkOpen();
            if (isClosed()) {
                return;
            }
            phase = to;
        }
        sessions.forEach(EngineSession::connectionChanged);
        connectionConsumers.forEach(EngineConnectionConsumer::wakeUp);
    }

    @Override
    public void onException(Consumer<JMSException> listener) throws JMSException {
        checkOpen();
        exceptions.setListener(listener);
    }

    @Override
    public ReadpastTemporaryQueue createTemporaryQueue() throws JMSException {
        checkOpen();
        use();
        return keptOpen(temporaries.createQueue());
    }

    /**
     * Makes a temporary queue of this name here, which lives as long as this connection.
     *
     * @return what is deleted in its stead
     */
    public ReadpastTemporaryQueue createTemporaryQueue(String queueName) throws JMSException {
        checkOpen();
        use();
        return keptOpen(temporaries.createQueue(queueName));
    }

    /** Whether there is a temporary destination of this name here, of any connection. */
    public boolean has(ReadpastDestination temporary) throws JMSException {
        try {
            return runtime.destinations().idOf(temporary, autoCreation) > 0;
        } catch (InvalidDestinationException gone) {
            LOG.trace("{} is not in {}", temporary, runtime.store().describe(), gone);
            return false;
        }
    }

    @Override
    public ReadpastTemporaryTopic createTemporaryTopic() throws JMSException {
        checkOpen();
        use();
        return keptOpen(temporaries.createTopic());
    }

    /** What was created while the connection was being closed goes with it. */
    private <D extends ReadpastDestination> D keptOpen(D created) throws JMSException {
        try {
            checkOpen();
            return created;
        } catch (IllegalStateException closedMeanwhile) {
            temporaries.drop(created);
            throw closedMeanwhile;
        }
    }

    /** Whether one of its consumers is on this destination. */
    private boolean isConsuming(ReadpastDestination destination) {
        return sessions.stream().anyMatch(session -> session.isConsuming(destination))
                || connectionConsumers.stream()
                        .anyMatch(consumer -> consumer.source().destination().equals(destination));
    }

    @Override
    public String origin() {
        String clientId = identity.clientId();
        return clientId != null ? "client:" + clientId : "connection:" + instance() + "/" + name;
    }

    @Override
    public AutoCreation autoCreation() {
        return autoCreation;
    }

    @Override
    public void checkOpen() throws JMSException {
        if (phase == Phase.CLOSED || (phase == Phase.CLOSING && !isInListenerOrCallback())) {
            throw new IllegalStateException("The connection is closed");
        }
    }

    private boolean isInListenerOrCallback() {
        return sessions.stream().anyMatch(EngineSession::isInListenerOrCallback);
    }

    @Override
    public void close() throws JMSException {
        checkMayClose();
        long deadline = runtime.closing().deadline();
        Uninterrupted.once(() -> {
            if (beginsClosing()) {
                awaitListeners(deadline);
                awaitCallbacks(deadline);
                endClosing(deadline);
            } else if (!Uninterrupted.await(closed, deadline)) {
                throw runtime.closing().late("The connection", "a listener, another thread or the database");
            }
        });
    }

    /** Throws IllegalStateException to its own message listeners and completion listeners, for which closing would wait. */
    public void checkMayClose() throws JMSException {
        checkNotInListener("close");
        for (EngineSession session : sessions) {
            session.checkNotInCallback("close");
        }
    }

    /** Delivers nothing any more; returns false if somebody else closes it already. What is to follow are the three methods below. */
    public synchronized boolean beginsClosing() {
        boolean first = !isClosed();
        if (first) {
            phase = Phase.CLOSING;
        }
        return first;
    }

    /**
     * Waits until no listener of messages is running any more.
     *
     * @param deadline until when to wait, by {@link System#nanoTime()}
     */
    public void awaitListeners(long deadline) {
        // First, so that none of them takes another session out of its pool only to find it closed.
        connectionConsumers.forEach(EngineConnectionConsumer::cease);
        sessions.forEach(EngineSession::connectionChanged);
        // No session may go while a listener of another one may use it.
        sessions.forEach(session -> session.awaitListener(deadline));
    }

    /**
     * Waits until no completion listener is running any more; nothing more is sent asynchronously from now on.
     *
     * @param deadline until when to wait, by {@link System#nanoTime()}
     */
    public void awaitCallbacks(long deadline) {
        sessions.forEach(session -> session.awaitCallbacks(deadline));
    }

    /**
     * Closes its sessions, and all that is its own.
     *
     * @param deadline until when to wait, by {@link System#nanoTime()}
     */
    public void endClosing(long deadline) throws JMSException {
        Problems problems = new Problems();
        synchronized (this) {
            phase = Phase.CLOSED;
        }
        for (EngineSession session : sessions) {
            problems.attempt(() -> session.close(deadline));
        }
        problems.attempt(() -> runtime.closing().carryOut("The connection", deadline, this::end));
        problems.throwFirst();
    }

    /** Gives up what is the connection's own, each though another one fails. */
    private void end() throws JMSException {
        Problems problems = new Problems();
        try {
            for (EngineConnectionConsumer consumer : connectionConsumers) {
                problems.attempt(consumer::close);
            }
            for (ReadpastDestination destination : temporaries.all()) {
                problems.attempt(() -> temporaries.drop(destination));
            }
            problems.attempt(identity::release);
        } finally {
            exceptions.close();
            closed.countDown();
            leaveRuntime();
        }
        problems.throwFirst();
    }

    /** The runtime is left when the connection is closed, and no listener that closing did not wait for needs it any more. */
    private void leaveRuntime() {
        if (closed.getCount() == 0 && sessions.isEmpty() && left.compareAndSet(false, true)) {
            onClose.accept(this);
        }
    }

    /** From its own listener it would wait for itself (§6.1.5, §6.1.8). */
    public void checkNotInListener(String call) throws JMSException {
        for (EngineSession session : sessions) {
            if (session.isInOwnListener()) {
                throw new IllegalStateException(
                        "A connection cannot " + call + " from within its own message listener");
            }
        }
    }

    @Override
    public SharedProblems problems() {
        return problems;
    }

    @Override
    public void report(JMSException problem) {
        if (!exceptions.report(problem)) {
            LOG.debug("No exception listener was told: {}", problem.getMessage());
        }
    }

    private void closed(EngineSession session) {
        sessions.remove(session);
        leaveRuntime();
    }

    @Override
    public boolean isStarted() {
        return phase == Phase.STARTED;
    }

    @Override
    public boolean isClosed() {
        return phase == Phase.CLOSING || phase == Phase.CLOSED;
    }
}
