package org.readpast.jms.store.jdbc.transaction;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.jdbc.failure.Failures;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;

/**
 * A row of {@code commit_marker} that is written in the transaction. To ask for it is to write it: a unique key lets only one of the
 * two succeed, and waits for a transaction that is under way. So a commit that has not been carried out by then never will be, even
 * if it is still on its way through the network. Markers are not kept for ever: whoever asks so late that the marker may have been
 * removed learns nothing from its absence.
 */
public final class MarkerVerifier extends CommitVerifier {

    private static final int WAIT_SECONDS = 10;

    private final Statements statements;
    private final Failures failures;
    private final MarkAndCommit markAndCommit;
    private final long keptMillis;

    /** Both clocks, because one of them stands still while a machine sleeps, and the other one can be set. */
    private final long beganNanos = System.nanoTime();

    private final long beganMillis = System.currentTimeMillis();
    private final String token = UUID.randomUUID().toString();

    /** Leaves a marker of the open transaction and commits, in one round trip where the database can. */
    @FunctionalInterface
    public interface MarkAndCommit {
        void on(Connection connection, String token) throws SQLException;
    }

    /**
     * @param keptMillis for how long the marker is certain to be kept
     */
    public MarkerVerifier(Statements statements, Failures failures, MarkAndCommit markAndCommit, long keptMillis) {
        this.statements = statements;
        this.failures = failures;
        this.markAndCommit = markAndCommit;
        this.keptMillis = keptMillis;
    }

    /** What identifies the transaction. */
    public String token() {
        return token;
    }

    @Override
    boolean canTell() {
        return true;
    }

    @Override
    public boolean isPrepared() {
        return false;
    }

    @Override
    void prepare(Connection connection) {
        // The row travels with the commit.
    }

    @Override
    void carryOut(Connection connection) throws SQLException {
        markAndCommit.on(connection, token);
    }

    @Override
    public Outcome ask(Connection other) throws SQLException {
        try (Query refuse = statements.query(other, "refuse_commit")) {
            refuse.statement().setQueryTimeout(WAIT_SECONDS);
            refuse.set("token", token).update();
            other.commit();
            return isCertainlyKept() ? Outcome.ROLLED_BACK : Outcome.UNKNOWN;
        } catch (SQLException e) {
            if (failures.classify(e) != Failure.DUPLICATE_KEY) {
                throw e;
            }
        }
        other.rollback();
        try (Query read = statements.query(other, "read_marker");
                ResultSet row = read.set("token", token).rows()) {
            if (!row.next()) {
                return Outcome.UNKNOWN;
            }
            // A refusal was written by somebody who asked, and is as good as his question was.
            return row.getBoolean("refused")
                    ? isCertainlyKept() ? Outcome.ROLLED_BACK : Outcome.UNKNOWN
                    : Outcome.COMMITTED;
        } finally {
            other.rollback();
        }
    }

    private boolean isCertainlyKept() {
        long age = Math.max(
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos),
                System.currentTimeMillis() - beganMillis);
        return age < keptMillis;
    }
}
