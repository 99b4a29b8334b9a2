package org.readpast.jms.jms;

import jakarta.jms.CompletionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.readpast.jms.engine.session.SendCompletion;
import org.readpast.jms.message.JmsMessage;

/** The asynchronous sends of one producer whose callback has not returned yet (§7.3.4). Thread-safe. */
final class PendingSends {

    private final Object lock = new Object();
    private int pending; // guarded by lock
    private final AtomicReference<Thread> inCallback;

    /**
     * @param inCallback who is inside a callback of the session, which all its producers share: the session calls one callback
     *     at a time (§7.3.8)
     */
    PendingSends(AtomicReference<Thread> inCallback) {
        this.inCallback = inCallback;
    }

    /**
     * Sends without waiting.
     *
     * @param message the sender's object, which the callback gets, and which cannot be changed before that
     */
    void send(Message message, CompletionListener listener, Submission submission) throws JMSException {
        synchronized (lock) {
            pending++;
        }
        boolean accepted = false;
        setBeingSent(message, true);
        try {
            submission.submit(new Callback(message, listener));
            accepted = true;
        } finally {
            if (!accepted) {
                setBeingSent(message, false);
                done();
            }
        }
    }

    /** Of another provider's message a copy is sent, so that nobody minds what becomes of it. */
    private static void setBeingSent(Message message, boolean waiting) {
        if (message instanceof JmsMessage ours) {
            ours.setBeingSent(waiting);
        }
    }

    /**
     * Returns when every callback has returned. An interrupt does not end the wait, but is kept for the caller.
     *
     * @param millis for how long to wait
     * @throws IllegalStateException if it is called by a callback of the session, which would wait for itself
     * @throws JMSException if the time was over first
     */
    void await(long millis) throws JMSException {
        boolean interrupted = false;
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        boolean returned;
        synchronized (lock) {
            if (pending > 0 && inCallback.get() == Thread.currentThread()) {
                throw new IllegalStateException(
                        "A CompletionListener must not close its own producer (§7.3.4), nor one of its"
                                + " session that still sends; let another thread do it");
            }
            long left = deadline - System.nanoTime();
            while (pending > 0 && left > 0) {
                try {
                    TimeUnit.NANOSECONDS.timedWait(lock, left);
                } catch (InterruptedException interrupt) {
                    interrupted = true;
                }
                left = deadline - System.nanoTime();
            }
            returned = pending == 0;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!returned) {
            throw new JMSException("A CompletionListener of the producer has not returned within " + millis
                    + " ms (option 'closeTimeoutMillis'), so the producer is not closed");
        }
    }

    private void done() {
        synchronized (lock) {
            pending--;
            lock.notifyAll();
        }
    }

    /** Hands a send over to the engine. */
    @FunctionalInterface
    interface Submission {
        void submit(SendCompletion completion) throws JMSException;
    }

    /** Passes what the application's listener throws on to the engine, as it does for listeners of messages. */
    private final class Callback implements SendCompletion {

        private final Message message;
        private final CompletionListener listener;

        Callback(Message message, CompletionListener listener) {
            this.message = message;
            this.listener = listener;
        }

        @Override
        public void completed() {
            call(() -> listener.onCompletion(message));
        }

        @Override
        public void failed(JMSException problem) {
            call(() -> listener.onException(message, problem));
        }

        private void call(Runnable callback) {
            setBeingSent(message, false);
            inCallback.set(Thread.currentThread());
            try {
                callback.run();
            } finally {
                inCallback.set(null);
                done();
            }
        }
    }
}
