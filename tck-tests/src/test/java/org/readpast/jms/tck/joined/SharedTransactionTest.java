package org.readpast.jms.tck.joined;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.TransactionInProgressRuntimeException;
import java.sql.SQLException;
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
import org.readpast.jms.tck.rig.BusinessTable;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * Business row and message commit or vanish together: on the SQL connection of a transacted session, and on one that the
 * application lends.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedTransactionTest {

    private static final long RECEIVE = 20_000;

    private final TestDatabase database;
    private final ReadpastConnectionFactory factory;
    private final String queue = "shared." + UUID.randomUUID();
    private BusinessTable business;

    SharedTransactionTest(TestDatabase database) {
        this.database = database;
        this.factory = new ReadpastConnectionFactory(database.readpastUrl());
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.requested();
    }

    @BeforeEach
    void createTable() throws SQLException {
        business = new BusinessTable(database);
    }

    @AfterEach
    void dropTable() throws SQLException {
        business.close();
    }

    // The session's own SQL connection

    @Test
    void row_and_message_of_a_session_commit_together() throws Exception {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            business.insert(((SqlSession) session).sqlConnection(), "order");
            session.createProducer(session.createQueue(queue)).send(session.createTextMessage("order"));
            session.commit();
        }
        assertThat(business.has("order")).isTrue();
        assertThat(takeOne()).isEqualTo("order");
    }

    @Test
    void row_and_message_of_a_session_vanish_together() throws Exception {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            business.insert(((SqlSession) session).sqlConnection(), "order");
            session.createProducer(session.createQueue(queue)).send(session.createTextMessage("order"));
            session.rollback();
            business.insert(((SqlSession) session).sqlConnection(), "closed over");
        }
        assertThat(business.has("order")).isFalse();
        assertThat(business.has("closed over")).isFalse();
        assertThat(takeOne()).isNull();
    }

    @Test
    void row_and_received_message_of_a_session_belong_together() throws Exception {
        send("order");
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            connection.start();
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
            assertThat(text(consumer.receive(RECEIVE))).isEqualTo("order");
            business.insert(((SqlSession) session).sqlConnection(), "order");
            session.rollback();
            assertThat(business.has("order")).isFalse();

            Message again = consumer.receive(RECEIVE);
            assertThat(text(again)).isEqualTo("order");
            assertThat(again.getJMSRedelivered()).isTrue();
            assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
            business.insert(((SqlSession) session).sqlConnection(), "order");
            session.commit();
        }
        assertThat(business.has("order")).isTrue();
        assertThat(takeOne()).isNull();
    }

    @Test
    void connection_of_a_session_leaves_the_end_of_the_transaction_to_the_session() throws Exception {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            java.sql.Connection sql = ((SqlSession) session).sqlConnection();
            business.insert(sql, "order");
            assertThatThrownBy(sql::commit).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> sql.rollback()).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> sql.setAutoCommit(true)).isInstanceOf(SQLException.class);
            sql.close();
            session.commit();
        }
        assertThat(business.has("order")).isTrue();
    }

    @Test
    void session_without_a_transaction_has_no_connection_to_share() throws Exception {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            assertThatThrownBy(() -> ((SqlSession) session).sqlConnection()).isInstanceOf(IllegalStateException.class);
        }
    }

    // A connection that the application lends

    @Test
    void row_and_message_on_a_lent_connection_commit_together() throws Exception {
        try (java.sql.Connection lent = lend()) {
            business.insert(lent, "order");
            try (JMSContext context = factory.createContext(lent)) {
                context.createProducer().send(context.createQueue(queue), "order");
            }
            assertThat(lent.isClosed()).isFalse();
            assertThat(lent.getAutoCommit()).isFalse();
            lent.commit();
        }
        assertThat(business.has("order")).isTrue();
        assertThat(takeOne()).isEqualTo("order");
    }

    @Test
    void row_and_message_on_a_lent_connection_vanish_together() throws Exception {
        for (int mode : new int[] {Session.AUTO_ACKNOWLEDGE, Session.SESSION_TRANSACTED}) {
            try (java.sql.Connection lent = lend()) {
                business.insert(lent, "order");
                try (Connection connection = factory.createConnection(lent);
                        Session session = connection.createSession(mode)) {
                    session.createProducer(session.createQueue(queue)).send(session.createTextMessage("order"));
                }
                // Closing connection and session has neither committed nor rolled back nor closed anything.
                assertThat(lent.isClosed()).isFalse();
                lent.rollback();
            }
            assertThat(business.has("order")).isFalse();
            assertThat(takeOne()).isNull();
        }
    }

    @Test
    void copies_for_several_destinations_on_a_lent_connection_belong_together() throws Exception {
        String second = queue + ".second";
        try (java.sql.Connection lent = lend();
                JMSContext context = factory.createContext(lent)) {
            Queue both = context.createQueue(queue + "," + second);
            context.createProducer().send(both, "dropped");
            lent.rollback();
            context.createProducer().send(both, "order");
            assertThat(takeOne()).isNull();
            lent.commit();
        }
        assertThat(takeOne()).isEqualTo("order");
        assertThat(takeOne(second)).isEqualTo("order");
        assertThat(takeOne(second)).isNull();
    }

    @Test
    void copies_for_several_destinations_that_are_too_large_to_hold_back_belong_together() throws Exception {
        String second = queue + ".second";
        ReadpastConnectionFactory small = new ReadpastConnectionFactory(database.readpastUrl("outboxBytes=1"));
        try (Connection connection = small.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            MessageProducer producer = session.createProducer(session.createQueue(queue + "," + second));
            producer.send(session.createTextMessage("dropped"));
            session.rollback();
            producer.send(session.createTextMessage("order"));
            session.commit();
        }
        assertThat(takeOne()).isEqualTo("order");
        assertThat(takeOne()).isNull();
        assertThat(takeOne(second)).isEqualTo("order");
        assertThat(takeOne(second)).isNull();
    }

    @Test
    void message_received_on_a_lent_connection_is_gone_with_its_commit_and_back_with_its_rollback() throws Exception {
        send("order");
        try (java.sql.Connection lent = lend();
                Connection connection = factory.createConnection(lent);
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
            assertThat(text(consumer.receive(RECEIVE))).isEqualTo("order");
            business.insert(lent, "order");
            lent.rollback();
            assertThat(business.has("order")).isFalse();

            assertThat(text(consumer.receive(RECEIVE))).isEqualTo("order");
            business.insert(lent, "order");
            lent.commit();
            assertThat(consumer.receiveNoWait()).isNull();
            lent.commit();
        }
        assertThat(business.has("order")).isTrue();
        assertThat(takeOne()).isNull();
    }

    /** Publishing holds no lock that subscribing waits for: both may happen in one thread. */
    @Test
    void publish_on_a_lent_connection_reaches_subscribers_with_its_commit() throws Exception {
        try (java.sql.Connection lent = lend();
                Connection publishing = factory.createConnection(lent);
                Session publisher = publishing.createSession(Session.AUTO_ACKNOWLEDGE);
                Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            Topic topic = session.createTopic(queue);
            MessageConsumer first = session.createConsumer(topic);
            MessageProducer producer = publisher.createProducer(topic);
            producer.send(publisher.createTextMessage("rolled back"));
            lent.rollback();
            producer.send(publisher.createTextMessage("1"));
            MessageConsumer second = session.createConsumer(topic);
            producer.send(publisher.createTextMessage("2"));
            assertThat(first.receiveNoWait()).isNull();
            lent.commit();

            assertThat(text(first.receive(RECEIVE))).isEqualTo("1");
            assertThat(text(first.receive(RECEIVE))).isEqualTo("2");
            assertThat(text(second.receive(RECEIVE))).isEqualTo("2");
            assertThat(first.receiveNoWait()).isNull();
            assertThat(second.receiveNoWait()).isNull();
        }
    }

    @Test
    void session_on_a_lent_connection_cannot_end_its_transaction() throws Exception {
        try (java.sql.Connection lent = lend();
                Connection connection = factory.createConnection(lent);
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            business.insert(lent, "order");
            session.createProducer(session.createQueue(queue)).send(session.createTextMessage("order"));
            assertThatThrownBy(session::commit).isInstanceOf(TransactionInProgressException.class);
            assertThatThrownBy(session::rollback).isInstanceOf(TransactionInProgressException.class);
            lent.commit();
        }
        assertThat(business.has("order")).isTrue();
        assertThat(takeOne()).isEqualTo("order");
    }

    @Test
    void context_on_a_lent_connection_cannot_end_its_transaction() throws Exception {
        try (java.sql.Connection lent = lend();
                JMSContext context = factory.createContext(lent);
                JMSContext transacted = context.createContext(JMSContext.SESSION_TRANSACTED)) {
            transacted.createProducer().send(transacted.createQueue(queue), "order");
            assertThatThrownBy(transacted::commit).isInstanceOf(TransactionInProgressRuntimeException.class);
            assertThatThrownBy(transacted::rollback).isInstanceOf(TransactionInProgressRuntimeException.class);
            lent.rollback();
        }
        assertThat(takeOne()).isNull();
    }

    @Test
    void waiting_for_a_message_leaves_the_lent_connection_free() throws Exception {
        try (java.sql.Connection lent = lend();
                Connection connection = factory.createConnection(lent);
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
            Aside<Message> waiting = Aside.call(() -> consumer.receive(RECEIVE));
            await().atMost(Duration.ofSeconds(60)).until(() -> waiting.restsIn("await"));

            business.insert(lent, "meanwhile");
            lent.commit();
            send("order");

            assertThat(text(waiting.result())).isEqualTo("order");
            business.insert(lent, "order");
            lent.rollback();
        }
        assertThat(business.has("meanwhile")).isTrue();
        assertThat(business.has("order")).isFalse();
        assertThat(takeOne()).isEqualTo("order");
    }

    @Test
    void lent_connection_in_autocommit_has_no_transaction_to_receive_in() throws Exception {
        send("order");
        try (java.sql.Connection lent = database.connect();
                Connection connection = factory.createConnection(lent);
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
            assertThatThrownBy(consumer::receiveNoWait)
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("autocommit");
            assertThat(lent.getAutoCommit()).isTrue();
        }
        assertThat(takeOne()).isEqualTo("order");
    }

    @Test
    void lent_connection_serves_messages_larger_than_travel_inline() throws Exception {
        String large = "x".repeat(300_000);
        try (java.sql.Connection lent = lend();
                JMSContext context = factory.createContext(lent)) {
            context.createProducer().send(context.createQueue(queue), large);
            lent.commit();
            assertThat(context.createConsumer(context.createQueue(queue)).receiveBody(String.class, RECEIVE))
                    .isEqualTo(large);
            lent.rollback();
        }
        assertThat(takeOne()).isEqualTo(large);
    }

    @Test
    void lending_is_refused_where_joining_is_switched_off() throws Exception {
        ReadpastConnectionFactory never = new ReadpastConnectionFactory(database.readpastUrl("join=NEVER"));
        try (java.sql.Connection lent = lend()) {
            assertThatThrownBy(() -> never.createConnection(lent)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> never.createContext(lent)).isInstanceOf(IllegalStateRuntimeException.class);
        }
    }

    private java.sql.Connection lend() throws SQLException {
        java.sql.Connection lent = database.connect();
        lent.setAutoCommit(false);
        return lent;
    }

    private void send(String text) throws JMSException {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            Queue to = session.createQueue(queue);
            MessageProducer producer = session.createProducer(to);
            producer.send(session.createTextMessage(text));
        }
    }

    /** Takes the queue's next message as any other client would; null if there is none. */
    private String takeOne() {
        return takeOne(queue);
    }

    private String takeOne(String from) {
        try (JMSContext context = factory.createContext()) {
            return context.createConsumer(context.createQueue(from)).receiveBodyNoWait(String.class);
        }
    }

    private static String text(Message message) throws JMSException {
        assertThat(message).isNotNull();
        return ((TextMessage) message).getText();
    }
}
