package org.readpast.examples;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.readpast.jms.session.SqlSession;

/** The application's own table, written on the session's own SQL connection. */
final class Orders {

    private static final String TABLE = OwnSchema.NAME + ".shop_order";

    private Orders() {}

    static void createTable(Connection connection) throws JMSException, SQLException {
        try (Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            try (Statement statement = sql(session).createStatement()) {
                statement.execute("CREATE TABLE " + TABLE + " (order_id INT NOT NULL PRIMARY KEY,"
                        + " item VARCHAR(100) NOT NULL, shipped_by VARCHAR(20))");
            }
            session.commit();
        }
    }

    static void insert(Session session, int id, String item) throws JMSException, SQLException {
        try (PreparedStatement insert =
                sql(session).prepareStatement("INSERT INTO " + TABLE + " (order_id, item) VALUES (?, ?)")) {
            insert.setInt(1, id);
            insert.setString(2, item);
            insert.executeUpdate();
        }
    }

    static void markShipped(Session session, int id, String by) throws JMSException, SQLException {
        try (PreparedStatement update =
                sql(session).prepareStatement("UPDATE " + TABLE + " SET shipped_by = ? WHERE order_id = ?")) {
            update.setString(1, by);
            update.setInt(2, id);
            update.executeUpdate();
        }
    }

    static void show(Connection connection) throws JMSException, SQLException {
        Display.title("The orders");
        try (Session session = connection.createSession(Session.SESSION_TRANSACTED);
                Statement statement = sql(session).createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT order_id, item, shipped_by FROM " + TABLE + " ORDER BY order_id")) {
            Display.table(rows);
        }
    }

    private static java.sql.Connection sql(Session session) throws JMSException {
        return ((SqlSession) session).sqlConnection();
    }
}
