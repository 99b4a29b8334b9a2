package org.readpast.jms.store.jdbc.connect;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * A connection that is kept for long, beside the pool. In an application's pool its session outlives that use, so {@link #reset} sets back what
 * {@link #take} has set. Not thread-safe.
 */
public final class DedicatedConnection {

    private final Connection connection;
    private final boolean autoCommit;
    private final int isolation;
    private final int network;

    private DedicatedConnection(Connection connection, StoreOptions options) throws SQLException {
        this.connection = connection;
        this.network = NetworkBound.set(connection, NetworkBound.question(options));
        this.autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(true);
        this.isolation = connection.getTransactionIsolation();
        if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
    }

    /** Takes one, in autocommit and at READ COMMITTED, whose answers are waited for as long as {@link NetworkBound#question} says. */
    public static DedicatedConnection take(Connections connections, StoreOptions options) throws SQLException {
        Connection connection = connections.dedicated();
        try {
            return new DedicatedConnection(connection, options);
        } catch (SQLException | RuntimeException | Error e) {
            connection.close();
            throw e;
        }
    }

    public Connection connection() {
        return connection;
    }

    /** Called in autocommit. */
    public void reset() throws SQLException {
        if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
            connection.setTransactionIsolation(isolation);
        }
        connection.setAutoCommit(autoCommit);
        NetworkBound.reset(connection, network);
    }
}
