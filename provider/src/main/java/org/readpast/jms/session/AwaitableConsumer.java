package org.readpast.jms.session;

import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;

/**
 * Every MessageConsumer of Readpast can be cast to this interface, which waits for a message before a transaction is begun. A
 * {@code receive} that waits in the application's transaction keeps its SQL connection meanwhile; {@link #awaitMessage} does not.
 *
 * <pre>{@code
 * while (((AwaitableConsumer) consumer).awaitMessage(0)) {
 *     transactionTemplate.executeWithoutResult(status -> handle(consumer.receiveNoWait()));
 * }
 * }</pre>
 *
 * <p>Like every consumer, it is used by one thread at a time (§6.2.5).
 */
public interface AwaitableConsumer extends MessageConsumer {

    /**
     * Waits until a receive may find a message. Another consumer may get that message first, so the receive may find none; then the
     * next call of this method waits. It does not wait before the first receive, nor after one that has found a message.
     *
     * @param timeoutMillis how long to wait, in milliseconds, as with {@link #receive(long)}: 0 waits for ever, a negative number does not
     *     wait
     * @return true if a receive may find a message; false if the time is over, or the consumer, session or connection was closed meanwhile
     * @throws jakarta.jms.IllegalStateException if the consumer is closed already, or its session has a message listener
     */
    boolean awaitMessage(long timeoutMillis) throws JMSException;
}
