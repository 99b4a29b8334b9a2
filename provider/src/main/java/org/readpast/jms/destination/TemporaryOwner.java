package org.readpast.jms.destination;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;

/** Deletes a temporary destination. The connection that created the destination implements it. */
@FunctionalInterface
public interface TemporaryOwner {

    /**
     * Deletes the destination and all its messages.
     *
     * @throws JMSException if it still has a consumer, or the database cannot be reached
     */
    void delete(ReadpastDestination destination) throws JMSException;

    /**
     * Has its owner delete a destination.
     *
     * @param owner null if another process created it
     * @throws IllegalStateException if the owner is null
     * @throws JMSException as the owner throws it
     */
    static void delete(ReadpastDestination destination, TemporaryOwner owner) throws JMSException {
        if (owner == null) {
            throw new IllegalStateException(destination + " can only be deleted by the connection that created it");
        }
        owner.delete(destination);
    }
}
