package org.readpast.bridge.ends;

import jakarta.jms.Connection;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.MessageProducer;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.readpast.bridge.batch.Batch;
import org.readpast.bridge.batch.Crossing;
import org.readpast.jms.session.SqlSession;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.jdbc.failure.Failures;
import org.readpast.jms.store.jdbc.failure.Vendor;

/**
 * A transacted session of Readpast, with what the bridge stores in the same transactions. Used by one thread at a time, as the session is.
 */
public final class ReadpastEnd implements End {

    /**
     * A request that has crossed.
     *
     * @param oldId of the request
     * @param replyTo the temporary queue that its reply goes to, or null
     */
    public record Pair(String oldId, String replyTo) {}

    private static final Failures FAILURES = new Failures(Vendor.UNKNOWN);

    private final Connection connection;
    private final Session session;
    private final MessageProducer producer;
    private final Statements statements;
    private Session ahead;

    /**
     * On a connection, which is closed with this, and if making it fails.
     *
     * @param connection not started yet
     * @param clientId null for none
     * @throws JMSException if the client id is in use, or the database cannot be reached
     */
    public ReadpastEnd(Connection connection, String clientId, Statements statements) throws JMSException {
        this.connection = connection;
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
        return prepare(session, name, values);
    }

    private PreparedStatement prepare(Session in, String name, Map<String, ?> values)
            throws JMSException, SQLException {
        return statements.prepare(((SqlSession) in).sqlConnection(), name, values);
    }

    /** What a link has stored here, in this transaction; empty if it has never run. */
    public Optional<Batch> find(String link) throws JMSException, SQLException {
        try (PreparedStatement statement = prepare("find_link", Map.of("link_name", link));
                ResultSet rows = statement.executeQuery()) {
            return rows.next()
                    ? Optional.of(Batch.parse(rows.getLong("batch_number"), rows.getString("batch_record")))
                    : Optional.empty();
        }
    }

    /**
     * Adds a link that has never run, in this transaction.
     *
     * @throws SQLException if it is there already
     */
    public void add(String link) throws JMSException, SQLException {
        try (PreparedStatement statement = prepare("add_link", Map.of("link_name", link))) {
            statement.executeUpdate();
        }
    }

    /** Whether the link still was where it was expected, and is at this batch now, once this transaction is committed. */
    public boolean step(String link, long expected, Batch batch) throws JMSException, SQLException {
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

    /** Adds what replies to requests are found by, in this transaction. */
    public void addPairs(String bridge, List<Crossing> requests) throws JMSException, SQLException {
        for (Crossing request : requests) {
            addPair(session, bridge, request);
        }
    }

    /**
     * The same in a transaction of its own, ahead of one of the broker's that gives the requests out. By their new ids those that it does not give
     * out are never found; by correlation id and temporary queue they are, as those of requesters that have gone are.
     */
    public void addPairsAhead(String bridge, List<Crossing> requests) throws JMSException, SQLException {
        if (requests.isEmpty()) {
            return;
        }
        if (ahead == null) {
            ahead = connection.createSession(true, Session.SESSION_TRANSACTED);
        }
        for (Crossing request : requests) {
            addPair(ahead, bridge, request);
        }
        ahead.commit();
    }

    private void addPair(Session in, String bridge, Crossing crossing) throws JMSException, SQLException {
        Map<String, Object> values = new HashMap<>();
        values.put("bridge", bridge);
        values.put("new_id", crossing.newId());
        values.put("old_id", crossing.oldId());
        values.put("correlation_id", crossing.correlationId());
        values.put("reply_to", crossing.replyTo());
        values.put("made_at", System.currentTimeMillis());
        try (PreparedStatement statement = prepare(in, "add_pair", values)) {
            statement.executeUpdate();
        }
    }

    /** The request that has crossed and has this id now; empty if there is none. */
    public Optional<Pair> findPair(String bridge, String newId) throws JMSException, SQLException {
        try (PreparedStatement statement = prepare("find_pair", Map.of("bridge", bridge, "new_id", newId));
                ResultSet rows = statement.executeQuery()) {
            return rows.next()
                    ? Optional.of(new Pair(rows.getString("old_id"), rows.getString("reply_to")))
                    : Optional.empty();
        }
    }

    /** The temporary queues that replies to requests with this correlation id go to. */
    public Set<String> requesters(String bridge, String correlationId) throws JMSException, SQLException {
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

    /** Removes what replies are found by of requests that crossed earlier than that, in short transactions. */
    public void forgetPairs(String bridge, long madeBefore) throws JMSException, SQLException {
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
    public void createTables() throws JMSException, SQLException {
        statements.createTables(((SqlSession) session).sqlConnection());
        session.commit();
    }

    /**
     * Whether an error may be a message's own: it is not where the database was not reached, or had to do with others, where the broker's client
     * has failed over, and where an administrator has to end it: a pause, a lack of space that is told as such, a target of all messages that is
     * not there, was moved or is not allowed. What has another cause, such as another error of the broker's, may be; of the bridge's own tables
     * only a value that they do not take. Where each message has a target of its own, one that is not there is the message's own; a broker that
     * may not make it anew calls it not allowed.
     *
     * @param isTargetOfAll whether all messages have the same target
     */
    public static boolean hasRefused(Throwable error, boolean isTargetOfAll) {
        if (isTargetOfAll && error instanceof InvalidDestinationException) {
            return false;
        }
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof ResourceAllocationException
                    || (isTargetOfAll && cause instanceof JMSSecurityException)) {
                return false;
            }
            if (cause instanceof StoreException problem) {
                return problem.failure().mayBeOfOneMessage();
            }
            if (cause instanceof SQLException problem) {
                return FAILURES.classify(problem) == Failure.DATA;
            }
        }
        // So a broker's client says that it has lost its connection and has another one now.
        return !(error instanceof TransactionRolledBackException);
    }

    /** Whether transactions can still be committed here; the one that is under way is rolled back. */
    public boolean works(String link) {
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
