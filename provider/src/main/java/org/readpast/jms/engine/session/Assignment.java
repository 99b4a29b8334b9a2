package org.readpast.jms.engine.session;

import org.readpast.jms.engine.transaction.Acknowledgement;
import org.readpast.jms.engine.transaction.Claimer;
import org.readpast.jms.store.StoreException;

/**
 * What a connection consumer assigns to a session at one time: so many messages of its source. Used with the session's lock.
 *
 * @param claimer made for this assignment, and claiming in the session
 */
public record Assignment(Assigner consumer, Claimer claimer) {

    /** Claims its first messages, and returns whether there are any. */
    boolean fill(Acknowledgement acknowledgement) throws StoreException {
        return consumer.claim(() -> claimer.fill(acknowledgement));
    }
}
