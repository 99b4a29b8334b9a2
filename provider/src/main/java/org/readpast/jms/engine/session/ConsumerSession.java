package org.readpast.jms.engine.session;

import jakarta.jms.JMSException;

/** What a consumer asks of its session. Thread-safe. */
interface ConsumerSession extends SessionContext {

    /** Throws IllegalStateException while there is a listener. */
    void checkMayReceive() throws JMSException;

    /**
     * Looks for one message, without waiting for one; null if there is none.
     *
     * @param waits whether the receive that this look is for waits for one
     */
    <T> Received<T> receive(EngineConsumer consumer, boolean waits, DeliveryReader<T> reader) throws JMSException;

    /**
     * The transaction of the container's in which a message was received last will be rolled back.
     *
     * @param why for the reason of a dead letter
     */
    void failed(String why) throws JMSException;

    /** The transaction of the container's in which a message was received last is over, and was rolled back. */
    void rolledBack() throws JMSException;

    /** As {@link #rolledBack}, but the delivery does not count. */
    void withdrawn() throws JMSException;

    /** Whether a receive may take part in a transaction of the application's. */
    boolean mayJoin();

    /** Sets a consumer's listener, or with null takes it away. */
    void listen(EngineConsumer consumer, DeliveryListener listener) throws JMSException;

    /** The consumer is closed: gives up what it has; waits for a running listener unless called from it. */
    void closed(EngineConsumer consumer) throws JMSException;
}
