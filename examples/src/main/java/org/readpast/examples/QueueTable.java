package org.readpast.examples;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.readpast.jms.session.SqlSession;

/** The queue as a DBA sees it. */
final class QueueTable {

    private QueueTable() {}

    static void show(Connection connection, String title) throws JMSException, SQLException {
        Display.title(title);
        try (Session session = connection.createSession(Session.SESSION_TRANSACTED);
                Statement statement = ((SqlSession) session).sqlConnection().createStatement()) {
            try (ResultSet rows =
                    statement.executeQuery("SELECT * FROM " + OwnSchema.NAME + ".queue_overview ORDER BY 1")) {
                Display.table(rows);
            }
        }
    }
}
