package org.readpast.bridge;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.readpast.jms.session.SqlSession;
import org.readpast.jms.store.StoreException;

/**
 * A transacted session of Readpast, with what the bridge stores in the same transactions. Used by one thread at a time, as the session is.
 */
final class ReadpastEnd implements End {

    /**
     * @param oldId of the request
     * @param replyTo the temporary queue that its reply goes to, or null
     */
    record Pair(String oldId, String replyTo) {}

    private final Connection connection;
    private final Session session;
    private final MessageProducer producer;
    private final Statements statements;

    ReadpastEnd(Side side, String clientId, Statements statements) throws JMSException {
        this.connection = side.connect();
        try {
            if (clientId != null) {
                connection.setClientID(clientId);
            }
            this.session = connection.createSession(true, Session.SESSION_TRANSACTED);
            this.producer = session.createProducer(null);
            this.statements = statements;
            connection.start();
        } catch (JMSException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    @Override
    public Session session() {
        return session;
    }

    @Override
    public MessageProducer producer() {
        return producer;
    }

    private PreparedStatement prepare(String name, Map<String, ?> values) throws JMSException, SQLException {
        return statements.prepare(((SqlSession) session).sqlConnection(), name, values);
    }

    /** What a link has stored here, in this transaction; empty if it has never run. */
    Optional<Batch> find(String link) throws JMSException, SQLException {
        try (PreparedStatement statement = prepare("find_link", Map.of("link_name", link));
                ResultSet rows = statement.executeQuery()) {
            return rows.next()
                    ? Optional.of(Batch.parse(rows.getLong("batch_number"), rows.getString("batch_record")))
                    : Optional.empty();
        }
    }

    void add(String link) throws JMSException, SQLException {
        try (PreparedStatement statement = prepare("add_link", Map.of("link_name", link))) {
            statement.executeUpdate();
        }
    }

    /** Whether the link still was where it was expected, and is at this batch now, once this transaction is committed. */
    boolean step(String link, long expected, Batch batch) throws JMSException, SQLException {
        try (PreparedStatement statement = prepare(
                "step_link",
                Map.of(
                        "link_name",
                        link,
                        "expected_number",
                        expected,
                        "batch_number",
                        batch.number(),
                        "batch_record",
                        batch.text()))) {
            return statements.changed(statement) == 1;
        }
    }

    void addPair(String bridge, Crossing crossing) throws JMSException, SQLException {
        Map<String, Object> values = new HashMap<>();
        values.put("bridge", bridge);
        values.put("new_id", crossing.newId());
        values.put("old_id", crossing.oldId());
        values.put("correlation_id", crossing.correlationId());
        values.put("reply_to", crossing.replyTo());
        values.put("made_at", System.currentTimeMillis());
        try (PreparedStatement statement = prepare("add_pair", values)) {
            statement.executeUpdate();
        }
    }

    Optional<Pair> findPair(String bridge, String newId) throws JMSException, SQLException {
        try (PreparedStatement statement = prepare("find_pair", Map.of("bridge", bridge, "new_id", newId));
                ResultSet rows = statement.executeQuery()) {
            return rows.next()
                    ? Optional.of(new Pair(rows.getString("old_id"), rows.getString("reply_to")))
                    : Optional.empty();
        }
    }

    /** The temporary queues that replies to requests with this correlation id go to. */
    Set<String> requesters(String bridge, String correlationId) throws JMSException, SQLException {
        Set<String> requesters = new TreeSet<>();
        try (PreparedStatement statement =
                        prepare("find_requests", Map.of("bridge", bridge, "correlation_id", correlationId));
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                requesters.add(rows.getString("reply_to"));
            }
        }
        return requesters;
    }

    /** In short transactions. */
    void forgetPairs(String bridge, long madeBefore) throws JMSException, SQLException {
        int forgotten;
        do {
            try (PreparedStatement statement =
                    prepare("forget_pairs", Map.of("bridge", bridge, "made_before", madeBefore))) {
                forgotten = statements.changed(statement);
            }
            session.commit();
        } while (forgotten > 0);
    }

    /** Makes the tables of the bridge, or leaves those that are there. */
    void createTables() throws JMSException, SQLException {
        statements.createTables(((SqlSession) session).sqlConnection());
        session.commit();
    }

    /**
     * Whether an error may be a message's own: it is not where the database was not reached, or had to do with others. What has another cause
     * than the database, such as an error of the broker's, may be.
     */
    static boolean hasRefused(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof StoreException problem) {
                return problem.failure().mayBeOfOneMessage();
            }
            if (cause instanceof SQLException problem && isOfConnection(problem.getSQLState())) {
                return false;
            }
        }
        return true;
    }

    /** Connections that are lost or refused, and what PostgreSQL tells those that it ends. */
    private static boolean isOfConnection(String sqlState) {
        return sqlState != null && (sqlState.startsWith("08") || sqlState.startsWith("57P"));
    }

    /** Whether transactions can still be committed here; the one that is under way is rolled back. */
    boolean works(String link) {
        try {
            session.rollback();
            Optional<Batch> row = find(link);
            boolean isHere = row.isPresent() && step(link, row.get().number(), row.get());
            session.commit();
            return isHere;
        } catch (JMSException | SQLException e) {
            return false;
        }
    }

    @Override
    public void close() throws JMSException {
        connection.close();
    }
}
