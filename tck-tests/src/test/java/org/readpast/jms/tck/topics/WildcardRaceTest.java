package org.readpast.jms.tck.topics;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * Subscriptions with wildcards against a publisher that knows nothing of them, since it has its own connections and its own
 * memory of who subscribes, as another JVM would: a subscription is there for it as soon as {@code createConsumer} has returned.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("databases")
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WildcardRaceTest {

    private static final long RECEIVE = 20_000;
    private static final int SUBSCRIPTIONS = 60;

    /** How many messages are looked for that were published after a subscription was there. */
    private static final int AFTERWARDS = 3;

    private final TestDatabase database;
    private final String name = "race-" + UUID.randomUUID();

    WildcardRaceTest(TestDatabase database) {
        this.database = database;
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.requested();
    }

    @Test
    void nothing_that_was_published_after_createConsumer_returned_is_missed() throws Exception {
        AtomicInteger begun = new AtomicInteger();
        AtomicBoolean enough = new AtomicBoolean();
        try (HikariDataSource pool = database.pool(10);
                Connection subscribing = new ReadpastConnectionFactory(database.readpastUrl()).createConnection();
                Connection publishing = creatingAny(pool).createConnection();
                Session session = subscribing.createSession(Session.AUTO_ACKNOWLEDGE)) {
            subscribing.start();
            CompletableFuture<Void> publisher = CompletableFuture.runAsync(() -> publish(publishing, begun, enough));
            for (int i = 0; i < SUBSCRIPTIONS && !publisher.isDone(); i++) {
                try (MessageConsumer consumer = session.createConsumer(session.createTopic(name + ".*"))) {
                    int last = begun.get();
                    int first = number(consumer);
                    assertThat(first).as("first message").isLessThanOrEqualTo(last + 1);
                    for (int next = first + 1; next <= last + AFTERWARDS; next++) {
                        assertThat(number(consumer)).isEqualTo(next);
                    }
                }
            }
            enough.set(true);
            publisher.get();
        }
    }

    /** How many topics there will be depends on how fast they are made. */
    private static ReadpastConnectionFactory creatingAny(HikariDataSource pool) {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(pool);
        factory.setProperty("autoCreate", "true");
        return factory;
    }

    /** Publishes numbers, each second one to a topic that nobody has ever used. */
    private void publish(Connection connection, AtomicInteger begun, AtomicBoolean enough) {
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                MessageProducer producer = session.createProducer(null)) {
            while (!enough.get()) {
                int number = begun.incrementAndGet();
                String topic = number % 2 == 0 ? "always" : "new-" + number;
                producer.send(
                        session.createTopic(name + "." + topic), session.createTextMessage(String.valueOf(number)));
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static int number(MessageConsumer consumer) throws Exception {
        Message message = consumer.receive(RECEIVE);
        assertThat(message).as("a message").isNotNull();
        return Integer.parseInt(((TextMessage) message).getText());
    }
}
