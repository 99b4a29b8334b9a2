package org.readpast.jms.jms;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import org.readpast.jms.engine.transaction.AcknowledgeMode;

/**
 * The session underneath a context, and whether the context is open. The session is made at its first use, because the client
 * id can still be set until then (§6.1.2), and a session is a use of the connection. Thread-safe.
 */
final class ContextSession {

    private enum State {
        OPEN,
        /** Listeners may still run, and have everything at their service until they return (§6.1.8). */
        CLOSING,
        CLOSED
    }

    private final SharedConnection shared;
    private final AcknowledgeMode mode;
    private final Creation creation;
    private State state = State.OPEN; // guarded by this
    private JmsSession session; // guarded by this

    /** Makes the session. */
    @FunctionalInterface
    interface Creation {
        JmsSession make() throws JMSException;
    }

    ContextSession(SharedConnection shared, AcknowledgeMode mode, Creation creation) {
        this.shared = shared;
        this.mode = mode;
        this.creation = creation;
        shared.join();
    }

    /** @throws IllegalStateException if the context is closed */
    AcknowledgeMode mode() throws JMSException {
        checkOpen();
        return mode;
    }

    /** @throws IllegalStateException if the context is closed */
    synchronized JmsSession get() throws JMSException {
        checkOpen();
        if (session == null) {
            if (state == State.CLOSING) {
                throw new IllegalStateException("The JMSContext is being closed");
            }
            session = creation.make();
        }
        return session;
    }

    /** @throws IllegalStateException if the context is closed */
    synchronized JmsConnection connection() throws JMSException {
        checkOpen();
        return shared.connection();
    }

    /** @throws IllegalStateException if the context is closed */
    synchronized void checkOpen() throws JMSException {
        if (state == State.CLOSED) {
            throw new IllegalStateException("The JMSContext is closed");
        }
    }

    /** Whoever closes it a second time waits until its listeners have returned, as the first does. */
    void close() throws JMSException {
        State before;
        JmsSession toClose;
        synchronized (this) {
            before = state;
            toClose = session;
            if (before == State.OPEN) {
                state = State.CLOSING;
            }
        }
        if (before == State.OPEN) {
            leave(toClose);
        } else if (before == State.CLOSING && toClose != null) {
            toClose.engine().awaitClosed();
        }
    }

    private void leave(JmsSession toClose) throws JMSException {
        State outcome = State.CLOSED;
        try {
            shared.leave(toClose);
        } catch (IllegalStateException refused) {
            outcome = State.OPEN;
            throw refused;
        } finally {
            enter(outcome);
        }
    }

    private synchronized void enter(State newState) {
        state = newState;
    }
}
