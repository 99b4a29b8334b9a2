package org.readpast.jms.engine;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session's asynchronous sends (§7.3): stored and completed in order on a thread of their own, as many in one transaction as
 * have come together meanwhile. Thread-safe.
 */
final class AsyncSender implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(AsyncSender.class);
    private static final int BATCH = 500;

    /** One send; without messages only its completion is still to be told. */
    private record Send(List<NewMessage> messages, SendCompletion completion) {}

    /** A send that was tried. */
    private record Done(SendCompletion completion, JMSException problem) {}

    private final Hub hub;
    private final String owner;

    /** Guarded by this. */
    private final Deque<Send> unsent = new ArrayDeque<>();

    /** How many are neither stored nor failed. Guarded by this. */
    private int sending;

    /** How many have not been completed. Guarded by this. */
    private int incomplete;

    /** Guarded by this. */
    private Thread thread;

    /** Guarded by this. */
    private boolean closed;

    AsyncSender(Hub hub, String owner) {
        this.hub = hub;
        this.owner = owner;
    }

    /**
     * Stores these messages together.
     *
     * @param completion of them all
     */
    void send(List<NewMessage> messages, SendCompletion completion) throws JMSException {
        add(new Send(messages, completion));
    }

    /** Tells of a send that is done already, after those before it. */
    void complete(SendCompletion completion) throws JMSException {
        add(new Send(List.of(), completion));
    }

    private synchronized void add(Send send) throws JMSException {
        if (closed) {
            throw new IllegalStateException("The session is closed");
        }
        unsent.add(send);
        sending++;
        incomplete++;
        if (thread == null) {
            thread = Threads.start("sender-" + owner, this);
        }
        notifyAll();
    }

    /** Waits until what was sent before is stored, so that a synchronous send comes after it. */
    synchronized void awaitSent() throws JMSException {
        waitUntil(() -> sending == 0 || Thread.currentThread() == thread);
    }

    /** Waits until every completion has been told; refuses to be called from one. */
    synchronized void awaitCompleted(String call) throws JMSException {
        checkNotInCallback(call);
        waitUntil(() -> incomplete == 0);
    }

    synchronized void checkNotInCallback(String call) throws JMSException {
        if (Thread.currentThread() == thread) {
            throw new IllegalStateException(
                    owner + ": " + call + " must not be called from a CompletionListener of its own (§7.3)");
        }
    }

    void close() throws JMSException {
        awaitCompleted("close");
        synchronized (this) {
            closed = true;
            notifyAll();
        }
    }

    @Override
    public void run() {
        try {
            for (List<Send> batch = next(); !batch.isEmpty(); batch = next()) {
                List<Done> done = store(batch);
                sent(batch.size());
                for (Done one : done) {
                    tell(one);
                    completed();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized List<Send> next() throws InterruptedException {
        while (unsent.isEmpty() && !closed) {
            wait();
        }
        List<Send> batch = new ArrayList<>();
        while (!unsent.isEmpty() && batch.size() < BATCH) {
            batch.add(unsent.poll());
        }
        return batch;
    }

    private List<Done> store(List<Send> batch) {
        List<NewMessage> messages =
                batch.stream().flatMap(send -> send.messages().stream()).toList();
        List<Done> done = new ArrayList<>();
        JMSException problem = tryStore(messages);
        for (Send send : batch) {
            // One message that the database refuses must not take the others with it.
            boolean alone =
                    problem != null && messages.size() > send.messages().size() && !JmsErrors.isInDoubt(problem);
            JMSException own = send.messages().isEmpty() ? null : alone ? tryStore(send.messages()) : problem;
            done.add(new Done(send.completion(), own));
        }
        return done;
    }

    private JMSException tryStore(List<NewMessage> messages) {
        try {
            if (!messages.isEmpty()) {
                hub.send(messages);
            }
            return null;
        } catch (StoreException e) {
            return JmsErrors.jms(owner + ": asynchronous send failed", e);
        }
    }

    private void tell(Done done) {
        try {
            if (done.problem() == null) {
                done.completion().completed();
            } else {
                done.completion().failed(done.problem());
            }
        } catch (RuntimeException e) {
            LOG.warn("{}: a CompletionListener failed", owner, e);
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

    /** With this object's monitor, which is let go meanwhile. */
    private synchronized void waitUntil(BooleanSupplier condition) throws JMSException {
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
