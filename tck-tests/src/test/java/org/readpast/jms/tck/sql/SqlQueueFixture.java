package org.readpast.jms.tck.sql;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;

/** A queue with a SQL program at one end, in autocommit mode, and a JMS session that acknowledges by itself at the other. */
abstract class SqlQueueFixture {

    static final long PATIENCE = 20_000;

    final TestDatabase database;
    final SqlQueue procedures;
    final String queue = "sql." + UUID.randomUUID();

    java.sql.Connection sql;
    private Connection connection;
    Session session;

    SqlQueueFixture(TestDatabase database) {
        this.database = database;
        this.procedures = new SqlQueue(database);
    }

    @BeforeEach
    void connect() throws JMSException, SQLException {
        procedures.install();
        sql = database.connect();
        connection = new ReadpastConnectionFactory(database.readpastUrl()).createConnection();
        connection.start();
        session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
    }

    @AfterEach
    void disconnect() throws JMSException, SQLException {
        connection.close();
        sql.close();
    }

    // The SQL side

    String send(Object... namesAndValues) throws SQLException {
        return procedures.send(sql, to(queue, namesAndValues));
    }

    /** Calls a procedure for repair on the queue, and returns how many messages it did. */
    long repair(String procedure, Object... namesAndValues) throws SQLException {
        return procedures.count(sql, procedure, to(queue, namesAndValues));
    }

    void sendAll(String... bodies) throws SQLException {
        for (String body : bodies) {
            send("body", body);
        }
    }

    static Map<String, Object> to(String queue, Object... namesAndValues) {
        Map<String, Object> parameters = SqlQueue.with("queue", queue);
        parameters.putAll(SqlQueue.with(namesAndValues));
        return parameters;
    }

    List<SqlRow> receiveBatch(int batch) throws SQLException {
        return receiveBatch(sql, batch);
    }

    List<SqlRow> receiveBatch(java.sql.Connection by, int batch) throws SQLException {
        return procedures.rows(by, "receive_batch", to(queue, "batch", batch));
    }

    /** What a view says about this queue. */
    List<SqlRow> rowsOf(String view) throws SQLException {
        return rowsOf(sql, view);
    }

    List<SqlRow> rowsOf(java.sql.Connection by, String view) throws SQLException {
        try (PreparedStatement look = by.prepareStatement("SELECT * FROM " + inSchema(view) + " WHERE name = ?")) {
            look.setString(1, queue);
            return SqlRow.all(look.executeQuery());
        }
    }

    /** A table, view or function with its schema's name before it. */
    String inSchema(String name) {
        return (procedures.isTransactSql() ? "[readpast]." : "readpast.") + name;
    }

    /** A connection that is not in autocommit mode. */
    java.sql.Connection transaction() throws SQLException {
        java.sql.Connection other = database.connect();
        other.setAutoCommit(false);
        return other;
    }

    static List<String> bodies(List<SqlRow> rows) {
        return rows.stream().map(SqlRow::body).toList();
    }

    // The JMS side

    /** Another session of the same connection. */
    Session newSession(int acknowledgeMode) throws JMSException {
        return connection.createSession(acknowledgeMode);
    }

    Message receive() throws JMSException {
        return receive(queue, PATIENCE);
    }

    Message receive(String from, long millis) throws JMSException {
        try (MessageConsumer consumer = session.createConsumer(session.createQueue(from))) {
            return millis == 0 ? consumer.receiveNoWait() : consumer.receive(millis);
        }
    }

    /** The text of the next message, or null where there is none at the moment. */
    String textNow() throws JMSException {
        return text(receive(queue, 0));
    }

    /** The texts of all that can be received now. */
    List<String> drain(String from) throws JMSException {
        List<String> texts = new ArrayList<>();
        for (Message next = receive(from, 0); next != null; next = receive(from, 0)) {
            texts.add(text(next));
        }
        return texts;
    }

    static String text(Message message) throws JMSException {
        return message == null ? null : ((TextMessage) message).getText();
    }

    void sendByJms(String text) throws JMSException {
        session.createProducer(session.createQueue(queue)).send(session.createTextMessage(text));
    }
}
