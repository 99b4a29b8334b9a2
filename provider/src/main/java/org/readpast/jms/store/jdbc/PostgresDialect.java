package org.readpast.jms.store.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.StoredMessage;

/** PostgreSQL 14 and later: SKIP LOCKED, set-based statements, NOTIFY for a bell, advisory locks. */
final class PostgresDialect extends Dialect {

    private static final String CLAIM_LOST = "RP001";

    /** The transaction refuses all statements, since one of them had failed before. */
    private static final String FAILED_TRANSACTION = "25P02";

    /** How far the ids of one run may be apart: before PostgreSQL 17 all that lies between them may be read. */
    private static final int NEIGHBOURS = 100;

    /** A statement and its parameters may have a gigabyte at the most. */
    private static final long BYTES_AT_ONCE = 16 << 20;

    PostgresDialect(StoreOptions options) {
        super(
                Vendor.POSTGRESQL,
                new SqlFiles("postgresql", options.schema().toLowerCase(Locale.ROOT)),
                options.sizes());
    }

    @Override
    Properties driverProperties(String url) {
        Properties properties = new Properties();
        ProcessName.setUnlessIn(url, properties, "tcpKeepAlive", "true");
        // Without it, an error about a value quotes the value, which may be a message's.
        ProcessName.setUnlessIn(url, properties, "logServerErrorDetail", "false");
        return properties;
    }

    @Override
    List<String> schemaScripts() {
        return List.of(
                "001-tables.sql",
                "002-views.sql",
                "003-functions.sql",
                "004-procedures.sql",
                "005-history.sql",
                "006-repair.sql",
                "007-observe.sql");
    }

    @Override
    boolean goesOnAfterErrors() {
        return false;
    }

    /** As the driver knows from the server's last answer. */
    @Override
    boolean hasFailed(Connection connection) throws SQLException {
        try {
            return connection.isWrapperFor(BaseConnection.class)
                    && connection.unwrap(BaseConnection.class).getTransactionState() == TransactionState.FAILED;
        } catch (NoClassDefFoundError driverIsOutOfSight) {
            return false;
        }
    }

    @Override
    TransactionMark mark() {
        return new TransactionMark.Refusing(this);
    }

    @Override
    List<String> startupChecks() {
        return List.of("check_settings", "check_tables", "check_transactions");
    }

    @Override
    boolean knowsIsolationLocally() {
        return false;
    }

    @Override
    BodyFormat textFormat() {
        return BodyFormat.UTF_8;
    }

    @Override
    void lockSchema(Connection connection) throws SQLException {
        try (Query lock = query(connection, "lock_schema")) {
            lock.set("resource", resource("schema")).rows().close();
        }
    }

