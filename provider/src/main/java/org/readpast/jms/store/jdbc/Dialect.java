package org.readpast.jms.store.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.readpast.jms.codec.PropertiesJson;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.StoredMessage;

/**
 * How one database carries out the operations of the store, each a whole. It never commits or rolls back, except where a method
 * says so, and holds no connection. Thread-safe.
 */
abstract sealed class Dialect permits SqlServerDialect, PostgresDialect, H2Dialect {

    /** So many bytes of bodies come with one claim at the most. */
    private static final long TOGETHER_BYTES = 16L * 1024 * 1024;

    /** Before all rows, those too that no client has written. */
    private static final MessageKey HEAD = new MessageKey(0, Short.MIN_VALUE - 1, 0);

    private final SqlFiles files;
    private final SizeLimits sizes;
    private final Failures failures;

    Dialect(Vendor vendor, SqlFiles files, SizeLimits sizes) {
        this.files = files;
        this.sizes = sizes;
        this.failures = new Failures(vendor);
    }

    /**
     * The dialect of the database behind a connection.
     *
     * @throws SQLFeatureNotSupportedException if it is none of the three
     */
    static Dialect of(Connection connection, StoreOptions options) throws SQLException {
        DatabaseMetaData database = connection.getMetaData();
        return switch (database.getDatabaseProductName()) {
            case "Microsoft SQL Server" -> new SqlServerDialect(options);
            case "PostgreSQL" -> new PostgresDialect(options);
            case "H2" -> new H2Dialect(options);
            default ->
                throw new SQLFeatureNotSupportedException(
                        "Readpast runs on SQL Server, PostgreSQL and H2, not on " + database.getDatabaseProductName(),
                        Failures.OWN);
        };
    }

    final SqlFiles files() {
        return files;
    }

    /** How large messages may be. */
    final SizeLimits sizes() {
        return sizes;
    }

    /** The largest body that comes with its message where so many messages are asked for, which shall fit into memory together. */
    final int maxInlineBody(int messages) {
        return (int) Math.min(sizes.inlineBody(), TOGETHER_BYTES / Math.max(1, messages));
    }

    /** What its errors mean. */
    final Failures failures() {
        return failures;
    }

    final Query query(Connection connection, String statement) throws SQLException {
        return new Query(connection, files.call(statement), sendsNationalStrings());
    }

    /** For a statement that is run with several sets of values in one round trip. */
    final Query batch(Connection connection, String statement) throws SQLException {
        return new Query(connection, files.statement(statement), sendsNationalStrings());
    }

    /** Whether texts have to be declared as national ones, since a setting of the driver's may say otherwise. */
    boolean sendsNationalStrings() {
        return false;
    }

    /** Properties for the driver that the URL does not set itself. */
    Properties driverProperties(String url) {
        return new Properties();
    }

    /** What the pool runs on each new connection: settings that a server or a login may have otherwise; null for nothing. */
    String initialSql() {
        return null;
    }

    /** Prepares the database itself when a store opens it. */
    void onOpen(Connection connection) throws SQLException {}

    /** The highest isolation level at which a transaction sees what others have committed since it began. */
    int highestIsolation() {
        return Connection.TRANSACTION_READ_COMMITTED;
    }

    /** Whether {@link Connection#isValid} begins a transaction where autocommit is off, which then has to end. */
    boolean probeBeginsTransaction() {
        return true;
    }

    /** Whether the driver knows the isolation level without asking the server. */
    abstract boolean knowsIsolationLocally();

    /** The encoding that SQL can read text bodies in. */
    abstract BodyFormat textFormat();

    /** The statements that look for what start-up checks warn of, see {@link Finding}. */
    abstract List<String> startupChecks();

    // Schema

    /** The numbered scripts in their order; the version of a schema is the number of them that have been run. */
    List<String> schemaScripts() {
        return List.of("001-tables.sql", "002-views.sql", "003-observe.sql");
    }

