package org.readpast.jms.store;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * This JVM's entry in the database: a row and a lock that the database drops when the JVM dies, so that others can tell. Holds
 * one SQL connection. Client ids, temporary destinations, active consumers of subscriptions
 * and groups of messages belong to a presence and go with it. Thread-safe.
 */
public interface Presence extends AutoCloseable {

    /** The name of this JVM's row. */
    String instance();

    /**
     * Makes sure that row and lock are still held, taking them again after the connection was lost; called now and then.
     *
     * @throws StoreException also if the schema has become too new for this JVM, which does nothing more then
     */
    Refreshed refresh() throws StoreException;

    /** What {@link #refresh} has found. */
    enum Refreshed {
        /** Row and lock as they were. */
        HELD,
        /** The row, and a lock that was lost and taken again: the database may have been restored, or another server have taken over. */
        TAKEN_AGAIN,
        /**
         * Others have taken this JVM for dead, or the row is gone otherwise: its temporary destinations are gone, and its consumers of
         * subscriptions have to subscribe anew.
         */
        REMOVED
    }

    /**
     * Another JVM that is registered.
     *
     * @param instance the name of its row
     * @param host where it runs, as it says itself; may be null
     * @param address where it hears datagrams; null if it hears none
     */
    record Other(String instance, String host, DatagramAddress address) {}

    /** The other JVMs that are registered, as {@link #refresh} last saw them. Immutable. */
    List<Other> others();

    /** The names of the rows of those whose locks nobody held when {@link #reapDead} last looked, and that it left there. Immutable. */
    List<String> missing();

    /**
     * Takes a client id for this JVM.
     *
     * @return false if a living holder has it
     */
    boolean takeClientId(String clientId) throws StoreException;

    void releaseClientId(String clientId) throws StoreException;

    /**
     * Notes that this JVM consumes from a queue, before its first claim there: if it dies, the messages of that queue are suspect. Asked
     * of the database once. Subscriptions with a name are noted as they are subscribed to; what belongs to this JVM alone need not be.
     *
     * @param byLease whether it claims by lease, so that nothing is suspect, and it is noted for those who look
     */
    void consumes(int destinationId, boolean byLease) throws StoreException;

    /** Forgets that this JVM consumes from what has lost its id: that is another's now, or nobody's. */
    void forgetMoved() throws StoreException;

    /**
     * What a JVM tells of itself, for who looks why messages stand still.
     *
     * @param clockMillis its clock, in milliseconds since 1970
     * @param pool its own pool of SQL connections; null where it has a DataSource
     * @param waitingSeconds for how long threads have waited there whenever it was looked; 0 while none waits
     * @param listening the listener that has been at work longest with a message; null where none is at work
     * @param consumers by the destination that they consume from
     */
    record Report(
            long clockMillis,
            MessageStore.PoolUse pool,
            int waitingSeconds,
            Listening listening,
            Map<Integer, OpenConsumers> consumers) {

        /** Whether it says the same, whatever the time is. */
        public boolean isLike(Report other) {
            return Objects.equals(pool, other.pool)
                    && waitingSeconds == other.waitingSeconds
                    && Objects.equals(listening, other.listening);
        }
    }

    /**
     * A listener is at work.
     *
     * @param to the name of the destination of its message
     */
    record Listening(int seconds, String to) {}

    /**
     * The consumers of a destination that are open in a JVM.
     *
     * @param open how many
     * @param stopped how many of them are of connections that are not started
     * @param selective how many of them have a selector
     * @param selector one of these; null where none has one
     */
    record OpenConsumers(int open, int stopped, int selective, String selector) {

        /** None is open. */
        public static final OpenConsumers NONE = new OpenConsumers(0, 0, 0, null);
    }

    /** Writes what this JVM tells of itself where it differs from what it told last, and every minute. */
    void report(Report report) throws StoreException;

    /** Creates a temporary destination that goes with this JVM, and returns its id. */
    int createTemporary(DestinationKind kind, String name) throws StoreException;

    /** The same for one that was there before, and is so still where an attempt that seemed to fail has made it. */
    int createTemporaryAgain(DestinationKind kind, String name) throws StoreException;

    /**
     * Whether a temporary destination of this JVM has the id that it had, as {@link MessageStore#forgetMovedDestinations} last found. If
     * not, that may be another's by now.
     */
    boolean isTemporary(DestinationKind kind, String name, int id);

    /** Deletes a temporary destination of this JVM with all its messages. */
    void dropTemporary(int destinationId) throws StoreException;

    /**
     * Makes a consumer one of a subscription, which is created where there is none. It exists when this returns: whatever is sent
     * from now on reaches it. An inactive durable subscription of another topic, selector or origin is replaced (§8.3.3). May be
     * repeated for a consumer where it is not known whether it was done.
     */
    SubscriptionAnswer subscribe(SubscriptionRequest request) throws StoreException;

    /** Whether the subscription of a consumer has the id that it had; see {@link #isTemporary}. */
    boolean isSubscription(SubscriptionRequest request, int destinationId);

    /** Ends a consumer's use of a subscription, which goes with its last consumer unless it is durable. Idempotent. */
    void endConsumer(int destinationId, String consumer) throws StoreException;

    /** The same where it is not known whether the consumer has become one, nor of which subscription. */
    void forgoConsumer(SubscriptionRequest request) throws StoreException;

    /**
     * Deletes an inactive durable subscription with all its messages.
     *
     * @param clientId null for a shared one that was made without a client id
     */
    SubscriptionAnswer unsubscribe(String clientId, String name) throws StoreException;

    /**
     * Gives up the groups of a consumer, but for those that a transaction works with: messages of them are not acknowledged.
     *
     * @return whether none are left
     */
    boolean releaseGroups(GroupHolder holder) throws StoreException;

    /**
     * Gives up groups that a consumer has not used for this long and of which no message waits, in small batches.
     *
     * @return how many
     */
    int forgetIdleGroups(GroupHolder holder, long millis) throws StoreException;

    /**
     * Gives up the groups of JVMs that are not there any more, where that could not be done as they went, and removes the temporary
     * destinations and active consumers that such a JVM made after it was removed, if it had some the last time as well: it may come back.
     */
    void releaseOrphaned() throws StoreException;

    /**
     * Removes JVMs whose lock is free, with their client ids, temporary destinations, active consumers and groups. Lets a JVM that lost its connection
     * come back for a few seconds before that.
     *
     * @return how many were removed
     */
    int reapDead() throws StoreException;

    /**
     * Removes this JVM's row and all that belongs to it. Where transactions still work with groups of messages, the row is left for
     * others to remove.
     */
    @Override
    void close();
}
