package org.readpast.jms.tck.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.TransactionRolledBackException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.session.SqlSession;
import org.readpast.jms.tck.rig.Aside;
import org.readpast.jms.tck.rig.PostgresServer;
import org.readpast.jms.tck.rig.SharedPostgres;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * A session's transaction, which carries business SQL, and another transaction wait for each other; the session is the victim,
 * since the other never looks for deadlocks.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DeadlockTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long RECEIVE = 20_000;

    private final PostgresServer server = SharedPostgres.get();
    private final String schema = "deadlock_" + Long.toString(System.nanoTime(), 36);
    private final String account = "account_" + Long.toString(System.nanoTime(), 36);
    private final String queueName = "deadlock." + UUID.randomUUID();

    @BeforeEach
    void openAccounts() throws SQLException {
        server.execute(
                "CREATE TABLE " + account + " (id int PRIMARY KEY, amount int NOT NULL)",
                "INSERT INTO " + account + " VALUES (1, 0), (2, 0)");
    }

    /** Waits until the provider has gone, lest dropping its tables be a deadlock with its housekeeping. */
    @AfterEach
    void closeAccounts() throws SQLException {
        await().atMost(PATIENCE).until(() -> countClients() == 0);
        server.execute("DROP TABLE " + account, "DROP SCHEMA IF EXISTS " + schema + " CASCADE");
    }

    private int countClients() throws SQLException {
        try (java.sql.Connection connection = server.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM " + schema + ".presence")) {
            row.next();
            return row.getInt(1);
        }
    }

    /** Its own schema, whose tables may be locked as a whole without disturbing other tests. */
    private ReadpastConnectionFactory factory() {
        return new ReadpastConnectionFactory(
                TestDatabase.POSTGRESQL.readpastUrl("schema=" + schema, "idleCloseMillis=0"));
    }

    @Test
    void business_sql_that_became_the_victim_makes_commit_a_rollback() throws Exception {
        try (Connection connection = factory().createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED);
                java.sql.Connection other = server.connect()) {
            MessageConsumer consumer = receiveAndAnswer(connection, session);
            Statement business = ((SqlSession) session).sqlConnection().createStatement();
            business.execute("SET LOCAL deadlock_timeout = '100ms'");
            business.execute("UPDATE " + account + " SET amount = 1 WHERE id = 1");
            Statement others = beginPatiently(other);
            others.execute("UPDATE " + account + " SET amount = 2 WHERE id = 2");
            Aside<Exception> waiting = Aside.attempt(() -> {
                others.execute("UPDATE " + account + " SET amount = 2 WHERE id = 1");
                other.commit();
            });
            awaitBlocked(other);

            assertThatThrownBy(() -> business.execute("UPDATE " + account + " SET amount = 1 WHERE id = 2"))
                    .isInstanceOf(SQLException.class)
                    .extracting(thrown -> ((SQLException) thrown).getSQLState())
                    .isEqualTo("40P01");

            assertThatThrownBy(session::commit).isInstanceOf(TransactionRolledBackException.class);
            assertThat(waiting.result()).isNull();
            assertAllUndone(session, consumer);
        }
    }

    @Test
    void commit_that_became_the_victim_is_a_rollback() throws Exception {
        try (Connection connection = factory().createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED);
                java.sql.Connection other = server.connect()) {
            MessageConsumer consumer = receiveAndAnswer(connection, session);
            try (Statement business = ((SqlSession) session).sqlConnection().createStatement()) {
                business.execute("SET LOCAL deadlock_timeout = '100ms'");
                business.execute("UPDATE " + account + " SET amount = 1 WHERE id = 1");
            }
            Statement others = beginPatiently(other);
            // Keeps the commit from writing to the table of messages.
            others.execute("LOCK TABLE " + schema + ".message IN SHARE MODE");
            Aside<Exception> waiting = Aside.attempt(() -> {
                others.execute("UPDATE " + account + " SET amount = 2 WHERE id = 1");
                other.commit();
            });
            awaitBlocked(other);

            assertThatThrownBy(session::commit)
                    .isInstanceOf(TransactionRolledBackException.class)
                    .hasMessageContaining("deadlock");
            assertThat(waiting.result()).isNull();
            assertAllUndone(session, consumer);
        }
    }

    private MessageConsumer receiveAndAnswer(Connection connection, Session session) throws JMSException {
        connection.start();
        Queue queue = session.createQueue(queueName);
        Session sending = connection.createSession(Session.AUTO_ACKNOWLEDGE);
        sending.createProducer(queue).send(sending.createTextMessage("order"));
        sending.close();
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(text(consumer.receive(RECEIVE))).isEqualTo("order");
        session.createProducer(session.createQueue(queueName + ".answers")).send(session.createTextMessage("answer"));
        return consumer;
    }

    private static Statement beginPatiently(java.sql.Connection other) throws SQLException {
        Statement statement = other.createStatement();
        statement.execute("SET deadlock_timeout = '10min'");
        other.setAutoCommit(false);
        return statement;
    }

    private void awaitBlocked(java.sql.Connection other) throws SQLException {
        int pid = other.unwrap(org.postgresql.PGConnection.class).getBackendPID();
        await().atMost(PATIENCE).until(() -> server.number("SELECT cardinality(pg_blocking_pids(" + pid + "))") > 0);
    }

    private void assertAllUndone(Session session, MessageConsumer consumer) throws Exception {
        assertThat(server.number("SELECT amount FROM " + account + " WHERE id = 1"))
                .isEqualTo(2);
        Message again = consumer.receive(RECEIVE);
        assertThat(text(again)).isEqualTo("order");
        assertThat(session.createConsumer(session.createQueue(queueName + ".answers"))
                        .receiveNoWait())
                .isNull();
        session.commit();
        assertThat(consumer.receiveNoWait()).isNull();
    }

    private static String text(Message message) throws JMSException {
        assertThat(message).isNotNull();
        return ((TextMessage) message).getText();
    }
}
