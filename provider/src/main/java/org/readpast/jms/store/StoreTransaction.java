package org.readpast.jms.store;

import java.sql.Connection;
import java.util.List;
import org.readpast.jms.codec.Body;

/**
 * One SQL transaction after the other for one session. It takes a SQL connection when the first statement of a transaction
 * needs one and gives it back when the transaction ends, so an idle session holds none. Not thread-safe.
 *
 * <p>A transaction on a <em>borrowed</em> connection is the application's: nothing here ever commits, rolls back or closes
 * that one, and {@link #commit} and {@link #rollback} are not called on it.
 *
 * <p>After any {@link StoreException} the transaction is over: rolled back where the connection still lived.
 */
public interface StoreTransaction extends AutoCloseable {

    /** Whether a SQL transaction is open, that is, whether there is something to commit or roll back. */
    boolean isOpen();

    /** The SQL connection of this transaction, beginning one if none is open. */
    Connection connection() throws StoreException;

    /**
     * Sets the mark that {@link #rollbackToMark} goes back to: before work that is not ours to undo by hand. One mark at a time;
     * the end of the transaction takes it away.
     */
    void mark() throws StoreException;

    /** Undoes what came after the mark, and keeps the locks that came before it. */
    void rollbackToMark() throws StoreException;

    /**
     * Locks messages in key order, stepping over those that others hold, and returns them in that order. Expired and not yet
     * due messages are left out. Bodies above the store's limit come {@link Body.Deferred}.
     */
    List<StoredMessage> claim(ClaimRequest request) throws StoreException;

    /**
     * Begins the delivery of a claimed message. That of a suspect one is counted now and for good, in a short transaction of its own,
     * because a JVM that dies of it counts nothing afterwards.
     *
     * @return the message; of a suspect one the delivery count contains what was counted so before and never ended
     */
    StoredMessage beginDelivery(StoredMessage claimed) throws StoreException;

    /**
     * Within this transaction ends deliveries of suspect messages, before these are acknowledged or redelivered: what was counted as
     * they began is forgotten, and what was counted so before and never ended goes into the delivery counts.
     */
    void endDeliveries(List<MessageKey> suspects) throws StoreException;

    /** Reads the body of a claimed message that came {@link Body.Deferred}. */
    Body readBody(StoredMessage message) throws StoreException;

    /** Inserts now, within this transaction: for sends too large to hold back, and on borrowed connections. */
    void insert(List<NewMessage> messages) throws StoreException;

    /**
     * Deletes claimed messages now, within this transaction.
     *
     * @throws StoreException {@link Failure#CLAIM_LOST} if not exactly these rows were deleted; the transaction is rolled back
     */
    void acknowledge(List<MessageKey> keys) throws StoreException;

    /**
     * Locks those of these messages that are still there and that nobody else holds, stepping over the others.
     *
     * @return the keys that are locked now
     */
    List<MessageKey> lock(List<MessageKey> keys) throws StoreException;

    /** Raises delivery counts and moves messages, within this transaction, while their locks are held. */
    void redeliver(List<Redelivery> redeliveries) throws StoreException;

    /**
     * Carries out the settlement and commits; then, in the same round trip where the database can, begins the next
     * transaction with a claim.
     *
     * @param next what to claim next, or null to end with the commit and give the connection back
     * @return the claimed messages, empty where nothing was asked for or found
     * @throws StoreException with {@link Failure#CLAIM_LOST} if not exactly the acknowledged rows were deleted, in which case
     *     nothing was committed; with {@link Failure#IN_DOUBT} the outcome is not known; with any other, nothing was committed
     */
    List<StoredMessage> commit(Settlement settlement, ClaimRequest next) throws StoreException;

    /** Rolls back, if anything is open. Never throws: a connection that cannot roll back is closed, which does the same. */
    void rollback();

    /** {@link #rollback} and gives the connection back. */
    @Override
    void close();
}
