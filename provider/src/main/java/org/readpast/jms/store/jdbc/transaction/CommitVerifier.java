package org.readpast.jms.store.jdbc.transaction;

import java.sql.Connection;
import java.sql.SQLException;

/** Commits one transaction, and can tell afterwards whether it was committed. Not thread-safe. */
public abstract class CommitVerifier {

    /** How a transaction is committed. */
    @FunctionalInterface
    public interface Commit {
        void on(Connection connection) throws SQLException;
    }

    private boolean begun;
    private Commit commit = Connection::commit;

    /** From now on commits in another way, but where a marker is left. */
    public final void commitBy(Commit other) {
        commit = other;
    }

    /** Commits the open transaction of a connection. */
    public final void commit(Connection connection) throws SQLException {
        prepare(connection);
        begin();
        carryOut(connection);
    }

    /** From now on a failure may have come after the commit: also for those that commit in their own statement. */
    public final void begin() {
        begun = true;
    }

    /** Whether the commit may have reached the database. */
    public final boolean hasBegun() {
        return begun;
    }

    /** Whether there is any use in asking. */
    abstract boolean canTell();

    /** Before each attempt to carry out a transaction: what was told of an earlier one does not hold. */
    void startAnew() {}

    /** For the next transaction of the same connection, whose claims tell its id along where those of this one do. */
    public CommitVerifier following() {
        return new PlainCommit();
    }

    /** A statement of the open transaction has told the transaction's id along. */
    public void told(String transactionId) {}

    /** Whether a plain commit is all that is still to be done. */
    public abstract boolean isPrepared();

    /** Makes sure that it can be asked for. */
    abstract void prepare(Connection connection) throws SQLException;

    void carryOut(Connection connection) throws SQLException {
        commit.on(connection);
    }

    /**
     * What came of the commit, of one that can tell.
     *
     * @param other a connection of the pool's with no transaction open, on which none is left open either
     */
    public abstract Outcome ask(Connection other) throws SQLException;
}
