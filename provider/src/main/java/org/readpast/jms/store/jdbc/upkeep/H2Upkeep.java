package org.readpast.jms.store.jdbc.upkeep;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.jdbc.claim.MessageTable;
import org.readpast.jms.store.jdbc.row.MessageRow;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;

/** On H2, one by one: where a statement could not step over locked rows, they are locked first. */
public final class H2Upkeep extends Upkeep {

    private final MessageTable table;

    public H2Upkeep(Statements statements, MessageTable table) {
        super(statements);
        this.table = table;
    }

    /** Those that are claimed are passed by, page after page. */
    @Override
    public int dropMessages(Connection connection, int destinationId, int max) throws SQLException {
        int removed = 0;
        MessageKey after = null;
        try (Query remove = statements.query(connection, "acknowledge")) {
            while (true) {
                List<MessageKey> keys = table.list(connection, destinationId, after, max - removed);
                for (MessageKey key : table.lock(connection, keys)) {
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
    public int dropDelayed(Connection connection, int destinationId, int max) throws SQLException {
        int removed = 0;
        try (Query lock = statements.query(connection, "lock_delayed");
                Query remove = statements.query(connection, "drop_delayed");
                ResultSet rows = lock.set("destination_id", destinationId)
                        .set("max", max)
                        .rows()) {
            while (rows.next()) {
                removed += remove.set("due_at", rows.getString("due_at"))
                        .set("message_id", rows.getLong("message_id"))
                        .update();
            }
        }
        return removed;
    }

    @Override
    public boolean removeUnusedBodies(Connection connection, int max) throws SQLException {
        try (Query unused = statements.query(connection, "unused_bodies");
                Query remove = statements.query(connection, "remove_unused_bodies")) {
            List<Long> ids =
                    unused.set("behind", lastBody.get()).set("max", max).values(ResultSet::getLong);
            for (long id : ids) {
                remove.set("body_id", id).update();
            }
            lastBody.set(ids.size() < max ? 0 : ids.get(max - 1));
            return ids.size() == max;
        }
    }

    @Override
    public int forgetDuplicates(Connection connection, int max) throws SQLException {
        int forgotten = 0;
        try (Query stale = statements.query(connection, "stale_duplicates");
                Query forget = statements.query(connection, "forget_duplicates");
                ResultSet rows = stale.set("max", max).rows()) {
            while (rows.next()) {
                forget.set("destination_id", rows.getInt("destination_id"))
                        .set("duplicate_id", rows.getString("duplicate_id"));
                forgotten += forget.update();
            }
        }
        return forgotten;
    }

    /** Those that are claimed are passed by, page after page. */
    @Override
    public int removeExpired(Connection connection, Expired expired) throws SQLException {
        int removed = 0;
        int passedBy = 0;
        try (Query list = statements.query(connection, "expired");
                Query remove = statements.query(connection, removal(expired))) {
            expired.bindTarget(remove);
            while (true) {
                int max = expired.max() - removed;
                list.set("destination_id", expired.destinationId())
                        .set("max", max)
                        .set("behind", passedBy);
                List<MessageKey> keys = MessageRow.keys(list);
                for (MessageKey key : keys) {
                    if (table.hold(connection, key)) {
                        MessageRow.bindKey(remove, key);
                        removed += remove.update();
                    } else {
                        passedBy++;
                    }
                }
                if (removed == expired.max() || keys.size() < max) {
                    return removed;
                }
            }
        }
    }

    private static String removal(Expired expired) {
        return expired.target().isPresent() || expired.history() ? expired.statement() : "acknowledge";
    }

    @Override
    public int purgeHistory(Connection connection, int max) throws SQLException {
        int removed = 0;
        try (Query limits = statements.query(connection, "history_limits");
                Query stale = statements.query(connection, "stale_history");
                Query remove = statements.query(connection, "purge_history");
                ResultSet queues = limits.rows()) {
            while (queues.next() && removed < max) {
                Integer most = queues.getObject("history_rows", Integer.class);
                stale.set("destination_id", queues.getInt("destination_id"))
                        .set("days", queues.getObject("history_days", Integer.class))
                        .set("rows", most == null ? Integer.MAX_VALUE : most)
                        .set("max", max - removed);
                for (long row : stale.values(ResultSet::getLong)) {
                    removed += remove.set("row", row).update();
                }
            }
        }
        return removed;
    }
}
