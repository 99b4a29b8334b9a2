package org.readpast.jms.store.jdbc.claim;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.row.HeaderBounds;
import org.readpast.jms.store.jdbc.row.MessageRow;
import org.readpast.jms.store.jdbc.sql.Query;

/** Reading stretches of a queue without locking, within what a selector demands of header fields. Thread-safe. */
final class Browses {

    private final MessageTable table;

    Browses(MessageTable table) {
        this.table = table;
    }

    /** What waits behind a key; bodies up to the given length, -1 for none. */
    List<StoredMessage> messages(
            Connection connection, int destinationId, MessageKey after, HeaderBounds bounds, int max, int maxBody)
            throws SQLException {
        boolean correlated = bounds.correlationId() != null;
        try (Query browse = table.statements.query(connection, correlated ? "browse_correlated" : "browse")) {
            MessageTable.bindRange(browse, destinationId, after, max);
            bindBounds(browse.set("max_inline_body", maxBody), bounds);
            if (correlated) {
                browse.set("correlation_id", bounds.correlationId());
            }
            return table.readMessages(browse);
        }
    }

    /** What a claim by groups may be for, behind a key; without bodies. */
    List<Candidate> candidates(Connection connection, ClaimRequest request, MessageKey after, int max)
            throws SQLException {
        HeaderBounds bounds = HeaderBounds.of(request.selector());
        List<Candidate> candidates = new ArrayList<>();
        try (Query browse = table.statements.query(connection, "browse_groups")) {
            MessageTable.bindRange(browse, request.destinationId(), after, max);
            bindBounds(browse, bounds);
            browse.set("consumer", request.holder().consumer()).set("correlation_id", bounds.correlationId());
            browse.eachResult((rows, number) -> {
                while (rows.next()) {
                    candidates.add(new Candidate(
                            MessageRow.read(rows, table.sizes()),
                            rows.getString("group_id"),
                            rows.getInt("owned") != 0));
                }
            });
        }
        return candidates;
    }

    private static void bindBounds(Query browse, HeaderBounds bounds) throws SQLException {
        browse.set("lowest_order", bounds.lowestOrder())
                .set("highest_order", bounds.highestOrder())
                .set("earliest", bounds.timestamp().low())
                .set("latest", bounds.timestamp().high())
                .set("delivery_mode", bounds.deliveryMode())
                .set("jms_message_id", bounds.messageId())
                .set("jms_type", bounds.type());
    }
}
