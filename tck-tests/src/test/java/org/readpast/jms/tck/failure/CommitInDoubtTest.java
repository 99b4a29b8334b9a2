package org.readpast.jms.tck.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.TransactionRolledBackException;
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
import org.readpast.jms.tck.rig.TcpProxy;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * The database commits, and its answer is lost on the way: the client finds out from PostgreSQL what came of the transaction, or,
 * where it cannot or may not, says that it does not know.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CommitInDoubtTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long RECEIVE = 20_000;

    private final String marker = "doubt" + UUID.randomUUID().toString().replace("-", "");
    private final String queue = "doubt." + UUID.randomUUID();
    private TcpProxy proxy;

    /** May not find out. */
    private ReadpastConnectionFactory factory;

    @BeforeEach
    void connect() throws Exception {
        proxy = TcpProxy.to(SharedPostgres.get().port());
        factory = factory("verifyCommit=false");
    }

    private ReadpastConnectionFactory factory(String option) {
        // Without prepared statements the driver says COMMIT in so many words, which the proxy can hear.
        return new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(
                PostgresServer.urlThrough(proxy.port()) + "&prepareThreshold=0",
                "poolTimeoutMillis=5000",
                "idleCloseMillis=0",
                option));
    }

    @AfterEach
    void disconnect() throws Exception {
        proxy.close();
    }

    @Test
    void commit_in_doubt_says_that_it_does_not_know() throws Exception {
        SharedPostgres.get().execute("CREATE TABLE " + marker + " (id int PRIMARY KEY)");
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            Exception thrown = commitUnheard(session, producer, "(1)", "in doubt");

            assertThat(thrown)
                    .isInstanceOf(JMSException.class)
                    .isNotInstanceOf(TransactionRolledBackException.class)
                    .hasMessageContaining("not known");
            // In truth it was carried out, once.
            assertThat(SharedPostgres.get().number("SELECT count(*) FROM " + marker))
                    .isEqualTo(1);
            // The session goes on with its next transaction.
            producer.send(session.createTextMessage("afterwards"));
            session.commit();
            assertReceived(connection, session, "in doubt", "afterwards");
            session.commit();
        } finally {
            SharedPostgres.get().execute("DROP TABLE " + marker);
        }
    }

    @Test
    void commit_in_doubt_is_found_out_from_the_status_of_the_transaction() throws Exception {
        SharedPostgres.get().execute("CREATE TABLE " + marker + " (id int PRIMARY KEY)");
        try (Connection connection = factory("notification=true").createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            Exception thrown = commitUnheard(session, producer, "(1)", "once");

            assertThat(thrown).isNull();
            assertThat(SharedPostgres.get().number("SELECT count(*) FROM " + marker))
                    .isEqualTo(1);
            assertReceived(connection, session, "once");
            session.commit();
        } finally {
            SharedPostgres.get().execute("DROP TABLE " + marker);
        }
    }

    @Test
    void commit_in_doubt_that_was_undone_is_a_rollback() throws Exception {
        SharedPostgres.get().execute("CREATE TABLE " + marker + " (id int PRIMARY KEY DEFERRABLE INITIALLY DEFERRED)");
        try (Connection connection = factory("notification=true").createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            // Which the database refuses when it is to commit, and nobody hears of it.
            Exception thrown = commitUnheard(session, producer, "(1), (1)", "never");

            assertThat(thrown).isInstanceOf(TransactionRolledBackException.class);
            assertReceived(connection, session);
            session.commit();
        } finally {
            SharedPostgres.get().execute("DROP TABLE " + marker);
        }
    }

    /** What the application acknowledged may be acknowledged once more: so there is no doubt left to tell of. */
    @Test
    void acknowledge_in_doubt_is_done_again() throws Exception {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE)) {
            Message message = session.createTextMessage("once");
            message.setJMSCorrelationID(marker);
            session.createProducer(session.createQueue(queue)).send(message);
            connection.start();
            MessageConsumer consumer =
                    session.createConsumer(session.createQueue(queue), "JMSCorrelationID = '" + marker + "'");
            proxy.swallowAnswersTo("commit", marker);
            Message received = consumer.receive(RECEIVE);

            Aside<Exception> acknowledge = Aside.attempt(received::acknowledge);
            await("the answer to be swallowed").atMost(PATIENCE).until(proxy::hasSwallowed);
            proxy.heal();

            assertThat(acknowledge.result()).isNull();
            assertThat(consumer.receiveNoWait()).isNull();
        }
    }

    @Test
    void message_with_a_duplicate_id_can_be_sent_again_after_a_commit_in_doubt() throws Exception {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            Message message = session.createTextMessage("once");
            message.setStringProperty("_AMQ_DUPL_ID", marker);
            proxy.swallowAnswersTo("commit", marker);
            producer.send(message);
            Aside<Exception> commit = Aside.attempt(session::commit);
            await("the answer to be swallowed").atMost(PATIENCE).until(proxy::hasSwallowed);
            proxy.heal();
            assertThat(commit.result()).isInstanceOf(JMSException.class).hasMessageContaining("not known");

            producer.send(message);
            session.commit();

            assertReceived(connection, session, "once");
            session.commit();
        }
    }

    @Test
    void send_in_doubt_says_that_it_does_not_know() throws Exception {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            producer.send(session.createTextMessage("before"));
            Message message = session.createTextMessage("in doubt");
            message.setJMSType(marker);
            proxy.swallowAnswersTo(marker, "insert");

            Aside<Exception> send = Aside.attempt(() -> producer.send(message));
            await("the answer to be swallowed").atMost(PATIENCE).until(proxy::hasSwallowed);
            proxy.heal();

            assertThat(send.result()).isInstanceOf(JMSException.class).hasMessageContaining("not known");
            assertReceived(connection, session, "before", "in doubt");
        }
    }

    @Test
    void acknowledgement_in_doubt_is_settled_behind_the_callers_back() throws Exception {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            Message message = session.createTextMessage("once");
            message.setJMSCorrelationID(marker);
            session.createProducer(session.createQueue(queue)).send(message);
            connection.start();
            MessageConsumer consumer =
                    session.createConsumer(session.createQueue(queue), "JMSCorrelationID = '" + marker + "'");
            proxy.swallowAnswersTo("commit", marker);

            Aside<Message> receive = Aside.call(() -> consumer.receive(RECEIVE));
            await("the answer to be swallowed").atMost(PATIENCE).until(proxy::hasSwallowed);
            proxy.heal();

            assertThat(text(receive.result())).isEqualTo("once");
            assertThat(consumer.receiveNoWait()).isNull();
        }
    }

    /**
     * Commits a message together with rows of the application's, with the answer lost on its way; returns what the commit threw, or
     * null.
     */
    private Exception commitUnheard(Session session, MessageProducer producer, String rows, String text)
            throws Exception {
        proxy.swallowAnswersTo("commit", marker);
        try (Statement statement = ((SqlSession) session).sqlConnection().createStatement()) {
            statement.execute("INSERT INTO " + marker + " VALUES " + rows);
        }
        producer.send(session.createTextMessage(text));
        Aside<Exception> commit = Aside.attempt(session::commit);
        await("the answer to be swallowed").atMost(PATIENCE).until(proxy::hasSwallowed);
        proxy.heal();
        return commit.result();
    }

    /** These and no others wait in the queue. */
    private void assertReceived(Connection connection, Session session, String... texts) throws JMSException {
        connection.start();
        MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
        for (String text : texts) {
            assertThat(text(consumer.receive(RECEIVE))).isEqualTo(text);
        }
        assertThat(consumer.receiveNoWait()).isNull();
    }

    private static String text(Message message) throws JMSException {
        assertThat(message).isNotNull();
        return ((TextMessage) message).getText();
    }
}
