package org.readpast.jms.engine.runtime;

import jakarta.jms.MessageFormatException;
import org.readpast.jms.codec.Shown;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;

/**
 * Rows that are no message: somebody else than a client has written them. A delivery of one has failed as it begins, and counts whatever
 * becomes of the transaction that it was claimed in, until the row is a dead letter. It is among nothing that an application
 * acknowledges.
 */
public final class MalformedRow {

    private MalformedRow() {}

    /**
     * Reads what did not come with the claim, and begins the delivery of what cannot be read.
     *
     * @param store the transaction that has claimed the message
     * @param begun a message whose delivery is counted already if it is suspect
     * @return the message, complete; without its body if it has no deliveries left
     */
    public static StoredMessage complete(StoreTransaction store, StoredMessage begun, RedeliveryPlanner planner)
            throws StoreException {
        if (planner.isExhausted(Unacknowledged.of(begun))) {
            return begun;
        }
        StoredMessage whole = begun.isPartial() ? store.complete(begun) : begun;
        // A lease has counted it already.
        boolean counts = whole.unreadable() != null && !whole.isSuspect() && whole.lease() == null;
        return counts ? store.beginDelivery(whole.suspected()) : whole;
    }

    /** Whether a message cannot be delivered. Where it would never become a dead letter it is delivered for what it is. */
    public static boolean is(StoredMessage message, RedeliveryPlanner planner) {
        return message.unreadable() != null && planner.mayBeExhausted(Unacknowledged.of(message));
    }

    /** What a receiver is told in place of a message. */
    public static MessageFormatException failure(Object receiver, StoredMessage message) {
        return new MessageFormatException(receiver + ": message "
                + Shown.inOneLine(message.message().messageId()) + " cannot be read, " + message.unreadable()
                + "; this counts as a delivery, and after its last one the message is a dead letter, as it stands");
    }
}