    @Override
    void runScript(Connection connection, String text) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(text);
        }
    }

    @Override
    void insertAndCommit(Connection connection, NewMessage message) throws SQLException {
        insertInAutocommit(connection, message);
    }

    /**
     * In one statement with an array for each column, which costs less than half of a batch of single rows. It tells the
     * transaction's id along. Large bodies go by themselves, since an array of them is a copy of them.
     */
    @Override
    void insertAll(Connection connection, String statement, List<NewMessage> messages, long now, Witness witness)
            throws SQLException {
        if (messages.stream().anyMatch(sent -> SharedBodies.isLarge(this, sent))) {
            super.insertAll(connection, statement, messages, now, witness);
            return;
        }
        Iterator<NewMessage> left = messages.iterator();
        while (left.hasNext()) {
            ParameterArrays rows = new ParameterArrays();
            while (left.hasNext() && rows.bytes() < BYTES_AT_ONCE) {
                MessageRow.bind(rows, left.next(), textFormat(), now);
            }
            try (Query insert = query(connection, statement + "_batch")) {
                rows.bind(insert);
                ResultSet row = insert.rows();
                if (row.next()) {
                    witness.told(row.getString(1));
                }
            }
        }
    }

    @Override
    int publishAndCommit(Connection connection, Sends.Copies copies) throws SQLException {
        return publishInAutocommit(connection, copies);
    }

    @Override
    List<StoredMessage> claim(Connection connection, ClaimRequest request) throws SQLException {
        try (Query claim = query(connection, "claim")) {
            bindRange(claim, request.destinationId(), request.after(), request.max());
            claim.set("max_inline_body", maxInlineBody(request.max()));
            return MessageRow.readClaimed(claim.rows(), sizes());
        }
    }

    @Override
    List<StoredMessage> claimByKey(Connection connection, List<MessageKey> keys, int max) throws SQLException {
        try (Query claim = query(connection, "claim_by_key")) {
            claim.set("keys", MessageRow.json(keys)).set("max", max).set("max_inline_body", maxInlineBody(max));
            List<StoredMessage> claimed = MessageRow.readClaimed(claim.rows(), sizes());
            claimed.sort(Comparator.comparing(StoredMessage::key));
            return claimed;
        }
    }

    @Override
    int acknowledge(Connection connection, Collection<MessageKey> keys, Witness witness) throws SQLException {
        try (Query delete = query(connection, "acknowledge")) {
            ResultSet row = delete.set("keys", acknowledged(keys)).rows();
            if (!row.next()) {
                return 0;
            }
            witness.told(row.getString(2));
            return row.getInt(1);
        }
    }

    @Override
    int acknowledgeWithHistory(Connection connection, Collection<MessageKey> keys, Integer heldMillis, String consumer)
            throws SQLException {
        try (Query delete = query(connection, "acknowledge_with_history")) {
            ResultSet row = delete.set("keys", acknowledged(keys))
                    .set("held_millis", heldMillis)
                    .set("consumer", consumer)
                    .rows();
            return row.next() ? row.getInt(1) : 0;
        }
    }

    @Override
    boolean listsUnsettled() {
        return true;
    }

    /** The id is read before the transactions: who draws one later does not matter to it. */
    @Override
    Unsettled unsettled(Connection connection) throws SQLException {
        long[] lastId = new long[1];
        Set<String> transactions = new HashSet<>();
        try (Query list = query(connection, "unsettled")) {
            list.eachResult((rows, number) -> {
                while (rows.next()) {
                    if (number == 0) {
                        lastId[0] = rows.getLong(1);
                    } else {
                        transactions.add(rows.getString(1));
                    }
                }
            });
        }
        return new Unsettled(lastId[0], transactions);
    }

    @Override
    boolean looksInOneRoundTrip() {
        return true;
    }

    @Override
    boolean pipelines() {
        return true;
    }

    /** As an array: runs of one queue, one priority and neighbouring ids. */
    @Override
    String acknowledged(Collection<MessageKey> keys) {
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
    Pipelined acknowledgeAndClaim(Connection connection, Collection<MessageKey> keys, ClaimRequest next)
            throws SQLException {
        List<StoredMessage> claimed = new ArrayList<>();
        try (Query pipeline = query(connection, "acknowledge_and_claim")) {
            pipeline.set("keys", acknowledged(keys)).set("expected", keys.size());
            bindRange(pipeline, next.destinationId(), next.after(), next.max());
            pipeline.set("max_inline_body", maxInlineBody(next.max()));
            pipeline.eachResult((rows, number) -> {
                if (number == 1) {
                    claimed.addAll(MessageRow.readClaimed(rows, sizes()));
                }
            });
        }
        return new Pipelined(claimed, null);
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

    @Override
    List<MessageKey> lock(Connection connection, List<MessageKey> keys) throws SQLException {
        try (Query lock = query(connection, "lock_messages")) {
            return MessageRow.keys(lock.set("keys", MessageRow.json(keys)));
        }
    }

    @Override
    int removeExpired(Connection connection, Expired expired) throws SQLException {
        try (Query remove = query(connection, expired.statement())) {
            expired.bindTarget(
                    remove.set("destination_id", expired.destinationId()).set("max", expired.max()));
            return remove.update();
        }
    }

    @Override
    void bindIds(Query query, Collection<Integer> destinationIds) throws SQLException {
        query.set(
                "destination_ids",
                destinationIds.stream().map(String::valueOf).collect(Collectors.joining(",", "{", "}")));
    }

    @Override
    boolean remembersTransactions() {
        return true;
    }

    @Override
    boolean hasBell() {
        return true;
    }

    @Override
    boolean holdPresence(Connection connection, String instance) throws SQLException {
        return granted(connection, "hold_presence", instance);
    }

    @Override
    boolean probePresence(Connection connection, String instance) throws SQLException {
        return granted(connection, "probe_presence", instance);
    }

    @Override
    boolean presenceOutlivesItsRow() {
        return true;
    }

    @Override
    void releasePresence(Connection connection, String instance) throws SQLException {
        granted(connection, "release_presence", instance);
        connection.commit();
    }

    private boolean granted(Connection connection, String statement, String instance) throws SQLException {
        try (Query lock = query(connection, statement);
                ResultSet row = lock.set("resource", resource(instance)).rows()) {
            return row.next() && row.getBoolean(1);
        }
    }
}
