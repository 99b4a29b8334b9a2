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
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.session.SqlSession;
import org.readpast.jms.tck.rig.Aside;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * The application's SQL on a session's connection becomes a deadlock's victim, and the application goes on as if nothing had been: SQL
 * Server and H2 have rolled everything back, and begin another transaction with its next statement.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SwallowedDeadlockTest {

    private static final long RECEIVE = 20_000;

    private final TestDatabase database;
    private final String account = "account_" + Long.toString(System.nanoTime(), 36);
    private final String queueName = "swallowed." + UUID.randomUUID();

    private java.sql.Connection other;

    SwallowedDeadlockTest(TestDatabase database) {
        this.database = database;
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.requested();
    }

    @BeforeEach
    void openAccounts() throws SQLException {
        try (java.sql.Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE " + account + " (id int NOT NULL PRIMARY KEY, amount int NOT NULL)");
            statement.execute("INSERT INTO " + account + " VALUES (1, 0), (2, 0), (3, 0), (4, 0)");
        }
        beginAnother();
    }

    /** Begins before the session's, and waits for longer. */
    private void beginAnother() throws SQLException {
        other = database.connect();
        if (database == TestDatabase.H2) {
            other.setAutoCommit(false);
            try (Statement others = other.createStatement()) {
                others.execute("SET LOCK_TIMEOUT 60000");
                others.execute("UPDATE " + account + " SET amount = 2 WHERE id = 2");
            }
        }
    }

    @AfterEach
    void closeAccounts() throws SQLException {
        other.close();
        try (java.sql.Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE " + account);
        }
    }

    @Test
    void transaction_that_ended_behind_the_session_is_not_committed_by_halves() throws Exception {
        try (Connection connection = new ReadpastConnectionFactory(database.readpastUrl()).createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            MessageConsumer consumer = receive(connection, session);
            session.createProducer(session.createQueue(queueName + ".answers"))
                    .send(session.createTextMessage("answer"));
            becomeVictim(((SqlSession) session).sqlConnection());

            assertThatThrownBy(session::commit).isInstanceOf(TransactionRolledBackException.class);

            assertAllUndone(session, consumer);
        }
    }

    /** What did not fit into memory has gone out before the commit, and is gone with the transaction. */
    @Test
    void messages_that_were_sent_early_are_not_lost_by_a_commit_that_succeeds() throws Exception {
        try (Connection connection =
                        new ReadpastConnectionFactory(database.readpastUrl("outboxBytes=1")).createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            MessageConsumer consumer = receive(connection, session);
            var answers = session.createProducer(session.createQueue(queueName + ".answers"));
            answers.send(session.createTextMessage("early"));
            answers.send(session.createTextMessage("early too"));
            becomeVictim(((SqlSession) session).sqlConnection());
            // PostgreSQL refuses it, as everything in that transaction.
            Aside.attempt(() -> answers.send(session.createTextMessage("late"))).result();

            assertThatThrownBy(session::commit).isInstanceOf(TransactionRolledBackException.class);

            assertAllUndone(session, consumer);
        }
    }

    /** PostgreSQL rolls back at such a commit, and its driver says nothing of it. */
    @Test
    void commit_of_nothing_but_early_messages_and_rows_is_told_to_be_a_rollback() throws Exception {
        try (Connection connection = new ReadpastConnectionFactory(
                                database.readpastUrl("outboxBytes=1", "verifyCommit=false"))
                        .createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            connection.start();
            Queue queue = session.createQueue(queueName);
            session.createProducer(queue).send(session.createTextMessage("early"));
            becomeVictim(((SqlSession) session).sqlConnection());

            assertThatThrownBy(session::commit).isInstanceOf(TransactionRolledBackException.class);

            assertThat(amount(3)).isZero();
            assertThat(amount(4)).isZero();
            assertThat(session.createConsumer(queue).receiveNoWait()).isNull();
        }
    }

    @Test
    void rollback_after_it_gives_the_message_back_and_the_session_goes_on() throws Exception {
        try (Connection connection = new ReadpastConnectionFactory(database.readpastUrl()).createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            MessageConsumer consumer = receive(connection, session);
            becomeVictim(((SqlSession) session).sqlConnection());

            session.rollback();

            assertAllUndone(session, consumer);
        }
    }

    private MessageConsumer receive(Connection connection, Session session) throws JMSException {
        connection.start();
        Queue queue = session.createQueue(queueName);
        try (Session sending = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            sending.createProducer(queue).send(sending.createTextMessage("order"));
        }
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(text(consumer.receive(RECEIVE))).isEqualTo("order");
        return consumer;
    }

    /** Writes, loses all of it by an error that ends the transaction, and goes on writing. */
    private void becomeVictim(java.sql.Connection own) throws Exception {
        try (Statement business = own.createStatement()) {
            business.execute("UPDATE " + account + " SET amount = 1 WHERE id = 1");
            business.execute("UPDATE " + account + " SET amount = 1 WHERE id = 3");
            if (database == TestDatabase.H2) {
                closeCircle(business);
            } else {
                if (database == TestDatabase.SQLSERVER) {
                    // Any error ends the transaction then, as a deadlock always does.
                    business.execute("SET XACT_ABORT ON");
                }
                assertThatThrownBy(() -> business.execute("INSERT INTO " + account + " VALUES (1, 0)"))
                        .isInstanceOf(SQLException.class);
            }
            String further = "UPDATE " + account + " SET amount = 1 WHERE id = 4";
            if (database == TestDatabase.POSTGRESQL) {
                assertThatThrownBy(() -> business.execute(further)).isInstanceOf(SQLException.class);
            } else {
                business.execute(further);
            }
        }
    }

    /** Of two that wait for each other, H2 ends the younger one. */
    private void closeCircle(Statement business) throws Exception {
        try (java.sql.Connection looking = database.connect();
                Statement look = looking.createStatement();
                Statement others = other.createStatement()) {
            Aside<Exception> older = Aside.attempt(() -> {
                others.execute("UPDATE " + account + " SET amount = 2 WHERE id = 1");
                other.commit();
            });
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                try (ResultSet blocked =
                        look.executeQuery("SELECT 1 FROM INFORMATION_SCHEMA.SESSIONS WHERE BLOCKER_ID IS NOT NULL"
                                + " AND EXECUTING_STATEMENT LIKE '%" + account + "%'")) {
                    return blocked.next();
                }
            });
            assertThatThrownBy(() -> business.execute("UPDATE " + account + " SET amount = 1 WHERE id = 2"))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"));
            assertThat(older.result()).isNull();
        }
    }

    private void assertAllUndone(Session session, MessageConsumer consumer) throws Exception {
        assertThat(amount(3)).isZero();
        assertThat(amount(4)).isZero();
        assertThat(text(consumer.receive(RECEIVE))).isEqualTo("order");
        assertThat(session.createConsumer(session.createQueue(queueName + ".answers"))
                        .receiveNoWait())
                .isNull();
        session.commit();
        assertThat(consumer.receiveNoWait()).isNull();
    }

    private int amount(int id) throws SQLException {
        try (java.sql.Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT amount FROM " + account + " WHERE id = " + id)) {
            row.next();
            return row.getInt(1);
        }
    }

    private static String text(Message message) throws JMSException {
        assertThat(message).isNotNull();
        return ((TextMessage) message).getText();
    }
}
