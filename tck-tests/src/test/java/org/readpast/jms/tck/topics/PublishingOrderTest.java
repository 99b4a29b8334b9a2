package org.readpast.jms.tck.topics;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Aside;
import org.readpast.jms.tck.rig.FaultyDriver;
import org.readpast.jms.tck.rig.TestDatabase;

/** A transaction's messages to a topic stay in order while others subscribe and publish (§6.2.9). */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PublishingOrderTest {

    private static final long RECEIVE = 20_000;

    private final String topicName = "order." + UUID.randomUUID();

    static Stream<TestDatabase> databases() {
        return TestDatabase.requested();
    }

    /** Half of the messages know the subscriptions as they were before somebody subscribed, the other half as they are now. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void messages_of_a_transaction_stay_in_order_when_somebody_subscribes_while_it_commits(TestDatabase database)
            throws Exception {
        try (FaultyDriver driver = FaultyDriver.of(database.jdbcUrl());
                Connection connection = new ReadpastConnectionFactory(
                                TestDatabase.readpastUrlOf(driver.url(), "idleCloseMillis=0"))
                        .createConnection();
                Session publishing = connection.createSession(Session.SESSION_TRANSACTED);
                Session subscribing = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                Session others = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            Topic topic = publishing.createTopic(topicName);
            MessageConsumer early = subscribing.createConsumer(topic);
            MessageConsumer[] late = new MessageConsumer[2];
            MessageProducer producer = publishing.createProducer(null);
            producer.send(topic, publishing.createTextMessage("before"));
            publishing.commit();

            for (String text : List.of("1", "2", "3")) {
                producer.send(topic, publishing.createTextMessage(text));
            }
            // Nobody has published to this one, so its subscriptions are read, and meanwhile those of the other change.
            producer.send(publishing.createTopic(topicName + ".unknown"), publishing.createTextMessage("other"));
            for (String text : List.of("4", "5", "6")) {
                producer.send(topic, publishing.createTextMessage(text));
            }
            driver.beforeNext(
                    "version",
                    () -> assertThat(Aside.attempt(() -> {
                                        late[0] = subscribing.createConsumer(topic);
                                        late[1] = subscribing.createConsumer(topic, "JMSType = 'none'");
                                        others.createProducer(topic).send(others.createTextMessage("meanwhile"));
                                    })
                                    .result())
                            .isNull());
            publishing.commit();

            assertThat(late[0]).isNotNull();
            assertThat(texts(early, 8)).containsExactly("before", "meanwhile", "1", "2", "3", "4", "5", "6");
            assertThat(texts(late[0], 7)).containsExactly("meanwhile", "1", "2", "3", "4", "5", "6");
            assertThat(late[1].receiveNoWait()).isNull();
        }
    }

    private static List<String> texts(MessageConsumer consumer, int count) throws JMSException {
        List<String> texts = new ArrayList<>();
        while (texts.size() < count) {
            Message message = consumer.receive(RECEIVE);
            assertThat(message).isNotNull();
            texts.add(((TextMessage) message).getText());
        }
        assertThat(consumer.receiveNoWait()).isNull();
        return texts;
    }
}
