package org.readpast.ra.beans;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.resource.spi.work.Work;
import jakarta.resource.spi.work.WorkException;
import jakarta.resource.spi.work.WorkManager;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * A bean's workers. One waits for messages; when it has one, the next begins to wait, up to the number that may deliver side by side; who
 * finds no more and is not needed to wait rests. They have one connection, which is closed when the bean ends and nobody is at work any more.
 * Thread-safe.
 */
final class Workers {

    private static final Logger LOG = Loggers.of(Workers.class);

    private final Bean bean;
    private final Pausing pausing;
    private final Runnable endBean;
    private volatile boolean open = true;

    /** Null until it is connected. Guarded by this, as all below. */
    private Connection connection;

    /** Who waits for messages, or is to; null if all are at work. */
    private Worker waiting;

    private final Set<Worker> working = new HashSet<>();
    private final Deque<Worker> resting = new ArrayDeque<>();

    /** Whether the thread is at work that connects. */
    private boolean connecting;

    /** @param endBean is called where the server ends */
    Workers(Bean bean, Pausing pausing, Runnable endBean) {
        this.bean = bean;
        this.pausing = pausing;
        this.endBean = endBean;
    }

    boolean isOpen() {
        return open;
    }

    /** Begins to connect, on another thread. */
    synchronized void connect() throws WorkException {
        run(new Connecting(bean, pausing, this));
        // It says with the lock, which is held here, that it is over.
        connecting = true;
    }

    private void run(Work work) throws WorkException {
        bean.host().workManager().scheduleWork(work, WorkManager.INDEFINITE, null, null);
    }

    Worker newWorker(Connection made) throws JMSException {
        return new Worker(
                bean,
                pausing,
                this,
                made.createSession(bean.isTransacted() ? Session.AUTO_ACKNOWLEDGE : Session.SESSION_TRANSACTED));
    }

    synchronized void connected(Connection made) {
        connection = made;
    }

    private synchronized boolean isConnected() {
        return connection != null;
    }

    /** Whether the first worker begins to wait, now that nobody connects any more; null if there is none. */
    synchronized boolean begin(Worker first) {
        connecting = false;
        if (open && first != null) {
            waiting = first;
            working.add(first);
            return true;
        }
        closeIfOver();
        notifyAll();
        return false;
    }

    /** How many messages are with the bean. */
    synchronized int delivering() {
        return (int) working.stream()
                .filter(worker -> worker != waiting && worker.isRunning())
                .count();
    }

    /**
     * Whether a worker is the one that waits now; if not, it is not at work any more, and nobody relies on it. It is not left to one that has no
     * thread yet: the server may have none for it.
     */
    synchronized boolean waits(Worker worker) {
        if (waiting == null || !waiting.isRunning()) {
            waiting = worker;
        }
        if (waiting != worker) {
            working.remove(worker);
        }
        return waiting == worker;
    }

    /** A worker has a message: there may be more, and another one is to see to them. */
    void found(Worker worker) {
        synchronized (this) {
            if (waiting != null && waiting != worker) {
                return;
            }
            // Nobody waits either where the server had no thread for the last one.
            waiting = null;
            if (!open || working.size() >= bean.subscription().sessions()) {
                return;
            }
        }
        try {
            another();
        } catch (JMSException | WorkException | RuntimeException | Error e) {
            // Whatever it is, the message that was found is not to blame, and is delivered.
            LOG.debug("{}: goes on with {} workers", bean, working.size(), e);
        }
    }

    /** Has another worker wait, unless one is to already. */
    private void another() throws JMSException, WorkException {
        Worker next = next();
        if (next != null) {
            try {
                run(next);
            } catch (WorkException | RuntimeException | Error e) {
                rested(next);
                throw e;
            }
        }
    }

    private Worker next() throws JMSException {
        Connection made;
        Worker next;
        synchronized (this) {
            made = connection;
            next = resting.poll();
        }
        if (next == null) {
            next = newWorker(made);
        }
        synchronized (this) {
            if (waiting != null || !open) {
                // Somebody was quicker.
                resting.add(next);
                return null;
            }
            working.add(next);
            waiting = next;
            return next;
        }
    }

    /** A worker is not needed for now, or ends. */
    synchronized void rested(Worker worker) {
        working.remove(worker);
        if (waiting == worker) {
            waiting = null;
        }
        resting.add(worker);
        closeIfOver();
        notifyAll();
    }

    /** Whatever has interrupted the thread at work, the bean goes on on another one. A server that ends gives none. */
    void goOnIfInterrupted() {
        // Some servers refuse to give work to others on a thread that is interrupted.
        if (!open || !Thread.interrupted()) {
            return;
        }
        LOG.debug("{}: the server has interrupted its thread, and is asked for another one", bean);
        try {
            if (isConnected()) {
                another();
            } else {
                connect();
            }
        } catch (JMSException | WorkException | RuntimeException | Error e) {
            endUnlessOthersGoOn(e);
            Thread.currentThread().interrupt();
        }
    }

    private void endUnlessOthersGoOn(Throwable refusal) {
        synchronized (this) {
            if (atWork() > 0) {
                LOG.debug("{}: goes on with {} workers", bean, working.size(), refusal);
                return;
            }
        }
        LOG.warn(
                "{}: ends, since the server has interrupted its thread and gives no other: {}",
                bean,
                refusal.toString());
        endBean.run();
        synchronized (this) {
            closeIfOver();
        }
    }

    /** The server is about to end. */
    void interrupted() {
        endBean.run();
    }

    /** Waits for a while, or until this ends, or until the thread is interrupted, which it is still then. */
    synchronized void delay(long millis) {
        await(() -> !open, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** No message is begun any more. What is being delivered goes on. */
    void end() {
        Set<Worker> all;
        synchronized (this) {
            open = false;
            notifyAll();
            all = Set.copyOf(working);
        }
        all.forEach(Worker::wakeUp);
    }

    /** Waits for what is being delivered. What goes on for longer has its connection until it is over. */
    synchronized void awaitEnd(long deadline, long graceMillis) {
        open = false;
        notifyAll();
        await(() -> !connecting && atWork() == 0, deadline);
        if (atWork() > 0) {
            LOG.warn(
                    "{}: {} messages are still being delivered after {} s; those whose transaction is rolled back are not counted",
                    bean,
                    atWork(),
                    graceMillis / 1000);
        }
        closeIfOver();
    }

    /** With the lock. */
    private void await(BooleanSupplier over, long deadline) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        try {
            while (!over.getAsBoolean() && left > 0) {
                wait(left);
                left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** With the lock. */
    private void closeIfOver() {
        if (!open && !connecting && atWork() == 0 && connection != null) {
            close(connection);
            connection = null;
        }
    }

    static void close(Connection connection) {
        try {
            connection.close();
        } catch (JMSException e) {
            LOG.warn("A connection did not close as it should: {}", e.getMessage());
        }
    }

    /** How many have a thread, with the lock. Who has none yet ends as soon as it gets one. */
    private long atWork() {
        return working.stream().filter(LongWork::isRunning).count();
    }
}
