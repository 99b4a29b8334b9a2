package org.readpast.jms.store.jdbc.claim;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.readpast.jms.store.Claim;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.connect.SizeLimits;
import org.readpast.jms.store.jdbc.row.MessageRow;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.store.jdbc.transaction.CommitVerifier;
import org.readpast.jms.store.jdbc.transaction.ShortTransactions;

/** How one database reads, claims and locks messages of its queues. It never commits or rolls back. Thread-safe. */
public abstract class MessageTable {

    /** This many bytes of bodies come with one claim at the most. */
    private static final long TOGETHER_BYTES = 16L * 1024 * 1024;

    /** Before all rows, those too that no client has written. */
    private static final MessageKey HEAD = new MessageKey(0, Short.MIN_VALUE - 1, 0);

    final Statements statements;
    private final SizeLimits sizes;

    MessageTable(Statements statements, SizeLimits sizes) {
        this.statements = statements;
        this.sizes = sizes;
    }

    /** How large messages may be. */
    public final SizeLimits sizes() {
        return sizes;
    }

    /** The largest body that comes with its message where this many messages are asked for, which shall fit into memory together. */
    final int maxInlineBody(int messages) {
        return (int) Math.min(sizes.inlineBody(), TOGETHER_BYTES / Math.max(1, messages));
    }

    /** Whether {@link #holdsAny} is one round trip, where a claim that finds nothing has a transaction to end, which is another one. */
    public boolean looksInOneRoundTrip() {
        return false;
    }

    /** Whether a queue has any message that has not expired, claimed ones included; leaves no transaction open. */
    public final boolean holdsAny(Connection connection, int destinationId) throws SQLException {
        return ShortTransactions.inAutocommit(connection, open -> {
            try (Query look = statements.query(open, "available")) {
                statements.bindIds(look, List.of(destinationId));
                return look.rows().next();
            }
        });
    }

    /** Whether {@link #unsettled} can tell. */
    boolean listsUnsettled() {
        return false;
    }

    /**
     * The transactions that may be inserting messages.
     *
     * @param lastId the last id that a message has got; only these transactions may have drawn it or a lower one, and not ended
     * @param transactions by names that no later one has; a set that may be changed
     * @param isAnyPrepared whether one of them is a branch in doubt, which had another name before
     */
    public record Unsettled(long lastId, Set<String> transactions, boolean isAnyPrepared) {}

    /** The transactions that may be inserting messages just now. */
    public Unsettled unsettled(Connection connection) throws SQLException {
        throw new UnsupportedOperationException("Who inserts messages is not told here");
    }

    /**
     * Claims without regard to a selector.
     *
     * @param verifier is told the transaction's id, where the database tells it along
     */
    public abstract List<StoredMessage> claim(Connection connection, ClaimRequest request, CommitVerifier verifier)
            throws SQLException;

    /** Sets the parameters of a claim, or of what a claim is a part of. */
    public final void bindClaim(Query claim, ClaimRequest request) throws SQLException {
        bindRange(claim, request.destinationId(), request.after(), request.max());
        claim.set("max_inline_body", maxInlineBody(request.max()));
    }

    /** Claims those of these messages that nobody holds, in the order of the keys, up to a number. */
    abstract List<StoredMessage> claimByKey(
            Connection connection, List<MessageKey> keys, int max, CommitVerifier verifier) throws SQLException;

    /** Runs a query that returns messages. */
    List<StoredMessage> readMessages(Query query) throws SQLException {
        return MessageRow.readAll(query.rows(), sizes);
    }

    static void bindRange(Query query, int destinationId, MessageKey after, int max) throws SQLException {
        MessageKey start = after == null ? HEAD : after;
        query.set("destination_id", destinationId)
                .set("after_priority", start.priorityOrder())
                .set("after_id", start.messageId())
                .set("max", max);
    }

    /** Locks what is there with these keys and nobody else holds. */
    public final List<MessageKey> lock(Connection connection, List<MessageKey> keys) throws SQLException {
        return lock(connection, keys, (key, row) -> true);
    }

    /**
     * Locks those of these messages that are there and that nobody else holds. What else has the key of one by now may be locked as well.
     *
     * @return their keys
     */
    public final List<MessageKey> lockClaimed(Connection connection, List<Claim> claims) throws SQLException {
        Map<MessageKey, Claim> byKey = new HashMap<>();
        claims.forEach(claim -> byKey.put(claim.key(), claim));
        return lock(connection, Claim.keys(claims), (key, row) -> MessageRow.isOf(byKey.get(key), row));
    }

    /** Whether a row that is locked is of the message that is meant. */
    @FunctionalInterface
    interface Meant {
        boolean is(MessageKey key, ResultSet row) throws SQLException;
    }

    /** Locks what is there with these keys and nobody else holds; returns the keys of what is meant. */
    List<MessageKey> lock(Connection connection, List<MessageKey> keys, Meant meant) throws SQLException {
        List<MessageKey> locked = new ArrayList<>();
        try (Query lock = statements.query(connection, "lock_messages");
                ResultSet rows = lock.set("keys", MessageRow.json(keys)).rows()) {
            while (rows.next()) {
                MessageKey key = MessageRow.key(rows);
                if (meant.is(key, rows)) {
                    locked.add(key);
                }
            }
        }
        return locked;
    }

    /** Locks a message before a statement that cannot step over a locked row by itself; false if somebody holds it. */
    public boolean hold(Connection connection, MessageKey key) throws SQLException {
        return true;
    }

    /**
     * Whether a message is there, whoever holds it.
     *
     * @throws SQLException that is a {@link org.readpast.jms.store.Failure#LOCK_TIMEOUT} where somebody is deleting it and the database
     *     cannot see it for that
     */
    public final boolean holds(Connection connection, Claim claim) throws SQLException {
        try (Query look = statements.query(connection, "holds_message")) {
            MessageRow.bindKey(look, claim.key());
            try (ResultSet row = look.rows()) {
                return row.next() && MessageRow.isOf(claim, row);
            }
        }
    }

    /** The keys of messages of a destination behind a key, claimed and expired ones included. */
    public final List<MessageKey> list(Connection connection, int destinationId, MessageKey after, int max)
            throws SQLException {
        List<MessageKey> keys = new ArrayList<>();
        try (Query list = statements.query(connection, "list_messages")) {
            bindRange(list, destinationId, after, max);
            list.eachResult((rows, number) -> {
                while (rows.next()) {
                    keys.add(MessageRow.key(rows));
                }
            });
        }
        return keys;
    }
}
