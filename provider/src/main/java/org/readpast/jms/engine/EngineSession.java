package org.readpast.jms.engine;

import jakarta.jms.JMSException;
import java.sql.Connection;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.destination.ReadpastQueue;
import org.readpast.jms.selector.Selector;

/** A session: one thread's context for sending and receiving. */
public final class EngineSession {

    public AcknowledgeMode mode() {
        throw new UnsupportedOperationException();
    }

    /** Sends, or in a transacted session holds back until the commit. */
    public void send(ReadpastDestination destination, EncodedMessage message, long timeToLive, long deliveryDelay)
            throws JMSException {
        throw new UnsupportedOperationException();
    }

    /** Sends without waiting; completions come in the order of the sends (§7.3). */
    public void sendAsync(
            ReadpastDestination destination,
            EncodedMessage message,
            long timeToLive,
            long deliveryDelay,
            SendCompletion completion)
            throws JMSException {
        throw new UnsupportedOperationException();
    }

    /**
     * @param selector null for all messages
     */
    public EngineConsumer createConsumer(ReadpastDestination destination, Selector selector) throws JMSException {
        throw new UnsupportedOperationException();
    }

    /** A walk over the messages that are in the queue now; null selector for all. Not tied to any transaction. */
    public BrowseCursor browse(ReadpastQueue queue, Selector selector) throws JMSException {
        throw new UnsupportedOperationException();
    }

    /** @throws jakarta.jms.IllegalStateException if the session is not transacted */
    public void commit() throws JMSException {
        throw new UnsupportedOperationException();
    }

    /** @throws jakarta.jms.IllegalStateException if the session is not transacted */
    public void rollback() throws JMSException {
        throw new UnsupportedOperationException();
    }

    /** @throws jakarta.jms.IllegalStateException if the session is transacted */
    public void recover() throws JMSException {
        throw new UnsupportedOperationException();
    }

    /** Acknowledges all that the session has consumed; does nothing unless its mode is CLIENT. */
    public void acknowledge() throws JMSException {
        throw new UnsupportedOperationException();
    }

    /** The SQL connection of the session's transaction, for business rows that commit with the messages. */
    public Connection sqlConnection() throws JMSException {
        throw new UnsupportedOperationException();
    }

    /** @throws jakarta.jms.IllegalStateException if the session is closed */
    public void checkOpen() throws JMSException {
        throw new UnsupportedOperationException();
    }

    /** Closes. Idempotent; the one method another thread may call. */
    public void close() throws JMSException {
        throw new UnsupportedOperationException();
    }
}
