package org.readpast.jms.store.jdbc.transaction;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;

/**
 * PostgreSQL's memory of its transactions. It is not to be trusted blindly: ids of transactions of which nothing had been flushed when
 * the server crashed, or that a promoted standby had not heard of, are given out again, and the status is then another's. So
 * "committed" counts only within one life of the server.
 */
public final class StatusVerifier extends CommitVerifier {

    /** In place of a life that is to be read anew, since a connection was lost and the server may have another one now. */
    static final String UNREAD = "";

    /** The server says so of an id that it has not given out. */
    private static final String NO_SUCH_TRANSACTION = "22023";

    private final Statements statements;
    private final AtomicReference<String> life;
    private String lifeBefore;

    /** Whether the id is known, which a statement that commits by itself leaves no time for. */
    private boolean prepared;

    /** Null where the transaction has written nothing. */
    private String transactionId;

    /**
     * @param life which life of the server this JVM knows of
     */
    public StatusVerifier(Statements statements, AtomicReference<String> life) {
        this(statements, life, life.get());
    }

    private StatusVerifier(Statements statements, AtomicReference<String> life, String lifeBefore) {
        this.statements = statements;
        this.life = life;
        this.lifeBefore = lifeBefore;
    }

    @Override
    public CommitVerifier following() {
        return new StatusVerifier(statements, life, lifeBefore);
    }

    @Override
    public boolean canTell() {
        return prepared;
    }

    @Override
    public void startAnew() {
        prepared = false;
    }

    @Override
    public void told(String id) {
        transactionId = id;
        prepared = true;
    }

    @Override
    public boolean isPrepared() {
        return prepared && !UNREAD.equals(lifeBefore);
    }

    /** Asks only where no statement has told the id along, and what is to be read anew. */
    @Override
    public void prepare(Connection connection) throws SQLException {
        readLife(connection);
        if (!prepared) {
            told(text(statements, connection, "transaction_id", null));
        }
    }

    /** Which life of the server this is, where a connection was lost since somebody has asked. */
    void readLife(Connection connection) throws SQLException {
        if (UNREAD.equals(lifeBefore)) {
            lifeBefore = life(statements, connection);
            life.compareAndSet(UNREAD, lifeBefore);
        }
    }

    @Override
    public Outcome ask(Connection other) throws SQLException {
        if (!hasBegun() || !prepared) {
            return hasBegun() ? Outcome.UNKNOWN : Outcome.ROLLED_BACK;
        }
        if (transactionId == null) {
            return Outcome.COMMITTED;
        }
        try {
            // Fails on a standby, which does not know yet.
            String lifeNow = life(statements, other);
            boolean same = lifeNow.equals(lifeBefore);
            life.set(lifeNow);
            Outcome outcome = outcome(status(statements, other, transactionId), same);
            if (outcome == Outcome.UNDER_WAY && same) {
                text(statements, other, "end_idle_transaction", transactionId);
            }
            return outcome;
        } finally {
            other.rollback();
        }
    }

    /** As {@code transaction_status} has it. */
    public static String status(Statements statements, Connection other, String transactionId) throws SQLException {
        try {
            return text(statements, other, "transaction_status", transactionId);
        } catch (SQLException e) {
            if (NO_SUCH_TRANSACTION.equals(e.getSQLState())) {
                return "aborted";
            }
            throw e;
        }
    }

    /** Where the id is another transaction's by now, ours was lost, so that "aborted" is right whoever is meant. */
    public static Outcome outcome(String status, boolean sameLife) {
        return switch (String.valueOf(status)) {
            case "committed" -> sameLife ? Outcome.COMMITTED : Outcome.UNKNOWN;
            case "aborted" -> Outcome.ROLLED_BACK;
            case "in progress" -> Outcome.UNDER_WAY;
            default -> Outcome.UNKNOWN;
        };
    }

    private static String text(Statements statements, Connection connection, String statement, String transaction)
            throws SQLException {
        try (Query query = statements.query(connection, statement)) {
            if (transaction != null) {
                query.set("transaction_id", transaction);
            }
            return query.value(ResultSet::getString).orElse(null);
        }
    }

    /** Which life of the server it is that a connection leads to. */
    public static String life(Statements statements, Connection connection) throws SQLException {
        return text(statements, connection, "server_life", null);
    }
}
