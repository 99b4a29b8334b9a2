package org.readpast.jms.engine;

import jakarta.jms.JMSException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.readpast.jms.engine.arrival.Arrivals;
import org.readpast.jms.engine.arrival.Recovery;
import org.readpast.jms.engine.arrival.Waiter;
import org.readpast.jms.engine.runtime.ProviderRuntime;
import org.readpast.jms.engine.session.Assignment;
import org.readpast.jms.engine.session.EngineSession;
import org.readpast.jms.engine.source.ConnectionContext;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * The thread of a connection consumer: takes a session out of the pool, claims messages in it, and has it started, as long as
 * there are messages; then it waits as any other consumer does. It goes on by itself when the pool or the database has failed.
 */
final class DispatchLoop implements Runnable, Recovery.Worker {

    private static final Logger LOG = Loggers.of(DispatchLoop.class);

    private final EngineConnectionConsumer consumer;
    private final ProviderRuntime runtime;
    private final ConnectionContext connection;
    private final EngineConnectionConsumer.Dispatch dispatch;
    private final Waiter waiter;
    private final Recovery recovery;

    /** What sessions could not deliver. */
    private final AtomicReference<Exception> failure = new AtomicReference<>();

    /** Whether a session has delivered since this was last looked at. */
    private final AtomicBoolean delivered = new AtomicBoolean();

    /** Sessions could not deliver, and none has since: that messages can be claimed does not end this trouble. */
    private volatile boolean sessionsFail;

    /** The thread while it is in the pool. Guarded by this. */
    private Thread inPool;

    /** Guarded by this. */
    private boolean ended;

    DispatchLoop(
            EngineConnectionConsumer consumer,
            ProviderRuntime runtime,
            ConnectionContext connection,
            EngineConnectionConsumer.Dispatch dispatch) {
        this.consumer = consumer;
        this.runtime = runtime;
        this.connection = connection;
        this.dispatch = dispatch;
        this.waiter = new Waiter(false);
        this.recovery = new Recovery(
                connection.problems(),
                runtime.settings(),
                runtime.outages(),
                this,
                waiter,
                "dispatching for " + consumer,
                LOG);
    }

    @Override
    public void run() {
        try {
            while (!isOver()) {
                try {
                    dispatchOrWait();
                } catch (StoreException e) {
                    pause(e, e.failure(), JmsErrors.jms(consumer + " cannot deliver, and goes on trying", e));
                } catch (JMSException e) {
                    String report = consumer + " cannot deliver, and goes on trying: " + e.getMessage();
                    pause(e, consumer, JmsErrors.causedBy(new JMSException(report), e));
                } catch (Throwable e) {
                    JMSException report = JmsErrors.unexpected(consumer + " cannot deliver, and goes on trying", e);
                    pause(report, e.getClass(), report);
                }
            }
        } finally {
            arrivals().looked(waiter, List.of());
            recovery.end();
        }
    }

    private void pause(Exception problem, Object kind, JMSException report) {
        if (!isOver()) {
            recovery.pause(problem, kind, report);
        }
    }

    private void dispatchOrWait() throws StoreException, JMSException {
        lookAtSessions();
        int from = consumer.source().destinationId();
        long mark = arrivals().mark(from);
        boolean started = connection.isStarted();
        boolean found = started && dispatch();
        arrivals().looked(waiter, started && !isOver() ? List.of(from) : List.of());
        if (found) {
            return;
        }
        await(started ? Map.of(from, mark) : Map.of());
    }

    /** What became of earlier assignments. */
    private void lookAtSessions() throws StoreException, JMSException {
        Exception problem = failure.getAndSet(null);
        sessionsFail |= problem != null;
        if (problem instanceof StoreException store) {
            throw store;
        }
        if (problem instanceof JMSException jms) {
            throw jms;
        }
        if (delivered.getAndSet(false)) {
            sessionsFail = false;
            recovery.worked();
        }
    }

    /**
     * Whatever was taken out of the pool is started, even where nothing was assigned to it, since it would never get back
     * otherwise.
     *
     * @return whether there were messages
     */
    private boolean dispatch() throws StoreException, JMSException {
        PooledSession pooled = take();
        if (pooled == null) {
            return false;
        }
        EngineSession session;
        Assignment assignment;
        boolean assigned;
        try {
            session = pooled.session();
            assignment = new Assignment(consumer, session.recipient(consumer.source(), dispatch.maxMessages()));
            assigned = session.assigned().assign(assignment);
        } catch (Throwable e) {
            startInVain(pooled);
            throw e;
        }
        start(pooled, session, assignment);
        if (!assigned && !sessionsFail) {
            recovery.worked();
        }
        return assigned;
    }

    /** Returns null if this has ended. */
    private PooledSession take() throws JMSException {
        synchronized (this) {
            if (ended) {
                return null;
            }
            inPool = Thread.currentThread();
        }
        try {
            return dispatch.pool().take();
        } finally {
            synchronized (this) {
                inPool = null;
            }
            forgetInterrupt();
        }
    }

    private void start(PooledSession pooled, EngineSession session, Assignment assignment) throws JMSException {
        boolean started = false;
        try {
            pooled.start();
            started = true;
        } finally {
            forgetInterrupt();
            if (!started) {
                session.assigned().withdraw(assignment);
            }
        }
    }

    private void startInVain(PooledSession pooled) {
        try {
            pooled.start();
        } catch (JMSException e) {
            LOG.debug("{}: a session that could not be used was not taken back either: {}", consumer, e.getMessage());
        } finally {
            forgetInterrupt();
        }
    }

    /** An interrupt was meant for the application server's code, and must not meet the database driver. */
    private void forgetInterrupt() {
        if (Thread.interrupted()) {
            LOG.debug("{}: was interrupted in the application server's code", consumer);
        }
    }

    /** @param marks empty where no message is waited for */
    private void await(Map<Integer, Long> marks) {
        waiter.setSelective(consumer.source().isSelective());
        arrivals().enter(waiter, marks);
        try {
            waiter.awaitOnOurThread(Long.MAX_VALUE);
        } finally {
            arrivals().leave(waiter, List.copyOf(marks.keySet()));
        }
    }

    private Arrivals arrivals() {
        return runtime.arrivals();
    }

    /** A session has delivered what it was assigned. */
    void delivered() {
        delivered.set(true);
        if (sessionsFail) {
            waiter.signal();
        }
    }

    /** A session could not deliver what it was assigned. */
    void failed(Exception problem) {
        if (isOver()) {
            LOG.warn("{}: a session could not deliver at the end: {}", consumer, problem.getMessage());
        }
        failure.set(problem);
        waiter.signal();
    }

    void wakeUp() {
        waiter.signal();
    }

    @Override
    public boolean isOver() {
        return consumer.isOver();
    }

    /** The consumer is over: it ends a wait, also one for the pool. */
    void end() {
        synchronized (this) {
            ended = true;
            if (inPool != null && inPool != Thread.currentThread()) {
                inPool.interrupt();
            }
        }
        waiter.signal();
    }
}
