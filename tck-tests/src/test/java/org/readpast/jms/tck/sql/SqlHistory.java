package org.readpast.jms.tck.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Looks at the history of queues. */
record SqlHistory(SqlQueue procedures, Connection connection) {

    /** Columns of a queue's rows, which are called h, the oldest first. */
    List<SqlRow> rows(String queue, String columns) throws SQLException {
        return select(queue, columns, " ORDER BY h.history_id");
    }

    /** Aggregates over a queue's rows. */
    SqlRow row(String queue, String columns) throws SQLException {
        return select(queue, columns, "").get(0);
    }

    long count(String queue) throws SQLException {
        return row(queue, "count(*) AS count").number("count");
    }

    private List<SqlRow> select(String queue, String columns, String order) throws SQLException {
        String schema = procedures.isTransactSql() ? "[readpast]" : "readpast";
        try (PreparedStatement select = connection.prepareStatement("SELECT " + columns + " FROM " + schema
                + ".message_history h JOIN " + schema
                + ".destination d ON d.destination_id = h.destination_id WHERE d.kind = 'Q' AND d.name = ?" + order)) {
            select.setString(1, queue);
            try (ResultSet rows = select.executeQuery()) {
                return SqlRow.all(rows);
            }
        }
    }
}
