package org.readpast.jms.tck.rows;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.readpast.jms.tck.rig.TestDatabase;

/** The tables of messages as somebody sees and changes them who need not be a client. */
record RowTable(TestDatabase database, String schema) {

    /**
     * What of a row must stay as it is.
     *
     * @param body in hexadecimal, null for none
     */
    record Content(String properties, int kind, int format, long length, String body) {}

    /**
     * Lets rows in that the database refuses, as a table does that was restored without its constraints. SQL Server has none to drop. Tests
     * that run at the same time drop them once.
     */
    void dropChecks() throws SQLException {
        synchronized (RowTable.class) {
            dropThoseLeft();
        }
    }

    private void dropThoseLeft() throws SQLException {
        if (database == TestDatabase.SQLSERVER) {
            database.numberInOrder(schema);
            return;
        }
        List<String> drops = new ArrayList<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            try (ResultSet row = statement.executeQuery(
                    "SELECT table_name, constraint_name FROM information_schema.table_constraints"
                            + " WHERE lower(table_schema) = '" + schema + "' AND constraint_type = 'CHECK'"
                            + " AND lower(table_name) IN ('message', 'delayed_message')"
                            + " AND constraint_name NOT LIKE '%not_null'")) {
                while (row.next()) {
                    drops.add("ALTER TABLE " + schema + "." + row.getString(1) + " DROP CONSTRAINT " + schema(row));
                }
            }
            try (ResultSet row = statement.executeQuery(
                    "SELECT domain_name, constraint_name FROM information_schema.domain_constraints"
                            + " WHERE lower(domain_schema) = '" + schema + "'")) {
                while (row.next()) {
                    drops.add(
                            "ALTER DOMAIN " + schema + "." + row.getString(1) + " DROP CONSTRAINT " + row.getString(2));
                }
            }
            for (String drop : drops) {
                statement.execute(drop);
            }
        }
    }

    private String schema(ResultSet row) throws SQLException {
        return database == TestDatabase.H2 ? schema + "." + row.getString(2) : row.getString(2);
    }

    /** Changes the row of one message. */
    void change(String messageId, String columns) throws SQLException {
        if (update(messageId, columns) != 1) {
            throw new IllegalStateException("There is no message " + messageId);
        }
    }

    /** Changes the row of one message, and returns how many rows that were. */
    int update(String messageId, String columns) throws SQLException {
        return run("UPDATE " + schema + ".message SET " + columns + " WHERE jms_message_id = ?", messageId);
    }

    /** Runs a statement with one parameter, and returns how many rows it has changed. */
    int run(String statement, String parameter) throws SQLException {
        try (Connection connection = counting();
                PreparedStatement change = connection.prepareStatement(statement)) {
            change.setString(1, parameter);
            return change.executeUpdate();
        }
    }

    /** A connection that tells how many rows were changed, whatever the server's or the run's settings are. */
    private Connection counting() throws SQLException {
        Connection connection = database.connect();
        if (database == TestDatabase.SQLSERVER) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET NOCOUNT OFF");
            }
        }
        return connection;
    }

    /** In words, which destinations, subscriptions and messages there are. */
    String described() throws SQLException {
        return "destinations (id, kind, name, version): "
                + rows("SELECT destination_id, kind, name, version FROM " + schema + ".destination")
                + "; subscriptions (id, topic, pattern): "
                + rows("SELECT destination_id, topic_id, pattern FROM " + schema + ".subscription")
                + "; messages (destination, number, most deliveries): "
                + rows("SELECT destination_id, COUNT(*), MAX(delivery_count) FROM " + schema
                        + ".message GROUP BY destination_id");
    }

    /** The content of a message that stands in a queue; null where it does not. */
    Content content(String queue, String messageId) throws SQLException {
        try (Connection connection = database.connect();
                PreparedStatement select = connection.prepareStatement(
                        "SELECT m.properties, m.body_kind, m.body_format, m.body_length, m.body FROM " + schema
                                + ".message m JOIN " + schema + ".destination d ON d.destination_id = m.destination_id"
                                + " WHERE d.name = ? AND m.jms_message_id = ?")) {
            select.setString(1, queue);
            select.setString(2, messageId);
            try (ResultSet row = select.executeQuery()) {
                if (!row.next()) {
                    return null;
                }
                byte[] body = row.getBytes(5);
                return new Content(
                        row.getString(1),
                        row.getInt(2),
                        row.getInt(3),
                        row.getLong(4),
                        body == null ? null : HexFormat.of().formatHex(body));
            }
        }
    }

    /** Why a dead letter could not be read; null where that is not noted. */
    String reason(String messageId) throws SQLException {
        return text("SELECT reason FROM " + schema + ".malformed_message WHERE jms_message_id = ?", messageId);
    }

    /** What the query for malformed rows says is wrong with a message; null where it does not find it. */
    String problem(String messageId) throws SQLException {
        return text("SELECT problem FROM " + schema + ".malformed_message WHERE jms_message_id = ?", messageId);
    }

    /** How many messages the view of messages shows in a queue, each with its text. */
    int shown(String queue) throws SQLException {
        int shown = 0;
        try (Connection connection = database.connect();
                PreparedStatement select = connection.prepareStatement(
                        "SELECT body_text FROM " + schema + ".message_text WHERE name = ?")) {
            select.setString(1, queue);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    row.getString(1);
                    shown++;
                }
            }
        }
        return shown;
    }

    /** What a query with one parameter says in its first row; null where it has none. */
    String text(String query, String parameter) throws SQLException {
        try (Connection connection = database.connect();
                PreparedStatement select = connection.prepareStatement(query)) {
            select.setString(1, parameter);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? row.getString(1) : null;
            }
        }
    }

    /** All rows of a query without parameters, for what a failed test says. */
    List<List<String>> rows(String query) throws SQLException {
        List<List<String>> rows = new ArrayList<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            while (row.next()) {
                List<String> values = new ArrayList<>();
                for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                    values.add(row.getString(i));
                }
                rows.add(values);
            }
        }
        return rows;
    }
}
