package org.readpast.jms.session;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * The transactions that a container begins and ends, for what makes this provider part of an application server, such as a resource
 * adapter. Sessions that are given them take part in the one of the calling thread, and have transactions of their own where there is
 * none. Applications do not need it. Implementations are thread-safe.
 */
public interface ContainerTransactions {

    /** Whether a transaction runs on the calling thread, one that can only be rolled back included. */
    boolean isActive();

    /**
     * The SQL connection of the calling thread's transaction. Asked for anew by each operation, and never committed, rolled back, closed or
     * switched in autocommit.
     */
    Connection getConnection() throws SQLException;

    /** Gives back what {@link #getConnection} returned, when the operation is over. */
    void giveBack(Connection connection) throws SQLException;

    /**
     * Whether each delivery in such a transaction is counted and committed as it begins, on another connection. Whoever says so tells each
     * consumer of a rollback: see {@link ContainerConsumer}.
     */
    default boolean countsDeliveries() {
        return false;
    }
}
