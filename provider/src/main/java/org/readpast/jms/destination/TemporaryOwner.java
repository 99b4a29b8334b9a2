package org.readpast.jms.destination;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;

/** The connection that created a temporary destination, as far as the destination needs to know it. */
@FunctionalInterface
public interface TemporaryOwner {

    /** Deletes the destination. */
    void delete(ReadpastDestination destination) throws JMSException;

    /** Deletes through its owner, and refuses where there is none in this process. */
    static void delete(ReadpastDestination destination, TemporaryOwner owner) throws JMSException {
        if (owner == null) {
            throw new IllegalStateException(destination + " can only be deleted by the connection that created it");
        }
        owner.delete(destination);
    }
}
