package org.readpast.jms.store;

import java.sql.Connection;
import java.util.Collection;
import java.util.List;
import org.readpast.jms.codec.Body;

/**
 * One SQL transaction after the other for one session. It takes a SQL connection when the first statement of a transaction
 * needs one and gives it back when the transaction ends, so an idle session holds none. Not thread-safe.
 *
 * <p>A transaction on a <em>borrowed</em> connection is the application's: nothing here ever commits, rolls back or closes
 * that one, and {@link #commit} and {@link #rollback} are not called on it.
 *
 * <p>After any {@link StoreException} the transaction is over: rolled back where the connection still lived. Messages that are claimed
 * by lease are held all the same, until they are acknowledged, given back, or their lease is over. Which messages are held is for the
 * caller to know.
 */
public interface StoreTransaction extends AutoCloseable {

    /** Whether a SQL transaction is open. */
    boolean isOpen();

    /** The SQL connection of this transaction, beginning one if none is open. */
    Connection connection() throws StoreException;

    /** Lends this connection to nobody when its transaction has ended. Safe on every thread, and without effect on a borrowed one. */
    void retire(Connection connection);

    /**
     * Sets the savepoint that {@link #rollbackToSavepoint} goes back to: before work that is not ours to undo by hand. One at a time;
     * the end of the transaction takes it away.
     */
    void setSavepoint() throws StoreException;

    /** Undoes what came after the savepoint, and keeps the locks that came before it. */
    void rollbackToSavepoint() throws StoreException;

    /**
     * Locks messages in key order, stepping over those that others hold, and returns them in that order. Expired and not yet
     * due messages are left out. Each comes with its {@link Claim}. All together fit into memory: large bodies come {@link Body.Deferred}, and long properties have yet to be
     * read.
     *
     * <p>A claim by lease takes them out of the queue instead, and commits that at once in a transaction of its own: this one is
     * neither begun by it nor touched by its failure.
     */
    List<StoredMessage> claim(ClaimRequest request) throws StoreException;

    /**
     * What failed claims by lease may hold all the same, since the answer of their commit was lost, or may hold yet: a server that has not
     * noticed it may be about to carry that commit out. Returned once; nobody else knows of it.
     */
    default List<Claim> leasesInDoubt() {
        return List.of();
    }

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
     *
     * @return of how many of them something was counted
     */
    int endDeliveries(List<MessageKey> suspects) throws StoreException;

    /** Reads of a claimed message that {@link StoredMessage#isPartial} the rest; its row may turn out not to be readable. */
    StoredMessage complete(StoredMessage message) throws StoreException;

    /** Inserts now, within this transaction: for sends too large to hold back, and on borrowed connections. */
    void insert(List<NewMessage> messages) throws StoreException;

    /**
     * Deletes claimed messages now, within this transaction.
     *
     * @throws StoreException {@link Failure#CLAIM_LOST} if not exactly these rows were deleted; the transaction is rolled back
     */
    void acknowledge(List<Claim> claims) throws StoreException;

    /**
     * Locks those of these messages that are still there and that nobody else holds, stepping over the others.
     *
     * @param claims by which they were held
     * @return the keys of those that are locked now
     */
    List<MessageKey> lock(List<Claim> claims) throws StoreException;

    /**
     * Whether any of these messages is there, whoever holds it.
     *
     * @param claims by which they were held
     * @throws StoreException {@link Failure#LOCK_TIMEOUT} where somebody is deleting one and the database cannot see it for that
     */
    boolean isAnyThere(List<Claim> claims) throws StoreException;

    /**
     * Within this transaction takes messages that it holds by lock out of their queue, so that from its commit on they are held by lease.
     *
     * @return the same, as they are held then
     * @throws StoreException {@link Failure#CLAIM_LOST} if not all of them are there; the transaction is rolled back
     */
    List<StoredMessage> lease(List<StoredMessage> locked, LeaseTerms terms) throws StoreException;

    /**
     * Puts messages that are held by lease back into their queues, with their delivery counts as they were, and carries out a plan
     * for some of them; at once, in a transaction of its own. What is not there, since its lease is over, is passed by.
     *
     * @param leased all are held by lease
     * @param plan for messages among them
     * @return what of the plan was carried out
     * @throws StoreException if nothing was done; the leases are still held
     */
    List<Redelivery> giveBack(Collection<Claim> leased, List<Redelivery> plan) throws StoreException;

    /** Raises delivery counts and moves messages, within this transaction, while their locks are held. */
    void redeliver(List<Redelivery> redeliveries) throws StoreException;

    /**
     * Carries out the settlement and commits. Then, in the same round trip where the database can, begins the next transaction with a
     * claim.
     *
     * @param next what to claim next, or null to end with the commit and give the connection back
     * @return the claimed messages, empty where nothing was asked for or found
     * @throws StoreException with {@link Failure#CLAIM_LOST} if not exactly the acknowledged rows were deleted, in which case
     *     nothing was committed; with {@link Failure#IN_DOUBT} the outcome is not known; with any other, nothing was committed
     */
    List<StoredMessage> commit(Settlement settlement, ClaimRequest next) throws StoreException;

    /**
     * Acknowledges and commits, which ends the transaction, and looks whether the queue holds any message that has not expired, claimed
     * ones included; all in one round trip where the database can.
     *
     * @return false if it held none a moment before the commit; true also where nobody has looked
     * @throws StoreException as {@link #commit}
     */
    boolean commitAndLook(List<Claim> acknowledged, int destinationId) throws StoreException;

    /** Whether {@link #commit} would make this claim in the round trip of the acknowledgement and the commit. */
    boolean claimsWithCommit(ClaimRequest next);

    /** Whether others are likely to find a SQL connection though this transaction keeps one for longer than it has to. */
    boolean isConnectionToSpare();

    /**
     * Carries out the settlement and commits; where the answer is lost, finds out what came of it as far as the settings let it. For
     * commits that cannot simply be done again.
     *
     * @throws StoreException with {@link Failure#IN_DOUBT} only if the outcome could not be found out; otherwise as {@link #commit}
     */
    void commitVerified(Settlement settlement) throws StoreException;

    /** Whether {@link #commitVerified} leaves a row behind, by which it finds out what {@link #commit} cannot. */
    default boolean leavesMarkers() {
        return false;
    }

    /**
     * Rolls back, if anything is open. Never throws: a connection that cannot roll back is closed, which does the same.
     */
    void rollback();

    /** {@link #rollback} and gives the connection back. */
    @Override
    void close();
}
