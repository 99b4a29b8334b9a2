package org.readpast.jms.engine.session;

import jakarta.jms.JMSException;

/** A consumer, of a destination that may be in one database or, where it is temporary, in several. */
public interface ProviderConsumer {

    /**
     * Receives the next message.
     *
     * @param timeoutMillis how long to wait: 0 for ever, {@link EngineConsumer#NO_WAIT} not at all
     * @return null when the time is over, or the consumer, session or connection was closed meanwhile
     * @throws jakarta.jms.IllegalStateException if it is closed, or the session has a listener
     */
    <T> T receive(long timeoutMillis, DeliveryReader<T> reader) throws JMSException;

    /**
     * Waits until a receive may find a message, and claims none. It does not wait before the first receive, nor after one that has found
     * a message.
     *
     * @param timeoutMillis how long to wait: 0 for ever, {@link EngineConsumer#NO_WAIT} not at all
     * @return false when the time is over, or the consumer, session or connection was closed meanwhile
     * @throws jakarta.jms.IllegalStateException as {@link #receive} does
     */
    boolean awaitMessage(long timeoutMillis) throws JMSException;

    /** See {@link ConsumerSession#failed}. */
    void failed(String why) throws JMSException;

    /** See {@link ConsumerSession#rolledBack}. */
    void rolledBack() throws JMSException;

    /** See {@link ConsumerSession#withdrawn}. */
    void withdrawn() throws JMSException;

    /** Sets the listener, or with null takes it away. */
    void listen(DeliveryListener listener) throws JMSException;

    /**
     * Closes; waits for a running listener unless called from it. An interrupt does not end that, and is kept. Idempotent.
     *
     * @throws JMSException also if a listener is still running when the time for it is over; it is closed all the same
     */
    void close() throws JMSException;

    boolean isClosed();
}
