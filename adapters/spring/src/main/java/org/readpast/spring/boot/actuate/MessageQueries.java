package org.readpast.spring.boot.actuate;

import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.jms.JmsConnection;
import org.readpast.jms.session.SqlSession;

/** What is asked of the connection factory's own database for the Actuator, in transactions of a session's own. Thread-safe. */
final class MessageQueries {

    /** H2 has no view that stops counting. Temporary destinations come and go, and are left out. */
    private static final String DEPTHS =
            "SELECT kind, name, depth, at_least, oldest_enqueued_at, oldest_seconds FROM %s.queue_depth"
                    + " WHERE kind IN ('Q', 'S') ORDER BY name";

    private static final String DEPTHS_OF_H2 = "SELECT kind, name, depth, 0 AS at_least, oldest_enqueued_at,"
            + " DATEDIFF(SECOND, oldest_enqueued_at, CURRENT_TIMESTAMP) AS oldest_seconds FROM %s.queue_overview"
            + " WHERE kind IN ('Q', 'S') ORDER BY name";

    private static final String PRESENT =
            "SELECT COUNT(*) FROM %s.presence WHERE instance = ? AND missing_since IS NULL";

    private final ReadpastConnectionFactory factory;

    MessageQueries(ReadpastConnectionFactory factory) {
        this.factory = factory;
    }

    @FunctionalInterface
    private interface Question<T> {
        T ask(java.sql.Connection connection, String instance) throws SQLException;
    }

    private <T> T ask(Question<T> question) throws JMSException, SQLException {
        try (JmsConnection connection = (JmsConnection) factory.createConnectionWithoutClientId();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            return question.ask(((SqlSession) session).sqlConnection(), connection.instance());
        }
    }

    /**
     * Those of all queues and subscriptions.
     *
     * @throws SQLException if the application's user may not read the view, among others: the role readpast_observe may
     */
    List<QueueDepth> depths() throws JMSException, SQLException {
        return ask((connection, instance) -> {
            boolean isH2 = connection.getMetaData().getDatabaseProductName().equals("H2");
            try (PreparedStatement statement = connection.prepareStatement(in(isH2 ? DEPTHS_OF_H2 : DEPTHS));
                    ResultSet rows = statement.executeQuery()) {
                List<QueueDepth> depths = new ArrayList<>();
                while (rows.next()) {
                    depths.add(new QueueDepth(
                            rows.getString("kind"),
                            rows.getString("name"),
                            rows.getLong("depth"),
                            rows.getInt("at_least") == 1,
                            instant(rows),
                            rows.getObject("oldest_seconds", Long.class)));
                }
                return depths;
            }
        });
    }

    /** Whether this JVM's row is there and nobody has found it without its lock. */
    boolean isPresent() throws JMSException, SQLException {
        return ask((connection, instance) -> {
            try (PreparedStatement statement = connection.prepareStatement(in(PRESENT))) {
                statement.setString(1, instance);
                try (ResultSet rows = statement.executeQuery()) {
                    rows.next();
                    return rows.getInt(1) > 0;
                }
            }
        });
    }

    /** A schema's name is a plain word; the factory has seen to that. */
    private String in(String query) {
        return String.format(query, factory.schema());
    }

    /** SQL Server's column has no offset, and is in UTC. */
    private static Instant instant(ResultSet rows) throws SQLException {
        Object value = rows.getObject("oldest_enqueued_at");
        if (value == null) {
            return null;
        }
        return rows.getMetaData()
                        .getColumnTypeName(rows.findColumn("oldest_enqueued_at"))
                        .equals("datetime2")
                ? rows.getObject("oldest_enqueued_at", LocalDateTime.class).toInstant(ZoneOffset.UTC)
                : rows.getObject("oldest_enqueued_at", OffsetDateTime.class).toInstant();
    }
}
