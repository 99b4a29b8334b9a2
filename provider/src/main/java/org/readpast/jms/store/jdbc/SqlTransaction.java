package org.readpast.jms.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.jdbc.claim.WatermarkedClaims;
import org.readpast.jms.store.jdbc.transaction.CommitVerifier;
import org.readpast.jms.store.jdbc.transaction.ShortTransactions;
import org.readpast.jms.store.jdbc.transaction.SqlSavepoint;

/**
 * The SQL transactions of a session, one after the other. Each begins with a step, on a connection of the store's pool, and a step that
 * fails ends it. Not thread-safe.
 */
final class SqlTransaction {

    private final OpenStore store;
    private final WatermarkedClaims watermarks;

    /** The connection of the open transaction, null while there is none. */
    private Connection connection;

    /** Of the open transaction. */
    private CommitVerifier verifier;

    /** Of the open transaction; null where none was set. */
    private SqlSavepoint savepoint;

    /** @param watermarks are told when a transaction ends */
    SqlTransaction(OpenStore store, WatermarkedClaims watermarks) {
        this.store = store;
        this.watermarks = watermarks;
    }

    /** A statement or several within the open transaction. */
    @FunctionalInterface
    interface Step<T> {
        T on(Connection connection) throws SQLException, StoreException;
    }

    boolean isOpen() {
        return connection != null;
    }

    /** Null while there is none. */
    Connection connection() {
        return connection;
    }

    /** By which is found out what became of the open transaction, as far as its claims tell. */
    CommitVerifier verifier() {
        return verifier;
    }

    /** The open transaction was committed, and another one was begun in the same round trip. */
    void goesOn(CommitVerifier next) {
        verifier = next;
    }

    /** Runs a step, beginning a transaction if none is open; a failed step ends the transaction. */
    <T> T step(String subject, String action, Step<T> step) throws StoreException {
        return step(subject, action, null, step);
    }

    /**
     * The same with a step that may commit.
     *
     * @param commit tells whether it has begun to; null where none does
     */
    <T> T step(String subject, String action, CommitVerifier commit, Step<T> step) throws StoreException {
        boolean begins = connection == null;
        if (begins) {
            connection = ShortTransactions.borrow(store.transactionPool(), subject, action);
        }
        try {
            if (begins) {
                verifier = store.commits().toldByClaims(connection);
            }
            return step.on(connection);
        } catch (SQLException e) {
            throw ended(store.failures().of(e, connection, subject, action));
        } catch (StoreException e) {
            throw ended(e);
        } catch (RuntimeException | Error e) {
            SQLException unchecked = ShortTransactions.unchecked(e, connection);
            throw ended(
                    commit != null && commit.hasBegun()
                            ? store.failures().inDoubt(unchecked, connection, subject, action)
                            : store.failures().of(unchecked, connection, subject, action));
        }
    }

    /** A connection that does not live any more must not be lent to anybody else. */
    private StoreException ended(StoreException failure) {
        if (failure.failure() == Failure.CONNECTION_LOST || failure.failure() == Failure.IN_DOUBT) {
            store.transactionPool().discard(connection);
            watermarks.lost();
            store.commits().connectionLost();
            over();
        } else {
            rollback();
        }
        return failure;
    }

    void setSavepoint() throws StoreException {
        savepoint = step("SQL connection", "savepoint", open -> {
            SqlSavepoint set = store.dialect().savepoint();
            set.set(open);
            return set;
        });
    }

    void rollbackToSavepoint() throws StoreException {
        step("SQL connection", "rollback to a savepoint", open -> {
            savepoint.goBack(open);
            return null;
        });
    }

    /**
     * Before a commit: what failed in the application's hands may have ended the transaction in which the savepoint was set, and begun
     * another that must not be committed.
     */
    void checkSavepoint() throws StoreException {
        SqlSavepoint set = savepoint;
        savepoint = null;
        if (set != null && !step("SQL transaction", "commit", set::isIntact)) {
            rollback();
            throw new StoreException(
                    Failure.OTHER,
                    "SQL transaction: commit failed, an error such as a deadlock in a statement of the application's ended the"
                            + " transaction, and what came after it ran in another one; all is rolled back. Whoever catches such"
                            + " an error has to roll back and begin anew",
                    null);
        }
    }

    void rollback() {
        if (connection != null) {
            Connection open = connection;
            connection = null;
            ShortTransactions.rollBack(store.transactionPool(), open);
            over();
        }
    }

    /** It is committed; its connection goes back. */
    void end() {
        if (connection != null) {
            Connection committed = connection;
            over();
            ShortTransactions.giveBack(store.transactionPool(), committed);
        }
    }

    /** Forgets a transaction that has ended, and its connection. */
    private void over() {
        connection = null;
        savepoint = null;
        watermarks.ended();
    }
}
