package org.readpast.jms.store.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What housekeeping does to the tables, where the databases differ in nothing but their SQL. Thread-safe. */
final class Upkeep {

    private final Dialect dialect;

    Upkeep(Dialect dialect) {
        this.dialect = dialect;
    }

    /** Puts delayed messages that have become due among the others, and returns the queues that got some. */
    Set<Integer> moveDue(Connection connection, int max) throws SQLException {
        Set<Integer> destinations = new TreeSet<>();
        try (Query move = dialect.query(connection, "move_due")) {
            move.set("max", max).eachResult((rows, number) -> {
                while (rows.next()) {
                    destinations.add(rows.getInt(1));
                }
            });
        }
        return destinations;
    }

    /** The queues that have expired messages, with their names. */
    Map<Integer, String> queuesWithExpired(Connection connection) throws SQLException {
        Map<Integer, String> queues = new TreeMap<>();
        try (Query expired = dialect.query(connection, "expired_queues");
                ResultSet rows = expired.rows()) {
            while (rows.next()) {
                queues.put(rows.getInt(1), rows.getString(2));
            }
        }
        return queues;
    }

    /** Forgets markers of commits that are older than so many milliseconds. */
    int forgetMarkers(Connection connection, long ageMillis, int max) throws SQLException {
        try (Query forget = dialect.query(connection, "forget_markers")) {
            return forget.set("age_millis", ageMillis).set("max", max).update();
        }
    }

    /** Milliseconds until the next delayed message is due, -1 where there is none. */
    long millisUntilNextDue(Connection connection) throws SQLException {
        try (Query next = dialect.query(connection, "next_due");
                ResultSet row = next.rows()) {
            return row.next() ? row.getLong(1) : -1;
        }
    }
}
