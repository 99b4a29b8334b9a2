package org.readpast.jms.session;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * The transactions that a container begins and ends. An integration with an application server, such as a resource adapter, implements
 * this interface; applications do not need it. Sessions that are given it take part in the transaction of the calling thread, and
 * have transactions of their own where there is none. Implementations are thread-safe.
 */
public interface ContainerTransactions {

    /** Whether a transaction runs on the calling thread, even if it can only be rolled back. */
    boolean isActive();

    /**
     * Returns the SQL connection of the calling thread's transaction; not null. Each operation of a session asks anew. The provider never
     * commits the connection, rolls it back, closes it, or switches its autocommit.
     *
     * @throws SQLException if there is no connection to be had
     */
    Connection getConnection() throws SQLException;

    /**
     * Takes back what {@link #getConnection} returned, when the operation is over.
     *
     * @throws SQLException if the connection could not be given back
     */
    void giveBack(Connection connection) throws SQLException;

    /**
     * Whether each delivery in such a transaction is counted as it begins, and the count is committed at once on another connection. An
     * implementation that returns true has to tell each consumer of a rollback: see {@link ContainerConsumer}.
     *
     * @return false unless overridden
     */
    default boolean countsDeliveries() {
        return false;
    }
}
