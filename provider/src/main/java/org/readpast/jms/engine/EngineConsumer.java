package org.readpast.jms.engine;

import jakarta.jms.JMSException;

/** A consumer of a queue. */
public final class EngineConsumer {

    /** A {@code receive} that does not wait. */
    public static final long NO_WAIT = -1;

    /**
     * Receives the next message.
     *
     * @param timeoutMillis how long to wait: 0 for ever, {@link #NO_WAIT} not at all
     * @return null when the time is over, or the consumer, session or connection was closed meanwhile
     * @throws jakarta.jms.IllegalStateException if it is closed, or the session has a listener
     */
    public <T> T receive(long timeoutMillis, DeliveryReader<T> reader) throws JMSException {
        throw new UnsupportedOperationException();
    }

    /** Sets the listener, or with null takes it away. */
    public void listen(DeliveryListener listener) throws JMSException {
        throw new UnsupportedOperationException();
    }

    /** Closes; waits for a running listener unless called from it. Idempotent. */
    public void close() throws JMSException {
        throw new UnsupportedOperationException();
    }

    public boolean isClosed() {
        throw new UnsupportedOperationException();
    }
}
