package org.readpast.jms.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a piece of work in a transaction of its own, on a connection from the pool. Thread-safe. */
final class ShortTransactions {

    /** Work on a connection with autocommit off. */
    @FunctionalInterface
    interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(ShortTransactions.class);
    private static final int ATTEMPTS = 3;

    private final ConnectionPool pool;

    ShortTransactions(ConnectionPool pool) {
        this.pool = pool;
    }

    /**
     * Runs and commits the work, anew where it became a deadlock's victim.
     *
     * @param subject on what, for errors
     * @param action what is done, for errors
     */
    <T> T run(String subject, String action, Work<T> work) throws StoreException {
        return runCommitting(subject, action, connection -> {
            T result = work.on(connection);
            connection.commit();
            return result;
        });
    }

    /** Runs work that commits by itself. */
    <T> T runCommitting(String subject, String action, Work<T> work) throws StoreException {
        for (int attempt = 1; ; attempt++) {
            try {
                return once(work);
            } catch (SQLException e) {
                StoreException failure = Failures.of(e, subject, action);
                if (failure.failure() != Failure.DEADLOCK || attempt == ATTEMPTS) {
                    throw failure;
                }
                LOG.debug("{}: {} was chosen as deadlock victim, trying again", subject, action);
            }
        }
    }

    private <T> T once(Work<T> work) throws SQLException {
        Connection connection = pool.borrow();
        boolean done = false;
        try {
            T result = work.on(connection);
            done = true;
            return result;
        } finally {
            if (done) {
                giveBack(pool, connection);
            } else {
                rollBack(pool, connection);
            }
        }
    }

    /** Gives a connection back; trouble with that concerns nobody whose work is committed. */
    static void giveBack(ConnectionPool pool, Connection connection) {
        try {
            pool.giveBack(connection);
        } catch (SQLException e) {
            LOG.debug("Giving a connection back failed", e);
            pool.discard(connection);
        }
    }

    /** Rolls back and gives the connection back, or closes it, which rolls back too. */
    static void rollBack(ConnectionPool pool, Connection connection) {
        try {
            connection.rollback();
            pool.giveBack(connection);
        } catch (SQLException e) {
            LOG.debug("Rolling back failed, the connection is closed", e);
            pool.discard(connection);
        }
    }
}
