package org.readpast.jms.store;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Where a joined session finds the application's SQL connection. It is asked anew for every operation, since pools hand out
 * wrappers and frameworks cache sessions.
 */
public interface ConnectionSource {

    /** The connection of the calling thread's transaction. */
    Connection get() throws SQLException;

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

    /**
     * Whether the calling thread has a transaction of a framework's. Where {@link #isInTransaction} is false, that one is on another
     * resource, and work here is no part of it.
     */
    default boolean isTransactionElsewhere() throws SQLException {
        return false;
    }
}
