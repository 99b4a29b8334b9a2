package org.readpast.jms.store.jdbc.claim;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.connect.SizeLimits;
import org.readpast.jms.store.jdbc.row.MessageRow;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.store.jdbc.transaction.CommitVerifier;

/** On SQL Server: UPDLOCK and READPAST, sets of keys as JSON. */
public final class SqlServerMessageTable extends MessageTable {

    public SqlServerMessageTable(Statements statements, SizeLimits sizes) {
        super(statements, sizes);
    }

    @Override
    public List<StoredMessage> claim(Connection connection, ClaimRequest request, CommitVerifier verifier)
            throws SQLException {
        try (Query claim = statements.query(connection, "claim")) {
            bindClaim(claim, request);
            return readClaimed(claim);
        }
    }

    /** Ranges come in two results, one behind the other. */
    @Override
    List<StoredMessage> readMessages(Query query) throws SQLException {
        List<StoredMessage> messages = new ArrayList<>();
        query.eachResult((rows, number) -> messages.addAll(MessageRow.readAll(rows, sizes())));
        return messages;
    }

    private List<StoredMessage> readClaimed(Query query) throws SQLException {
        List<StoredMessage> messages = new ArrayList<>();
        query.eachResult((rows, number) -> messages.addAll(MessageRow.readAllClaimed(rows, sizes())));
        return messages;
    }

    @Override
    List<StoredMessage> claimByKey(Connection connection, List<MessageKey> keys, int max, CommitVerifier verifier)
            throws SQLException {
        boolean all = keys.size() <= max;
        try (Query claim = statements.query(connection, all ? "claim_by_key" : "claim_first_by_key")) {
            claim.set("keys", MessageRow.json(keys)).set("max_inline_body", maxInlineBody(Math.min(keys.size(), max)));
            if (!all) {
                claim.set("max", max);
            }
            List<StoredMessage> claimed = readClaimed(claim);
            claimed.sort(Comparator.comparing(StoredMessage::key));
            return claimed;
        }
    }
}
