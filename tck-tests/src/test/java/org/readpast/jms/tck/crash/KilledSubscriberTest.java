package org.readpast.jms.tck.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.ChildJvm;
import org.readpast.jms.tck.rig.TestDatabase;

/** A subscriber that is killed leaves its durable subscriptions, with everything in them, and nothing else. */
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledSubscriberTest {

    private static final long PATIENCE = 60_000;

    static List<TestDatabase> servers() {
        return TestDatabase.servers().toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("servers")
    void durable_subscriptions_of_a_killed_client_keep_everything_and_others_are_gone(TestDatabase database)
            throws Exception {
        String url = database.readpastUrl();
        String topicName = "killed." + UUID.randomUUID();
        String clientId = "client-" + UUID.randomUUID();
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(url);
        try (ChildJvm subscriber = ChildJvm.start(Subscriber.class, ChildJvm.SMALL, url, topicName, clientId);
                Connection publishing = factory.createConnection();
                Session session = publishing.createSession(Session.AUTO_ACKNOWLEDGE)) {
            subscriber.awaitReport("subscribed");
            Topic topic = session.createTopic(topicName);
            MessageProducer producer = session.createProducer(topic);
            producer.send(session.createTextMessage("before"));
            assertThat(messagesOf(database, topicName)).isEqualTo(4);

            subscriber.kill();
            producer.send(session.createTextMessage("after"));

            await("what was not durable to be gone")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> messagesOf(database, topicName) == 4);
            producer.send(session.createTextMessage("later"));
            assertThat(messagesOf(database, topicName)).isEqualTo(6);
            try (Connection again = take(factory, clientId);
                    Session receiving = again.createSession(Session.AUTO_ACKNOWLEDGE)) {
                again.start();
                assertThat(drain(receiving.createDurableConsumer(topic, Subscriber.DURABLE)))
                        .isEqualTo("before after later");
                assertThat(drain(receiving.createSharedDurableConsumer(topic, Subscriber.SHARED_DURABLE)))
                        .isEqualTo("before after later");
                receiving.unsubscribe(Subscriber.DURABLE);
                receiving.unsubscribe(Subscriber.SHARED_DURABLE);
                assertThatThrownBy(() -> receiving.unsubscribe(Subscriber.SHARED))
                        .isInstanceOf(InvalidDestinationException.class);
            }
        }
    }

    private static String drain(MessageConsumer consumer) throws Exception {
        StringBuilder texts = new StringBuilder();
        for (int i = 0; i < 3; i++) {
            Message message = consumer.receive(PATIENCE);
            texts.append(i == 0 ? "" : " ").append(((TextMessage) message).getText());
        }
        assertThat(consumer.receiveNoWait()).isNull();
        consumer.close();
        return texts.toString();
    }

    private static Connection take(ReadpastConnectionFactory factory, String clientId) throws Exception {
        Connection connection = factory.createConnection();
        await("client id to be free")
                .atMost(Duration.ofSeconds(60))
                .ignoreExceptionsInstanceOf(InvalidClientIDException.class)
                .until(() -> {
                    connection.setClientID(clientId);
                    return true;
                });
        return connection;
    }

    private static long messagesOf(TestDatabase database, String topic) throws SQLException {
        try (java.sql.Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM " + database.schema()
                        + ".message WHERE jms_destination = 'topic://" + topic + "'")) {
            row.next();
            return row.getLong(1);
        }
    }
}