    /** Waits for the right to run schema scripts; it goes with the transaction, or with {@link #unlockSchema}. */
    abstract void lockSchema(Connection connection) throws SQLException;

    /** Gives that right back after the transaction, where it did not go with it. */
    void unlockSchema(Connection connection) throws SQLException {}

    /** Runs a schema script. */
    abstract void runScript(Connection connection, String text) throws SQLException;

    // Transactions

    /** Whether a transaction, or another one in its place, takes further statements after an error. */
    boolean goesOnAfterErrors() {
        return true;
    }

    /** Whether the open transaction has failed so that its commit would be a rollback without a word. Asks nobody. */
    boolean hasFailed(Connection connection) throws SQLException {
        return false;
    }

    /** A mark to be set in a transaction. */
    abstract TransactionMark mark();

    // Sending

    /** Inserts within the open transaction, in order and in one round trip for those of one kind. */
    final void insert(Connection connection, Collection<NewMessage> messages, Witness witness) throws SQLException {
        long now = System.nanoTime();
        Map<Boolean, List<NewMessage>> delayed =
                messages.stream().collect(Collectors.partitioningBy(sent -> MessageRow.remainingDelay(sent, now) > 0));
        insertAll(connection, "insert_message", delayed.get(false), now, witness);
        insertAll(connection, "insert_delayed", delayed.get(true), now, witness);
    }

    /** Inserts messages, none or many, of one kind: by the statement for one of them. */
    void insertAll(Connection connection, String statement, List<NewMessage> messages, long now, Witness witness)
            throws SQLException {
        if (messages.isEmpty()) {
            return;
        }
        try (Query insert = batch(connection, statement)) {
            for (NewMessage sent : messages) {
                MessageRow.bind(insert, sent, textFormat(), now);
                if (messages.size() == 1) {
                    insert.update();
                } else {
                    insert.addBatch();
                }
            }
            if (messages.size() > 1) {
                insert.batch();
            }
        }
    }

    /** Inserts one message and commits it, in one round trip where the database can. */
    abstract void insertAndCommit(Connection connection, NewMessage message) throws SQLException;

    /** Inserts one message for a queue, leaves a marker of the transaction, and commits both, in one round trip where it can. */
    void insertMarkAndCommit(Connection connection, NewMessage message, String token) throws SQLException {
        long now = System.nanoTime();
        boolean delayed = MessageRow.remainingDelay(message, now) > 0;
        String statement = delayed ? "insert_delayed_mark_and_commit" : "insert_message_mark_and_commit";
        try (Query insert = query(connection, statement)) {
            MessageRow.bind(insert, message, textFormat(), now);
            insert.set("token", token).eachResult((rows, number) -> rows.close());
        }
    }

    /** Leaves a marker of the open transaction and commits, in one round trip where the database can. */
    void markAndCommit(Connection connection, String token) throws SQLException {
        try (Query mark = query(connection, "mark_and_commit")) {
            mark.set("token", token).eachResult((rows, number) -> rows.close());
        }
    }

    /** Whether the database can be asked what became of a transaction that left no marker. */
    boolean remembersTransactions() {
        return false;
    }

    /** Notes the duplicate ids of messages that are being sent, and returns those that were not noted before. */
    Set<DuplicateId> noteDuplicates(Connection connection, SortedSet<DuplicateId> ids, long windowMillis)
            throws SQLException {
        Set<DuplicateId> noted = new TreeSet<>();
        String json = ids.stream()
                .map(id -> PropertiesJson.write(Map.of("d", id.destinationId(), "i", id.text())))
                .collect(Collectors.joining(",", "[", "]"));
        try (Query note = query(connection, "note_duplicates")) {
            note.set("ids", json).set("window_millis", windowMillis).eachResult((rows, number) -> {
                while (rows.next()) {
                    noted.add(new DuplicateId(rows.getInt(1), rows.getString(2)));
                }
            });
        }
        return noted;
    }

