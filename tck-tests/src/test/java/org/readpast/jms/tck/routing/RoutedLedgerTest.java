package org.readpast.jms.tck.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Aside;
import org.readpast.jms.tck.rig.TestDatabase;

/** Sends, receives, commits and rollbacks at random over queues in two databases: each message once, and each sender's in order. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("kinds")
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RoutedLedgerTest {

    private static final int SENDERS = 3;
    private static final int STEPS = Integer.getInteger("readpast.test.steps", 120);
    private static final List<String> QUEUES = List.of("a", "b", "west.a", "west.b", "west.c");
    private static final long SEED = Long.getLong("readpast.test.seed", System.nanoTime());

    private final TestDatabase kind;
    private ReadpastConnectionFactory factory;

    /** What was committed, by sender and queue. */
    private final Map<String, List<Integer>> sent = new ConcurrentHashMap<>();

    /** What was received and committed, by sender and queue. One receiver has a queue, so that there is an order. */
    private final Map<String, List<Integer>> received = new ConcurrentHashMap<>();

    RoutedLedgerTest(TestDatabase kind) {
        this.kind = kind;
    }

    static Stream<TestDatabase> kinds() {
        return TwoDatabases.kinds();
    }

    @BeforeEach
    void open() throws Exception {
        factory = TwoDatabases.of(kind).factory();
    }

    @AfterEach
    void close() throws Exception {
        factory.close();
    }

    @Test
    void each_message_once_and_each_senders_in_order() throws Exception {
        try (Connection connection = factory.createConnection()) {
            connection.start();
            List<Aside<Exception>> senders = IntStream.range(0, SENDERS)
                    .mapToObj(number -> Aside.attempt(() -> send(connection, number)))
                    .toList();
            List<Aside<Exception>> receivers = new ArrayList<>();
            // One session goes over all queues of both databases, transaction by transaction; one by listeners.
            receivers.add(Aside.attempt(() -> receive(connection, QUEUES.subList(0, 3), senders)));
            try (Session listening = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
                for (String queue : QUEUES.subList(3, 5)) {
                    listening
                            .createConsumer(listening.createQueue(queue))
                            .setMessageListener(message -> record(received, message));
                }
                for (Aside<Exception> each :
                        Stream.concat(senders.stream(), receivers.stream()).toList()) {
                    assertThat(each.result()).as("seed %d", SEED).isNull();
                }
                await().atMost(60, TimeUnit.SECONDS)
                        .untilAsserted(
                                () -> assertThat(received).as("seed %d", SEED).isEqualTo(sent));
            }
        }
    }

    private void send(Connection connection, int number) throws JMSException {
        Random random = new Random(SEED + number);
        int next = 0;
        try (Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
                Session auto = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                MessageProducer inTransaction = transacted.createProducer(null);
                MessageProducer atOnce = auto.createProducer(null)) {
            for (int step = 0; step < STEPS; step++) {
                if (random.nextInt(3) == 0) {
                    Message message = message(auto, number, next++, QUEUES.get(random.nextInt(QUEUES.size())));
                    atOnce.send(auto.createQueue(message.getStringProperty("queue")), message);
                    record(sent, message);
                } else {
                    boolean inWest = random.nextBoolean();
                    List<Message> together = new ArrayList<>();
                    for (int i = random.nextInt(4); i >= 0; i--) {
                        String queue = QUEUES.get(inWest ? 2 + random.nextInt(3) : random.nextInt(2));
                        Message message = message(transacted, number, next++, queue);
                        inTransaction.send(transacted.createQueue(queue), message);
                        together.add(message);
                    }
                    if (random.nextInt(4) == 0) {
                        transacted.rollback();
                    } else {
                        transacted.commit();
                        together.forEach(message -> record(sent, message));
                    }
                }
            }
        }
    }

    private static Message message(Session session, int sender, int number, String queue) throws JMSException {
        Message message = session.createMessage();
        message.setIntProperty("sender", sender);
        message.setIntProperty("number", number);
        message.setStringProperty("queue", queue);
        return message;
    }

    private void receive(Connection connection, List<String> queues, List<Aside<Exception>> senders)
            throws JMSException {
        Random random = new Random(SEED - 1);
        try (Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            Map<String, MessageConsumer> consumers = new HashMap<>();
            for (String name : queues) {
                Queue queue = session.createQueue(name);
                consumers.put(name, session.createConsumer(queue));
            }
            int empty = 0;
            while (empty < 2 * queues.size()) {
                boolean over = senders.stream().allMatch(Aside::isDone);
                MessageConsumer consumer = consumers.get(queues.get(random.nextInt(queues.size())));
                List<Message> together = new ArrayList<>();
                for (int i = random.nextInt(5); i >= 0; i--) {
                    Message message = consumer.receiveNoWait();
                    if (message != null) {
                        together.add(message);
                    }
                }
                if (!together.isEmpty() && random.nextInt(5) == 0) {
                    session.rollback();
                    continue;
                }
                session.commit();
                together.forEach(message -> record(received, message));
                empty = together.isEmpty() && over ? empty + 1 : 0;
            }
            for (MessageConsumer consumer : consumers.values()) {
                for (Message message = consumer.receiveNoWait(); message != null; message = consumer.receiveNoWait()) {
                    session.commit();
                    record(received, message);
                }
                session.commit();
            }
        }
    }

    private static void record(Map<String, List<Integer>> ledger, Message message) {
        try {
            ledger.computeIfAbsent(
                            message.getIntProperty("sender") + " " + message.getStringProperty("queue"),
                            key -> new CopyOnWriteArrayList<>())
                    .add(message.getIntProperty("number"));
        } catch (JMSException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
