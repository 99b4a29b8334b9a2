package org.readpast.jms.tck.arrivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.jms.Connection;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
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

/** An AUTO_ACKNOWLEDGE session that receives one message after the other keeps the next one for a moment. Nobody suffers from that. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReceiveAheadTest {

    private static final long RECEIVE = 40_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Longer than anybody here waits. */
    private static final String KEPT_FOR_LONG = "receiveAheadMillis=60000";

    private final TestDatabase database;
    private final String queueName = "ahead." + UUID.randomUUID();

    /** Keeps what it has claimed ahead for a minute. */
    private Connection keeping;

    private Connection other;

    ReceiveAheadTest(TestDatabase database) {
        this.database = database;
    }

    /** On H2 nothing is claimed ahead, since there is no round trip to be saved. */
    static Stream<TestDatabase> databases() {
        return TestDatabase.servers();
    }

    @BeforeEach
    void open() throws JMSException {
        keeping = connect(KEPT_FOR_LONG);
        other = connect();
    }

    @AfterEach
    void close() throws JMSException {
        keeping.close();
        other.close();
    }

    private Connection connect(String... options) throws JMSException {
        Connection connection = new ReadpastConnectionFactory(database.readpastUrl(options)).createConnection();
        connection.start();
        return connection;
    }

    @Test
    void kept_message_is_given_back_soon_where_nobody_receives_it() throws Exception {
        send(3);
        try (Session hasty = other.createSession(Session.AUTO_ACKNOWLEDGE);
                Session idle = keeping.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageConsumer first = consumer(hasty);
            assertReceives(first, "m1", "m2");

            assertReceives(consumer(idle), "m3");
            assertThat(first.receiveNoWait()).isNull();
        }
    }

    @Test
    void message_that_is_given_back_wakes_whoever_waits_for_it() throws Exception {
        // So that nobody finds it by looking for it now and then.
        try (Connection connection = connect("pollFloorMillis=600000", "pollCeilingMillis=600000");
                Session hasty = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                Session idle = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            send(3);
            MessageConsumer first = consumer(hasty);
            MessageConsumer second = consumer(idle);
            assertReceives(first, "m1", "m2");
            Aside<String> waiting = Aside.call(() -> receive(second));

            assertThat(waiting.result()).isEqualTo("m3");
        }
    }

    @Test
    void closed_consumer_keeps_nothing() throws Exception {
        try (Session session = keeping.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageConsumer consumer = keepThird(session);
            consumer.close();
            assertTaken("m3");
        }
    }

    @Test
    void closed_session_keeps_nothing() throws Exception {
        try (Session session = keeping.createSession(Session.AUTO_ACKNOWLEDGE)) {
            keepThird(session);
        }
        assertTaken("m3");
    }

    @Test
    void stopped_connection_keeps_nothing() throws Exception {
        try (Session session = keeping.createSession(Session.AUTO_ACKNOWLEDGE)) {
            keepThird(session);
            keeping.stop();
            assertTaken("m3");
        }
    }

    @Test
    void recovered_session_keeps_nothing() throws Exception {
        try (Session session = keeping.createSession(Session.AUTO_ACKNOWLEDGE)) {
            keepThird(session);
            session.recover();
            assertTaken("m3");
        }
    }

    @Test
    void other_consumer_of_the_session_gets_what_the_first_one_keeps() throws Exception {
        try (Session session = keeping.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageConsumer first = keepThird(session);
            MessageConsumer second = consumer(session);
            send(4, 6);

            assertReceives(second, "m3", "m4");
            assertReceives(first, "m5", "m6");
            assertThat(second.receiveNoWait()).isNull();
        }
    }

    @Test
    void listener_gets_what_its_consumer_keeps_and_all_the_rest_in_order() throws Exception {
        try (Session session = keeping.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageConsumer consumer = keepThird(session);
            send(4, 40);
            List<String> heard = new CopyOnWriteArrayList<>();
            consumer.setMessageListener(message -> heard.add(text(message)));

            await().atMost(PATIENCE).until(() -> heard.size() == 38);
            assertThat(heard)
                    .isEqualTo(
                            IntStream.rangeClosed(3, 40).mapToObj(i -> "m" + i).toList());
        }
    }

    @Test
    void message_that_cannot_be_read_as_wanted_stays_for_everybody() throws Exception {
        send(3);
        try (JMSContext context = new ReadpastConnectionFactory(database.readpastUrl(KEPT_FOR_LONG)).createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue(queueName))) {
            assertThat(consumer.receiveBody(String.class, RECEIVE)).isEqualTo("m1");
            assertThat(consumer.receiveBody(String.class, RECEIVE)).isEqualTo("m2");

            assertThatThrownBy(() -> consumer.receiveBody(byte[].class, RECEIVE))
                    .isInstanceOf(MessageFormatRuntimeException.class);

            assertTaken("m3");
        }
    }

    @Test
    void listener_of_another_session_is_not_starved() throws Exception {
        try (Session hasty = other.createSession(Session.AUTO_ACKNOWLEDGE);
                Session listening = keeping.createSession(Session.AUTO_ACKNOWLEDGE)) {
            send(60);
            MessageConsumer receiver = consumer(hasty);
            List<String> received = new CopyOnWriteArrayList<>(List.of(receive(receiver), receive(receiver)));
            consumer(listening).setMessageListener(message -> received.add(text(message)));

            await().atMost(PATIENCE).until(() -> received.size() == 60);
            assertThat(received).doesNotHaveDuplicates();
        }
    }

    @Test
    void sessions_that_share_few_connections_receive_in_turn() throws Exception {
        for (int pool : new int[] {2, 3, 4}) {
            send(60);
            // Whoever had to wait for what another one keeps would fail.
            try (Connection connection = connect(KEPT_FOR_LONG, "poolSize=" + pool, "poolTimeoutMillis=20000")) {
                List<MessageConsumer> consumers = new ArrayList<>();
                for (int i = 0; i < 6; i++) {
                    consumers.add(consumer(connection.createSession(Session.AUTO_ACKNOWLEDGE)));
                }
                List<String> received = new ArrayList<>();
                for (int i = 0; i < 10; i++) {
                    for (MessageConsumer consumer : consumers) {
                        if (received.size() < 60) {
                            addUnlessKeptByAnother(received, consumer);
                        }
                    }
                }
                for (MessageConsumer consumer : consumers) {
                    String text = textOrNull(consumer.receiveNoWait());
                    if (text != null) {
                        received.add(text);
                    }
                }
                assertThat(received).hasSize(60).doesNotHaveDuplicates();
            }
        }
    }

    private static void addUnlessKeptByAnother(List<String> received, MessageConsumer consumer) throws JMSException {
        String text = textOrNull(consumer.receiveNoWait());
        if (text != null) {
            received.add(text);
        }
    }

    @Test
    void sessions_that_share_a_small_data_source_receive_and_send_in_turn() throws Exception {
        send(40);
        try (HikariDataSource pool = database.pool(2);
                Connection connection = new ReadpastConnectionFactory(pool).createConnection()) {
            connection.start();
            List<Session> sessions = new ArrayList<>();
            List<MessageConsumer> consumers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                sessions.add(session);
                consumers.add(consumer(session));
            }
            List<String> received = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                received.add(receive(consumers.get(i % 4)));
                Session session = sessions.get(i % 4);
                session.createProducer(session.createQueue(queueName + ".done"))
                        .send(session.createTextMessage("done"));
            }
            assertThat(received).hasSize(40).doesNotHaveDuplicates();
        }
    }

    /** Sends three messages, and receives two of them so that the third is kept. */
    private MessageConsumer keepThird(Session session) throws JMSException {
        send(3);
        MessageConsumer consumer = consumer(session);
        assertReceives(consumer, "m1", "m2");
        try (Session look = other.createSession(Session.AUTO_ACKNOWLEDGE);
                MessageConsumer another = consumer(look)) {
            assertThat(another.receiveNoWait()).as("kept message").isNull();
        }
        return consumer;
    }

    private MessageConsumer consumer(Session session) throws JMSException {
        return session.createConsumer(session.createQueue(queueName));
    }

    private void send(int messages) throws JMSException {
        send(1, messages);
    }

    private void send(int first, int last) throws JMSException {
        try (Session session = other.createSession(Session.AUTO_ACKNOWLEDGE)) {
            Queue queue = session.createQueue(queueName);
            MessageProducer producer = session.createProducer(queue);
            for (int i = first; i <= last; i++) {
                producer.send(session.createTextMessage("m" + i));
            }
        }
    }

    /** It is there for another session, and was never delivered before. */
    private void assertTaken(String text) throws JMSException {
        try (Session session = other.createSession(Session.AUTO_ACKNOWLEDGE)) {
            assertReceives(consumer(session), text);
        }
    }

    private static void assertReceives(MessageConsumer consumer, String... texts) throws JMSException {
        for (String text : texts) {
            Message message = consumer.receive(RECEIVE);
            assertThat(textOrNull(message)).isEqualTo(text);
            assertThat(message.getJMSRedelivered()).as(text).isFalse();
            assertThat(message.getIntProperty("JMSXDeliveryCount")).as(text).isEqualTo(1);
        }
    }

    private static String receive(MessageConsumer consumer) throws JMSException {
        return textOrNull(consumer.receive(RECEIVE));
    }

    private static String textOrNull(Message message) throws JMSException {
        return message == null ? null : ((TextMessage) message).getText();
    }

    private static String text(Message message) {
        try {
            return textOrNull(message);
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }
}
