package org.readpast.jms.engine.session;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.readpast.jms.engine.transaction.SessionLock;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.threads.Loggers;
import org.readpast.jms.threads.Threads;
import org.slf4j.Logger;

/**
 * A session's asynchronous sends (§7.3): stored and completed in order on a thread of their own, as many in one transaction as
 * have come together meanwhile. Who sends faster than they are stored waits. Thread-safe.
 */
final class AsyncSender implements Runnable {

    private static final Logger LOG = Loggers.of(AsyncSender.class);
    private static final int BATCH = 500;

    /** This many may wait to be stored, or fewer if they are large. */
    private static final int MOST_UNSENT = 2 * BATCH;

    /** One send; without messages only its completion is still to be told. */
    private record Send(List<NewMessage> messages, SendCompletion completion) {

        long bytes() {
            return messages.stream().mapToLong(NewMessage::bytes).sum();
        }
    }

    /**
     * Why sends failed.
     *
     * @param ofOneMessage whether it may be the fault of one of several messages
     */
    private record Problem(JMSException told, boolean ofOneMessage) {}

    /** Where messages go. */
    @FunctionalInterface
    interface Storage {
        void store(List<NewMessage> messages) throws StoreException;
    }

    private final Storage storage;
    private final long mostBytes;
    private final String owner;
    private final SessionLock lock;
    private final Consumer<JMSException> report;

    /** Guarded by this. */
    private final Deque<Send> unsent = new ArrayDeque<>();

    /** Of what is unsent. Guarded by this. */
    private long unsentBytes;

    /** How many are neither stored nor failed. Guarded by this. */
    private int sending;

    /** How many have not been completed. Guarded by this. */
    private int incomplete;

    /** Guarded by this. */
    private Thread thread;

    /** Whether nothing more is to be sent so, by its completion listeners neither: each could send another for ever. Guarded by this. */
    private boolean ceasing;

    /** Guarded by this. */
    private boolean closed;

    /**
     * @param mostBytes how many bytes of bodies may wait to be stored, or one message
     * @param session whose it is
     */
    AsyncSender(Storage storage, long mostBytes, Session session) {
        this.storage = storage;
        this.mostBytes = mostBytes;
        this.owner = session.name();
        this.lock = session.lock();
        this.report = session.report();
    }

    /**
     * What it has to know of a session.
     *
     * @param lock which a listener that waits for completions lends to their thread
     * @param report is told of what completion listeners throw
     */
    record Session(String name, SessionLock lock, Consumer<JMSException> report) {}

    /**
     * Stores these messages together.
     *
     * @param completion of them all
     */
    void send(List<NewMessage> messages, SendCompletion completion) throws JMSException {
        Send send = new Send(messages, completion);
        waitUntil(() -> isCeasing() || mayAdd(send));
        checkMaySend();
        add(send);
    }

    private synchronized boolean isCeasing() {
        return closed || ceasing;
    }

    /** Throws IllegalStateException when closing has begun: before a send that {@link #complete} tells of. */
    void checkMaySend() throws JMSException {
        if (isCeasing()) {
            throw ended();
        }
    }

    private static IllegalStateException ended() {
        return new IllegalStateException("The session is closed");
    }

    private boolean mayAdd(Send send) {
        return unsent.isEmpty()
                || (unsent.size() < MOST_UNSENT && unsentBytes + send.bytes() <= mostBytes)
                || Thread.currentThread() == thread;
    }

    /** Tells of a send that is done already, after those before it. */
    void complete(SendCompletion completion) throws JMSException {
        add(new Send(List.of(), completion));
    }

    private synchronized void add(Send send) throws JMSException {
        if (closed) {
            throw ended();
        }
        if (thread == null) {
            thread = Threads.startOfCaller("sender-" + owner, this);
        }
        unsent.add(send);
        unsentBytes += send.bytes();
        sending++;
        incomplete++;
        notifyAll();
    }

    /** Waits until what was sent before is stored, so that a synchronous send comes after it. */
    void awaitSent() throws JMSException {
        waitUntil(() -> sending == 0 || Thread.currentThread() == thread);
    }

    /** Waits until every completion has been told; refuses to be called from one. */
    void awaitCompleted(String call) throws JMSException {
        checkNotInCallback(call);
        waitUntil(() -> incomplete == 0);
    }

    synchronized void checkNotInCallback(String call) throws JMSException {
        if (isInCallback()) {
            throw new IllegalStateException(
                    owner + ": " + call + " must not be called from a CompletionListener of its own (§7.3)");
        }
    }

    synchronized boolean isInCallback() {
        return Thread.currentThread() == thread;
    }

