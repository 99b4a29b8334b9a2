package org.readpast.jms.tck.bodies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.ChildJvm;
import org.readpast.jms.tck.rig.TestDatabase;

/** A large body is stored once for all subscriptions, and is gone soon after its last reader has it. */
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedBodyTest {

    private static final long RECEIVE = 30_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int SIZE = 1024 * 1024;

    /** A schema of its own, whose bodies are those of the test. */
    private final String schema = "bodies_" + Long.toString(System.nanoTime(), 36);

    private final byte[] body = new byte[SIZE];

    SharedBodyTest() {
        new Random(1).nextBytes(body);
    }

    @ParameterizedTest
    @MethodSource("org.readpast.jms.tck.rig.TestDatabase#requested")
    void ten_subscriptions_get_a_body_of_1_MiB_that_is_stored_once(TestDatabase database) throws Exception {
        ReadpastConnectionFactory factory =
                new ReadpastConnectionFactory(database.readpastUrl("schema=" + schema, "idleCloseMillis=0"));
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED);
                Session publisher = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            Topic topic = session.createTopic("bodies");
            List<MessageConsumer> consumers = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                consumers.add(session.createConsumer(topic));
            }
            publish(publisher, topic);
            assertThat(bodies(database)).isEqualTo(1);
            for (MessageConsumer consumer : consumers) {
                assertThat(contentOf(consumer.receive(RECEIVE))).isEqualTo(body);
            }
            assertThat(bodies(database)).isEqualTo(1);
            session.rollback();
            for (MessageConsumer consumer : consumers) {
                assertThat(contentOf(consumer.receive(RECEIVE))).isEqualTo(body);
            }
            session.commit();

            await("the body to be removed").atMost(PATIENCE).until(() -> bodies(database) == 0);
        }
    }

    @ParameterizedTest
    @MethodSource("org.readpast.jms.tck.rig.TestDatabase#requested")
    void ten_subscriptions_get_small_messages_of_each_type_whose_bodies_are_stored_once(TestDatabase database)
            throws Exception {
        ReadpastConnectionFactory factory =
                new ReadpastConnectionFactory(database.readpastUrl("schema=" + schema, "idleCloseMillis=0"));
        String text = "small \u20ac ".repeat(800);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_16);
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED);
                Session publisher = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            Topic topic = session.createTopic("bodies");
            List<MessageConsumer> consumers = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                consumers.add(session.createConsumer(topic));
            }
            BytesMessage ofBytes = publisher.createBytesMessage();
            ofBytes.writeBytes(bytes);
            MapMessage map = publisher.createMapMessage();
            map.setString("text", text);
            map.setBytes("bytes", bytes);
            StreamMessage stream = publisher.createStreamMessage();
            stream.writeString(text);
            stream.writeBytes(bytes);
            MessageProducer producer = publisher.createProducer(topic);
            for (Message message : List.of(
                    publisher.createTextMessage(text),
                    ofBytes,
                    map,
                    stream,
                    publisher.createObjectMessage(bytes),
                    publisher.createMessage())) {
                message.setStringProperty("of", "all");
                producer.send(message);
            }
            assertThat(bodies(database)).isEqualTo(5);
            for (int attempt = 1; attempt <= 2; attempt++) {
                for (MessageConsumer consumer : consumers) {
                    assertThat(next(consumer, attempt).getBody(String.class)).isEqualTo(text);
                    assertThat(contentOf(next(consumer, attempt))).isEqualTo(bytes);
                    MapMessage gotMap = (MapMessage) next(consumer, attempt);
                    assertThat(gotMap.getString("text")).isEqualTo(text);
                    assertThat(gotMap.getBytes("bytes")).isEqualTo(bytes);
                    StreamMessage gotStream = (StreamMessage) next(consumer, attempt);
                    assertThat(gotStream.readString()).isEqualTo(text);
                    assertThat(gotStream.readObject()).isEqualTo(bytes);
                    assertThat(next(consumer, attempt).getBody(byte[].class)).isEqualTo(bytes);
                    assertThat(next(consumer, attempt)).isNotInstanceOf(TextMessage.class);
                }
                if (attempt == 1) {
                    session.rollback();
                }
            }
            session.commit();

            await("the bodies to be removed").atMost(PATIENCE).until(() -> bodies(database) == 0);
        }
    }

    private static Message next(MessageConsumer consumer, int attempt) throws JMSException {
        Message message = consumer.receive(RECEIVE);
        assertThat(message.getStringProperty("of")).isEqualTo("all");
        assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(attempt);
        return message;
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("org.readpast.jms.tck.rig.TestDatabase#servers")
    void body_outlives_a_killed_reader_and_goes_with_the_next(TestDatabase database) throws Exception {
        String url = database.readpastUrl("schema=" + schema, "idleCloseMillis=0");
        String subscription = "held-" + UUID.randomUUID();
        try (Connection connection = new ReadpastConnectionFactory(url).createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            Topic topic = session.createTopic("bodies");
            session.createSharedDurableConsumer(topic, subscription).close();
            MessageConsumer other = session.createConsumer(topic);
            try (ChildJvm reader = ChildJvm.start(BodyHolder.class, ChildJvm.SMALL, url, "bodies", subscription)) {
                publish(session, topic);
                assertThat(reader.awaitReport("holding")).isEqualTo(String.valueOf(SIZE));
                assertThat(contentOf(other.receive(RECEIVE))).isEqualTo(body);
                reader.kill();
            }
            MessageConsumer next = session.createSharedDurableConsumer(topic, subscription);
            assertThat(contentOf(next.receive(RECEIVE))).isEqualTo(body);

            await("the body to be removed").atMost(PATIENCE).until(() -> bodies(database) == 0);
        }
    }

    private void publish(Session session, Topic topic) throws Exception {
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(body);
        session.createProducer(topic).send(message);
    }

    private static byte[] contentOf(Message message) throws Exception {
        return message.getBody(byte[].class);
    }

    private long bodies(TestDatabase database) throws SQLException {
        try (java.sql.Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM " + schema + ".shared_body")) {
            row.next();
            return row.getLong(1);
        }
    }
}