    /** Publishes within the open transaction, in one round trip; returns for how many subscriptions each was inserted. */
    final int[] publish(Connection connection, String statement, List<Sends.Copies> all, long now) throws SQLException {
        if (all.isEmpty()) {
            return new int[0];
        }
        if (all.size() == 1) {
            return new int[] {publish(connection, all.get(0), now)};
        }
        try (Query publish = query(connection, statement)) {
            for (Sends.Copies copies : all) {
                bindCopies(publish, copies, now);
                publish.addBatch();
            }
            return publish.counts();
        }
    }

    /** The same for one message. */
    final int publish(Connection connection, Sends.Copies copies, long now) throws SQLException {
        try (Query publish = query(connection, copies.isDelayed(now) ? "publish_delayed" : "publish_message")) {
            bindCopies(publish, copies, now);
            return publish.update();
        }
    }

    final void bindCopies(Query publish, Sends.Copies copies, long now) throws SQLException {
        publish.set("topic_id", copies.message().destinationId()).set("version", copies.version());
        bindIds(publish, copies.subscriptions());
        MessageRow.bindCopies(publish, copies, textFormat(), now);
    }

    /** Publishes one message and commits it, in one round trip; returns for how many subscriptions it was inserted. */
    abstract int publishAndCommit(Connection connection, Sends.Copies copies) throws SQLException;

    /** The same where switching autocommit costs nothing. */
    final int publishInAutocommit(Connection connection, Sends.Copies copies) throws SQLException {
        return ShortTransactions.inAutocommit(connection, open -> publish(open, copies, System.nanoTime()));
    }

    final void insertInAutocommit(Connection connection, NewMessage message) throws SQLException {
        ShortTransactions.inAutocommit(connection, open -> {
            long now = System.nanoTime();
            boolean delayed = MessageRow.remainingDelay(message, now) > 0;
            try (Query insert = query(open, delayed ? "insert_delayed" : "insert_message")) {
                MessageRow.bind(insert, message, textFormat(), now);
                return insert.update();
            }
        });
    }

    // Receiving

    /** Whether {@link #holdsAny} is one round trip, where a claim that finds nothing has a transaction to end, which is another one. */
    boolean looksInOneRoundTrip() {
        return false;
    }

    /** Whether a queue has any message that has not expired, claimed ones included; leaves no transaction open. */
    final boolean holdsAny(Connection connection, int destinationId) throws SQLException {
        return ShortTransactions.inAutocommit(connection, open -> {
            try (Query look = query(open, "available")) {
                bindIds(look, List.of(destinationId));
                return look.rows().next();
            }
        });
    }

    /** Whether {@link #unsettled} can tell. */
    boolean listsUnsettled() {
        return false;
    }

    /**
     * Who may be inserting messages.
     *
     * @param lastId the last id that a message has got; only these transactions may have drawn it or a lower one, and not ended
     * @param transactions by names that no later one has; a set that may be changed
     */
    record Unsettled(long lastId, Set<String> transactions) {}

    /** Who may be inserting messages just now. */
    Unsettled unsettled(Connection connection) throws SQLException {
        throw new UnsupportedOperationException("Who inserts messages is not told here");
    }

    /** Claims without regard to a selector. */
    abstract List<StoredMessage> claim(Connection connection, ClaimRequest request) throws SQLException;

    /** Claims those of these messages that nobody holds, in the order of the keys, up to a number. */
    abstract List<StoredMessage> claimByKey(Connection connection, List<MessageKey> keys, int max) throws SQLException;

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

    /** Keys as the statements take them that acknowledge several messages. */
    String acknowledged(Collection<MessageKey> keys) {
        return MessageRow.json(keys);
    }

    /** Deletes claimed messages and returns how many rows were deleted. */
    abstract int acknowledge(Connection connection, Collection<MessageKey> keys, Witness witness) throws SQLException;

