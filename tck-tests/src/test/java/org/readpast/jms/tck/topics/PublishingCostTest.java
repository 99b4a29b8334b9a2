package org.readpast.jms.tck.topics;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.jms.Connection;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.StatementCounter;
import org.readpast.jms.tck.rig.TestDatabase;

/** What a publish asks of the database: one statement, whoever subscribes, with wildcards or without. */
@ParameterizedClass(name = "{0}")
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PublishingCostTest {

    private static final long RECEIVE = 20_000;

    private final TestDatabase database;
    private final String topicName = "cost." + UUID.randomUUID();

    PublishingCostTest(TestDatabase database) {
        this.database = database;
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.requested();
    }

    @Test
    void publish_is_one_statement_for_no_subscription_and_for_many() throws Exception {
        try (HikariDataSource pool = database.pool(10);
                Connection elsewhere = new ReadpastConnectionFactory(database.readpastUrl()).createConnection();
                Session subscriber = elsewhere.createSession(Session.AUTO_ACKNOWLEDGE)) {
            StatementCounter counter = new StatementCounter(pool);
            ReadpastConnectionFactory factory = new ReadpastConnectionFactory(counter.source());
            elsewhere.start();
            try (Connection connection = factory.createConnection();
                    Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
                Topic topic = session.createTopic(topicName);
                MessageProducer producer = session.createProducer(topic);
                producer.send(session.createTextMessage("first"));

                assertThat(statementsOf(counter, producer, session.createTextMessage("to nobody")))
                        .hasSize(1);

                List<MessageConsumer> consumers = new ArrayList<>();
                Topic pattern = session.createTopic("*." + topicName.substring(topicName.indexOf('.') + 1));
                for (int i = 0; i < 40; i++) {
                    consumers.add(subscriber.createConsumer(i % 2 == 0 ? topic : pattern));
                }
                producer.send(session.createTextMessage("noticed"));

                assertThat(statementsOf(counter, producer, session.createTextMessage("to all")))
                        .hasSize(1);
                for (MessageConsumer consumer : consumers) {
                    assertThat(((TextMessage) consumer.receive(RECEIVE)).getText())
                            .isEqualTo("noticed");
                    assertThat(((TextMessage) consumer.receive(RECEIVE)).getText())
                            .isEqualTo("to all");
                }
            }
        }
    }

    private static List<StatementCounter.Executed> statementsOf(
            StatementCounter counter, MessageProducer producer, Message message) throws Exception {
        String thread = Thread.currentThread().getName();
        counter.reset();
        producer.send(message);
        return counter.executed().stream()
                .filter(executed -> executed.thread().equals(thread))
                .toList();
    }
}
