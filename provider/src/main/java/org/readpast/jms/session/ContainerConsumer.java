package org.readpast.jms.session;

import jakarta.jms.JMSException;

/**
 * Every MessageConsumer of Readpast can be cast to this interface, which is for the drivers of message-driven beans. Where
 * {@link ContainerTransactions#countsDeliveries}, the driver tells the consumer of each rollback of a transaction in which it has
 * received, and of the end of each transaction in which it has received nothing. It need not tell of a commit, since the count of a delivery is removed with its message. Nor does harm come of a rollback
 * that is not told, as when the JVM dies or the database is away: the count of that delivery stays, and whoever claims the message next
 * sees it.
 *
 * <p>Like every consumer, it is used by one thread at a time (§6.2.5).
 */
public interface ContainerConsumer extends AwaitableConsumer {

    /**
     * Says that the transaction of the message that was received last will be rolled back. Call it before the rollback: right after that,
     * another consumer may claim the message, and make a dead letter of it.
     *
     * @param why becomes part of the dead letter's reason
     * @throws JMSException if the session is closed
     */
    void failed(String why) throws JMSException;

    /**
     * Says that the transaction of the message that was received last was rolled back, or that nothing was received in a transaction that
     * has ended: there may have been a message that had no delivery left. The redelivery policy of its queue then decides
     * what becomes of the message, in a transaction of its own. This does nothing if another consumer has claimed the message meanwhile; if
     * the database is away, it logs a warning.
     *
     * @throws JMSException if the session is closed
     */
    void rolledBack() throws JMSException;

    /**
     * Does as {@link #rolledBack} does, for a rollback that the message did not cause: it is delivered again as if it had not been
     * received.
     *
     * @throws JMSException if the session is closed
     */
    void withdrawn() throws JMSException;
}
