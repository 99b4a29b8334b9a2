package org.readpast.jms.store.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.StoredMessage;

/**
 * SQL Server 2016 and later: UPDLOCK and READPAST, sets of keys as JSON, application locks. Switching autocommit costs a round
 * trip here, so it stays off, and what is to be committed at once carries its COMMIT along.
 */
final class SqlServerDialect extends Dialect {

    private static final Pattern BATCH_END = Pattern.compile("(?im)^\\s*GO\\s*$");
    /**
     * The counts of changed rows are relied upon, and a server, a login or a DataSource may have turned them off. Within a call with
     * parameters the setting goes back at its end.
     */
    private static final String COUNTS = "SET NOCOUNT OFF;\n";

    private static final int NO_SUCH_OBJECT = 208;
    private static final int CLAIM_LOST = 50001;
    private static final int LOCK_HELD = 50002;

    SqlServerDialect(StoreOptions options) {
        super(Vendor.SQL_SERVER, new SqlFiles("sqlserver", options.schema(), COUNTS), options.sizes());
    }

    @Override
    boolean sendsNationalStrings() {
        return true;
    }

    /** Asked by what is needed: a database that was restored from an old server keeps its level. */
    @Override
    void onOpen(Connection connection) throws SQLException {
        try (Query parse = query(connection, "parse_json");
                ResultSet row = parse.rows()) {
            row.next();
        } catch (SQLException e) {
            if (e.getErrorCode() != NO_SUCH_OBJECT) {
                throw e;
            }
            throw new SQLFeatureNotSupportedException(tooOld(connection), Failures.OWN, e);
        }
    }

    private String tooOld(Connection connection) throws SQLException {
        try (Query level = query(connection, "compatibility_level");
                ResultSet row = level.rows()) {
            String found = row.next() ? row.getString(1) : "unknown";
            return "Database " + connection.getCatalog() + " has compatibility level " + found
                    + ", at which it does not know OPENJSON; Readpast needs 130, that of SQL Server 2016: ALTER DATABASE ["
                    + connection.getCatalog() + "] SET COMPATIBILITY_LEVEL = 130";
        }
    }

    /** What goes with several sets of values in one round trip goes without other settings, and relies on counts too. */
    @Override
    String initialSql() {
        return "SET NOCOUNT OFF; SET XACT_ABORT OFF";
    }

    /** The driver runs {@code SELECT 1}, and a SELECT from no table begins no implicit transaction. */
    @Override
    boolean probeBeginsTransaction() {
        return false;
    }

    @Override
    TransactionMark mark() {
        return new TransactionMark.Lock(this);
    }

    @Override
    List<String> startupChecks() {
        return List.of("check_settings", "check_tables", "check_ghosts");
    }

    /** By locks, and not by row versions. READPAST is refused above it. */
    @Override
    int highestIsolation() {
        return Connection.TRANSACTION_REPEATABLE_READ;
    }

    @Override
    boolean knowsIsolationLocally() {
        return true;
    }

    @Override
    BodyFormat textFormat() {
        return BodyFormat.UTF_16LE;
    }

    @Override
    List<String> schemaScripts() {
        return List.of(
                "001-tables.sql",
                "002-views.sql",
                "003-procedures.sql",
                "004-history.sql",
                "005-repair.sql",
                "006-observe.sql");
    }

    @Override
    void lockSchema(Connection connection) throws SQLException {
        applicationLock(connection, "lock_schema", "schema");
    }

    @Override
    void unlockSchema(Connection connection) throws SQLException {
        applicationLock(connection, "unlock_schema", "schema");
    }

