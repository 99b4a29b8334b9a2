package org.readpast.jms.tck.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.FaultyDriver;
import org.readpast.jms.tck.rig.FaultyDriver.Fault;
import org.readpast.jms.tck.rig.PostgresServer;
import org.readpast.jms.tck.rig.SharedPostgres;
import org.readpast.jms.tck.rig.TcpProxy;
import org.readpast.jms.tck.rig.TestDatabase;

/** A JVM is cut off from the database for so long that others take it for dead; then the network is back. */
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AwaySubscriberTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void subscribers_of_a_jvm_that_was_taken_for_dead_subscribe_again() throws Exception {
        String topicName = "away." + UUID.randomUUID();
        Queue<String> alone = new ConcurrentLinkedQueue<>();
        Queue<String> durable = new ConcurrentLinkedQueue<>();
        try (TcpProxy proxy = TcpProxy.to(SharedPostgres.get().port());
                Connection away = new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(
                                PostgresServer.urlThrough(proxy.port()) + "&socketTimeout=1&connectTimeout=1",
                                "poolTimeoutMillis=1000",
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

    /** The return takes several steps; where one of them fails it is made again, as a whole. */
    @Test
    void subscriber_is_back_even_where_the_return_of_its_jvm_stumbles() throws Exception {
        String topicName = "stumble." + UUID.randomUUID();
        Queue<String> heard = new ConcurrentLinkedQueue<>();
        try (TcpProxy proxy = TcpProxy.to(SharedPostgres.get().port());
                FaultyDriver driver =
                        FaultyDriver.of(PostgresServer.urlThrough(proxy.port()) + "&socketTimeout=1&connectTimeout=1");
                Connection away = new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(
                                driver.url(),
                                "poolTimeoutMillis=1000",
                                "recoveryCeilingMillis=500",
                                "idleCloseMillis=0"))
                        .createConnection();
                Connection here =
                        new ReadpastConnectionFactory(TestDatabase.POSTGRESQL.readpastUrl()).createConnection();
                Session publisher = here.createSession(Session.AUTO_ACKNOWLEDGE)) {
            away.setClientID("stumble-" + UUID.randomUUID());
            Session session = away.createSession(Session.AUTO_ACKNOWLEDGE);
            Topic topic = session.createTopic(topicName);
            session.createConsumer(topic).setMessageListener(message -> heard.add(text(message)));
            Session asking = away.createSession(Session.AUTO_ACKNOWLEDGE);
            TemporaryQueue replies = asking.createTemporaryQueue();
            asking.createConsumer(replies).setMessageListener(message -> heard.add(text(message)));
            away.start();

            proxy.refuse();
            proxy.cut();
            await("the subscription to be removed").atMost(PATIENCE).until(() -> subscriptionsOf(topicName) == 0);
            driver.failNext(
                    "insert into readpast.client_id",
                    Fault.REFUSED,
                    thread -> thread.getName().startsWith("readpast-housekeeping-"));
            proxy.heal();

            await("the subscription to be back").atMost(PATIENCE).until(() -> subscriptionsOf(topicName) == 1);
            assertThat(driver.stop()).as("stumbled").isTrue();
            publisher.createProducer(topic).send(publisher.createTextMessage("after"));
            await("the message").atMost(PATIENCE).until(() -> heard.contains("after"));
            // The temporary queue went as well, and is there again for its owner and for those who answer.
            await("the temporary queue to be back").atMost(PATIENCE).until(() -> isThere(replies));
            publisher.createProducer(replies).send(publisher.createTextMessage("reply"));
            try (Session sending = away.createSession(Session.AUTO_ACKNOWLEDGE)) {
                sending.createProducer(replies).send(sending.createTextMessage("own reply"));
            }
            await("the replies").atMost(PATIENCE).until(() -> heard.containsAll(List.of("reply", "own reply")));
        }
    }

    private static String text(jakarta.jms.Message message) {
        try {
            return ((TextMessage) message).getText();
        } catch (jakarta.jms.JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isThere(jakarta.jms.Queue queue) throws SQLException, JMSException {
        return SharedPostgres.get()
                        .number("SELECT count(*) FROM readpast.destination WHERE name = '" + queue.getQueueName() + "'")
                == 1;
    }

    private static long subscriptionsOf(String topic) throws SQLException {
        try (java.sql.Connection connection = TestDatabase.POSTGRESQL.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT count(*) FROM readpast.queue_overview WHERE topic = '" + topic + "'")) {
            row.next();
            return row.getLong(1);
        }
    }
}
