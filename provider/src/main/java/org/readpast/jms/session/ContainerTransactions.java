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
     * What the connections are of, such as the name of a DataSource. What a session has found out about a connection then holds for all sessions
     * of the same factory whose transactions name an equal one. It is kept for as long as the factory.
     *
     * @return null unless overridden: each JMS connection finds out for itself
     */
    default Object origin() {
        return null;
    }

    /**
     * Takes back what {@link #getConnection} returned, when the operation is over.
     *
     * @throws SQLException if the connection could not be given back
     */
    void giveBack(Connection connection) throws SQLException;

    /**
     * Marks the calling thread's transaction so that it can only be rolled back. The provider calls this where an operation of a session failed
     * by halves, or the database has rolled back what came before. Does nothing where it is marked already.
     */
    void setRollbackOnly();

    /**
     * Has a task run right after the commit of the calling thread's transaction, on any thread, and not if that is rolled back. Without it
     * consumers in other JVMs find by themselves what was sent, some time after the commit.
     *
     * @param task throws nothing, and does not wait for anybody
     * @return false if nobody tells of the commit, as unless overridden
     */
    default boolean afterCommit(Runnable task) {
        return false;
    }

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
