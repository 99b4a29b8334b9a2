package org.readpast.jms.store.jdbc.upkeep;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;

/** What housekeeping does to the tables of one database. Thread-safe. */
public class Upkeep {

    final Statements statements;

    /** The id of the body behind which to look for others that are not used. */
    final AtomicLong lastBody = new AtomicLong();

    public Upkeep(Statements statements) {
        this.statements = statements;
    }

    /** Puts delayed messages that have become due among the others, and returns the queues that got some. */
    public final Set<Integer> moveDue(Connection connection, int max) throws SQLException {
        try (Query move = statements.query(connection, "move_due")) {
            return new TreeSet<>(move.set("max", max).values(ResultSet::getInt));
        }
    }

    /** The queues that have expired messages, with the names that decide where those go. */
    public final Map<Integer, String> queuesWithExpired(Connection connection) throws SQLException {
        Map<Integer, String> queues = new TreeMap<>();
        try (Query expired = statements.query(connection, "expired_queues");
                ResultSet rows = expired.rows()) {
            while (rows.next()) {
                queues.put(rows.getInt("destination_id"), rows.getString("name"));
            }
        }
        return queues;
    }

    /** Forgets markers of commits that are older than this many milliseconds. */
    public final int forgetMarkers(Connection connection, long ageMillis, int max) throws SQLException {
        try (Query forget = statements.query(connection, "forget_markers")) {
            return forget.set("age_millis", ageMillis).set("max", max).removed();
        }
    }

    /** Milliseconds until the next delayed message is due, -1 where there is none. */
    public final long millisUntilNextDue(Connection connection) throws SQLException {
        try (Query next = statements.query(connection, "next_due")) {
            return next.value(ResultSet::getLong).orElse(-1L);
        }
    }

    /** Removes messages of a destination that is gone, stepping over those that somebody has claimed, and returns how many. */
    public int dropMessages(Connection connection, int destinationId, int max) throws SQLException {
        return removeOf(connection, "drop_messages", destinationId, max);
    }

    /** The same with delayed ones, but for leased ones. */
    public int dropDelayed(Connection connection, int destinationId, int max) throws SQLException {
        return removeOf(connection, "drop_delayed", destinationId, max);
    }

    private int removeOf(Connection connection, String statement, int destinationId, int max) throws SQLException {
        try (Query remove = statements.query(connection, statement)) {
            return remove.set("destination_id", destinationId).set("max", max).removed();
        }
    }

    /**
     * Removes shared bodies that no message refers to, and returns whether it has found as many as it removes at once, though not all of
     * them could be removed. Where it ends the next call goes on: bodies may be many that messages refer to for long.
     */
    public boolean removeUnusedBodies(Connection connection, int max) throws SQLException {
        AtomicBoolean more = new AtomicBoolean();
        try (Query remove = statements.query(connection, "remove_unused_bodies")) {
            remove.set("behind", lastBody.get()).set("max", max).eachResult((row, number) -> {
                if (row.next()) {
                    more.set(row.getBoolean("more"));
                    lastBody.set(row.getLong("last"));
                }
            });
        }
        return more.get();
    }

    /** Removes rows of histories that their queues keep no longer, and returns how many. */
    public int purgeHistory(Connection connection, int max) throws SQLException {
        return remove(connection, "purge_history", max);
    }

    /** Forgets duplicate ids whose time is over, stepping over those that somebody is using again. */
    public int forgetDuplicates(Connection connection, int max) throws SQLException {
        try (Query forget = statements.query(connection, "forget_duplicates")) {
            return forget.set("max", max).removed();
        }
    }

    private int remove(Connection connection, String statement, int max) throws SQLException {
        try (Query remove = statements.query(connection, statement)) {
            return remove.set("max", max).removed();
        }
    }

    /** Removes expired messages, stepping over those that somebody has claimed, and returns how many. */
    public int removeExpired(Connection connection, Expired expired) throws SQLException {
        try (Query remove = statements.query(connection, expired.statement())) {
            expired.bindTarget(
                    remove.set("destination_id", expired.destinationId()).set("max", expired.max()));
            return remove.removed();
        }
    }
}
