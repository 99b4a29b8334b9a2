package org.readpast.jms.tck.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.FaultyDriver;
import org.readpast.jms.tck.rig.FaultyDriver.Fault;
import org.readpast.jms.tck.rig.PostgresServer;
import org.readpast.jms.tck.rig.SharedPostgres;
import org.readpast.jms.tck.rig.TcpProxy;
import org.readpast.jms.tck.rig.TestDatabase;

/** A JVM is cut off from the database for so long that others take it for dead; then the network is back. */
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Execution(ExecutionMode.CONCURRENT)
class AwaySubscriberTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void subscribers_of_a_jvm_that_was_taken_for_dead_subscribe_again() throws Exception {
        String topicName = "away." + UUID.randomUUID();
        Queue<String> alone = new ConcurrentLinkedQueue<>();
        Queue<String> durable = new ConcurrentLinkedQueue<>();
        try (TcpProxy proxy = TcpProxy.to(SharedPostgres.get().port());
                Connection away = new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(
                                PostgresServer.urlThrough(proxy.port()) + "&socketTimeout=10&connectTimeout=10",
                                "poolTimeoutMillis=10000",
                                "recoveryCeilingMillis=500",
                                "idleCloseMillis=0"))
                        .createConnection();
                Connection here =
                        new ReadpastConnectionFactory(TestDatabase.POSTGRESQL.readpastUrl()).createConnection();
                Session publisher = here.createSession(Session.AUTO_ACKNOWLEDGE)) {
            away.setClientID("away-" + UUID.randomUUID());
            Session session = away.createSession(Session.AUTO_ACKNOWLEDGE);
            Topic topic = session.createTopic(topicName);
            MessageConsumer consumer = session.createConsumer(topic);
            consumer.setMessageListener(message -> alone.add(text(message)));
            MessageConsumer lasting = session.createDurableConsumer(topic, "lasting");
            lasting.setMessageListener(message -> durable.add(text(message)));
            away.start();
            MessageProducer producer = publisher.createProducer(topic);
            producer.send(publisher.createTextMessage("before"));
            await().atMost(PATIENCE).until(() -> alone.contains("before") && durable.contains("before"));
            // What is not acknowledged yet would come again.
            await().atMost(PATIENCE).until(() -> messagesOf(topicName) == 0);

            proxy.refuse();
            proxy.cut();
            await("the subscription to be removed").atMost(PATIENCE).until(() -> subscriptionsOf(topicName) == 1);
            producer.send(publisher.createTextMessage("meanwhile"));
            proxy.heal();

            await("the subscription to be back").atMost(PATIENCE).until(() -> subscriptionsOf(topicName) == 2);
            producer.send(publisher.createTextMessage("after"));
            await("messages to come again").atMost(PATIENCE).until(() -> alone.contains("after"));
            await().atMost(PATIENCE).until(() -> durable.contains("after"));
            assertThat(alone).containsExactly("before", "after");
            assertThat(durable).containsExactly("before", "meanwhile", "after");
            lasting.close();
            session.unsubscribe("lasting");
        }
        await("nothing to be left").atMost(PATIENCE).until(() -> subscriptionsOf(topicName) == 0);
    }

    private static FaultyDriver through(TcpProxy proxy) throws SQLException {
        return FaultyDriver.of(PostgresServer.urlThrough(proxy.port()) + "&socketTimeout=10&connectTimeout=10");
    }

    private static Connection connect(FaultyDriver driver) throws JMSException {
        return new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(
                        driver.url(), "poolTimeoutMillis=10000", "recoveryCeilingMillis=500", "idleCloseMillis=0"))
                .createConnection();
    }

    /** Which statement of the return, or which commit behind it, goes wrong, and how. */
    static List<Arguments> stumbles() {
        return List.of(
                Arguments.of("insert into readpast.client_id", false, Fault.REFUSED),
                Arguments.of("insert into readpast.presence", true, Fault.CUT_BEHIND),
                Arguments.of("insert into readpast.subscription ", true, Fault.CUT_BEHIND),
                Arguments.of("insert into readpast.subscription ", true, Fault.CUT_BEFORE),
                Arguments.of("insert into readpast.subscription_consumer", true, Fault.CUT_BEHIND));
    }

    /** The return takes several steps; where one of them fails, or may have failed, it is made again, as a whole. */
    @ParameterizedTest(name = "{0}, its commit: {1}, {2}")
    @MethodSource("stumbles")
    void subscriber_is_back_even_where_the_return_of_its_jvm_stumbles(String statement, boolean commit, Fault fault)
            throws Exception {
        String topicName = "stumble." + UUID.randomUUID();
        Queue<String> heard = new ConcurrentLinkedQueue<>();
        Queue<String> told = new ConcurrentLinkedQueue<>();
        try (TcpProxy proxy = TcpProxy.to(SharedPostgres.get().port());
                FaultyDriver driver = through(proxy);
                Connection away = connect(driver);
                Connection here =
                        new ReadpastConnectionFactory(TestDatabase.POSTGRESQL.readpastUrl()).createConnection();
                Session publisher = here.createSession(Session.AUTO_ACKNOWLEDGE)) {
            away.setClientID("stumble-" + UUID.randomUUID());
            away.setExceptionListener(problem -> told.add(problem.getMessage()));
            Session session = away.createSession(Session.AUTO_ACKNOWLEDGE);
            Topic topic = session.createTopic(topicName);
            session.createConsumer(topic).setMessageListener(message -> heard.add(text(message)));
            session.createDurableConsumer(topic, "lasting")
                    .setMessageListener(message -> heard.add("lasting " + text(message)));
            Session asking = away.createSession(Session.AUTO_ACKNOWLEDGE);
            TemporaryQueue replies = asking.createTemporaryQueue();
            asking.createConsumer(replies).setMessageListener(message -> heard.add(text(message)));
            TemporaryTopic news = asking.createTemporaryTopic();
            asking.createConsumer(news).setMessageListener(message -> heard.add(text(message)));
            away.start();

            proxy.refuse();
            proxy.cut();
            await("the subscription to be removed").atMost(PATIENCE).until(() -> subscriptionsOf(topicName) == 1);
            Predicate<Thread> returning = thread -> thread.getName().startsWith("readpast-presence-")
                    || thread.getName().startsWith("readpast-housekeeping-");
            if (commit) {
                driver.failCommitBehind(statement, fault, returning);
            } else {
                driver.failNext(statement, fault, returning);
            }
            proxy.heal();

            await("the subscription to be back").atMost(PATIENCE).until(() -> subscriptionsOf(topicName) == 2);
            await("that of the temporary topic to be back")
                    .atMost(PATIENCE)
                    .until(() -> subscriptionsOf(news.getTopicName()) == 1);
            await("the durable one to be in use").atMost(PATIENCE).until(() -> consumersOf(topicName) == 1);
            assertThat(driver.stop()).as("stumbled").isTrue();
            publisher.createProducer(topic).send(publisher.createTextMessage("after"));
            await("the message").atMost(PATIENCE).until(() -> heard.containsAll(List.of("after", "lasting after")));
            // What is temporary went as well, and is there again for its owner and for those who answer.
            await("the temporary queue to be back").atMost(PATIENCE).until(() -> isThere(replies.getQueueName()));
            publisher.createProducer(replies).send(publisher.createTextMessage("reply"));
            publisher.createProducer(news).send(publisher.createTextMessage("news"));
            try (Session sending = away.createSession(Session.AUTO_ACKNOWLEDGE)) {
                sending.createProducer(replies).send(sending.createTextMessage("own reply"));
                sending.createProducer(news).send(sending.createTextMessage("own news"));
            }
            await("the replies")
                    .atMost(PATIENCE)
                    .until(() -> heard.containsAll(List.of("reply", "own reply", "news", "own news")));
            assertThat(told).noneMatch(problem -> problem.contains("ubscri"));
        }
    }

    /** A failover may lose the last commits, and not the row of the JVM. */
    @Test
    void subscriber_whose_row_was_lost_is_one_again_when_its_jvm_has_lost_its_connection() throws Exception {
        String topicName = "lost." + UUID.randomUUID();
        try (TcpProxy proxy = TcpProxy.to(SharedPostgres.get().port());
                FaultyDriver driver = through(proxy);
                Connection away = connect(driver)) {
            away.setClientID("lost-" + UUID.randomUUID());
            Session session = away.createSession(Session.AUTO_ACKNOWLEDGE);
            MessageConsumer consumer = session.createDurableConsumer(session.createTopic(topicName), "lasting");
            loseConsumersOf(topicName);
            assertThat(consumersOf(topicName)).isZero();

            proxy.cut();

            await("the consumer to be back").atMost(PATIENCE).until(() -> consumersOf(topicName) == 1);
            assertThatThrownBy(() -> session.unsubscribe("lasting")).isInstanceOf(IllegalStateException.class);
            consumer.close();
            session.unsubscribe("lasting");
        }
    }

    /** The commit of its return is in doubt: it is not known by its new row yet, which would get messages for nobody. */
    @Test
    void nothing_is_left_of_a_subscriber_that_is_closed_before_it_knows_whether_it_is_back() throws Exception {
        String topicName = "closed." + UUID.randomUUID();
        try (TcpProxy proxy = TcpProxy.to(SharedPostgres.get().port());
                FaultyDriver driver = through(proxy);
                Connection away = connect(driver);
                // Who removes the one that is away.
                Connection here =
                        new ReadpastConnectionFactory(TestDatabase.POSTGRESQL.readpastUrl()).createConnection()) {
            here.start();
            Session session = away.createSession(Session.AUTO_ACKNOWLEDGE);
            MessageConsumer consumer = session.createConsumer(session.createTopic(topicName));
            proxy.refuse();
            proxy.cut();
            await("the subscription to be removed").atMost(PATIENCE).until(() -> subscriptionsOf(topicName) == 0);
            driver.failCommitBehind(
                    "insert into readpast.subscription ",
                    Fault.CUT_BEHIND,
                    thread -> thread.getName().startsWith("readpast-housekeeping-"));
            proxy.heal();
            await("the return").atMost(PATIENCE).until(driver::hasFailed);
            consumer.close();
            assertThat(subscriptionsOf(topicName)).isZero();
        }
    }

    private static String text(jakarta.jms.Message message) {
        try {
            return ((TextMessage) message).getText();
        } catch (jakarta.jms.JMSException e) {
            throw new java.lang.IllegalStateException(e);
        }
    }

    private static boolean isThere(String name) throws SQLException {
        return SharedPostgres.get().number("SELECT count(*) FROM readpast.destination WHERE name = '" + name + "'")
                == 1;
    }

    private static long consumersOf(String topic) throws SQLException {
        return SharedPostgres.get()
                .number("SELECT count(*) FROM readpast.subscription_consumer c JOIN readpast.subscription s"
                        + " ON s.destination_id = c.destination_id JOIN readpast.destination t"
                        + " ON t.destination_id = s.topic_id WHERE t.name = '" + topic + "'");
    }

    private static void loseConsumersOf(String topic) throws SQLException {
        SharedPostgres.get()
                .execute("DELETE FROM readpast.subscription_consumer WHERE destination_id IN (SELECT s.destination_id"
                        + " FROM readpast.subscription s JOIN readpast.destination t"
                        + " ON t.destination_id = s.topic_id WHERE t.name = '" + topic + "')");
    }

    private static long messagesOf(String topic) throws SQLException {
        return SharedPostgres.get()
                .number("SELECT count(*) FROM readpast.message WHERE jms_destination = 'topic://" + topic + "'");
    }

    private static long subscriptionsOf(String topic) throws SQLException {
        return SharedPostgres.get()
                .number("SELECT count(*) FROM readpast.queue_overview WHERE topic = '" + topic + "'");
    }
}
