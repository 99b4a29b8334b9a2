package org.readpast.jms.tck.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.ServerSession;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Aside;
import org.readpast.jms.tck.rig.FaultyDriver;
import org.readpast.jms.tck.rig.FaultyDriver.Fault;
import org.readpast.jms.tck.rig.PostgresServer;
import org.readpast.jms.tck.rig.TestDatabase;

/** The database is stopped and started again while clients are at work: they go on, and nothing is lost. */
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DatabaseRestartTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final AtomicInteger POOL_SIZES = new AtomicInteger(4);

    private static PostgresServer server;

    @BeforeAll
    static void start() throws Exception {
        server = PostgresServer.start();
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    /** Has a pool of its own, in which no connection is older than the restart, and which is waited for. */
    private static ReadpastConnectionFactory freshFactory() {
        return factory(POOL_SIZES.getAndIncrement(), 60_000);
    }

    private static ReadpastConnectionFactory factory() {
        return factory(16, 3_000);
    }

    private static ReadpastConnectionFactory factory(int poolSize, int poolTimeoutMillis) {
        return new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(
                server.jdbcUrl(),
                "poolSize=" + poolSize,
                "poolTimeoutMillis=" + poolTimeoutMillis,
                "recoveryDelayMillis=50",
                "recoveryCeilingMillis=500",
                "idleCloseMillis=0"));
    }

    @Test
    void listener_goes_on_by_itself_and_the_exception_listener_hears_of_it_once() throws Exception {
        String queue = "restart.listener." + UUID.randomUUID();
        Set<String> heard = ConcurrentHashMap.newKeySet();
        List<JMSException> problems = new CopyOnWriteArrayList<>();
        AtomicBoolean hold = new AtomicBoolean(true);
        try (Connection connection = factory().createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            connection.setExceptionListener(problems::add);
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
            try (Session sending = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
                MessageProducer producer = sending.createProducer(sending.createQueue(queue));
                for (int i = 1; i <= 5; i++) {
                    producer.send(sending.createTextMessage("before " + i));
                }
            }
            // Its work is under way when the database goes: the acknowledgement finds no database any more.
            consumer.setMessageListener(message -> {
                await().atMost(PATIENCE).until(() -> !hold.get());
                heard.add(text(message));
            });
            connection.start();
            await().atMost(PATIENCE).until(() -> holdsAMessage());

            server.stopProcess();
            hold.set(false);
            await("the outage to be noticed").atMost(PATIENCE).until(() -> !problems.isEmpty());
            server.startProcess();

            try (Connection other = freshFactory().createConnection();
                    Session sending = other.createSession(Session.AUTO_ACKNOWLEDGE)) {
                MessageProducer producer = sending.createProducer(sending.createQueue(queue));
                for (int i = 1; i <= 5; i++) {
                    producer.send(sending.createTextMessage("after " + i));
                }
            }
            await("all messages").atMost(PATIENCE).until(() -> heard.size() == 10);
            assertThat(problems).hasSize(1);
            assertThat(problems.get(0)).hasMessageContaining("connection to the database");
        }
    }

    /** The application server's session works on a thread that is not ours; run returns, and is asked for again. */
    @Test
    void connection_consumer_goes_on_by_itself_and_the_exception_listener_hears_of_it_once() throws Exception {
        String queue = "restart.consumer." + UUID.randomUUID();
        Set<String> heard = ConcurrentHashMap.newKeySet();
        List<JMSException> problems = new CopyOnWriteArrayList<>();
        AtomicBoolean hold = new AtomicBoolean(true);
        try (Connection connection = factory().createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            connection.setExceptionListener(problems::add);
            session.setMessageListener(message -> {
                await().atMost(PATIENCE).until(() -> !hold.get());
                heard.add(text(message));
            });
            send(freshFactory(), queue, "before 1", "before 2", "before 3");
            connection.createConnectionConsumer(session.createQueue(queue), null, () -> new Direct(session), 2);
            connection.start();
            await().atMost(PATIENCE).until(() -> holdsAMessage());

            server.stopProcess();
            hold.set(false);
            await("the outage to be noticed").atMost(PATIENCE).until(() -> !problems.isEmpty());
            server.startProcess();

            send(freshFactory(), queue, "after 1", "after 2");
            await("all messages").atMost(PATIENCE).until(() -> heard.size() == 5);
            assertThat(problems).hasSize(1);
            assertThat(problems.get(0)).hasMessageContaining("ConnectionConsumer");
        }
    }

    /** What was known of the server's former life tells nothing of the transactions of this one. */
    @Test
    void commit_in_doubt_long_after_a_crash_is_found_out() throws Exception {
        String queue = "restart.doubt." + UUID.randomUUID();
        try (FaultyDriver driver = FaultyDriver.of(server.jdbcUrl());
                Connection connection = new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(
                                driver.url(), "idleCloseMillis=0", "poolTimeoutMillis=60000"))
                        .createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            producer.send(session.createTextMessage("before"));
            session.commit();

            long presentBefore = server.number("SELECT pid FROM pg_locks WHERE locktype = 'advisory'");
            server.crashAndRecover();
            await("the JVM to be present again")
                    .ignoreExceptions()
                    .atMost(PATIENCE)
                    .until(() -> server.number("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid <> "
                                    + presentBefore)
                            > 0);
            producer.send(session.createTextMessage("in doubt"));
            driver.failNext("commit()", Fault.CUT_BEHIND);
            session.commit();

            assertThat(driver.stop()).isTrue();
            assertThat(server.number("SELECT count(*) FROM readpast.message m JOIN readpast.destination d"
                            + " ON d.destination_id = m.destination_id WHERE d.name = '" + queue + "'"))
                    .isEqualTo(2);
        }
    }

    /** Runs its session on the thread that starts it. */
    private record Direct(Session session) implements ServerSession {

        @Override
        public Session getSession() {
            return session;
        }

        @Override
        public void start() {
            session.run();
        }
    }

    private static void send(ReadpastConnectionFactory factory, String queue, String... texts) throws JMSException {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            for (String text : texts) {
                producer.send(session.createTextMessage(text));
            }
        }
    }

    private static boolean holdsAMessage() throws Exception {
        return server.number("SELECT count(*) FROM pg_stat_activity"
                        + " WHERE state LIKE 'idle in transaction%' AND backend_type = 'client backend'")
                > 0;
    }

    @Test
    void waiting_receive_gets_what_is_sent_after_the_restart() throws Exception {
        String queue = "restart.receive." + UUID.randomUUID();
        try (Connection connection = factory().createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
            Aside<Message> received = Aside.call(() -> receiveHoweverLong(consumer));
            await().atMost(PATIENCE).until(() -> received.restsIn("await"));

            server.stopProcess();
            server.startProcess();

            try (Connection other = freshFactory().createConnection();
                    Session sending = other.createSession(Session.AUTO_ACKNOWLEDGE)) {
                sending.createProducer(sending.createQueue(queue)).send(sending.createTextMessage("after"));
            }
            assertThat(text(received.result())).isEqualTo("after");
        }
    }

    /** As the exceptions of receive ask for: nothing was lost, call receive again. */
    private static Message receiveHoweverLong(MessageConsumer consumer) throws JMSException {
        while (true) {
            try {
                return consumer.receive();
            } catch (JMSException e) {
                assertThat(e).hasMessageContaining("nothing was lost");
            }
        }
    }

    @Test
    void send_that_fails_is_not_carried_out_unless_it_says_that_it_does_not_know() throws Exception {
        String queue = "restart.send." + UUID.randomUUID();
        Map<String, Integer> doubts = new ConcurrentHashMap<>();
        AtomicInteger sent = new AtomicInteger();
        AtomicInteger failures = new AtomicInteger();
        AtomicBoolean enough = new AtomicBoolean();
        try (Connection connection = factory().createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            Aside<Exception> sender = Aside.attempt(() -> {
                while (!enough.get()) {
                    String text = "m" + (sent.get() + 1);
                    try {
                        producer.send(session.createTextMessage(text));
                        sent.incrementAndGet();
                    } catch (JMSException e) {
                        failures.incrementAndGet();
                        if ("IN_DOUBT".equals(e.getErrorCode())
                                || e.getMessage().contains("not known")) {
                            doubts.merge(text, 1, Integer::sum);
                        }
                    }
                }
            });
            await().atMost(PATIENCE).until(() -> sent.get() >= 20);
            server.stopProcess();
            await().atMost(PATIENCE).until(() -> failures.get() > 0);
            server.startProcess();
            int atRestart = sent.get();
            await().atMost(PATIENCE).until(() -> sent.get() >= atRestart + 20);
            enough.set(true);
            assertThat(sender.result()).isNull();
        }
        Map<String, Integer> received = receiveAll(queue);
        for (int i = 1; i <= sent.get(); i++) {
            String text = "m" + i;
            assertThat(received.getOrDefault(text, 0))
                    .as(text + ", of which " + doubts.getOrDefault(text, 0) + " sends are in doubt")
                    .isBetween(1, 1 + doubts.getOrDefault(text, 0));
        }
    }

    private static Map<String, Integer> receiveAll(String queue) throws JMSException {
        Map<String, Integer> received = new ConcurrentHashMap<>();
        try (Connection connection = freshFactory().createConnection();
                Session session = connection.createSession(Session.DUPS_OK_ACKNOWLEDGE)) {
            connection.start();
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
            for (Message message = consumer.receiveNoWait(); message != null; message = consumer.receiveNoWait()) {
                received.merge(text(message), 1, Integer::sum);
            }
        }
        return received;
    }

    private static String text(Message message) {
        try {
            return ((TextMessage) message).getText();
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }
}
