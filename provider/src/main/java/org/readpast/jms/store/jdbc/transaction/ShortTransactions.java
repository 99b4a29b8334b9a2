package org.readpast.jms.store.jdbc.transaction;

import java.sql.Connection;
import java.sql.SQLException;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.jdbc.connect.ConnectionPool;
import org.readpast.jms.store.jdbc.failure.Failures;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/** Runs a piece of work in a transaction of its own, on a connection from the pool. Thread-safe. */
public final class ShortTransactions {

    /** Work on a connection with autocommit off. */
    @FunctionalInterface
    public interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    private static final Logger LOG = Loggers.of(ShortTransactions.class);
    private static final int ATTEMPTS = 3;

    private final ConnectionPool pool;

    public ShortTransactions(ConnectionPool pool) {
        this.pool = pool;
    }

    /**
     * Runs and commits the work, anew where it became a deadlock's victim.
     *
     * @param subject on what, for errors
     * @param action what is done, for errors
     */
    public <T> T run(String subject, String action, Work<T> work) throws StoreException {
        return run(subject, action, work, new PlainCommit(), false);
    }

    /**
     * The same with work of which nobody has to know whether it was committed: look-ups, and what may be done again. Where its commit is in
     * doubt, that is a lost connection, and no doubt of the operation that it is a part of.
     */
    public <T> T runRepeatable(String subject, String action, Work<T> work) throws StoreException {
        try {
            return run(subject, action, work);
        } catch (StoreException e) {
            throw e.failure() == Failure.IN_DOUBT && e.getCause() instanceof SQLException cause
                    ? pool.failures().ofUndone(cause, subject, action)
                    : e;
        }
    }

    /**
     * Runs an insert that changes nothing where the key is taken, or fails with a duplicate key where it loses a race.
     *
     * @return whether it has inserted anything
     */
    public boolean insertUnlessThere(String subject, String action, Work<Integer> insert) throws StoreException {
        try {
            return runRepeatable(subject, action, insert) > 0;
        } catch (StoreException e) {
            if (e.failure() == Failure.DUPLICATE_KEY) {
                return false;
            }
            throw e;
        }
    }

    /** The same, with a verifier of the commit. */
    public <T> T run(String subject, String action, Work<T> work, CommitVerifier verifier) throws StoreException {
        return run(subject, action, work, verifier, false);
    }

    /** Runs work that commits by itself; where the connection breaks meanwhile, the outcome is in doubt. */
    public <T> T runCommitting(String subject, String action, Work<T> work) throws StoreException {
        return run(subject, action, work, new PlainCommit(), true);
    }

    private <T> T run(String subject, String action, Work<T> work, CommitVerifier verifier, boolean committing)
            throws StoreException {
        for (int attempt = 1; ; attempt++) {
            try {
                return once(subject, action, work, verifier, committing);
            } catch (StoreException e) {
                if (e.failure() != Failure.DEADLOCK || attempt == ATTEMPTS) {
                    throw e;
                }
                LOG.debug("{}: {} was chosen as deadlock victim, trying again", subject, action);
            }
        }
    }

    private <T> T once(String subject, String action, Work<T> work, CommitVerifier verifier, boolean committing)
            throws StoreException {
        Connection connection = borrow(pool, subject, action);
        verifier.startAnew();
        try {
            T result = work.on(connection);
            if (!committing) {
                verifier.commit(connection);
            }
            giveBack(pool, connection);
            return result;
        } catch (SQLException | RuntimeException e) {
            SQLException problem = e instanceof SQLException sql ? sql : unchecked(e, connection);
            StoreException failure = committing || verifier.hasBegun()
                    ? pool.failures().ofCommit(problem, connection, subject, action)
                    : pool.failures().of(problem, connection, subject, action);
            end(pool, connection, failure);
            throw failure;
        } catch (Error e) {
            rollBack(pool, connection);
            throw e;
        }
    }

    /** For drivers that switch autocommit without asking the server. What made the work fail is what is thrown. */
    public static <T> T inAutocommit(Connection connection, Work<T> work) throws SQLException {
        T result = autocommitted(connection, work);
        connection.setAutoCommit(false);
        return result;
    }

    /**
     * The same with work that has committed something, and is not to fail for what comes behind that. A connection that does not get out of
     * autocommit any more is closed where it is given back.
     */
    public static <T> T committing(Connection connection, Work<T> work) throws SQLException {
        T result = autocommitted(connection, work);
        try {
            connection.setAutoCommit(false);
        } catch (SQLException | RuntimeException e) {
            LOG.debug("A connection broke behind a commit", e);
        }
        return result;
    }

    private static <T> T autocommitted(Connection connection, Work<T> work) throws SQLException {
        connection.setAutoCommit(true);
        try {
            return work.on(connection);
        } catch (SQLException | RuntimeException | Error e) {
            try {
                connection.setAutoCommit(false);
            } catch (SQLException | RuntimeException alsoBroken) {
                e.addSuppressed(alsoBroken);
            }
            throw e;
        }
    }

    public static Connection borrow(ConnectionPool pool, String subject, String action) throws StoreException {
        try {
            return pool.borrow();
        } catch (SQLException e) {
            throw pool.failures().ofLogin(e, subject, action);
        } catch (RuntimeException e) {
            throw pool.failures().ofLogin(Failures.unchecked(e), subject, action);
        }
    }

    /** Gives a connection back; trouble with that concerns nobody whose work is committed. */
    public static void giveBack(ConnectionPool pool, Connection connection) {
        try {
            if (connection.getAutoCommit()) {
                pool.discard(connection);
            } else {
                pool.giveBack(connection);
            }
        } catch (SQLException | RuntimeException | Error e) {
            LOG.debug("Giving a connection back failed", e);
            pool.discard(connection);
        }
    }

    /** Rolls back and gives the connection back after a failure; one that leads nowhere any more, or to another server, is closed. */
    static void end(ConnectionPool pool, Connection connection, StoreException failure) {
        if (failure.failure() == Failure.CONNECTION_LOST || failure.failure() == Failure.IN_DOUBT) {
            pool.discard(connection);
        } else {
            rollBack(pool, connection);
        }
    }

    /**
     * What a driver has thrown that JDBC does not have. The connection is to be discarded; where it lives all the same, its locks are gone
     * before that.
     */
    public static SQLException unchecked(Throwable thrown, Connection connection) {
        try {
            connection.rollback();
        } catch (SQLException | RuntimeException | Error e) {
            LOG.debug("A connection on which a driver has failed cannot be rolled back", e);
        }
        return Failures.unchecked(thrown);
    }

    /** Rolls back and gives the connection back, or closes it, which rolls back too. */
    public static void rollBack(ConnectionPool pool, Connection connection) {
        try {
            connection.rollback();
            pool.giveBack(connection);
        } catch (SQLException | RuntimeException | Error e) {
            LOG.debug("Rolling back failed, the connection is closed", e);
            pool.discard(connection);
        }
    }
}
