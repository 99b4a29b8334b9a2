package org.readpast.jms.store.jdbc.acknowledge;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.readpast.jms.store.LeaseTerms;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.row.MessageRow;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;

/** What is done to leased messages in the tables, many at a time. Thread-safe. */
public class Leases {

    final Statements statements;

    public Leases(Statements statements) {
        this.statements = statements;
    }

    /** Takes claimed messages out of the queue, each by the token of its lease, and returns how many were there. */
    public int take(Connection connection, List<StoredMessage> claimed, LeaseTerms terms) throws SQLException {
        try (Query lease = statements.query(connection, "lease_messages")) {
            return lease.set("keys", keys(claimed))
                    .set("lease_millis", TimeUnit.SECONDS.toMillis(terms.seconds()))
                    .set("worker", terms.worker())
                    .value(ResultSet::getInt)
                    .orElse(0);
        }
    }

    /** Deletes leased messages, and returns how many were there. */
    public int complete(Connection connection, Collection<UUID> tokens) throws SQLException {
        try (Query complete = statements.query(connection, "complete_leases")) {
            return complete.set("tokens", json(tokens)).value(ResultSet::getInt).orElse(0);
        }
    }

    /** The same for queues with a history, which is told that the consumer has completed them. */
    public int completeWithHistory(Connection connection, Collection<UUID> tokens, String consumer)
            throws SQLException {
        try (Query complete = statements.query(connection, "complete_leases_with_history")) {
            return complete.set("tokens", json(tokens))
                    .set("consumer", consumer)
                    .value(ResultSet::getInt)
                    .orElse(0);
        }
    }

    /**
     * Puts leased messages back as they were before the claim, where the lease is not over, and returns their keys.
     *
     * @param delivered whether the delivery counts of a message that cannot be put back at once, so that its lease only ends
     */
    public List<MessageKey> giveBack(Connection connection, Collection<UUID> tokens, boolean delivered)
            throws SQLException {
        List<MessageKey> returned = new ArrayList<>();
        try (Query back = returning(connection, delivered)) {
            back.set("tokens", json(tokens)).eachResult((rows, number) -> {
                while (rows.next()) {
                    returned.add(MessageRow.key(rows));
                }
            });
        }
        return returned;
    }

    Query returning(Connection connection, boolean delivered) throws SQLException {
        return statements.query(connection, "return_leases");
    }

    /** Ends the leases of an instance that is gone: they are due now. Looks first, since whoever only sends may not end any. */
    public final void endAll(Connection connection, String gone) throws SQLException {
        try (Query holds = statements.query(connection, "holds_leases");
                ResultSet row = holds.set("worker", gone).rows()) {
            if (!row.next()) {
                return;
            }
        }
        try (Query end = statements.query(connection, "end_leases")) {
            end.set("worker", gone).eachResult((rows, number) -> rows.next());
        }
    }

    private static String json(Collection<UUID> tokens) {
        return tokens.stream().map(token -> '"' + token.toString() + '"').collect(Collectors.joining(",", "[", "]"));
    }

    /** The keys with the tokens that they are to be leased by. */
    private static String keys(List<StoredMessage> claimed) {
        return claimed.stream()
                .map(message -> {
                    MessageKey key = message.key();
                    return "{\"d\":" + key.destinationId() + ",\"p\":" + key.priorityOrder() + ",\"i\":"
                            + key.messageId() + ",\"t\":\"" + message.lease().token() + "\"}";
                })
                .collect(Collectors.joining(",", "[", "]"));
    }
}
