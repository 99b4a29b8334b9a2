package org.readpast.jms.tck.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import jakarta.jms.TransactionRolledBackException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Aside;
import org.readpast.jms.tck.rig.FaultyDriver;
import org.readpast.jms.tck.rig.FaultyDriver.Fault;
import org.readpast.jms.tck.rig.TestDatabase;
import org.readpast.jms.tck.rig.Threads;

/** What a caller is told of an operation in which one chosen step failed is so. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OutcomesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String queue = "outcomes." + UUID.randomUUID();

    static Stream<TestDatabase> databases() {
        return TestDatabase.requested();
    }

    private static Connection connect(FaultyDriver driver) throws JMSException {
        return new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(
                        driver.url(), "idleCloseMillis=0", "poolTimeoutMillis=5000", "receiveAheadMillis=60000"))
                .createConnection();
    }

    /** The answer to a commit is lost that has carried out what the caller is told has failed. It has not got it, and may ask again. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void client_id_is_not_in_use_by_a_connection_that_failed_to_take_it(TestDatabase database) throws Exception {
        String clientId = "outcomes-" + UUID.randomUUID();
        try (FaultyDriver driver = FaultyDriver.of(database.jdbcUrl());
                Connection connection = connect(driver);
                Connection other = connect(driver)) {
            driver.failCommitBehind("client_id (client_id", Fault.CUT_BEHIND, FaultyDriver.caller());
            assertThatThrownBy(() -> connection.setClientID(clientId)).isInstanceOf(JMSException.class);
            assertThat(driver.stop()).isTrue();

            other.setClientID(clientId);
            assertThatThrownBy(() -> connection.setClientID(clientId)).isInstanceOf(InvalidClientIDException.class);
        }
    }

    /** The same with the commit of a consumer of a topic: one that nobody has must not keep others out, nor get messages. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void consumer_of_a_topic_that_was_not_created_is_none(TestDatabase database) throws Exception {
        try (FaultyDriver driver = FaultyDriver.of(database.jdbcUrl());
                Connection connection = connect(driver)) {
            connection.setClientID("outcomes-" + UUID.randomUUID());
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            Topic topic = session.createTopic(queue);
            session.createDurableConsumer(topic, "lasting").close();

            driver.failCommitBehind("subscription_consumer (", Fault.CUT_BEHIND, FaultyDriver.caller());
            assertThatThrownBy(() -> session.createDurableConsumer(topic, "lasting"))
                    .isInstanceOf(JMSException.class);
            assertThat(driver.stop()).isTrue();
            driver.failCommitBehind(".subscription (", Fault.CUT_BEHIND, FaultyDriver.caller());
            assertThatThrownBy(() -> session.createConsumer(topic)).isInstanceOf(JMSException.class);
            assertThat(driver.stop()).isTrue();

            session.createDurableConsumer(topic, "lasting").close();
            session.unsubscribe("lasting");
            assertThat(subscriptionsOf(database, queue)).isZero();
        }
    }

    private static long subscriptionsOf(TestDatabase database, String topic) throws SQLException {
        try (java.sql.Connection sql = database.connect();
                PreparedStatement count = sql.prepareStatement("SELECT COUNT(*) FROM " + database.schema()
                        + ".subscription s JOIN " + database.schema()
                        + ".destination t ON t.destination_id = s.topic_id WHERE t.name = ?")) {
            count.setString(1, topic);
            try (ResultSet rows = count.executeQuery()) {
                rows.next();
                return rows.getLong(1);
            }
        }
    }

    /** Claims made without knowing of groups are given back and made anew, which here fails behind the commit. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void message_is_not_lost_where_the_claim_by_groups_behind_its_acknowledgement_fails(TestDatabase database)
            throws Exception {
        try (FaultyDriver driver = FaultyDriver.of(database.jdbcUrl());
                Connection connection = connect(driver);
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            producer.send(session.createTextMessage("0"));
            producer.send(session.createTextMessage("1"));
            Message grouped = session.createTextMessage("2");
            grouped.setStringProperty("JMSXGroupID", "group");
            producer.send(grouped);
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
            driver.failNext("message_group", Fault.REFUSED);

            List<String> received = new ArrayList<>();
            while (received.size() < 3) {
                try {
                    received.add(text(consumer.receiveNoWait()));
                } catch (JMSException refused) {
                    assertThat(driver.stop()).isTrue();
                }
            }

            assertThat(received).containsExactly("0", "1", "2");
            assertThat(consumer.receiveNoWait()).isNull();
        }
    }

    /**
     * The connection is lost between the deletion and its commit, and the server does not notice for a while: the message is there and
     * locked. It is asked for until it is known what became of it.
     */
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("acknowledging")
    void message_whose_acknowledgement_hangs_is_not_taken_for_acknowledged(TestDatabase database, int mode)
            throws Exception {
        try (FaultyDriver driver = FaultyDriver.of(database.jdbcUrl());
                Connection connection = connect(driver);
                Session session = connection.createSession(mode)) {
            connection.start();
            session.createProducer(session.createQueue(queue)).send(session.createTextMessage("once"));
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
            Thread[] caller = new Thread[1];

            Aside<Exception> acknowledge = Aside.attempt(() -> {
                caller[0] = Thread.currentThread();
                driver.failNext("commit", Fault.LOST_WITHIN);
                Message message = consumer.receive(20_000);
                assertThat(text(message)).isEqualTo("once");
                message.acknowledge();
                consumer.close();
            });
            await("the loss of the connection").atMost(PATIENCE).until(() -> driver.countLost() == 1);
            await("the question for what became of it")
                    .atMost(PATIENCE)
                    .until(() -> acknowledge.isDone() || restsIn(caller[0]));
            boolean toldEarly = acknowledge.isDone();
            // PostgreSQL can be told to end it, and it is acknowledged anew then.
            boolean isUntrue = toldEarly && isThere(database);
            driver.noticeLost();

            assertThat(acknowledge.result()).isNull();
            assertThat(isUntrue).as("told before it was known").isFalse();
            assertThat(session.createConsumer(session.createQueue(queue)).receiveNoWait())
                    .isNull();
        }
    }

    private boolean isThere(TestDatabase database) throws SQLException {
        try (java.sql.Connection sql = database.connect();
                PreparedStatement look = sql.prepareStatement(
                        "SELECT 1 FROM " + database.schema() + ".message m JOIN " + database.schema()
                                + ".destination d ON d.destination_id = m.destination_id WHERE d.name = ?")) {
            look.setString(1, queue);
            return look.executeQuery().next();
        }
    }

    /** Whether the caller, or who closes for it, waits before it asks again. */
    private static boolean restsIn(Thread caller) {
        return Stream.concat(Stream.of(caller), Threads.named("readpast-closing-").stream())
                .anyMatch(thread -> Threads.restsIn(thread, "pause"));
    }

    /** What is in doubt is only whether a delivery was counted, which is none of the commit's business: that is surely undone. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void doubtful_count_of_a_delivery_leaves_no_doubt_of_the_transaction(TestDatabase database) throws Exception {
        try (FaultyDriver driver = FaultyDriver.of(database.jdbcUrl());
                Connection connection = connect(driver);
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            connection.start();
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            producer.send(session.createTextMessage("1"));
            producer.send(session.createTextMessage("2"));
            session.commit();
            markAsSuspect(database);
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
            assertThat(text(consumer.receive(20_000))).isEqualTo("1");
            driver.failNext("commit", Fault.CUT_BEHIND);

            assertThatThrownBy(consumer::receiveNoWait).isInstanceOf(JMSException.class);

            assertThat(driver.stop()).isTrue();
            assertThatThrownBy(session::commit)
                    .isInstanceOf(TransactionRolledBackException.class)
                    .satisfies(told -> assertThat(FailoverClients.isDoubt((JMSException) told))
                            .as(told.getMessage())
                            .isFalse());
            assertThat(text(consumer.receive(20_000))).isEqualTo("1");
            assertThat(text(consumer.receive(20_000))).isEqualTo("2");
            session.commit();
        }
    }

    /** As if a JVM had died that consumed from this queue. */
    private void markAsSuspect(TestDatabase database) throws SQLException {
        try (java.sql.Connection sql = database.connect();
                Statement statement = sql.createStatement()) {
            statement.executeUpdate(
                    "INSERT INTO " + database.schema() + ".suspect_mark (destination_id, up_to, instance)"
                            + " SELECT m.destination_id, MAX(m.message_id), 'dead' FROM " + database.schema()
                            + ".message m JOIN "
                            + database.schema()
                            + ".destination d ON d.destination_id = m.destination_id WHERE d.name = '" + queue
                            + "' GROUP BY m.destination_id");
        }
    }

    static Stream<Arguments> acknowledging() {
        return TestDatabase.requested()
                .flatMap(database -> Stream.of(
                                Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE, Session.CLIENT_ACKNOWLEDGE)
                        .map(mode -> Arguments.of(database, mode)));
    }

    private static String text(Message message) throws JMSException {
        assertThat(message).isNotNull();
        return ((TextMessage) message).getText();
    }
}
