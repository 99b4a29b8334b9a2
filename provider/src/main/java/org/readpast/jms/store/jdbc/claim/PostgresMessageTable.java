package org.readpast.jms.store.jdbc.claim;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.connect.SizeLimits;
import org.readpast.jms.store.jdbc.row.MessageRow;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.store.jdbc.transaction.CommitVerifier;

/** On PostgreSQL: SKIP LOCKED, and its lists of locks, which say who may be inserting. */
public final class PostgresMessageTable extends MessageTable {

    public PostgresMessageTable(Statements statements, SizeLimits sizes) {
        super(statements, sizes);
    }

    @Override
    public boolean looksInOneRoundTrip() {
        return true;
    }

    @Override
    boolean listsUnsettled() {
        return true;
    }

    /** The id is read before the transactions: who draws one later does not matter to it. */
    @Override
    public Unsettled unsettled(Connection connection) throws SQLException {
        long[] lastId = new long[1];
        boolean[] isAnyPrepared = new boolean[1];
        Set<String> transactions = new HashSet<>();
        try (Query list = statements.query(connection, "unsettled")) {
            list.eachResult((rows, number) -> {
                while (rows.next()) {
                    if (number == 0) {
                        lastId[0] = rows.getLong("last_id");
                    } else if (number == 1) {
                        transactions.add(rows.getString("virtualtransaction"));
                        isAnyPrepared[0] |= rows.getBoolean("is_prepared");
                    }
                }
            });
        }
        return new Unsettled(lastId[0], transactions, isAnyPrepared[0]);
    }

    @Override
    public List<StoredMessage> claim(Connection connection, ClaimRequest request, CommitVerifier verifier)
            throws SQLException {
        try (Query claim = statements.query(connection, "claim")) {
            bindClaim(claim, request);
            return readClaimed(claim.rows(), verifier);
        }
    }

    /** All rows of a claim, each of which tells the transaction's id. */
    public List<StoredMessage> readClaimed(ResultSet rows, CommitVerifier verifier) throws SQLException {
        List<StoredMessage> messages = new ArrayList<>();
        while (rows.next()) {
            messages.add(MessageRow.readClaimed(rows, sizes()));
            verifier.told(rows.getString("transaction_id"));
        }
        return messages;
    }

    @Override
    List<StoredMessage> claimByKey(Connection connection, List<MessageKey> keys, int max, CommitVerifier verifier)
            throws SQLException {
        try (Query claim = statements.query(connection, "claim_by_key")) {
            claim.set("keys", MessageRow.json(keys)).set("max", max).set("max_inline_body", maxInlineBody(max));
            List<StoredMessage> claimed = readClaimed(claim.rows(), verifier);
            claimed.sort(Comparator.comparing(StoredMessage::key));
            return claimed;
        }
    }
}
