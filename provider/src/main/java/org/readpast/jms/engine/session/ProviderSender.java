package org.readpast.jms.engine.session;

import jakarta.jms.JMSException;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.engine.transaction.SessionLock;

/** How a session sends, to destinations in one database or in several. */
public interface ProviderSender {

    /**
     * Sends, or in a transacted session holds back until the commit. To a composite destination it sends a copy for each member:
     * all of them or none.
     *
     * @param timeToLive milliseconds, 0 for ever
     * @param deliveryDelay milliseconds
     * @throws jakarta.jms.InvalidDestinationException if it is a temporary destination that is gone
     */
    void send(ReadpastDestination destination, EncodedMessage message, long timeToLive, long deliveryDelay)
            throws JMSException;

    /** Sends without waiting; completions come in the order of the sends (§7.3). */
    void sendAsync(
            ReadpastDestination destination,
            EncodedMessage message,
            long timeToLive,
            long deliveryDelay,
            SendCompletion completion)
            throws JMSException;

    /** Waits for something that completions bring about; in a listener, they may use the session meanwhile. */
    <E extends Exception> void whileCompleting(SessionLock.Wait<E> wait) throws E;
}
