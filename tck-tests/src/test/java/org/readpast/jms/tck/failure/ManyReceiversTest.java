package org.readpast.jms.tck.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
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
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Aside;
import org.readpast.jms.tck.rig.FaultyDriver;
import org.readpast.jms.tck.rig.FaultyDriver.Fault;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * Many AUTO_ACKNOWLEDGE sessions of one JVM receive from one queue at the same time, so that their claims and acknowledgements share
 * transactions: each message comes to one of them, once, and to each of them in the order of its sender.
 */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("extended")
class ManyReceiversTest {

    private static final int RECEIVERS = 24;
    private static final int SENDERS = 3;
    private static final int EACH = 1_000;

    /** The sender whose messages expire. */
    private static final int MORTAL = -1;

    /** Who has waited for so long looks whether all is received. */
    private static final long SHORT = 200;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final TestDatabase database;
    private volatile String queueName = "many." + UUID.randomUUID();
    private final Random random = new Random();
    private FaultyDriver driver;
    private ReadpastConnectionFactory factory;
    private Connection connection;

    /** How many messages there are in all. */
    private volatile int all;

    private final Queue<Sent> received = new ConcurrentLinkedQueue<>();
    private final Set<Sent> distinct = ConcurrentHashMap.newKeySet();

    /**
     * The time to live of a message ends by the database's clock, a little later than it says: at the most by as long as two calls took,
     * its send and the call that carried it there.
     */
    private volatile long slack;

    /** Of the sender whose messages expire. */
    private final Queue<Sent> mortal = new ConcurrentLinkedQueue<>();

    /** For the how-manieth time the connection is stopped; 0 while it is started. */
    private volatile int stopped;

    /** Whether a receiver has failed, who may have had a message that the others would wait for in vain. */
    private volatile boolean failed;

    /** By thread, how many of the receives that began while the connection was stopped have ended. */
    private final Map<Thread, Integer> foundNothingStopped = new ConcurrentHashMap<>();

    private record Sent(int sender, int number) {}

    ManyReceiversTest(TestDatabase database) {
        this.database = database;
    }

    /** Not H2, where acknowledgements do not travel with claims, and each receives for itself. */
    static Stream<TestDatabase> databases() {
        return TestDatabase.servers();
    }

