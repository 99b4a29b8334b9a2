package org.readpast.jms.tck.ledger;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * What was sent and what was consumed, in two tables of the database that holds the queue. Each line is written on the SQL
 * connection of the JMS session that sends or consumes the message, so it is there if and only if that transaction committed.
 */
final class Ledger {

    private static final int SHOWN = 20;

    private final String name;

    /** @param name an identifier that no other ledger of the database has */
    Ledger(String name) {
        this.name = name;
    }

    void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE " + name + "_sent (message varchar(100) NOT NULL PRIMARY KEY)");
            // No unique key: a message that is consumed twice is to be seen, not to be prevented.
            statement.execute("CREATE TABLE " + name
                    + "_consumed (message varchar(100) NOT NULL, consumer varchar(100) NOT NULL)");
        }
    }

    void drop(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE " + name + "_sent");
            statement.execute("DROP TABLE " + name + "_consumed");
        }
    }

    void sent(Connection session, List<String> messages) throws SQLException {
        try (PreparedStatement insert =
                session.prepareStatement("INSERT INTO " + name + "_sent (message) VALUES (?)")) {
            for (String message : messages) {
                insert.setString(1, message);
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    void consumed(Connection session, List<String> messages, String consumer) throws SQLException {
        try (PreparedStatement insert =
                session.prepareStatement("INSERT INTO " + name + "_consumed (message, consumer) VALUES (?, ?)")) {
            for (String message : messages) {
                insert.setString(1, message);
                insert.setString(2, consumer);
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    long countSent(Connection connection) throws SQLException {
        return count(connection, "_sent");
    }

    long countConsumed(Connection connection) throws SQLException {
        return count(connection, "_consumed");
    }

    private long count(Connection connection, String table) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM " + name + table)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** How the books stand, in words; the first few offenders of each kind by name. */
    record Balance(long sent, long consumed, List<String> lost, List<String> twice, List<String> neverSent) {

        boolean isEven() {
            return sent == consumed && lost.isEmpty() && twice.isEmpty() && neverSent.isEmpty();
        }

        @Override
        public String toString() {
            return sent + " sent, " + consumed + " consumed; sent and not consumed: " + some(lost)
                    + "; consumed more than once: " + some(twice) + "; consumed and never sent: " + some(neverSent);
        }

        private static String some(List<String> messages) {
            return messages.size() <= SHOWN
                    ? messages.size() + " " + messages
                    : messages.size() + " such as " + messages.subList(0, SHOWN);
        }
    }

    Balance balance(Connection connection) throws SQLException {
        return new Balance(
                countSent(connection),
                countConsumed(connection),
                messages(
                        connection,
                        "SELECT s.message FROM " + name + "_sent s WHERE NOT EXISTS (SELECT 1 FROM " + name
                                + "_consumed c WHERE c.message = s.message) ORDER BY s.message"),
                messages(
                        connection,
                        "SELECT message FROM " + name
                                + "_consumed GROUP BY message HAVING count(*) > 1 ORDER BY message"),
                messages(
                        connection,
                        "SELECT c.message FROM " + name + "_consumed c WHERE NOT EXISTS (SELECT 1 FROM " + name
                                + "_sent s WHERE s.message = c.message) ORDER BY c.message"));
    }

    private static List<String> messages(Connection connection, String query) throws SQLException {
        List<String> messages = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                messages.add(rows.getString(1));
            }
        }
        return messages;
    }
}
