package org.readpast.jms.tck.history;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.readpast.jms.tck.rig.TestDatabase;

/** Sets up and reads the history of queues in a schema, as an administrator does. */
public record KeptHistory(TestDatabase database, String schema) {

    /**
     * A row of it.
     *
     * @param inOrder whether it was sent, claimed and completed in this order; null where it was not claimed or that is not known
     * @param bodyLength in bytes, of the body that is kept; null where none is
     */
    public record Row(
            String messageId, String outcome, String consumer, int deliveries, Boolean inOrder, Long bodyLength) {}

    /** Makes a queue that keeps a history. */
    public void keep(String queue) throws SQLException {
        change("INSERT INTO " + schema + ".destination (kind, name, history) VALUES ('Q', ?, 1)", queue);
    }

    /** Changes a queue, which exists. */
    void set(String queue, String columns) throws SQLException {
        change("UPDATE " + schema + ".destination SET " + columns + " WHERE kind = 'Q' AND name = ?", queue);
    }

    private void change(String change, String queue) throws SQLException {
        try (Connection connection = database.connect();
                PreparedStatement statement = connection.prepareStatement(change)) {
            statement.setString(1, queue);
            // With NOCOUNT the driver does not know how many, and says -1.
            if (statement.executeUpdate() == 0) {
                throw new IllegalStateException("There is no queue " + queue);
            }
        }
    }

    /** A queue's history, the oldest first. */
    public List<Row> of(String queue) throws SQLException {
        String length = database == TestDatabase.SQLSERVER ? "DATALENGTH" : "OCTET_LENGTH";
        List<Row> rows = new ArrayList<>();
        try (Connection connection = database.connect();
                PreparedStatement select =
                        connection.prepareStatement("SELECT h.jms_message_id, h.outcome, h.consumer, h.delivery_count,"
                                + " CASE WHEN h.claimed_at IS NULL THEN NULL WHEN h.enqueued_at <= h.claimed_at"
                                + " AND h.claimed_at <= h.completed_at THEN 1 ELSE 0 END, " + length + "(h.body) FROM "
                                + schema + ".message_history h JOIN " + schema
                                + ".destination d ON d.destination_id = h.destination_id"
                                + " WHERE d.name = ? ORDER BY h.history_id")) {
            select.setString(1, queue);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    rows.add(new Row(
                            row.getString(1),
                            row.getString(2),
                            row.getString(3),
                            row.getInt(4),
                            row.getObject(5) == null ? null : row.getInt(5) == 1,
                            row.getObject(6) == null ? null : row.getLong(6)));
                }
            }
        }
        return rows;
    }

    /** The JVMs that are connected. */
    List<String> instances() throws SQLException {
        List<String> instances = new ArrayList<>();
        try (Connection connection = database.connect();
                PreparedStatement select = connection.prepareStatement("SELECT instance FROM " + schema + ".presence");
                ResultSet row = select.executeQuery()) {
            while (row.next()) {
                instances.add(row.getString(1));
            }
        }
        return instances;
    }
}
