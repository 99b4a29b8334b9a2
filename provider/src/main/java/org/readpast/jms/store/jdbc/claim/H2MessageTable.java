package org.readpast.jms.store.jdbc.claim;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.connect.SizeLimits;
import org.readpast.jms.store.jdbc.row.MessageRow;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.store.jdbc.transaction.CommitVerifier;

/**
 * On H2, which applies SKIP LOCKED after the row limit, so that the second of two claims would see nothing: here a claim lists keys
 * without locking and then locks each by its key.
 */
public final class H2MessageTable extends MessageTable {

    public H2MessageTable(Statements statements, SizeLimits sizes) {
        super(statements, sizes);
    }

    /** Candidates that others hold are passed by, page after page, until enough are locked or none are left. */
    @Override
    public List<StoredMessage> claim(Connection connection, ClaimRequest request, CommitVerifier verifier)
            throws SQLException {
        List<StoredMessage> claimed = new ArrayList<>();
        int page = Math.max(16, 2 * request.max());
        MessageKey after = request.after();
        try (Query candidates = statements.query(connection, "candidates");
                Query lock = statements.query(connection, "claim_by_key")) {
            while (true) {
                bindRange(candidates, request.destinationId(), after, page);
                List<MessageKey> keys = MessageRow.keys(candidates);
                for (MessageKey key : keys) {
                    claimOne(lock, key, request.max(), claimed);
                    if (claimed.size() == request.max()) {
                        return claimed;
                    }
                }
                if (keys.size() < page) {
                    return claimed;
                }
                after = keys.get(keys.size() - 1);
            }
        }
    }

    private void claimOne(Query lock, MessageKey key, int max, List<StoredMessage> claimed) throws SQLException {
        MessageRow.bindKey(lock, key);
        lock.set("max_inline_body", maxInlineBody(max));
        try (ResultSet row = lock.rows()) {
            claimed.addAll(MessageRow.readAllClaimed(row, sizes()));
        }
    }

    @Override
    List<StoredMessage> claimByKey(Connection connection, List<MessageKey> keys, int max, CommitVerifier verifier)
            throws SQLException {
        List<StoredMessage> claimed = new ArrayList<>();
        try (Query lock = statements.query(connection, "claim_by_key")) {
            for (int i = 0; i < keys.size() && claimed.size() < max; i++) {
                claimOne(lock, keys.get(i), max, claimed);
            }
        }
        return claimed;
    }

    @Override
    List<MessageKey> lock(Connection connection, List<MessageKey> keys, Meant meant) throws SQLException {
        List<MessageKey> locked = new ArrayList<>();
        try (Query lock = statements.query(connection, "lock_message")) {
            for (MessageKey key : keys) {
                MessageRow.bindKey(lock, key);
                try (ResultSet row = lock.rows()) {
                    if (row.next() && meant.is(key, row)) {
                        locked.add(key);
                    }
                }
            }
        }
        return locked;
    }

    @Override
    public boolean hold(Connection connection, MessageKey key) throws SQLException {
        return !lock(connection, List.of(key)).isEmpty();
    }
}
