package org.readpast.jms.store;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Where a joined session finds the application's SQL connection. It is asked anew for every operation, since pools hand out
 * wrappers and frameworks cache sessions.
 */
public interface ConnectionSource {

    /** The connection of the calling thread's transaction, which gives it back when the operation is over, on the same thread. */
    Connection get() throws SQLException;

    /** The connection of the calling thread's transaction, for work of the application's. */
    default Connection forApplication() throws SQLException {
        return get();
    }

    /** Gives back what {@link #get} returned: closes a pool's handle, and does nothing to a connection that was handed over. */
    void giveBack(Connection connection) throws SQLException;

    /** Whether the calling thread's connection is in a transaction that somebody else began: it does not commit by itself. */
    default boolean isInTransaction() throws SQLException {
        Connection connection = get();
        try {
            return !connection.getAutoCommit();
        } finally {
            giveBack(connection);
        }
    }

    /** Whether each statement on a connection from here is a transaction of its own. */
    default boolean commitsByItself(Connection connection) throws SQLException {
        return connection.getAutoCommit();
    }

    /** Reads what tells the calling thread's transaction from any other; null where none has been begun. */
    @FunctionalInterface
    interface Identity {
        String read() throws SQLException;
    }

    /**
     * Whether a connection from here takes part in the calling thread's transaction, if a container says that one runs.
     *
     * @param identity executes a statement that begins a transaction, and then reads what tells it from any other: it is null or
     *     another one each time where each statement is a transaction of its own
     */
    default boolean takesPart(Connection connection, Identity identity) throws SQLException {
        return true;
    }

    /**
     * Sees to it that the calling thread's transaction is not committed, as part of what was done in it is undone. Who owns it is told, or
     * else it is rolled back.
     *
     * @param goesOn whether the database would take a commit of the rest; if not, it is left to whoever may go back to a savepoint
     */
    default void setRollbackOnly(Connection connection, boolean goesOn) throws SQLException {
        if (goesOn && !connection.isClosed() && !commitsByItself(connection)) {
            connection.rollback();
        }
    }

    /** Whether the commit of the calling thread's transaction can be refused: somebody else carries it out, and asks before. */
    default boolean canRefuseCommit() throws SQLException {
        return false;
    }

    /**
     * Has the commit of the calling thread's transaction refused where it is another one by then. To be called where
     * {@link #canRefuseCommit}, after each operation.
     *
     * @param transaction what tells it from any other now
     * @param atCommit reads that anew
     * @return false if it is another one already than at the first call
     */
    default boolean keepTo(String transaction, Identity atCommit) throws SQLException {
        return true;
    }

    /**
     * Has something done right after the commit of the calling thread's transaction, and not if that is rolled back.
     *
     * @param task throws nothing
     * @return false where nobody tells of the commit
     */
    default boolean afterCommit(Runnable task) throws SQLException {
        return false;
    }

    /**
     * Whether the calling thread has a transaction of a framework's. Where {@link #isInTransaction} is false, that one is on another
     * resource, and work here is no part of it.
     */
    default boolean isTransactionElsewhere() throws SQLException {
        return false;
    }

    /**
     * Whether each delivery in a transaction of somebody else's is counted as it begins, in a transaction of its own, since the consumer is
     * told of a rollback.
     */
    default boolean countsDeliveries() {
        return false;
    }

    /** Whether the calling thread's transaction is one that must change nothing, by what its framework was told. */
    default boolean isReadOnly() throws SQLException {
        return false;
    }
}
