package org.readpast.jms.store.jdbc.acknowledge;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.claim.MessageTable;
import org.readpast.jms.store.jdbc.row.MessageRow;
import org.readpast.jms.store.jdbc.sql.LiteralBatch;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.store.jdbc.transaction.CommitVerifier;

/** On SQL Server. What ends its transaction and nothing else is sent as plain text (see {@link LiteralBatch}). */
public final class SqlServerAcknowledgements extends Acknowledgements {

    private static final int CLAIM_LOST = 50001;

    private final MessageTable table;

    public SqlServerAcknowledgements(Statements statements, MessageTable table) {
        super(statements);
        this.table = table;
    }

    @Override
    public int acknowledge(Connection connection, Collection<MessageKey> keys, CommitVerifier verifier)
            throws SQLException {
        try (Query delete = statements.query(connection, "acknowledge")) {
            return delete.set("keys", MessageRow.json(keys)).update();
        }
    }

    @Override
    int acknowledgeWithHistory(Connection connection, Collection<MessageKey> keys, Integer heldMillis, String consumer)
            throws SQLException {
        try (Query delete = statements.query(connection, "acknowledge_with_history")) {
            return delete.set("keys", MessageRow.json(keys))
                    .set("held_millis", heldMillis)
                    .set("consumer", consumer)
                    .update();
        }
    }

    @Override
    public Pipelined acknowledgeAndClaim(
            Connection connection, Collection<MessageKey> keys, ClaimRequest next, CommitVerifier verifier)
            throws SQLException {
        List<StoredMessage> claimed = new ArrayList<>();
        boolean[] committed = new boolean[1];
        try (Query pipeline = statements.query(connection, "acknowledge_and_claim")) {
            pipeline.set("keys", MessageRow.json(keys)).set("expected", keys.size());
            table.bindClaim(pipeline, next);
            pipeline.eachResult((rows, number) -> {
                if (committed[0]) {
                    claimed.addAll(MessageRow.readAllClaimed(rows, table.sizes()));
                } else {
                    committed[0] = rows.next();
                }
            });
            return new Pipelined(claimed, null);
        } catch (SQLException e) {
            if (committed[0]) {
                return new Pipelined(List.of(), e);
            }
            throw e;
        }
    }

    @Override
    void acknowledgeAndCommit(Connection connection, Collection<MessageKey> keys) throws SQLException {
        statements
                .literal("acknowledge_and_commit")
                .set("keys", keys)
                .set("expected", keys.size())
                .eachResult(connection, (rows, number) -> {});
    }

    @Override
    public boolean acknowledgeAndLook(Connection connection, Collection<MessageKey> keys, int destinationId)
            throws SQLException {
        boolean[] holdsAny = new boolean[1];
        statements
                .literal("acknowledge_and_look")
                .set("keys", keys)
                .set("expected", keys.size())
                .set("destination_id", destinationId)
                .eachResult(connection, (rows, number) -> holdsAny[0] = rows.next());
        return holdsAny[0];
    }

    @Override
    boolean isClaimLost(SQLException error) {
        return error.getErrorCode() == CLAIM_LOST;
    }

    /** The answer says whether the commit was carried out, unless it was cut off. */
    @Override
    boolean leavesInDoubt(SQLException error, boolean claims) {
        return "HYT00".equals(error.getSQLState()) || "HY008".equals(error.getSQLState());
    }
}
