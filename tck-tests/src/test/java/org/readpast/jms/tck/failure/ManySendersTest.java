package org.readpast.jms.tck.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Aside;
import org.readpast.jms.tck.rig.TcpProxy;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * Many sessions of one JVM send at the same time, so that their messages share statements: each send is told its own outcome, and the messages
 * of each sender stay in order.
 */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("extended")
class ManySendersTest {

    private static final int SENDERS = 24;
    private static final int MESSAGES = 60;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** For so long nothing more comes once all is there. */
    private static final long QUIET = 2_000;

    private final TestDatabase database;
    private final String name = "many." + UUID.randomUUID();
    private TcpProxy network;
    private ReadpastConnectionFactory factory;

    /** What one sender was told of its messages, by their numbers. */
    private record Told(int sender, List<Integer> stored, Map<Integer, JMSException> failed) {}

    ManySendersTest(TestDatabase database) {
        this.database = database;
    }

    /** Not H2, to which there is no network. */
    static Stream<TestDatabase> databases() {
        return TestDatabase.servers();
    }

    @BeforeEach
    void connect() throws Exception {
        network = TcpProxy.to(database.port());
        factory = new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(
                database.urlThrough(network.port()),
                "poolTimeoutMillis=5000",
                "recoveryDelayMillis=50",
                "recoveryCeilingMillis=500",
                "idleCloseMillis=0"));
        factory.createConnection().close();
        database.numberInOrder();
    }

    @AfterEach
    void disconnect() throws Exception {
        network.close();
    }

    private List<Aside<Told>> sendFromAll(boolean interrupted, AtomicInteger sent) throws JMSException {
        List<Aside<Told>> senders = new ArrayList<>();
        for (int sender = 0; sender < SENDERS; sender++) {
            int number = sender;
            senders.add(Aside.call(() -> send(number, interrupted, sent)));
        }
        return senders;
    }

    /** To the topic; the others send to the queue. */
    private static boolean publishes(int sender) {
        return sender % 3 == 0;
    }

    private Told send(int sender, boolean interrupted, AtomicInteger sent) throws JMSException {
        Told told = new Told(sender, new ArrayList<>(), new HashMap<>());
        Random random = new Random();
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            Destination to = publishes(sender) ? session.createTopic(name) : session.createQueue(name);
            MessageProducer producer = session.createProducer(to);
            for (int i = 0; i < MESSAGES; i++) {
                Message message = session.createTextMessage("x".repeat(random.nextInt(3_000)));
                message.setIntProperty("sender", sender);
                message.setIntProperty("number", i);
                if (interrupted && random.nextInt(20) == 0) {
                    Thread.currentThread().interrupt();
                }
                try {
                    producer.send(message);
                    told.stored().add(i);
                } catch (JMSException e) {
                    told.failed().put(i, e);
                }
                Thread.interrupted();
                sent.incrementAndGet();
            }
        }
        return told;
    }

    /**
     * Of each sender the numbers that arrived, in the order of their arrival.
     *
     * @param told what there is to arrive: as long as some of it is missing, it is waited for
     */
    private static Map<Integer, List<Integer>> arrived(MessageConsumer consumer, Stream<Told> told)
            throws JMSException {
        Map<Integer, Set<Integer>> missing =
                told.collect(Collectors.toMap(Told::sender, outcome -> new HashSet<>(outcome.stored())));
        Map<Integer, List<Integer>> arrived = new HashMap<>();
        Message message = next(consumer, missing);
        while (message != null) {
            int sender = message.getIntProperty("sender");
            int number = message.getIntProperty("number");
            arrived.computeIfAbsent(sender, any -> new ArrayList<>()).add(number);
            missing.get(sender).remove(number);
            message = next(consumer, missing);
        }
        return arrived;
    }

    private static Message next(MessageConsumer consumer, Map<Integer, Set<Integer>> missing) throws JMSException {
        boolean isAllThere = missing.values().stream().allMatch(Set::isEmpty);
        return consumer.receive(isAllThere ? QUIET : PATIENCE.toMillis());
    }

    /** What failed may be there as well, and later than it was sent: it may have been stored after its connection broke. */
    private void check(List<Aside<Told>> senders, Session receiving, MessageConsumer ofTopic) throws Exception {
        List<Told> outcomes = new ArrayList<>();
        for (Aside<Told> sender : senders) {
            outcomes.add(sender.result());
        }
        Map<Integer, List<Integer>> arrived = arrived(
                receiving.createConsumer(receiving.createQueue(name)),
                outcomes.stream().filter(told -> !publishes(told.sender())));
        arrived.putAll(arrived(ofTopic, outcomes.stream().filter(told -> publishes(told.sender()))));
        for (Told told : outcomes) {
            List<Integer> numbers = new ArrayList<>(arrived.getOrDefault(told.sender(), List.of()));
            assertThat(numbers).as("sender %s", told.sender()).doesNotHaveDuplicates();
            numbers.removeAll(told.failed().keySet());
            assertThat(numbers).as("sender %s", told.sender()).containsExactlyElementsOf(told.stored());
        }
    }

    @Test
    void each_message_arrives_once_and_in_order_while_another_senders_are_refused() throws Exception {
        try (Connection connection = factory.createConnection()) {
            connection.start();
            Session receiving = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            MessageConsumer ofTopic = receiving.createConsumer(receiving.createTopic(name));
            AtomicBoolean over = new AtomicBoolean();
            Aside<Integer> refused = Aside.call(() -> sendToWhatIsGone(over));
            List<Aside<Told>> senders = sendFromAll(false, new AtomicInteger());
            for (Aside<Told> sender : senders) {
                assertThat(sender.result().failed()).isEmpty();
            }
            over.set(true);
            assertThat(refused.result()).isPositive();
            check(senders, receiving, ofTopic);
        }
    }

    /** Sends to a queue whose row somebody removes again and again; returns how often it was refused. */
    private int sendToWhatIsGone(AtomicBoolean over) throws Exception {
        int refused = 0;
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                java.sql.Connection sql = database.connect();
                java.sql.PreparedStatement remove = sql.prepareStatement("DELETE FROM " + database.schema()
                        + ".destination WHERE kind = 'Q' AND name = '" + name + ".gone'")) {
            MessageProducer producer = session.createProducer(session.createQueue(name + ".gone"));
            while (!over.get() || refused == 0) {
                try {
                    producer.send(session.createMessage());
                    remove.executeUpdate();
                } catch (InvalidDestinationException e) {
                    refused++;
                }
            }
        }
        return refused;
    }

    @Test
    void what_was_told_to_be_stored_is_there_once_after_connections_were_cut() throws Exception {
        try (Connection connection = factory.createConnection()) {
            connection.start();
            Session receiving = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            MessageConsumer ofTopic = receiving.createSharedDurableConsumer(receiving.createTopic(name), name);
            AtomicInteger sent = new AtomicInteger();
            List<Aside<Told>> senders = sendFromAll(true, sent);
            int all = SENDERS * MESSAGES;
            for (int cut = 1; cut <= 5; cut++) {
                int then = cut * all / 6;
                await().atMost(PATIENCE).pollInterval(Duration.ofMillis(1)).until(() -> sent.get() >= then);
                network.cut();
            }
            check(senders, receiving, ofTopic);
            receiving.close();
        }
    }
}
