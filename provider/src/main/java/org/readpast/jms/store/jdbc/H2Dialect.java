package org.readpast.jms.store.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.StoredMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * H2. It applies SKIP LOCKED after the row limit, so that the second of two claims would see nothing: here a claim lists keys
 * without locking and then locks each by its key. In the same process a statement costs no round trip.
 */
final class H2Dialect extends Dialect {

    private static final Logger LOG = LoggerFactory.getLogger(H2Dialect.class);
    private static final Object SCHEMA_SCRIPTS = new Object();
    private static final int SCRIPT_ATTEMPTS = 20;
    private static final int DUPLICATE_KEY = 23505;

    H2Dialect(StoreOptions options) {
        super(Vendor.H2, new SqlFiles("h2", options.schema()), options.sizes());
    }

    /** Without it a database in memory, and the messages in it, would go with its last connection. */
    @Override
    void onOpen(Connection connection) throws SQLException {
        if (connection.getMetaData().getURL().startsWith("jdbc:h2:mem:")) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET DB_CLOSE_DELAY -1");
            }
        }
    }

    @Override
    TransactionMark mark() {
        return new TransactionMark.Row(this);
    }

    @Override
    List<String> startupChecks() {
        return List.of("check_settings");
    }

    @Override
    boolean knowsIsolationLocally() {
        return true;
    }

    @Override
    BodyFormat textFormat() {
        return BodyFormat.UTF_8;
    }

    @Override
    void lockSchema(Connection connection) throws SQLException {
        // The scripts may be run twice, and each statement of them commits, so that no lock would outlive it.
    }

    /**
     * Where two JVMs create the same thing at once, one of them fails in spite of its IF NOT EXISTS, and finds it there when it
     * looks again. Each attempt that fails so has met something that is there from then on.
     */
    @Override
    void runScript(Connection connection, String text) throws SQLException {
        synchronized (SCHEMA_SCRIPTS) {
            for (int attempt = 1; ; attempt++) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute(text);
                    return;
                } catch (SQLException e) {
                    if (attempt == SCRIPT_ATTEMPTS) {
                        throw e;
                    }
                    LOG.debug("A schema script failed, perhaps because somebody else is running it; trying again", e);
                }
            }
        }
    }

    @Override
    void insertAndCommit(Connection connection, NewMessage message) throws SQLException {
        insertInAutocommit(connection, message);
    }

    @Override
    void insertMarkAndCommit(Connection connection, NewMessage message, String token) throws SQLException {
        insert(connection, List.of(message), new NoWitness());
        markAndCommit(connection, token);
    }

    @Override
    void markAndCommit(Connection connection, String token) throws SQLException {
        super.markAndCommit(connection, token);
        connection.commit();
    }

    @Override
    int publishAndCommit(Connection connection, Sends.Copies copies) throws SQLException {
        return publishInAutocommit(connection, copies);
    }

    @Override
    Set<DuplicateId> noteDuplicates(Connection connection, SortedSet<DuplicateId> ids, long windowMillis)
            throws SQLException {
        Set<DuplicateId> noted = new TreeSet<>();
        try (Query note = query(connection, "note_duplicates")) {
            note.set("window_millis", windowMillis);
            for (DuplicateId id : ids) {
                note.set("destination_id", id.destinationId()).set("duplicate_id", id.text());
                if (changedOne(note)) {
                    noted.add(id);
                }
            }
        }
        return noted;
    }

    /** Of two that insert the same key at once the one that waited fails, and finds the row of the other when it looks again. */
    private static boolean changedOne(Query merge) throws SQLException {
        while (true) {
            try {
                return merge.update() > 0;
            } catch (SQLException e) {
                if (e.getErrorCode() != DUPLICATE_KEY) {
                    throw e;
                }
            }
        }
    }

    /** Candidates that others hold are passed by, page after page, until enough are locked or none are left. */
    @Override
    List<StoredMessage> claim(Connection connection, ClaimRequest request) throws SQLException {
        List<StoredMessage> claimed = new ArrayList<>();
        int page = Math.max(16, 2 * request.max());
        MessageKey after = request.after();
        try (Query candidates = query(connection, "candidates");
                Query lock = query(connection, "claim_by_key")) {
            while (true) {
                List<MessageKey> keys = keys(candidates, request.destinationId(), after, page);
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

    private static List<MessageKey> keys(Query candidates, int destinationId, MessageKey after, int max)
            throws SQLException {
        bindRange(candidates, destinationId, after, max);
        return MessageRow.keys(candidates);
    }

    private void claimOne(Query lock, MessageKey key, int max, List<StoredMessage> claimed) throws SQLException {
        MessageRow.bindKey(lock, key);
        lock.set("max_inline_body", maxInlineBody(max));
        try (ResultSet row = lock.rows()) {
            claimed.addAll(MessageRow.readClaimed(row, sizes()));
        }
    }

    @Override
    List<StoredMessage> claimByKey(Connection connection, List<MessageKey> keys, int max) throws SQLException {
        List<StoredMessage> claimed = new ArrayList<>();
        try (Query lock = query(connection, "claim_by_key")) {
            for (int i = 0; i < keys.size() && claimed.size() < max; i++) {
                claimOne(lock, keys.get(i), max, claimed);
            }
        }
        return claimed;
    }

    @Override
    int acknowledge(Connection connection, Collection<MessageKey> keys, Witness witness) throws SQLException {
        int deleted = 0;
        try (Query delete = query(connection, "acknowledge")) {
            for (MessageKey key : keys) {
                MessageRow.bindKey(delete, key);
                deleted += delete.update();
            }
        }
        return deleted;
    }

    @Override
    int acknowledgeWithHistory(Connection connection, Collection<MessageKey> keys, Integer heldMillis, String consumer)
            throws SQLException {
        int deleted = 0;
        try (Query delete = query(connection, "acknowledge_with_history")) {
            delete.set("held_millis", heldMillis).set("consumer", consumer);
            for (MessageKey key : keys) {
                MessageRow.bindKey(delete, key);
                deleted += delete.update();
            }
        }
        return deleted;
    }

    @Override
    List<MessageKey> lock(Connection connection, List<MessageKey> keys) throws SQLException {
        List<MessageKey> locked = new ArrayList<>();
        for (MessageKey key : keys) {
            if (hold(connection, key)) {
                locked.add(key);
            }
        }
        return locked;
    }

    @Override
    boolean hold(Connection connection, MessageKey key) throws SQLException {
        try (Query lock = query(connection, "lock_message")) {
            MessageRow.bindKey(lock, key);
            try (ResultSet row = lock.rows()) {
                return row.next();
            }
        }
    }

    /** Those that are claimed are passed by, page after page. */
    @Override
    int dropMessages(Connection connection, int destinationId, int max) throws SQLException {
        int removed = 0;
        MessageKey after = null;
        try (Query remove = query(connection, "acknowledge")) {
            while (true) {
                List<MessageKey> keys = listMessages(connection, destinationId, after, max - removed);
                for (MessageKey key : lock(connection, keys)) {
                    MessageRow.bindKey(remove, key);
                    removed += remove.update();
                }
                if (removed == max || keys.isEmpty()) {
                    return removed;
                }
                after = keys.get(keys.size() - 1);
            }
        }
    }

    @Override
    int dropDelayed(Connection connection, int destinationId, int max) throws SQLException {
        int removed = 0;
        try (Query lock = query(connection, "lock_delayed");
                Query remove = query(connection, "drop_delayed");
                ResultSet rows = lock.set("destination_id", destinationId)
                        .set("max", max)
                        .rows()) {
            while (rows.next()) {
                removed += remove.set("due_at", rows.getString(1))
                        .set("message_id", rows.getLong(2))
                        .update();
            }
        }
        return removed;
    }

    @Override
    int removeUnusedBodies(Connection connection, int max) throws SQLException {
        int removed = 0;
        try (Query unused = query(connection, "unused_bodies");
                Query remove = query(connection, "remove_unused_bodies");
                ResultSet rows = unused.set("max", max).rows()) {
            while (rows.next()) {
                removed += remove.set("body_id", rows.getLong(1)).update();
            }
        }
        return removed;
    }

    @Override
    int forgetDuplicates(Connection connection, int max) throws SQLException {
        int forgotten = 0;
        try (Query stale = query(connection, "stale_duplicates");
                Query forget = query(connection, "forget_duplicates");
                ResultSet rows = stale.set("max", max).rows()) {
            while (rows.next()) {
                forget.set("destination_id", rows.getInt(1)).set("duplicate_id", rows.getString(2));
                forgotten += forget.update();
            }
        }
        return forgotten;
    }

    @Override
    Leases leases() {
        return new H2Leases(this);
    }

    @Override
    int removeExpired(Connection connection, Expired expired) throws SQLException {
        int removed = 0;
        try (Query list = query(connection, "expired");
                Query remove = query(connection, removal(expired))) {
            expired.bindTarget(remove);
            list.set("destination_id", expired.destinationId()).set("max", expired.max());
            for (MessageKey key : MessageRow.keys(list)) {
                if (hold(connection, key)) {
                    MessageRow.bindKey(remove, key);
                    removed += remove.update();
                }
            }
        }
        return removed;
    }

    private static String removal(Expired expired) {
        return expired.target().isPresent() || expired.history() ? expired.statement() : "acknowledge";
    }

    @Override
    int purgeHistory(Connection connection, int max) throws SQLException {
        int removed = 0;
        try (Query limits = query(connection, "history_limits");
                Query stale = query(connection, "stale_history");
                Query remove = query(connection, "purge_history");
                ResultSet queues = limits.rows()) {
            while (queues.next() && removed < max) {
                Integer most = queues.getObject(3, Integer.class);
                stale.set("destination_id", queues.getInt(1))
                        .set("days", queues.getObject(2, Integer.class))
                        .set("rows", most == null ? Integer.MAX_VALUE : most)
                        .set("max", max - removed);
                try (ResultSet rows = stale.rows()) {
                    while (rows.next()) {
                        removed += remove.set("row", rows.getLong(1)).update();
                    }
                }
            }
        }
        return removed;
    }

    @Override
    GroupLocks groupLocks() {
        return new H2GroupLocks(this);
    }

    @Override
    void bindIds(Query query, Collection<Integer> destinationIds) throws SQLException {
        query.set("destination_ids", destinationIds.toArray(new Integer[0]));
    }

    @Override
    boolean holdPresence(Connection connection, String instance) throws SQLException {
        connection.setAutoCommit(false);
        return probePresence(connection, instance);
    }

    @Override
    boolean probePresence(Connection connection, String instance) throws SQLException {
        try (Query lock = query(connection, "hold_presence");
                ResultSet row = lock.set("instance", instance).rows()) {
            return row.next();
        }
    }

    @Override
    boolean presenceOutlivesItsRow() {
        return false;
    }

    /** The lock went with the row. */
    @Override
    void releasePresence(Connection connection, String instance) {}
}
