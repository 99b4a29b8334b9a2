package org.readpast.jms.session;

import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;

/**
 * What every MessageConsumer of ours also is: it can wait for a message before a transaction is begun. A {@code receive} that waits in
 * the application's transaction keeps that one's SQL connection meanwhile; this does not.
 *
 * <pre>{@code
 * while (((AwaitableConsumer) consumer).awaitMessage(0)) {
 *     transactionTemplate.executeWithoutResult(status -> handle(consumer.receiveNoWait()));
 * }
 * }</pre>
 *
 * <p>As a consumer, it is used by one thread at a time.
 */
public interface AwaitableConsumer extends MessageConsumer {

    /**
     * Waits until a receive may find a message. Others may get that message first, so the receive may find none; the next call waits
     * then. It does not wait before the first receive, nor after one that has found a message.
     *
     * @param timeoutMillis how long to wait, as with {@link #receive(long)}: 0 for ever, negative for no wait
     * @return false when the time is over, or the consumer, session or connection was closed meanwhile
     * @throws jakarta.jms.IllegalStateException if it is closed already, or its session has a message listener
     */
    boolean awaitMessage(long timeoutMillis) throws JMSException;
}
