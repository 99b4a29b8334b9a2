package org.readpast.jms.session;

import jakarta.jms.JMSException;

/**
 * What every MessageConsumer of ours also is, for what drives message-driven beans: it is told how the transactions ended in which it has
 * received, where {@link ContainerTransactions#countsDeliveries}. A commit need not be told, since the count of a delivery goes with its
 * message. Nor does harm come of a rollback that is not told, as when the JVM dies: the count of that delivery stays, and is seen by
 * whoever claims the message next.
 *
 * <p>As a consumer, it is used by one thread at a time.
 */
public interface ContainerConsumer extends AwaitableConsumer {

    /**
     * The transaction of the message that was received last will be rolled back. To be called before it is, since others may have claimed
     * the message right after that, and made a dead letter of it.
     *
     * @param why for the reason of the dead letter
     */
    void failed(String why) throws JMSException;

    /**
     * The transaction of the message that was received last was rolled back, and is over. The redelivery policy of its queue decides what
     * becomes of it, in a transaction of its own. Does nothing where somebody else has claimed it meanwhile.
     */
    void rolledBack() throws JMSException;

    /** As {@link #rolledBack}, but that was no fault of the message's: it comes back as if it had not been received. */
    void withdrawn() throws JMSException;
}
