package org.readpast.jms.engine.routing;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.readpast.jms.codec.Shown;
import org.readpast.jms.config.Routes;
import org.readpast.jms.destination.ReadpastTemporaryQueue;
import org.readpast.jms.destination.ReadpastTemporaryTopic;
import org.readpast.jms.engine.EngineConnection;
import org.readpast.jms.engine.ProviderConnection;
import org.readpast.jms.engine.support.ExceptionReporter;
import org.readpast.jms.engine.support.Problems;
import org.readpast.jms.engine.support.Uninterrupted;
import org.readpast.jms.engine.transaction.AcknowledgeMode;
import org.readpast.jms.threads.Loggers;
import org.readpast.jms.threads.Threads;
import org.slf4j.Logger;

/**
 * A connection whose destinations are in several databases. Its client id is taken in one of them, {@link Routes#HOME}, and it goes by it in
 * the others. Thread-safe.
 */
public final class RoutedConnection implements ProviderConnection {

    private static final Logger LOG = Loggers.of(RoutedConnection.class);

    private static final AtomicLong NUMBERS = new AtomicLong();

    private enum Phase {
        OPEN,
        /** Listeners that are running have everything at their service until they return (§6.1.8). */
        CLOSING,
        CLOSED
    }

    private final Databases databases;
    private final Placement placement;
    private final Consumer<RoutedConnection> onClose;
    private final ExceptionReporter exceptions;
    private final Branches branches;
    private final RoutedTemporaries temporaries;
    private final Set<RoutedSession> sessions = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Phase phase = Phase.OPEN;

    /** Makes the thread that turns consumers, for the application whose listeners they may have. */
    private final ThreadFactory turning;

    private final AtomicBoolean isTurning = new AtomicBoolean();

    /** One object, which the databases are given, and told to forget. */
    private final Runnable moves = this::turnSoon;

    /** From then on no client id can be taken (§6.1.2). Guarded by this. */
    private boolean used;

    /** @param onClose is told when it is closed */
    public RoutedConnection(Databases databases, Placement placement, Consumer<RoutedConnection> onClose) {
        this.databases = databases;
        this.placement = placement;
        this.onClose = onClose;
        this.exceptions = new ExceptionReporter("exceptions-routed-" + NUMBERS.incrementAndGet());
        this.branches = new Branches(databases, this::report, moves);
        this.temporaries = new RoutedTemporaries(databases, branches);
        this.turning = Threads.ofCaller("turning-" + NUMBERS.get());
    }

    /** Whoever tells of moves must not wait. */
    private void turnSoon() {
        if (sessions.stream().anyMatch(RoutedSession::hasToTurn) && isTurning.compareAndSet(false, true)) {
            try {
                turning.newThread(this::turn).start();
            } catch (OutOfMemoryError e) {
                isTurning.set(false);
                LOG.warn(
                        "No thread could be started to turn consumers of a queue that was moved, which is tried again",
                        e);
            }
        }
    }

    private void turn() {
        try {
            for (RoutedSession session : sessions) {
                try {
                    session.turn();
                } catch (JMSException e) {
                    if (session.isOver()) {
                        continue;
                    }
                    LOG.warn(
                            "A consumer could not turn to the database that its queue was moved to, and tries again",
                            e);
                    report(e);
                }
            }
        } finally {
            isTurning.set(false);
        }
    }

    private void report(JMSException problem) {
        if (!exceptions.report(problem)) {
            LOG.debug("No exception listener was told: {}", problem.getMessage());
        }
    }

    /**
     * Connects to a database at once. That to {@link Routes#HOME} takes the client id, if one is configured.
     *
     * @throws JMSException as {@link Databases#connect}
     */
    public void connect(String database) throws JMSException {
        EngineConnection connection = branches.at(database);
        if (database.equals(Routes.HOME)) {
            branches.setClientId(connection.clientId());
        }
    }

    @Override
    public String clientId() throws JMSException {
        checkOpen();
        return branches.clientId();
    }

    @Override
    public synchronized void setClientId(String id) throws JMSException {
        checkOpen();
        if (branches.clientId() != null) {
            throw new IllegalStateException(
                    "The connection has the client id '" + Shown.inOneLine(branches.clientId()) + "' already");
        }
        if (used) {
            throw new IllegalStateException("A client id can be set only before the connection is used (§6.1.2)");
        }
        branches.at(Routes.HOME).setClientId(id);
        branches.setClientId(id);
    }

