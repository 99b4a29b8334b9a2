package org.readpast.jms.tck.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Aside;
import org.readpast.jms.tck.rig.FaultyDriver;
import org.readpast.jms.tck.rig.FaultyDriver.Fault;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * Listeners of many AUTO_ACKNOWLEDGE sessions of one JVM listen to one queue, so that their deliveries share transactions: each message
 * is handled once, whoever else is slow, fails, or goes.
 */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("extended")
class ManyListenersTest {

    private static final int LISTENERS = 24;
    private static final int SENDERS = 3;
    private static final int EACH = 900;
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final TestDatabase database;
    private volatile String queueName = "listeners." + UUID.randomUUID();
    private final Random random = new Random();
    private FaultyDriver driver;
    private ReadpastConnectionFactory factory;
    private Connection connection;

    private record Sent(int sender, int number) {}

    /** What listeners have returned from in peace. */
    private final java.util.Queue<Sent> handled = new ConcurrentLinkedQueue<>();

    private final Set<Sent> distinct = ConcurrentHashMap.newKeySet();
    private final java.util.Queue<Throwable> problems = new ConcurrentLinkedQueue<>();

    /** How often a listener has failed as this test wanted it. */
    private final AtomicInteger failures = new AtomicInteger();

    /** What bodies begin with. */
    private String text = "m";

    /** Whether each listener gets the messages of each sender in their order: nothing comes back. */
    private volatile boolean inOrder;

    ManyListenersTest(TestDatabase database) {
        this.database = database;
    }

    /** Not H2, where acknowledgements do not travel with claims, and each listens for itself. */
    static Stream<TestDatabase> databases() {
        return TestDatabase.servers();
    }