    @Override
    void runScript(Connection connection, String text) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String batch : BATCH_END.split(text, -1)) {
                if (!batch.isBlank()) {
                    Query.readAll(statement, statement.execute(batch), (rows, number) -> {});
                }
            }
        }
    }

    @Override
    void insertAndCommit(Connection connection, NewMessage message) throws SQLException {
        long now = System.nanoTime();
        boolean delayed = MessageRow.remainingDelay(message, now) > 0;
        try (Query insert = query(connection, delayed ? "insert_delayed_and_commit" : "insert_message_and_commit")) {
            MessageRow.bind(insert, message, textFormat(), now);
            insert.update();
        }
    }

    @Override
    int publishAndCommit(Connection connection, Sends.Copies copies) throws SQLException {
        long now = System.nanoTime();
        String statement = copies.isDelayed(now) ? "publish_delayed_and_commit" : "publish_message_and_commit";
        int[] inserted = new int[1];
        try (Query publish = query(connection, statement)) {
            bindCopies(publish, copies, now);
            publish.eachResult((rows, number) -> inserted[0] = rows.next() ? rows.getInt(1) : 0);
        }
        return inserted[0];
    }

    @Override
    void markAndCommit(Connection connection, String token) throws SQLException {
        new LiteralBatch(files().statement("mark_and_commit"))
                .set("token", UUID.fromString(token))
                .eachResult(connection, (rows, number) -> {});
    }

    @Override
    List<StoredMessage> claim(Connection connection, ClaimRequest request) throws SQLException {
        try (Query claim = query(connection, "claim")) {
            bindClaim(claim, request);
            return readClaimed(claim);
        }
    }

    private void bindClaim(Query claim, ClaimRequest request) throws SQLException {
        bindRange(claim, request.destinationId(), request.after(), request.max());
        claim.set("max_inline_body", maxInlineBody(request.max()));
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
        query.eachResult((rows, number) -> messages.addAll(MessageRow.readClaimed(rows, sizes())));
        return messages;
    }

    @Override
    List<StoredMessage> claimByKey(Connection connection, List<MessageKey> keys, int max) throws SQLException {
        boolean all = keys.size() <= max;
        try (Query claim = query(connection, all ? "claim_by_key" : "claim_first_by_key")) {
            claim.set("keys", MessageRow.json(keys)).set("max_inline_body", maxInlineBody(Math.min(keys.size(), max)));
            if (!all) {
                claim.set("max", max);
            }
            List<StoredMessage> claimed = readClaimed(claim);
            claimed.sort(Comparator.comparing(StoredMessage::key));
            return claimed;
        }
    }

    @Override
    int acknowledge(Connection connection, Collection<MessageKey> keys, Witness witness) throws SQLException {
        try (Query delete = query(connection, "acknowledge")) {
            return delete.set("keys", acknowledged(keys)).update();
        }
    }

    @Override
    int acknowledgeWithHistory(Connection connection, Collection<MessageKey> keys, Integer heldMillis, String consumer)
            throws SQLException {
        try (Query delete = query(connection, "acknowledge_with_history")) {
            return delete.set("keys", acknowledged(keys))
                    .set("held_millis", heldMillis)
                    .set("consumer", consumer)
                    .update();
        }
    }

    @Override
    boolean pipelines() {
        return true;
    }

    @Override
    Pipelined acknowledgeAndClaim(Connection connection, Collection<MessageKey> keys, ClaimRequest next)
            throws SQLException {
        List<StoredMessage> claimed = new ArrayList<>();
        boolean[] committed = new boolean[1];
        try (Query pipeline = query(connection, "acknowledge_and_claim")) {
            pipeline.set("keys", acknowledged(keys)).set("expected", keys.size());
            bindClaim(pipeline, next);
            pipeline.eachResult((rows, number) -> {
                if (committed[0]) {
                    claimed.addAll(MessageRow.readClaimed(rows, sizes()));
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
        new LiteralBatch(files().statement("acknowledge_and_commit"))
                .set("keys", keys)
                .set("expected", keys.size())
                .eachResult(connection, (rows, number) -> {});
    }

    @Override
    boolean acknowledgeAndLook(Connection connection, Collection<MessageKey> keys, int destinationId)
            throws SQLException {
        boolean[] holdsAny = new boolean[1];
        new LiteralBatch(files().statement("acknowledge_and_look"))
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
            return removed(remove);
        }
    }

    /** Of several statements the last one tells; counts would also be missing where the server or a DataSource sets NOCOUNT. */
    @Override
    int removed(Query query) throws SQLException {
        return returned(query);
    }

    @Override
    void bindIds(Query query, Collection<Integer> destinationIds) throws SQLException {
        query.set(
                "destination_ids",
                destinationIds.stream().map(String::valueOf).collect(Collectors.joining(",", "[", "]")));
    }

    @Override
    boolean holdPresence(Connection connection, String instance) throws SQLException {
        return granted(connection, "hold_presence", instance);
    }

    @Override
    boolean holdsPresence(Connection connection, String instance) throws SQLException {
        try (Query holds = query(connection, "holds_presence");
                ResultSet row = holds.set("resource", resource(instance)).rows()) {
            return row.next() && row.getBoolean(1);
        }
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
        applicationLock(connection, "release_presence", instance);
        connection.commit();
    }

    private boolean granted(Connection connection, String statement, String instance) throws SQLException {
        try {
            applicationLock(connection, statement, instance);
            return true;
        } catch (SQLException e) {
            if (e.getErrorCode() == LOCK_HELD) {
                return false;
            }
            throw e;
        }
    }

    /** Takes or gives back an application lock; the results of its statements do not matter, only that none fails. */
    private void applicationLock(Connection connection, String statement, String instance) throws SQLException {
        try (Query lock = query(connection, statement)) {
            lock.set("resource", resource(instance)).eachResult((row, number) -> row.next());
        }
    }
}
