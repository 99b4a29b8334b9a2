package org.readpast.jms.engine.session;

import jakarta.jms.JMSException;
import java.sql.Connection;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.destination.ReadpastQueue;
import org.readpast.jms.engine.source.BrowseCursor;
import org.readpast.jms.engine.source.Subscription;
import org.readpast.jms.engine.transaction.AcknowledgeMode;
import org.readpast.jms.selector.Selector;

/** What the surface asks of a session, whose destinations may be in one database or in several. */
public interface ProviderSession {

    AcknowledgeMode mode();

    /** How its messages are sent. */
    ProviderSender sender();

    /**
     * A consumer of a queue.
     *
     * @param selector null for all messages
     * @throws jakarta.jms.InvalidDestinationException if it is a temporary queue of another connection
     */
    ProviderConsumer consume(ReadpastDestination queue, Selector selector) throws JMSException;

    /** A consumer of a subscription; see {@link SessionConsumers#subscribe}. */
    ProviderConsumer subscribe(Subscription subscription) throws JMSException;

    /** Deletes a durable subscription; see {@link SessionConsumers#unsubscribe}. */
    void unsubscribe(String subscriptionName) throws JMSException;

    /** A walk over the messages that are in the queue now; null selector for all. Not tied to any transaction. */
    BrowseCursor browse(ReadpastQueue queue, Selector selector) throws JMSException;

    /**
     * Commits sends and receives together.
     *
     * @throws jakarta.jms.IllegalStateException if the session is not transacted, or this is a completion listener of its own
     * @throws jakarta.jms.TransactionInProgressException if it takes part in a transaction of the application's
     * @throws jakarta.jms.TransactionRolledBackException if it cannot be done and all is undone
     */
    void commit() throws JMSException;

    /** Undoes sends and receives; throws like {@link #commit}. */
    void rollback() throws JMSException;

    /**
     * Delivers again, in order, what was consumed and not acknowledged.
     *
     * @throws jakarta.jms.IllegalStateException if the session is transacted
     */
    void recover() throws JMSException;

    /** Acknowledges all that the session has consumed; does nothing unless its mode is CLIENT. */
    void acknowledge() throws JMSException;

    /**
     * The SQL connection of the session's transaction, for business rows that commit with the messages. It cannot be committed,
     * rolled back or closed but through the session.
     *
     * @param of a destination in the database that is meant; null for the one that the session works in
     * @throws jakarta.jms.IllegalStateException if the session is neither transacted nor takes part in a transaction of the application's
     */
    Connection sqlConnection(ReadpastDestination of) throws JMSException;

    /** Throws IllegalStateException if the session is closed; a listener that the closing waits for may go on (§6.1.8). */
    void checkOpen() throws JMSException;

    /** How long closing waits, in milliseconds. */
    long closeTimeoutMillis();

    /**
     * Closes: ends a pending receive, waits for a running listener and for asynchronous sends, rolls back. Whoever closes it a second time
     * waits for the first. An interrupt ends none of this, and is kept. The one method another thread may call.
     *
     * @throws jakarta.jms.IllegalStateException from within its own message listener or completion listener, which would wait for itself
     *     (§6.2.15, §7.3.4)
     * @throws JMSException also if a listener is still running, or the database does not answer, when the time for it is over; what is
     *     left to do then is done afterwards
     */
    void close() throws JMSException;

    /** Waits for somebody else to close it; throws as {@link #close}. */
    void awaitClosed() throws JMSException;
}