    @BeforeEach
    void connect() throws Exception {
        driver = FaultyDriver.of(database.jdbcUrl());
        driver.listenTo(ManyListenersTest::servesSeveral);
        factory = new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(
                driver.url(),
                "poolTimeoutMillis=20000",
                "recoveryDelayMillis=50",
                "recoveryCeilingMillis=500",
                "redelivery.maximumDeliveries=4",
                "idleCloseMillis=0"));
        connection = factory.createConnection();
        connection.setExceptionListener(problem -> {});
        database.numberInOrder();
    }

    @AfterEach
    void disconnect() throws Exception {
        driver.stop();
        connection.close();
        driver.close();
    }

    private static boolean servesSeveral(Thread thread) {
        return thread.getName().startsWith("readpast-listeners-");
    }

    /** What a listener does with a message; it counts as handled when this returns. */
    @FunctionalInterface
    private interface Handler {
        void handle(Session session, Message message, Random mood) throws JMSException;
    }

    private static final Handler AT_ONCE = (session, message, mood) -> {};

    /** A listener that has gone wrong with a message of this test. */
    private static final class Failing extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Failing() {
            super("wanted by the test", null, false, false);
        }
    }

    private void listen(int listeners, Handler handler) throws JMSException {
        for (int i = 0; i < listeners; i++) {
            listen(handler);
        }
    }

    private Session listen(Handler handler) throws JMSException {
        Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
        Random mood = new Random(random.nextLong());
        Map<Integer, Integer> last = new HashMap<>();
        session.createConsumer(session.createQueue(queueName)).setMessageListener(message -> {
            try {
                Sent sent = new Sent(message.getIntProperty("sender"), message.getIntProperty("number"));
                if (inOrder) {
                    Integer before = last.put(sent.sender(), sent.number());
                    assertThat(sent.number())
                            .as("of sender %s", sent.sender())
                            .isGreaterThan(before == null ? -1 : before);
                }
                handler.handle(session, message, mood);
                handled.add(sent);
                distinct.add(sent);
            } catch (Failing wanted) {
                failures.incrementAndGet();
                throw wanted;
            } catch (JMSException | RuntimeException | AssertionError e) {
                problems.add(e);
            }
        });
        return session;
    }

    private void send(int each) {
        send(0, each);
    }

    private void send(int from, int to) {
        List<Aside<Exception>> senders = IntStream.range(0, SENDERS)
                .mapToObj(sender -> Aside.attempt(() -> send(sender, from, to)))
                .toList();
        assertThat(senders).allSatisfy(sender -> assertThat(sender.result()).isNull());
    }

    private void send(int sender, int from, int to) throws JMSException {
        try (Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            MessageProducer producer = session.createProducer(session.createQueue(queueName));
            for (int i = from; i < to; i++) {
                producer.send(message(session, sender, i));
            }
            session.commit();
        }
    }

    private Message message(Session session, int sender, int number) throws JMSException {
        TextMessage message = session.createTextMessage(text + number);
        message.setIntProperty("sender", sender);
        message.setIntProperty("number", number);
        return message;
    }

    private void awaitHandled(int all) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> distinct.size() >= all || !problems.isEmpty());
        assertThat(problems).isEmpty();
    }

    private void assertEachOnce(int all) throws Exception {
        awaitHandled(all);
        int whole = sendUntilCombined(all);
        // What a listener still fails with as the connection stops comes back uncounted.
        awaitNothingLeft();
        connection.stop();
        assertThat(handled).doesNotHaveDuplicates().hasSize(whole);
        assertNothingLeft();
    }

    /**
     * On a busy machine listeners may not be quick enough for a while.
     *
     * @param all how many messages have been handled
     * @return how many have been when deliveries were combined
     */
    private int sendUntilCombined(int all) {
        int whole = all;
        for (int from = EACH; from < EACH + 5_000 && !driver.hasSpoken(); from += 50) {
            send(from, from + 50);
            whole += SENDERS * 50;
            awaitHandled(whole);
        }
        assertThat(driver.hasSpoken()).as("deliveries were combined").isTrue();
        return whole;
    }

    /** A message that moves from the one to the other meanwhile is seen by the third look. */
    private void awaitNothingLeft() {
        await("all messages to be handled")
                .atMost(PATIENCE)
                .until(() -> !isAnyInQueue() && leased() == 0 && !isAnyInQueue());
    }

    private void assertNothingLeft() throws Exception {
        assertThat(isAnyInQueue()).as("in the queue").isFalse();
        assertThat(leased()).as("held by lease").isZero();
    }

    private boolean isAnyInQueue() throws JMSException {
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                QueueBrowser browser = session.createBrowser(session.createQueue(queueName))) {
            return browser.getEnumeration().hasMoreElements();
        }
    }

    private long leased() throws SQLException {
        try (java.sql.Connection sql = database.connect();
                PreparedStatement statement = sql.prepareStatement(
                        "SELECT count(*) FROM " + database.schema() + ".delayed_message m JOIN " + database.schema()
                                + ".destination d ON d.destination_id = m.destination_id WHERE d.name = ?")) {
            statement.setString(1, queueName);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    @Test
    void each_message_is_handled_once_and_in_order_however_many_listen() throws Exception {
        inOrder = true;
        listen(LISTENERS, AT_ONCE);
        connection.start();
        send(EACH);
        assertEachOnce(SENDERS * EACH);
    }

    /** What a slow one has in hand is leased by the transaction of the others, who do not wait for it, or for a second where bodies are long. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5_000})
    void others_go_on_while_a_listener_that_was_quick_does_not_return(int length) throws Exception {
        text = "m".repeat(length);
        inOrder = true;
        CountDownLatch mayReturn = new CountDownLatch(1);
        AtomicInteger count = new AtomicInteger();
        listen(LISTENERS, (session, message, mood) -> {
            if (count.incrementAndGet() % 700 == 0) {
                await().atMost(PATIENCE).until(() -> mayReturn.getCount() == 0);
            }
        });
        send(EACH);
        connection.start();
        int stuck = SENDERS * EACH / 700;
        awaitHandled(SENDERS * EACH - stuck);
        await().atMost(PATIENCE).until(() -> distinct.size() == SENDERS * EACH - stuck);
        mayReturn.countDown();
        assertEachOnce(SENDERS * EACH);
    }

    @Test
    void messages_are_handled_once_where_listeners_fail_and_recover_and_are_slow() throws Exception {
        Set<String> failed = ConcurrentHashMap.newKeySet();
        listen(LISTENERS, (session, message, mood) -> {
            boolean first = !message.getJMSRedelivered();
            assertThat(message.getIntProperty("JMSXDeliveryCount"))
                    .isEqualTo(failed.contains(message.getJMSMessageID()) ? 2 : 1);
            int dice = mood.nextInt(200);
            if (first && dice == 0) {
                failed.add(message.getJMSMessageID());
                throw new Failing();
            }
            if (first && dice == 1) {
                failed.add(message.getJMSMessageID());
                session.recover();
                throw new Failing();
            }
            if (dice == 2) {
                LockSupport.parkNanos(mood.nextInt(5_000_000));
            }
            if (dice == 3) {
                Thread.currentThread().interrupt();
            }
        });
        connection.start();
        send(EACH);
        assertEachOnce(SENDERS * EACH);
        assertThat(failures.get()).isEqualTo(failed.size()).isPositive();
    }

    /** A message that no listener can handle becomes a dead letter after its last delivery, and holds up nobody. */
    @Test
    void poison_among_them_becomes_a_dead_letter_after_its_last_delivery() throws Exception {
        AtomicInteger deliveries = new AtomicInteger();
        listen(LISTENERS, (session, message, mood) -> {
            if (message.getIntProperty("number") == 500) {
                deliveries.incrementAndGet();
                throw new Failing();
            }
        });
        connection.start();
        send(EACH);
        await().atMost(PATIENCE).until(() -> deliveries.get() >= SENDERS * 4);
        assertEachOnce(SENDERS * (EACH - 1));
        assertThat(deliveries).hasValue(SENDERS * 4);
    }

    @Test
    void messages_are_handled_once_while_sessions_come_and_go_and_the_connection_is_stopped() throws Exception {
        AtomicBoolean stopped = new AtomicBoolean();
        Handler handler = (session, message, mood) -> assertThat(stopped).isFalse();
        listen(LISTENERS / 2, handler);
        List<Session> going = new ArrayList<>();
        connection.start();
        Aside<Exception> senders = Aside.attempt(() -> send(EACH));
        while (distinct.size() < SENDERS * EACH && problems.isEmpty()) {
            while (going.size() < LISTENERS) {
                going.add(listen(handler));
            }
            int before = distinct.size();
            await().atMost(PATIENCE)
                    .until(() ->
                            distinct.size() > before + 100 || distinct.size() == SENDERS * EACH || !problems.isEmpty());
            for (int i = 0; i < LISTENERS / 2; i++) {
                going.remove(random.nextInt(going.size())).close();
            }
            connection.stop();
            stopped.set(true);
            stopped.set(false);
            connection.start();
        }
        assertThat(senders.result()).isNull();
        assertEachOnce(SENDERS * EACH);
    }

    /** A group is found in the midst of what is claimed for many: from then on the queue is claimed from by groups. */
    @Test
    void messages_are_handled_once_where_some_have_a_group() throws Exception {
        listen(LISTENERS, AT_ONCE);
        connection.start();
        Aside<Exception> senders = Aside.attempt(() -> send(EACH));
        awaitHandled(EACH / 2);
        int all = sendUntilCombined(SENDERS * EACH);
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageProducer producer = session.createProducer(session.createQueue(queueName));
            for (int i = 0; i < 20; i++) {
                Message message = message(session, SENDERS, i);
                message.setStringProperty("JMSXGroupID", "g");
                producer.send(message);
            }
        }
        assertThat(senders.result()).isNull();
        assertEachOnce(all + 20);
    }

    /** Nothing is lost, and what is done is not done again: what was in hand may come again. */
    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"REFUSED", "CUT_BEFORE", "CUT_BEHIND", "LOST_BEFORE", "LOST_BEHIND", "LATE"})
    void nothing_is_lost_whichever_shared_step_fails(Fault fault) throws Exception {
        driver.noticeLostAfter(20);
        for (int step = 1; step <= 6; step++) {
            // Listeners of the queue in which something has failed go alone for a while.
            queueName = "listeners." + UUID.randomUUID();
            handled.clear();
            distinct.clear();
            AtomicInteger count = new AtomicInteger();
            List<Session> sessions = new ArrayList<>();
            for (int i = 0; i < LISTENERS; i++) {
                sessions.add(listen((session, message, mood) -> {
                    // Now and then one is leased.
                    if (count.incrementAndGet() % 150 == 0) {
                        LockSupport.parkNanos(5_000_000);
                    }
                }));
            }
            driver.failStep(step, fault, ManyListenersTest::servesSeveral);
            connection.start();
            int sent = 0;
            while (!driver.hasFailed()) {
                send(sent, sent + EACH / 5);
                sent += EACH / 5;
                awaitHandled(SENDERS * sent);
            }
            driver.stop();
            driver.noticeLost();
            awaitNothingLeft();
            for (Session session : sessions) {
                session.close();
            }
            assertNothingLeft();
            connection.stop();
        }
    }
}