    /** Whether the caller is a completion listener that closing waits for. */
    synchronized boolean isInAwaitedCallback() {
        return isInCallback() && !closed;
    }

    /** Waits for something that completions bring about; in a listener, they may use the session meanwhile. */
    <E extends Exception> void whileCompleting(SessionLock.Wait<E> wait) throws E {
        Thread completing;
        synchronized (this) {
            completing = thread;
        }
        lock.lend(completing, wait);
    }

    /**
     * Waits until every completion has been told. There will be no more sends.
     *
     * @param deadlineNanos until when to wait, by {@link System#nanoTime()}; sends are completed afterwards too
     * @return false if the time was over first
     */
    synchronized boolean close(long deadlineNanos) {
        boolean completed = awaitCompleted(deadlineNanos);
        closed = true;
        notifyAll();
        return completed;
    }

    /** Waits until every completion has been told, while nothing more is sent so; returns false if the time was over first. */
    synchronized boolean awaitCompleted(long deadlineNanos) {
        ceasing = true;
        notifyAll();
        boolean interrupted = false;
        long left = deadlineNanos - System.nanoTime();
        while (incomplete > 0 && left > 0) {
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException e) {
                interrupted = true;
            }
            left = deadlineNanos - System.nanoTime();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return incomplete == 0;
    }

    @Override
    public void run() {
        for (List<Send> batch = next(); !batch.isEmpty(); batch = next()) {
            store(batch);
        }
    }

    private synchronized List<Send> next() {
        while (unsent.isEmpty() && !closed) {
            try {
                wait();
            } catch (InterruptedException e) {
                LOG.debug("{}: its thread of asynchronous sends was interrupted, and goes on", owner, e);
            }
        }
        List<Send> batch = new ArrayList<>();
        while (!unsent.isEmpty() && batch.size() < BATCH) {
            batch.add(unsent.poll());
        }
        batch.forEach(send -> unsentBytes -= send.bytes());
        notifyAll();
        return batch;
    }

    private void store(List<Send> batch) {
        List<NewMessage> messages =
                batch.stream().flatMap(send -> send.messages().stream()).toList();
        Problem problem = tryStore(messages);
        boolean singly = problem != null
                && problem.ofOneMessage()
                && messages.size() > batch.get(0).messages().size();
        if (!singly) {
            sent(batch.size());
        }
        for (Send send : batch) {
            if (singly) {
                // One message that the database refuses must not take the others with it; what befalls all of them
                // does.
                problem = problem == null || problem.ofOneMessage() ? tryStore(send.messages()) : problem;
                sent(1);
            }
            tell(send.completion(), send.messages().isEmpty() || problem == null ? null : problem.told());
            completed();
        }
    }

    private Problem tryStore(List<NewMessage> messages) {
        try {
            if (!messages.isEmpty()) {
                storage.store(messages);
            }
            return null;
        } catch (StoreException e) {
            return new Problem(
                    JmsErrors.jms(owner + ": asynchronous send failed", e),
                    e.failure().mayBeOfOneMessage());
        } catch (Throwable e) {
            // They may be stored.
            return new Problem(JmsErrors.unexpected(owner + ": asynchronous send failed", e), false);
        }
    }

    private void tell(SendCompletion completion, JMSException problem) {
        try {
            if (problem == null) {
                completion.completed();
            } else {
                completion.failed(problem);
            }
        } catch (Throwable e) {
            Loggers.warn(LOG, owner + ": a CompletionListener failed", e);
            if (!(e instanceof RuntimeException)) {
                report.accept(JmsErrors.unexpected(owner + ": a CompletionListener failed", e));
            }
        } finally {
            if (Thread.interrupted()) {
                LOG.debug("{}: a CompletionListener interrupted its thread, which goes on", owner);
            }
        }
    }

    private synchronized void sent(int count) {
        sending -= count;
        notifyAll();
    }

    private synchronized void completed() {
        incomplete--;
        notifyAll();
    }

    /** @param condition asked with this object's monitor, which is let go meanwhile */
    private void waitUntil(BooleanSupplier condition) throws JMSException {
        if (!isNow(condition)) {
            whileCompleting(() -> waitFor(condition));
        }
    }

    private synchronized boolean isNow(BooleanSupplier condition) {
        return condition.getAsBoolean();
    }

    private synchronized void waitFor(BooleanSupplier condition) throws JMSException {
        try {
            while (!condition.getAsBoolean()) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw JmsErrors.causedBy(new JMSException(owner + ": interrupted while waiting for asynchronous sends"), e);
        }
    }
}
