package org.readpast.jms.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import javax.sql.XAConnection;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.selector.Selector;

/** The tables of one database, as one database user sees them. Thread-safe. */
public interface MessageStore extends AutoCloseable {

    /**
     * How a pool of SQL connections is used at one moment.
     *
     * @param open how many connections it has
     * @param used how many of them are lent
     * @param waiting how many threads wait for one
     */
    record PoolUse(int open, int used, int waiting) {}

    /**
     * Connects, authenticates, and checks that the schema is there and of this provider's version, creating it first where the
     * settings ask for that.
     *
     * @throws StoreException {@link Failure#AUTHENTICATION}, {@link Failure#CONNECTION_LOST}, {@link Failure#SCHEMA_MISSING},
     *     {@link Failure#SCHEMA_VERSION}, {@link Failure#PERMISSION}
     */
    void open() throws StoreException;

    /**
     * Warnings about the settings of the driver and the database, and about the state of the tables: in plain words, each with what to do
     * about it. What cannot be looked at is left out.
     *
     * @throws StoreException if the store is not open
     */
    List<String> warnings() throws StoreException;

    /**
     * Why the database cannot take part in distributed transactions: in plain words, each with what to do about it; empty where it can.
     *
     * @throws StoreException if the store is not open, or that cannot be found out
     */
    List<String> obstaclesToDistributedTransactions() throws StoreException;

    /** Makes connections of the driver's, for branches of distributed transactions. Thread-safe. */
    @FunctionalInterface
    interface XaSource {

        XAConnection open() throws SQLException;

        /** Sets up what such a connection hands out, once and before it is used. */
        default void prepare(Connection handle) throws SQLException {}
    }

    /**
     * Where XA sessions find connections.
     *
     * @throws StoreException if the store is not open, or is on a DataSource of the application's
     */
    XaSource xaSource() throws StoreException;

    /** How the pool of SQL connections is used; null where it is an application's DataSource, or not open. Asks nobody. */
    PoolUse poolUse();

    /** A short name of the database for errors and logs, without credentials. */
    String describe();

    /**
     * What an error of the database, or of the DataSource before it, means.
     *
     * @param subject on what, such as {@code Queue 'orders'}
     * @param action what failed, such as {@code claim}
     */
    StoreException explain(SQLException problem, String subject, String action);

    /** The id of a queue or topic, which is created if there is none of this name; asked of the database once. */
    int destination(DestinationKind kind, String name) throws StoreException;

    /**
     * Looks again for the queues, topics and subscriptions whose ids this store remembers, and forgets those that have none any more or
     * another one, as after somebody has removed their rows, or after a restore.
     *
     * @return the ids that what had them has no more, since this store was opened
     */
    Collection<Integer> forgetMovedDestinations() throws StoreException;

    /** The id of a destination, if there is one of this name. */
    OptionalInt findDestination(DestinationKind kind, String name) throws StoreException;

    /** Why a message is too large to be sent, in words that name its size and the option that says so; null if it is not. */
    String tooLarge(EncodedMessage message) throws StoreException;

    /**
     * Inserts in a small transaction of its own: one autocommitted statement for one message.
     *
     * @throws StoreException with {@link Failure#IN_DOUBT} if it is not known whether they are stored
     */
    void insert(Collection<NewMessage> messages) throws StoreException;

    /**
     * Whether a message may be stored together with those of other senders: it is small, one statement stores it, and the connections
     * are this store's own.
     */
    boolean isCombined(NewMessage message) throws StoreException;

    /**
     * Whether messages may be claimed and acknowledged together with those of other receivers of the same queue: each of them takes any
     * message, {@link StoreTransaction#claimsWithCommit} holds, and the connections are this store's own.
     */
    boolean isCombined(ClaimRequest claim) throws StoreException;

    /**
     * A transaction on connections of this store's own.
     *
     * @param consumer the name under which it claims, for the histories of queues
     */
    StoreTransaction transaction(String consumer);

    /**
     * The application's transaction, on its connection, which is asked for anew by every operation.
     *
     * @param consumer as of {@link #transaction}
     */
    StoreTransaction join(ConnectionSource source, String consumer);

    /**
     * What identifies the SQL transaction the application's connection is in, to tell later whether it has ended.
     *
     * @return null where none is active
     */
    String currentTransaction(ConnectionSource source) throws StoreException;

    /**
     * What stays the same for as long as the transaction of the calling thread can be committed with all that was done in it: after an
     * error such as a deadlock the next statement may have begun another one without a word, or its commit would be a rollback.
     *
     * @param known what {@link #currentTransaction} has just returned, or null if it was not asked
     */
    String transactionLife(ConnectionSource source, String known) throws StoreException;

    /** Whether there may be something to claim in a queue: yes without a look, unless a look costs less than to claim nothing. */
    boolean mayHold(int destinationId) throws StoreException;

    /** Looks into a queue, whatever that costs: it fails for as long as its database is away. */
    void checkReachable(int destinationId) throws StoreException;

    /**
     * Reads messages without locking them.
     *
     * @param after the {@link BrowsePage#last} of the page before, or null to start at the head
     */
    BrowsePage browse(int destinationId, MessageKey after, int max, Selector selector) throws StoreException;

    /** Opens the connection that watches for arrivals. */
    Watch watch() throws StoreException;

    /** Whether the database has a bell, by which watching JVMs can be told of what came, and it is to be used. */
    boolean hasBell();

