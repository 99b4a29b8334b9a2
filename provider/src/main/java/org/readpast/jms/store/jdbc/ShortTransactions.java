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
     * @throws StoreException with {@link Failure#IN_DOUBT} if the connection was lost when the commit was under way
     */
    <T> T run(String subject, String action, Work<T> work) throws StoreException {
        return retrying(subject, action, work, true);
    }

    /**
     * Runs work that commits by itself.
     *
     * @throws StoreException with {@link Failure#IN_DOUBT} if the connection was lost while it ran
     */
    <T> T runCommitting(String subject, String action, Work<T> work) throws StoreException {
        return retrying(subject, action, work, false);
    }

    private <T> T retrying(String subject, String action, Work<T> work, boolean commit) throws StoreException {
        for (int attempt = 1; ; attempt++) {
            Attempt<T> current = new Attempt<>(work, commit);
            try {
                return current.run();
            } catch (SQLException e) {
                StoreException failure = Failures.of(e, subject, action);
                if (failure.failure() == Failure.CONNECTION_LOST && current.committing) {
                    throw Failures.inDoubt(failure, subject);
                }
                if (failure.failure() != Failure.DEADLOCK || attempt == ATTEMPTS) {
                    throw failure;
                }
                LOG.debug("{}: {} was chosen as deadlock victim, trying again", subject, action);
            }
        }
    }

    /** One attempt, and how far it came. */
    private final class Attempt<T> {

        private final Work<T> work;
        private final boolean commit;

        /** Whether what the database was told last, or is being told, commits. */
        private boolean committing;

        Attempt(Work<T> work, boolean commit) {
            this.work = work;
            this.commit = commit;
        }

        T run() throws SQLException {
            Connection connection = pool.borrow();
            boolean done = false;
            try {
                committing = !commit;
                T result = work.on(connection);
                committing = true;
                if (commit) {
                    connection.commit();
                }
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
