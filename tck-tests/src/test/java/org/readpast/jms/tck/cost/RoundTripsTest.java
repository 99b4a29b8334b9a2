package org.readpast.jms.tck.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Aside;
import org.readpast.jms.tck.rig.TcpProxy;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * How many round trips the network between a JVM and its database sees, of whatever client library and pool they come. What the
 * JVM does in the background is counted too, so each figure is measured until one measurement is free of that: a message that
 * costs more than it should does so every time.
 */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RoundTripsTest {

    private static final long RECEIVE = 20_000;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int SOME = 10;

    /** After half of that the pool probes a connection before it lends it. */
    private static final Duration IDLE = Duration.ofSeconds(1);

    private static final int BATCH = 100;
    private static final int MANY = 32;

    /** So many sessions work each for itself. */
    private static final int FEW = 8;

    private final TestDatabase database;
    private final String queueName = "roundtrips." + UUID.randomUUID();

    private TcpProxy network;
    private ReadpastConnectionFactory factory;
    private Connection connection;

    RoundTripsTest(TestDatabase database) {
        this.database = database;
    }

    /** Not H2, to which there is no network. */
    static Stream<TestDatabase> databases() {
        return TestDatabase.servers();
    }

    @BeforeEach
    void connect() throws Exception {
        network = TcpProxy.to(database.port());
        // However slow the machine is, the next receive comes in time.
        factory = factory("receiveAheadMillis=30000");
        connection = factory.createConnection();
        connection.start();
    }

    private ReadpastConnectionFactory factory(String option) throws JMSException {
        return new ReadpastConnectionFactory(
                TestDatabase.readpastUrlOf(database.urlCountedAt(network.port()), option, "idleCloseMillis=0"));
    }

    @AfterEach
    void disconnect() throws JMSException, IOException {
        try (TcpProxy last = network) {
            connection.close();
            assertThat(last.roundTrips()).isPositive();
        }
    }

    @Test
    void message_of_a_backlog_is_received_and_acknowledged_in_one() throws Exception {
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            Queue queue = session.createQueue(queueName);
            MessageConsumer consumer = session.createConsumer(queue);
            await().atMost(PATIENCE).untilAsserted(() -> {
                send(session, queue, SOME + 3);
                receive(consumer, 2);
                assertThat(roundTripsOf(() -> receive(consumer, SOME))).isEqualTo(SOME);
                receive(consumer, 1);
            });
        }
    }

    @Test
    void message_of_a_backlog_is_heard_and_acknowledged_in_one() throws Exception {
        await().atMost(PATIENCE).untilAsserted(() -> {
            try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
                Queue queue = session.createQueue(queueName);
                send(session, queue, SOME + 10);
                AtomicInteger heard = new AtomicInteger();
                AtomicInteger before = new AtomicInteger();
                AtomicInteger after = new AtomicInteger();
                session.createConsumer(queue).setMessageListener(message -> {
                    int number = heard.incrementAndGet();
                    if (number == 5) {
                        before.set(network.roundTrips());
                    } else if (number == SOME + 5) {
                        after.set(network.roundTrips());
                    }
                });
                await().atMost(PATIENCE).until(() -> heard.get() == SOME + 10);
                assertThat(after.get() - before.get()).isEqualTo(SOME);
            }
        });
    }

    @Test
    void receive_that_finds_nothing_again_is_one_on_PostgreSQL() throws Exception {
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageConsumer consumer = session.createConsumer(session.createQueue(queueName));
            assertThat(consumer.receiveNoWait()).isNull();
            // The other server cannot look without a transaction, which has to end.
            int each = database == TestDatabase.POSTGRESQL ? 1 : 2;
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(roundTripsOf(() -> {
                                for (int i = 0; i < SOME; i++) {
                                    assertThat(consumer.receiveNoWait()).isNull();
                                }
                            }))
                            .isEqualTo(SOME * each));
        }
    }

    @Test
    void sent_message_is_one() throws Exception {
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            Queue queue = session.createQueue(queueName);
            send(session, queue, 10);
            for (int mode : new int[] {DeliveryMode.PERSISTENT, DeliveryMode.NON_PERSISTENT}) {
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(roundTripsOf(() -> send(session, queue, SOME, mode)))
                                .isEqualTo(SOME));
            }
        }
    }

    /** Its body is stored once and comes with each copy. */
    @Test
    void message_that_several_subscriptions_get_is_one_published_and_one_received() throws Exception {
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            Topic topic = session.createTopic(queueName);
            MessageConsumer consumer = session.createConsumer(topic);
            for (int others = 1; others < FEW; others++) {
                session.createConsumer(topic);
            }
            for (int mode : new int[] {DeliveryMode.PERSISTENT, DeliveryMode.NON_PERSISTENT}) {
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(roundTripsOf(() -> publish(session, topic, SOME, mode)))
                                .isEqualTo(SOME));
            }
            await().atMost(PATIENCE).untilAsserted(() -> {
                publish(session, topic, SOME + 3, DeliveryMode.PERSISTENT);
                receive(consumer, 2);
                assertThat(roundTripsOf(() -> receive(consumer, SOME))).isEqualTo(SOME);
                receive(consumer, 1);
            });
        }
    }

    private static void publish(Session session, Topic topic, int messages, int mode) throws JMSException {
        try (MessageProducer producer = session.createProducer(topic)) {
            producer.setDeliveryMode(mode);
            for (int i = 1; i <= messages; i++) {
                producer.send(session.createTextMessage("m".repeat(8 * 1024)));
            }
        }
    }

    @Test
    void messages_of_many_senders_share_round_trips() throws Exception {
        Queue queue = connection.createSession().createQueue(queueName);
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(roundTripsOf(() -> sendFromMany(queue))).isLessThan(MANY * BATCH));
    }

    private void sendFromMany(Queue queue) {
        List<Aside<Exception>> senders = new ArrayList<>();
        for (int sender = 0; sender < MANY; sender++) {
            senders.add(Aside.attempt(() -> {
                try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
                    send(session, queue, BATCH);
                }
            }));
        }
        assertThat(senders).allSatisfy(sender -> assertThat(sender.result()).isNull());
    }

    /**
     * A claim that finds its message in the hands of another session is made again. On a busy machine that happens, so few messages are
     * received at a time.
     */
    @Test
    void messages_of_few_receivers_are_one_each() throws Exception {
        List<MessageConsumer> consumers = consumers(connection, FEW);
        int each = 2;
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            await().atMost(PATIENCE).untilAsserted(() -> {
                send(session, session.createQueue(queueName), FEW * (each + 3));
                receiveAside(consumers, 2);
                assertThat(roundTripsOf(() -> receiveAside(consumers, each))).isEqualTo(FEW * each);
                receiveAside(consumers, 1);
            });
        }
    }

    /** Nobody keeps a message ahead, since each receives as many as the others and no more. */
    @Test
    void messages_of_many_receivers_share_round_trips() throws Exception {
        try (Connection receiving = factory("receiveAheadMillis=0").createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            receiving.start();
            List<MessageConsumer> consumers = consumers(receiving, MANY);
            await().atMost(PATIENCE).untilAsserted(() -> {
                send(session, session.createQueue(queueName), MANY * BATCH);
                session.commit();
                assertThat(roundTripsOf(() -> receiveAside(consumers, BATCH))).isLessThan(MANY * BATCH / 2);
            });
        }
    }

    private List<MessageConsumer> consumers(Connection receiving, int number) throws JMSException {
        List<MessageConsumer> consumers = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            Session session = receiving.createSession(Session.AUTO_ACKNOWLEDGE);
            consumers.add(session.createConsumer(session.createQueue(queueName)));
        }
        return consumers;
    }

    /** Each on a thread of its own. */
    private static void receiveAside(List<MessageConsumer> consumers, int messages) {
        List<Aside<Exception>> receivers = consumers.stream()
                .map(consumer -> Aside.attempt(() -> receive(consumer, messages)))
                .toList();
        assertThat(receivers)
                .allSatisfy(receiver -> assertThat(receiver.result()).isNull());
    }

    @Test
    void message_that_is_sent_after_a_second_of_idleness_is_one_more_that_probes_the_connection() throws Exception {
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            Queue queue = session.createQueue(queueName);
            send(session, queue, 10);
            await().atMost(PATIENCE).untilAsserted(() -> {
                for (int i = 0; i < 3; i++) {
                    await().pollDelay(IDLE).until(() -> true);
                    assertThat(roundTripsOf(() -> send(session, queue, 1))).isEqualTo(2);
                }
            });
        }
    }

    @Test
    void batch_of_a_transaction_is_at_most_three_received_or_sent() throws Exception {
        try (Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            Queue queue = session.createQueue(queueName);
            MessageConsumer consumer = session.createConsumer(queue);
            await().atMost(PATIENCE).untilAsserted(() -> {
                sendAndCommit(session, queue);
                receiveAndCommit(session, consumer);
                // What the session sends between two batches does not make it forget how much it receives.
                int sent = roundTripsOf(() -> sendAndCommit(session, queue));
                int received = roundTripsOf(() -> receiveAndCommit(session, consumer));
                assertThat(sent).as("sent").isLessThanOrEqualTo(3);
                assertThat(received).as("received").isLessThanOrEqualTo(3);
            });
        }
    }

    @Test
    void batch_received_lazily_is_one_for_each_claim() throws Exception {
        try (Session sending = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                Session session = connection.createSession(Session.DUPS_OK_ACKNOWLEDGE)) {
            Queue queue = session.createQueue(queueName);
            MessageConsumer consumer = session.createConsumer(queue);
            await().atMost(PATIENCE).untilAsserted(() -> {
                send(sending, queue, 3 * BATCH);
                // One after the other, until it claims as many at once as it may.
                receive(consumer, BATCH);
                assertThat(roundTripsOf(() -> receive(consumer, BATCH))).isLessThanOrEqualTo(BATCH / 10);
                receive(consumer, BATCH);
            });
        }
    }

    @Test
    void opening_and_closing_is_none() throws Exception {
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            Queue queue = session.createQueue(queueName);
            openAndClose(queue);
            await().atMost(PATIENCE)
                    .untilAsserted(() ->
                            assertThat(roundTripsOf(() -> openAndClose(queue))).isZero());
        }
    }

    private void openAndClose(Queue queue) throws JMSException {
        try (Connection another = factory.createConnection()) {
            another.start();
            for (int mode : new int[] {Session.AUTO_ACKNOWLEDGE, Session.SESSION_TRANSACTED}) {
                try (Session session = another.createSession(mode);
                        MessageProducer producer = session.createProducer(queue);
                        MessageConsumer consumer = session.createConsumer(queue)) {
                    assertThat(producer.getDestination()).isEqualTo(queue);
                    assertThat(consumer.getMessageSelector()).isNull();
                }
            }
        }
    }

    private static void send(Session session, Queue queue, int messages) throws JMSException {
        send(session, queue, messages, DeliveryMode.PERSISTENT);
    }

    private static void send(Session session, Queue queue, int messages, int mode) throws JMSException {
        try (MessageProducer producer = session.createProducer(queue)) {
            producer.setDeliveryMode(mode);
            for (int i = 1; i <= messages; i++) {
                producer.send(session.createTextMessage("m" + i));
            }
        }
    }

    private static void receive(MessageConsumer consumer, int messages) throws JMSException {
        for (int i = 1; i <= messages; i++) {
            assertThat(((TextMessage) consumer.receive(RECEIVE)).getText()).startsWith("m");
        }
    }

    private static void sendAndCommit(Session session, Queue queue) throws JMSException {
        send(session, queue, BATCH);
        session.commit();
    }

    private static void receiveAndCommit(Session session, MessageConsumer consumer) throws JMSException {
        receive(consumer, BATCH);
        session.commit();
    }

    @FunctionalInterface
    private interface Work {
        void run() throws JMSException;
    }

    private int roundTripsOf(Work work) throws JMSException {
        int before = network.roundTrips();
        work.run();
        return network.roundTrips() - before;
    }
}