    /**
     * Tells watching JVMs that messages were committed to these queues; does nothing where the database has no bell. Called
     * outside of any transaction, debounced by the caller.
     */
    void ring(Collection<Integer> destinationIds) throws StoreException;

    /** Whether other processes may be connected to the database too: not to one in the memory or the files of this one. */
    boolean isShared();

    /** Registers this JVM, which hears no datagrams. */
    default Presence register() throws StoreException {
        return register(null);
    }

    /**
     * Registers this JVM.
     *
     * @param address where it hears datagrams of others; null if it hears none
     */
    Presence register(DatagramAddress address) throws StoreException;

    /**
     * Puts delayed messages that have become due back among the others, in one batch; one JVM at a time does it.
     *
     * @return the queues that got something
     */
    Collection<Integer> moveDue(int max) throws StoreException;

    /** Milliseconds until the next delayed message is due by the database's clock, or -1 where there is none. */
    long millisUntilNextDue() throws StoreException;

    /**
     * The queues and subscriptions that have expired messages, with the names by which it is decided where those go: a subscription has its
     * topic's, or its pattern where it has wildcards, and all that are temporary are called {@code temporary}.
     */
    Map<Integer, String> queuesWithExpired() throws StoreException;

    /**
     * Removes expired messages of a queue in one small batch, stepping over locked ones.
     *
     * @param target the queue to move them to, or empty to purge
     * @return how many
     * @throws StoreException {@link Failure#DESTINATION_GONE} where the target is not there any more; nothing is moved
     */
    int removeExpired(int destinationId, Optional<NamedQueue> target, int max) throws StoreException;

    /**
     * Removes messages of temporary destinations and subscriptions that were removed: what was left then, and what was committed since. In
     * small batches.
     *
     * @return how many; this many where there may be more
     */
    int sweepDropped(int max) throws StoreException;

    /**
     * Removes bodies that several messages shared and that none refers to any more, in one small batch.
     *
     * @return whether to go on: there may be more of them, behind these
     */
    boolean removeUnusedBodies(int max) throws StoreException;

    /**
     * Forgets duplicate ids whose time is over, in one small batch, stepping over those that somebody is using again.
     *
     * @return how many
     */
    int forgetDuplicates(int max) throws StoreException;

    /**
     * Finds out how far behind the heads of their queues claims may begin, where the database tells it and enough is claimed for that
     * to matter; else costs nothing.
     *
     * @return whether it mattered
     */
    boolean refreshMarks() throws StoreException;

    /**
     * Finds out which queues keep a history, which are paused, and which are moved to another database, and says in the database that this JVM keeps to that. {@link #open} does
     * so too; until the next time, that is what is done.
     *
     * @return the queues that were paused and of which messages can be claimed again
     * @throws StoreException {@link Failure#LOCK_TIMEOUT} where somebody is changing them and has not committed it, and the database cannot
     *     tell what they were: then what was known holds on
     */
    Collection<Integer> refreshQueueSettings() throws StoreException;

    /**
     * A checksum of what {@link #refreshQueueSettings} has found: in another JVM that has found the same it is the same. 0 while this is not
     * open. Asks nobody.
     */
    int queueSettingsChecksum();

    /** Whether an administrator has paused sending to a queue, as far as is known. Asks nobody. */
    boolean isSendPaused(int destinationId) throws StoreException;

    /** How a queue is moved to another database or from it, as far as is known; null if it is not. Asks nobody. */
    QueueMove moveOf(String queue) throws StoreException;

    /** Whether {@link #refreshQueueSettings} is likely to find a move that is not known: a send was refused since. Asks nobody. */
    boolean isMoveLikely() throws StoreException;

    /**
     * From now on a listener is told whenever {@link #refreshQueueSettings} was carried out, while a queue is moved or has been until then. It
     * must not wait.
     */
    void onMoves(Runnable listener) throws StoreException;

    /** Ends that. */
    void offMoves(Runnable listener) throws StoreException;

    /**
     * Removes rows of histories that are older than their queue keeps them, or more than it keeps, in one small batch.
     *
     * @return how many
     */
    int purgeHistory(int max) throws StoreException;

    /**
     * Forgets that messages are suspect or cannot be read, and what was counted of their deliveries, where none of them is left.
     *
     * @return how many rows were removed
     */
    int sweepSuspects() throws StoreException;

    /**
     * Forgets what old transactions left behind to show that they were committed, in one small batch.
     *
     * @return how many
     */
    int forgetMarkers(int max) throws StoreException;

    /** Closes every connection. */
    @Override
    void close();

    /**
     * That a queue is moved from one database to another.
     *
     * @param database what routes call the other one
     */
    public record QueueMove(Stage stage, String database) {

        /** How far it has come, as the place that is asked knows it. */
        public enum Stage {
            /** Nothing can be sent here; what is here is to be received first. */
            AWAY,
            /** Nothing can be sent here, and nothing is left. */
            GONE,
            /** It comes here; what is in the other place is to be received first. */
            HERE;

            /** The stage that a row names; empty for one that this release does not know. */
            public static Optional<Stage> of(String moved) {
                return Stream.of(values())
                        .filter(stage -> stage.name().equalsIgnoreCase(moved))
                        .findFirst();
            }
        }

        /** Whether it is sent to in the other place. */
        public boolean isSentElsewhere() {
            return stage != Stage.HERE;
        }
    }
}
