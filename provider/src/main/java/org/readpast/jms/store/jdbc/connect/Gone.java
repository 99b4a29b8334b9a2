package org.readpast.jms.store.jdbc.connect;

import java.sql.Connection;
import java.sql.SQLException;

/** Tells which connections lead nowhere any more. */
public final class Gone {

    private Gone() {}

    /**
     * Whether a connection, or the one behind a pool's handle, is closed: a pool that is closed ends what it has lent, and some log a stack
     * trace for who uses that all the same. Asks no database.
     */
    public static boolean is(Connection connection) throws SQLException {
        return connection.isClosed() || connection.unwrap(Connection.class).isClosed();
    }
}