    /**
     * The same for queues with a history, which gets a row for each.
     *
     * @param heldMillis for how long the consumer has had them, null where that is not known
     */
    abstract int acknowledgeWithHistory(
            Connection connection, Collection<MessageKey> keys, Integer heldMillis, String consumer)
            throws SQLException;

    /**
     * Whether {@link #acknowledgeAndClaim}, {@link #acknowledgeAndCommit} and {@link #acknowledgeAndLook} are to be used: whether they
     * save a round trip.
     */
    boolean pipelines() {
        return false;
    }

    /**
     * What came of a commit with a claim after it.
     *
     * @param claimed the messages of the next transaction
     * @param claimFailure why there are none, although the commit was carried out; null where the claim went well
     */
    record Pipelined(List<StoredMessage> claimed, SQLException claimFailure) {}

    /**
     * In one round trip deletes claimed messages, commits, and claims the next ones without regard to a selector.
     *
     * @throws SQLException if not committed, or see {@link #leavesInDoubt}
     */
    Pipelined acknowledgeAndClaim(Connection connection, Collection<MessageKey> keys, ClaimRequest next)
            throws SQLException {
        throw new UnsupportedOperationException("There is no round trip to be saved here");
    }

    /**
     * In one round trip deletes claimed messages and commits.
     *
     * @throws SQLException if not committed, or see {@link #leavesInDoubt}
     */
    void acknowledgeAndCommit(Connection connection, Collection<MessageKey> keys) throws SQLException {
        try (Query settle = query(connection, "acknowledge_and_commit")) {
            settle.set("keys", acknowledged(keys)).set("expected", keys.size()).eachResult((rows, number) -> {});
        }
    }

    /**
     * In one round trip deletes claimed messages, looks whether a queue has any message left, claimed ones included, and commits.
     *
     * @throws SQLException if not committed, or see {@link #leavesInDoubt}
     */
    boolean acknowledgeAndLook(Connection connection, Collection<MessageKey> keys, int destinationId)
            throws SQLException {
        boolean[] holdsAny = new boolean[1];
        try (Query settle = query(connection, "acknowledge_and_look")) {
            bindIds(settle, List.of(destinationId));
            settle.set("keys", acknowledged(keys))
                    .set("expected", keys.size())
                    // The last result is that of the look.
                    .eachResult((rows, number) -> holdsAny[0] = rows.next());
        }
        return holdsAny[0];
    }

    /** Whether one of these three failed because not exactly the claimed rows were deleted. */
    boolean isClaimLost(SQLException error) {
        return false;
    }

    /**
     * Whether this failure of one of these three may have come after its commit; the connection still lives.
     *
     * @param claims whether it is {@link #acknowledgeAndClaim}, in which something follows the commit
     */
    boolean leavesInDoubt(SQLException error, boolean claims) {
        return false;
    }

    /** Locks those of these messages that are there and that nobody else holds. */
    abstract List<MessageKey> lock(Connection connection, List<MessageKey> keys) throws SQLException;

    /**
     * Whether a message is there, whoever holds it.
     *
     * @throws SQLException that is a {@link org.readpast.jms.store.Failure#LOCK_TIMEOUT} where somebody is deleting it and the database
     *     cannot see it for that
     */
    final boolean holds(Connection connection, MessageKey key) throws SQLException {
        try (Query look = query(connection, "holds_message");
                ResultSet row = look.set("destination_id", key.destinationId())
                        .set("priority_order", key.priorityOrder())
                        .set("message_id", key.messageId())
                        .rows()) {
            return row.next();
        }
    }

    /** How messages are leased. */
    Leases leases() {
        return new Leases(this);
    }

    // Groups

    /** How the groups of messages are locked and given up. */
    GroupLocks groupLocks() {
        return new GroupLocks(this);
    }

    // Redelivery

