package org.readpast.jms.jms;

import jakarta.jms.CompletionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.concurrent.atomic.AtomicReference;
import org.readpast.jms.engine.SendCompletion;
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
     * @throws IllegalStateException if it is called by a callback of the session, which would wait for itself
     */
    void await() throws IllegalStateException {
        boolean interrupted = false;
        synchronized (lock) {
            if (pending > 0 && inCallback.get() == Thread.currentThread()) {
                throw new IllegalStateException(
                        "A CompletionListener must not close its own producer (§7.3.4), nor one of its"
                                + " session that still sends; let another thread do it");
            }
            while (pending > 0) {
                try {
                    lock.wait();
                } catch (InterruptedException interrupt) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
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