    @BeforeEach
    void connect() throws Exception {
        driver = FaultyDriver.of(database.jdbcUrl());
        driver.listenTo(ManyReceiversTest::receivesForSeveral);
        // Nothing is kept ahead, since what is given back comes to somebody later.
        factory = new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(
                driver.url(),
                "receiveAheadMillis=0",
                "poolTimeoutMillis=20000",
                "recoveryDelayMillis=50",
                "recoveryCeilingMillis=500",
                "redelivery.maximumDeliveries=0",
                "idleCloseMillis=0"));
        connection = factory.createConnection();
        connection.start();
        database.numberInOrder();
    }

    @AfterEach
    void disconnect() throws Exception {
        driver.stop();
        connection.close();
        driver.close();
    }

    private static boolean receivesForSeveral(Thread thread) {
        return thread.getName().startsWith("readpast-receives-");
    }

    private List<Aside<Exception>> send(int each) {
        all = SENDERS * each;
        return IntStream.range(0, SENDERS)
                .mapToObj(sender -> Aside.attempt(() -> send(sender, each)))
                .toList();
    }

    private void send(int sender, int each) throws JMSException {
        try (Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            MessageProducer producer = session.createProducer(session.createQueue(queueName));
            Random batches = new Random();
            for (int i = 0; i < each; i++) {
                producer.send(message(session, sender, i));
                if (batches.nextInt(10) == 0) {
                    session.commit();
                }
            }
            session.commit();
        }
    }

    private static BytesMessage message(Session session, int sender, int number) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.setIntProperty("sender", sender);
        message.setIntProperty("number", number);
        message.writeInt(number);
        return message;
    }

    /** How one of the receivers goes about it; of the numbers each is that of the receives among which one is like that, or 0. */
    private record Manner(Ordered ordered, int pauses, int interrupts, int endings, boolean failing) {}

    /** In which order a receiver gets messages. */
    private enum Ordered {
        IN_NO_ORDER,
        /** Those of each sender in the order in which it has sent them. */
        BY_SENDER,
        /** The same within each priority, and none before one of a higher priority: all were there beforehand. */
        BY_PRIORITY
    }

    /** What a receiver got last, of all and of each sender. */
    private static final class Last {
        private final Ordered ordered;
        private final Map<Integer, Integer> numbers = new HashMap<>();
        private int priority = 9;

        Last(Ordered ordered) {
            this.ordered = ordered;
        }

        void received(Sent sent, int itsPriority) {
            if (ordered == Ordered.IN_NO_ORDER) {
                return;
            }
            if (ordered == Ordered.BY_PRIORITY) {
                assertThat(itsPriority).isLessThanOrEqualTo(priority);
                if (itsPriority < priority) {
                    numbers.clear();
                }
                priority = itsPriority;
            }
            Integer before = numbers.put(sent.sender(), sent.number());
            assertThat(sent.number()).as("of sender %s", sent.sender()).isGreaterThan(before == null ? -1 : before);
        }
    }

    private List<Aside<Exception>> receive(int receivers, Manner manner) {
        return IntStream.range(0, receivers)
                .mapToObj(i -> Aside.attempt(() -> {
                    try {
                        receive(manner);
                    } catch (Exception | AssertionError e) {
                        failed = true;
                        throw e;
                    }
                }))
                .toList();
    }

    private boolean isAllReceived() {
        return distinct.size() == all;
    }

    private void receive(Manner manner) throws Exception {
        Random mood = new Random(random.nextLong());
        Last last = new Last(manner.ordered());
        while (!isAllReceived() && !failed) {
            Aside<Exception> ending = null;
            try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
                MessageConsumer consumer = session.createConsumer(session.createQueue(queueName));
                boolean open = true;
                while (open) {
                    if (ending == null && manner.endings() > 0 && mood.nextInt(manner.endings()) == 0) {
                        ending = Aside.attempt(mood.nextBoolean() ? session::close : consumer::close);
                    }
                    open = receiveOne(consumer, manner, mood, last) && ending == null;
                }
                if (ending != null) {
                    assertThat(ending.result()).isNull();
                }
            }
        }
    }

    /** Returns whether a message came. */
    private boolean receiveOne(MessageConsumer consumer, Manner manner, Random mood, Last last) throws JMSException {
        if (manner.pauses() > 0 && mood.nextInt(manner.pauses()) == 0) {
            LockSupport.parkNanos(mood.nextInt(20_000_000));
        }
        if (manner.interrupts() > 0 && mood.nextInt(manner.interrupts()) == 0) {
            Thread.currentThread().interrupt();
        }
        int afterStop = stopped;
        long begin = System.currentTimeMillis();
        Message message;
        try {
            message = consumer.receive(SHORT);
        } catch (jakarta.jms.IllegalStateException closed) {
            return false;
        } catch (JMSException e) {
            if (manner.failing() || Thread.currentThread().isInterrupted()) {
                return false;
            }
            throw e;
        } finally {
            Thread.interrupted();
        }
        if (message == null) {
            if (afterStop > 0) {
                foundNothingStopped.merge(Thread.currentThread(), 1, Integer::sum);
            }
            return false;
        }
        // Whoever gets it behind a start may come here behind the next stop.
        assertThat(afterStop > 0 && afterStop == stopped)
                .as("received while stopped")
                .isFalse();
        assertThat(message.getJMSExpiration())
                .satisfiesAnyOf(
                        expiration -> assertThat(expiration).isZero(),
                        expiration -> assertThat(expiration).isGreaterThan(begin - slack));
        int sender = message.getIntProperty("sender");
        int number = message.getIntProperty("number");
        assertThat(((BytesMessage) message).readInt()).isEqualTo(number);
        Sent sent = new Sent(sender, number);
        if (sender == MORTAL) {
            mortal.add(sent);
            return true;
        }
        received.add(sent);
        distinct.add(sent);
        last.received(sent, message.getJMSPriority());
        return true;
    }

    private static void awaitEnd(List<Aside<Exception>> threads) {
        assertThat(threads).allSatisfy(thread -> assertThat(thread.result()).isNull());
    }

    private void assertEachOnce() throws JMSException {
        assertThat(received).doesNotHaveDuplicates().hasSize(all);
        assertNothingLeft();
    }

    private void assertNothingLeft() throws JMSException {
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageConsumer consumer = session.createConsumer(session.createQueue(queueName));
            assertThat(consumer.receiveNoWait()).isNull();
        }
    }

    private void awaitReceivedTogether() {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(1)).until(driver::hasSpoken);
    }

    @Test
    void each_message_comes_once_and_in_order_however_many_receive() throws Exception {
        List<Aside<Exception>> senders = send(EACH);
        List<Aside<Exception>> receivers =
                new ArrayList<>(receive(RECEIVERS / 2, new Manner(Ordered.BY_SENDER, 4, 0, 0, false)));
        receivers.addAll(receive(RECEIVERS, new Manner(Ordered.BY_SENDER, 30, 0, 0, false)));
        awaitReceivedTogether();
        awaitEnd(senders);
        awaitEnd(receivers);
        assertEachOnce();
    }

    @Test
    void each_message_comes_once_while_receivers_are_interrupted_and_closed() throws Exception {
        List<Aside<Exception>> senders = send(EACH);
        List<Aside<Exception>> receivers = receive(RECEIVERS, new Manner(Ordered.BY_SENDER, 0, 30, 30, false));
        awaitReceivedTogether();
        awaitEnd(senders);
        awaitEnd(receivers);
        assertEachOnce();
    }

    /** A group is found in the midst of what is claimed for many: from then on the queue is claimed from by groups. */
    @Test
    void messages_come_once_where_some_have_a_group() throws Exception {
        List<Aside<Exception>> senders = send(EACH);
        all = SENDERS * EACH + 20;
        List<Aside<Exception>> receivers = receive(RECEIVERS, new Manner(Ordered.IN_NO_ORDER, 0, 0, 0, false));
        awaitReceivedTogether();
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageProducer producer = session.createProducer(session.createQueue(queueName));
            for (int i = 0; i < 20; i++) {
                Message message = message(session, SENDERS, i);
                message.setStringProperty("JMSXGroupID", "g");
                producer.send(message);
            }
        }
        awaitEnd(senders);
        awaitEnd(receivers);
        assertEachOnce();
    }

    private interface Call {
        void run() throws JMSException;
    }

    private void timed(Call call) throws JMSException {
        long begin = System.currentTimeMillis();
        call.run();
        slack = Math.max(slack, 2 * (System.currentTimeMillis() - begin + 1));
    }

    @Test
    void higher_priorities_come_first_and_nothing_that_has_expired() throws Exception {
        try (Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            MessageProducer producer = session.createProducer(session.createQueue(queueName));
            for (int i = 0; i < EACH; i++) {
                producer.setPriority(random.nextInt(10));
                Message lasting = message(session, 0, i);
                timed(() -> producer.send(lasting));
                Message shortLived = message(session, MORTAL, i);
                int life = 1 + random.nextInt(1_000);
                timed(() -> producer.send(shortLived, producer.getDeliveryMode(), producer.getPriority(), life));
            }
            timed(session::commit);
        }
        all = EACH;
        List<Aside<Exception>> receivers = receive(RECEIVERS, new Manner(Ordered.BY_PRIORITY, 0, 0, 0, false));
        awaitReceivedTogether();
        awaitEnd(receivers);
        assertThat(received).doesNotHaveDuplicates().hasSize(all);
        assertThat(mortal).doesNotHaveDuplicates();
    }

    @Test
    void nothing_is_received_while_the_connection_is_stopped() throws Exception {
        List<Aside<Exception>> senders = send(EACH);
        List<Aside<Exception>> receivers = receive(RECEIVERS, new Manner(Ordered.BY_SENDER, 0, 0, 0, false));
        awaitReceivedTogether();
        for (int stop = 1; stop <= 3; stop++) {
            connection.stop();
            foundNothingStopped.clear();
            stopped = stop;
            await().atMost(PATIENCE)
                    .until(() -> foundNothingStopped.size()
                                    + receivers.stream().filter(Aside::isDone).count()
                            >= RECEIVERS);
            stopped = 0;
            connection.start();
        }
        awaitEnd(senders);
        awaitEnd(receivers);
        assertEachOnce();
    }

    /**
     * PostgreSQL tells what became of a commit. On SQL Server a message of a commit in doubt that was not carried out may come twice: somebody
     * may claim it before it is acknowledged again.
     */
    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"REFUSED", "CUT_BEFORE", "CUT_BEHIND", "LOST_BEFORE", "LOST_BEHIND"})
    void each_message_comes_once_whichever_shared_step_fails(Fault fault) throws Exception {
        boolean inDoubt = fault != Fault.REFUSED && fault != Fault.CUT_BEHIND;
        driver.noticeLostAfter(20);
        failEachStep(fault, database == TestDatabase.POSTGRESQL || !inDoubt);
    }

    private void failEachStep(Fault fault, boolean once) throws Exception {
        int failures = 0;
        for (int step = 1; step <= 6; step++) {
            // Receivers of the queue in which something has failed go alone for a while.
            queueName = "many." + UUID.randomUUID();
            received.clear();
            distinct.clear();
            awaitEnd(send(EACH / 5));
            driver.failStep(step, fault, ManyReceiversTest::receivesForSeveral);
            awaitEnd(receive(RECEIVERS, new Manner(Ordered.IN_NO_ORDER, 0, 0, 0, true)));
            failures += driver.stop() ? 1 : 0;
            driver.noticeLost();
            if (once) {
                assertThat(received).as("step %s, %s", step, driver.failed()).doesNotHaveDuplicates();
            }
            assertNothingLeft();
        }
        assertThat(failures).isGreaterThan(2);
    }
}