    /** Locks a message before its redelivery, where the statement cannot step over a locked row by itself. */
    boolean hold(Connection connection, MessageKey key) throws SQLException {
        return true;
    }

    // Housekeeping

    /** The keys of messages of a destination behind a key, claimed and expired ones included. */
    final List<MessageKey> listMessages(Connection connection, int destinationId, MessageKey after, int max)
            throws SQLException {
        List<MessageKey> keys = new ArrayList<>();
        try (Query list = query(connection, "list_messages")) {
            bindRange(list, destinationId, after, max);
            list.eachResult((rows, number) -> {
                while (rows.next()) {
                    keys.add(MessageRow.key(rows));
                }
            });
        }
        return keys;
    }

    /** Removes messages of a destination that is gone, stepping over those that somebody has claimed, and returns how many. */
    int dropMessages(Connection connection, int destinationId, int max) throws SQLException {
        return dropped(connection, "drop_messages", destinationId, max);
    }

    /** The same with delayed ones, but for leased ones. */
    int dropDelayed(Connection connection, int destinationId, int max) throws SQLException {
        return dropped(connection, "drop_delayed", destinationId, max);
    }

    private int dropped(Connection connection, String statement, int destinationId, int max) throws SQLException {
        try (Query drop = query(connection, statement)) {
            return removed(drop.set("destination_id", destinationId).set("max", max));
        }
    }

    /** Removes shared bodies that no message refers to, and returns how many. */
    int removeUnusedBodies(Connection connection, int max) throws SQLException {
        return removed(connection, "remove_unused_bodies", max);
    }

    /** Removes rows of histories that their queues keep no longer, and returns how many. */
    int purgeHistory(Connection connection, int max) throws SQLException {
        return removed(connection, "purge_history", max);
    }

    private int removed(Connection connection, String statement, int max) throws SQLException {
        try (Query remove = query(connection, statement)) {
            return returned(remove.set("max", max));
        }
    }

    /** The number in the row that a query returns, perhaps after having done other things. */
    static int returned(Query query) throws SQLException {
        int[] number = new int[1];
        query.eachResult((rows, result) -> number[0] = rows.next() ? rows.getInt(1) : 0);
        return number[0];
    }

    /** How many rows a query has removed that may consist of several statements. */
    int removed(Query query) throws SQLException {
        return query.update();
    }

    /** Forgets duplicate ids whose time is over, stepping over those that somebody is using again. */
    int forgetDuplicates(Connection connection, int max) throws SQLException {
        try (Query forget = query(connection, "forget_duplicates")) {
            return removed(forget.set("max", max));
        }
    }

    /** Removes expired messages, stepping over those that somebody has claimed, and returns how many. */
    abstract int removeExpired(Connection connection, Expired expired) throws SQLException;

    // Arrivals

    abstract void bindIds(Query query, Collection<Integer> destinationIds) throws SQLException;

    /** Whether the database can wake a waiting JVM. */
    boolean hasBell() {
        return false;
    }

    // Presence

    /**
     * Takes the lock that shows that an instance lives, for as long as the connection does. The row of the instance exists.
     *
     * @return false if somebody holds it
     */
    abstract boolean holdPresence(Connection connection, String instance) throws SQLException;

    /** Whether the connection that took that lock still holds it: a driver may have made it anew without a word. */
    boolean holdsPresence(Connection connection, String instance) throws SQLException {
        return true;
    }

    /** Tries that lock, and keeps it until the transaction ends; false if the instance lives. */
    abstract boolean probePresence(Connection connection, String instance) throws SQLException;

    /** Whether that lock can be held without the row, which is then to be looked for once the lock is held. */
    abstract boolean presenceOutlivesItsRow();

    /** Gives that lock back; no transaction is open, and none is left open. */
    abstract void releasePresence(Connection connection, String instance) throws SQLException;

    /** The name of the lock of an instance. */
    final String resource(String instance) {
        return "readpast:" + files.schema() + ":" + instance;
    }
}