    @Override
    public void checkHasClientId(String what) throws JMSException {
        if (clientId() == null) {
            throw new IllegalStateException(
                    "The connection has no client id, which " + what + " needs; set one, or configure the factory's");
        }
    }

    private synchronized void use() {
        used = true;
    }

    @Override
    public RoutedSession createSession(AcknowledgeMode mode) throws JMSException {
        checkOpen();
        use();
        RoutedSession session = new RoutedSession(databases, placement, branches, temporaries, mode, sessions::remove);
        sessions.add(session);
        try {
            checkOpen();
            return session;
        } catch (IllegalStateException closedMeanwhile) {
            Problems.attemptBehind(closedMeanwhile, session::close);
            throw closedMeanwhile;
        }
    }

    /** It is made where it is first needed: in the database of each request that it is the JMSReplyTo of. */
    @Override
    public ReadpastTemporaryQueue createTemporaryQueue() throws JMSException {
        checkOpen();
        use();
        return temporaries.createQueue();
    }

    @Override
    public ReadpastTemporaryTopic createTemporaryTopic() throws JMSException {
        checkOpen();
        use();
        return temporaries.createTopic();
    }

    @Override
    public void onException(Consumer<JMSException> listener) throws JMSException {
        checkOpen();
        exceptions.setListener(listener);
    }

    @Override
    public void start() throws JMSException {
        use();
        checkOpen();
        for (EngineConnection connection : branches.setStarted(true)) {
            connection.start();
        }
    }

    @Override
    public void stop() throws JMSException {
        for (EngineConnection connection : branches.connected()) {
            connection.checkNotInListener("stop");
        }
        use();
        checkOpen();
        Problems problems = new Problems();
        for (EngineConnection connection : branches.setStarted(false)) {
            problems.attempt(connection::stop);
        }
        problems.throwFirst();
    }

    private static List<EngineConnection> begun(List<EngineConnection> connections) {
        return connections.stream().filter(EngineConnection::beginsClosing).toList();
    }

    @Override
    public void checkOpen() throws JMSException {
        if (phase == Phase.CLOSED || (phase == Phase.CLOSING && !isInListenerOrCallback())) {
            throw new IllegalStateException("The connection is closed");
        }
    }

    private boolean isInListenerOrCallback() {
        return sessions.stream().anyMatch(RoutedSession::isInListenerOrCallback);
    }

    @Override
    public void close() throws JMSException {
        for (EngineConnection connection : branches.connected()) {
            connection.checkMayClose();
        }
        long millis = databases.settings(Routes.HOME).closeTimeoutMillis();
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        Uninterrupted.once(() -> {
            if (beginsClosing()) {
                close(deadline);
            } else if (!Uninterrupted.await(closed, deadline)) {
                throw new JMSException(
                        "The connection is not closed yet: somebody else closes it, and waits for a listener, another"
                                + " thread or a database (option 'closeTimeoutMillis')");
            }
        });
    }

    private void forgetMoves(EngineConnection connection) {
        try {
            connection.offMoves(moves);
        } catch (JMSException e) {
            LOG.debug("It is closed by now, and tells of nothing", e);
        }
    }

    private synchronized boolean beginsClosing() {
        boolean first = phase == Phase.OPEN;
        if (first) {
            phase = Phase.CLOSING;
        }
        return first;
    }

    /** No listener may lose another database while it runs. */
    private void close(long deadline) throws JMSException {
        Problems problems = new Problems();
        try {
            sessions.forEach(RoutedSession::cease);
            List<EngineConnection> closing = new ArrayList<>(begun(branches.connected()));
            closing.forEach(connection -> connection.awaitListeners(deadline));
            closing.forEach(connection -> connection.awaitCallbacks(deadline));
            // A listener may have needed another one until now.
            List<EngineConnection> late = begun(branches.close());
            late.forEach(connection -> connection.awaitListeners(deadline));
            late.forEach(connection -> connection.awaitCallbacks(deadline));
            closing.addAll(late);
            closing.forEach(this::forgetMoves);
            phase = Phase.CLOSED;
            for (EngineConnection connection : closing) {
                problems.attempt(() -> connection.endClosing(deadline));
            }
            for (RoutedSession session : sessions) {
                problems.attempt(session::end);
            }
        } finally {
            phase = Phase.CLOSED;
            exceptions.close();
            closed.countDown();
            onClose.accept(this);
        }
        problems.throwFirst();
    }
}
