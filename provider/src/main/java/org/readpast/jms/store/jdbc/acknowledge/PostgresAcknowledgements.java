package org.readpast.jms.store.jdbc.acknowledge;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.StringJoiner;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.claim.PostgresMessageTable;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.store.jdbc.transaction.CommitVerifier;

/** On PostgreSQL. */
public final class PostgresAcknowledgements extends Acknowledgements {

    private static final String CLAIM_LOST = "RP001";

    /** The transaction refuses all statements, since one of them had failed before. */
    private static final String FAILED_TRANSACTION = "25P02";

    /** How far the ids of one run may be apart: before PostgreSQL 17 all that lies between them may be read. */
    private static final int NEIGHBOURS = 100;

    private final PostgresMessageTable table;

    public PostgresAcknowledgements(Statements statements, PostgresMessageTable table) {
        super(statements);
        this.table = table;
    }

    @Override
    public int acknowledge(Connection connection, Collection<MessageKey> keys, CommitVerifier verifier)
            throws SQLException {
        try (Query delete = statements.query(connection, "acknowledge")) {
            ResultSet row = delete.set("keys", runs(keys)).rows();
            if (!row.next()) {
                return 0;
            }
            verifier.told(row.getString("transaction_id"));
            return row.getInt("deleted");
        }
    }

    @Override
    int acknowledgeWithHistory(Connection connection, Collection<MessageKey> keys, Integer heldMillis, String consumer)
            throws SQLException {
        try (Query delete = statements.query(connection, "acknowledge_with_history")) {
            return delete.set("keys", runs(keys))
                    .set("held_millis", heldMillis)
                    .set("consumer", consumer)
                    .value(ResultSet::getInt)
                    .orElse(0);
        }
    }

    /** The keys as an array: runs of one queue, one priority and neighbouring ids. */
    private static String runs(Collection<MessageKey> keys) {
        StringJoiner array = new StringJoiner(",", "{", "}");
        List<MessageKey> sorted = keys.stream().sorted().toList();
        int from = 0;
        while (from < sorted.size()) {
            MessageKey first = sorted.get(from);
            int to = from + 1;
            while (to < sorted.size() && isOneRun(sorted.get(to - 1), sorted.get(to))) {
                to++;
            }
            array.add(String.valueOf(first.destinationId()));
            array.add(String.valueOf(first.priorityOrder()));
            array.add(String.valueOf(to - from));
            sorted.subList(from, to).forEach(key -> array.add(String.valueOf(key.messageId())));
            from = to;
        }
        return array.toString();
    }

    private static boolean isOneRun(MessageKey before, MessageKey key) {
        return before.destinationId() == key.destinationId()
                && before.priorityOrder() == key.priorityOrder()
                && key.messageId() - before.messageId() <= NEIGHBOURS;
    }

    /** The results: the check of the row count, nothing for COMMIT and BEGIN, and the claimed messages. */
    @Override
    public Pipelined acknowledgeAndClaim(
            Connection connection, Collection<MessageKey> keys, ClaimRequest next, CommitVerifier verifier)
            throws SQLException {
        List<StoredMessage> claimed = new ArrayList<>();
        try (Query pipeline = statements.query(connection, "acknowledge_and_claim")) {
            pipeline.set("keys", runs(keys)).set("expected", keys.size());
            table.bindClaim(pipeline, next);
            pipeline.eachResult((rows, number) -> {
                if (number == 1) {
                    claimed.addAll(table.readClaimed(rows, verifier));
                }
            });
        }
        return new Pipelined(claimed, null);
    }

    @Override
    void acknowledgeAndCommit(Connection connection, Collection<MessageKey> keys) throws SQLException {
        try (Query settle = statements.query(connection, "acknowledge_and_commit")) {
            settle.set("keys", runs(keys)).set("expected", keys.size()).eachResult((rows, number) -> {});
        }
    }

    @Override
    public boolean acknowledgeAndLook(Connection connection, Collection<MessageKey> keys, int destinationId)
            throws SQLException {
        boolean[] holdsAny = new boolean[1];
        try (Query settle = statements.query(connection, "acknowledge_and_look")) {
            statements.bindIds(settle, List.of(destinationId));
            settle.set("keys", runs(keys))
                    .set("expected", keys.size())
                    // The last result is that of the look.
                    .eachResult((rows, number) -> holdsAny[0] = rows.next());
        }
        return holdsAny[0];
    }

    @Override
    boolean isClaimLost(SQLException error) {
        return CLAIM_LOST.equals(error.getSQLState());
    }

    /**
     * The driver does not tell what was carried out before the statement that failed. Where a claim follows the commit, it may have
     * met any error but that of a transaction which had failed before. Else what the delete or the commit itself has met is surely
     * not committed: deadlocks, missing tables and rights, a transaction that had failed.
     */
    @Override
    boolean leavesInDoubt(SQLException error, boolean claims) {
        String state = String.valueOf(error.getSQLState());
        return claims
                ? !state.equals(FAILED_TRANSACTION)
                : !state.startsWith("40") && !state.startsWith("42") && !state.startsWith("25");
    }
}
