package org.readpast.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.stream.IntStream;
import org.readpast.bridge.batch.Step;

/** A broker and a database with bridges between them. The broker is the first side. */
final class Rig implements AutoCloseable {

    /** What a test does with a session. */
    interface Work<T> {
        T with(Session session) throws Exception;
    }

    final TestBroker broker;
    final TestDatabase database;
    private final List<Bridge> bridges = new ArrayList<>();

    Rig(String broker, String database, Path folder) throws Exception {
        this.broker = TestBroker.start(broker, folder);
        this.database = new TestDatabase(database);
    }

    Bridge bridge(String... rules) throws JMSException, SQLException {
        return bridge(step -> {}, rules);
    }

    Bridge bridge(Step.Listener steps, String... rules) throws JMSException, SQLException {
        return bridgeAs("test", steps, rules);
    }

    private Bridge bridgeAs(String name, Step.Listener steps, String... rules) throws JMSException, SQLException {
        List<String> lines = new ArrayList<>(List.of("name " + name));
        lines.addAll(List.of(rules));
        Bridge bridge =
                new Bridge(BridgeRules.parse(lines), Side.of(broker.factory()), Side.of(database.factory()), steps);
        bridge.createTables();
        bridges.add(bridge);
        return bridge;
    }

    Bridge started(String... rules) throws JMSException, SQLException {
        Bridge bridge = bridge(rules);
        bridge.start();
        return bridge;
    }

    Bridge startedAs(String name, String... rules) throws JMSException, SQLException {
        Bridge bridge = bridgeAs(name, step -> {}, rules);
        bridge.start();
        return bridge;
    }

    <T> T onBroker(Work<T> work) throws Exception {
        return on(broker.factory(), work);
    }

    <T> T onReadpast(Work<T> work) throws Exception {
        return on(database.factory(), work);
    }

    private static <T> T on(ConnectionFactory factory, Work<T> work) throws Exception {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(true, Session.SESSION_TRANSACTED)) {
            connection.start();
            T result = work.with(session);
            session.commit();
            return result;
        }
    }

    void restartBroker() {
        try {
            broker.restart();
        } catch (Exception e) {
            throw new IllegalStateException("the broker cannot be restarted", e);
        }
    }

    /** Sends texts with these numbers. */
    static Work<Void> send(String queue, int from, int to) {
        return session -> {
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            for (int i = from; i < to; i++) {
                producer.send(session.createTextMessage(Integer.toString(i)));
            }
            return null;
        };
    }

    /** Receives so many messages, and what there may be beyond them. */
    static Work<List<Message>> receive(String queue, int expected) {
        return session -> {
            List<Message> messages = new ArrayList<>();
            try (MessageConsumer consumer = session.createConsumer(session.createQueue(queue))) {
                Message message;
                do {
                    message = consumer.receive(messages.size() < expected ? 60_000 : 500);
                    if (message != null) {
                        messages.add(message);
                    }
                } while (message != null);
            }
            return messages;
        };
    }

    static Work<Integer> depth(String queue) {
        return session -> {
            try (QueueBrowser browser = session.createBrowser(session.createQueue(queue))) {
                int found = 0;
                for (Enumeration<?> all = browser.getEnumeration(); all.hasMoreElements(); all.nextElement()) {
                    found++;
                }
                return found;
            }
        };
    }

    static List<String> texts(List<Message> messages) {
        return messages.stream()
                .map(message -> {
                    try {
                        return ((TextMessage) message).getText();
                    } catch (JMSException e) {
                        throw new IllegalStateException(e);
                    }
                })
                .toList();
    }

    /** The ledger: each number once, in the order in which they were sent. */
    static void assertEachOnce(List<Message> messages, int count) {
        assertThat(texts(messages))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, count).mapToObj(Integer::toString).toList());
    }

    static void eventually(org.awaitility.core.ThrowingRunnable assertion) {
        await().atMost(Duration.ofMinutes(5))
                .pollInterval(Duration.ofMillis(100))
                .untilAsserted(assertion);
    }

    static void untilCrossed(Bridge bridge, int count) {
        eventually(() -> assertThat(bridge.status().stream()
                        .mapToLong(status -> status.crossed() + status.recognized() + status.deadLetters())
                        .sum())
                .as(() -> bridge.status().toString())
                .isGreaterThanOrEqualTo(count));
    }

    @Override
    public void close() {
        bridges.forEach(Bridge::close);
        broker.close();
    }
}
