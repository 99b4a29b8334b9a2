package org.readpast.jms.tck.arrivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.ServerSession;
import jakarta.jms.Session;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.ChildJvm;
import org.readpast.jms.tck.rig.StatementCounter;
import org.readpast.jms.tck.rig.TestDatabase;
import org.readpast.jms.tck.rig.Threads;

/** How consumers learn that something arrived, and what it costs while nothing does. */
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ArrivalsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Names of threads: of this test's receivers, of a session's listeners, of the one that watches. */
    private static final String RECEIVER = "idle-receiver-";

    private static final String LISTENER = "readpast-session-";
    private static final String DISPATCHER = "readpast-dispatcher-";
    private static final String WATCHER = "readpast-watcher-";

    private static final String NEVER = "3600000";
    private static final int QUEUES = 50;

    /** How many SQL connections the application's pool has, where twenty times as many consumers wait. */
    private static final int POOL = 10;

    static List<TestDatabase> databases() {
        return TestDatabase.requested().toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void idle_consumers_cost_as_many_queries_as_one_and_hold_no_connection(TestDatabase database) throws Exception {
        Set<String> one = queriesAtRest(database, 1);
        Set<String> many = queriesAtRest(database, 200);
        assertThat(one).hasSize(1);
        assertThat(many).isEqualTo(one);
    }

    /** The texts of the watcher's queries while so many consumers of several queues are idle. */
    private static Set<String> queriesAtRest(TestDatabase database, int consumers) throws Exception {
        try (HikariDataSource pool = database.pool(POOL)) {
            StatementCounter counter = new StatementCounter(pool);
            try (Connection connection = factory(counter, "20").createConnection()) {
                String prefix = "idle." + UUID.randomUUID() + ".";
                for (int i = 0; i < consumers; i++) {
                    MessageConsumer consumer = consumer(connection, prefix + i % QUEUES);
                    if (i / QUEUES % 2 == 0) {
                        startReceiver(i, consumer, new ConcurrentLinkedQueue<>());
                    } else {
                        consumer.setMessageListener(message -> {});
                    }
                }
                connection.start();
                awaitResting(consumers);

                counter.reset();
                int polls = 20;
                await().atMost(PATIENCE).until(() -> counter.executedBy(WATCHER).size() >= polls);

                // The consumers are still, each poll is one and the same query, whatever the number of queues,
                assertThat(counter.executedBy(RECEIVER)).isEmpty();
                assertThat(counter.executedBy(LISTENER)).isEmpty();
                List<StatementCounter.Executed> watched = counter.executedBy(WATCHER);
                assertThat(new HashSet<>(watched)).as("queries by one thread").hasSize(1);
                // and nobody has a connection but the watcher and the sign of life; housekeeping gives its back.
                await().atMost(PATIENCE).until(() -> counter.openConnections() == connectionsAtRest(database));
                borrow(pool, POOL - connectionsAtRest(database));
                return watched.stream().map(StatementCounter.Executed::text).collect(Collectors.toSet());
            }
        }
    }

    /** One connection that watches and one that shows that this JVM lives; on H2 that one cannot be lent, and one more is kept for that. */
    private static int connectionsAtRest(TestDatabase database) {
        return database == TestDatabase.H2 ? 3 : 2;
    }

    /** The application gets so many at the same time. */
    private static void borrow(HikariDataSource pool, int connections) throws SQLException {
        List<java.sql.Connection> borrowed = new ArrayList<>();
        try {
            for (int i = 0; i < connections; i++) {
                borrowed.add(pool.getConnection());
            }
        } finally {
            for (java.sql.Connection each : borrowed) {
                each.close();
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void idle_connection_consumers_cost_no_query_of_their_own_and_hold_no_connection(TestDatabase database)
            throws Exception {
        int consumers = 50;
        try (HikariDataSource pool = database.pool(20)) {
            StatementCounter counter = new StatementCounter(pool);
            try (Connection connection = factory(counter, "20").createConnection()) {
                String prefix = "idle." + UUID.randomUUID() + ".";
                for (int i = 0; i < consumers; i++) {
                    Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                    session.setMessageListener(message -> {});
                    connection.createConnectionConsumer(
                            session.createQueue(prefix + i % QUEUES), null, () -> new Direct(session), 1);
                }
                connection.start();
                await("all connection consumers to rest")
                        .atMost(PATIENCE)
                        .until(() ->
                                IntStream.rangeClosed(1, 2).allMatch(look -> restingThreads(DISPATCHER) == consumers));

                counter.reset();
                await().atMost(PATIENCE).until(() -> counter.executedBy(WATCHER).size() >= 20);
                assertThat(counter.executedBy(DISPATCHER)).isEmpty();
                assertThat(new HashSet<>(counter.executedBy(WATCHER)))
                        .as("queries by one thread")
                        .hasSize(1);
                await().atMost(PATIENCE).until(() -> counter.openConnections() == connectionsAtRest(database));
            }
        }
    }

    /** That its connection was started meanwhile is nothing to look for. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void receive_that_waits_has_claimed_once(TestDatabase database) throws Exception {
        try (HikariDataSource pool = database.pool(20)) {
            StatementCounter counter = new StatementCounter(pool);
            try (Connection connection = factory(counter, NEVER).createConnection()) {
                MessageConsumer consumer = consumer(connection, "once." + UUID.randomUUID());
                connection.start();
                counter.reset();
                startReceiver(1, consumer, new ConcurrentLinkedQueue<>());
                awaitResting(1);
                assertThat(counter.executedBy(RECEIVER)).hasSize(1);
            }
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

    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void local_send_wakes_one_of_many_waiting_receivers(TestDatabase database) throws Exception {
        ConcurrentLinkedQueue<String> received = new ConcurrentLinkedQueue<>();
        wakesOne(database, received, (i, consumer) -> startReceiver(i, consumer, received));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void local_send_wakes_one_of_many_waiting_listeners(TestDatabase database) throws Exception {
        ConcurrentLinkedQueue<String> received = new ConcurrentLinkedQueue<>();
        wakesOne(
                database,
                received,
                (i, consumer) -> consumer.setMessageListener(
                        message -> received.add(Thread.currentThread().getName())));
    }

    @FunctionalInterface
    private interface Idler {
        void idle(int number, MessageConsumer consumer) throws JMSException;
    }

    /**
     * With all polling switched off, every claim is the doing of the bell: one that gets the message, and one of the same consumer, with
     * the acknowledgement, that finds no other.
     */
    private static void wakesOne(TestDatabase database, ConcurrentLinkedQueue<String> received, Idler idler)
            throws Exception {
        int consumers = 100;
        // H2 claims in two statements, and acknowledges in one of its own.
        int statements = database == TestDatabase.H2 ? 4 : 2;
        String queue = "bell." + UUID.randomUUID();
        try (HikariDataSource pool = database.pool(POOL)) {
            StatementCounter counter = new StatementCounter(pool);
            try (Connection connection = factory(counter, NEVER).createConnection()) {
                for (int i = 0; i < consumers; i++) {
                    idler.idle(i, consumer(connection, queue));
                }
                connection.start();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                MessageProducer producer = session.createProducer(session.createQueue(queue));
                for (int sent = 1; sent <= 5; sent++) {
                    int soFar = sent;
                    awaitResting(consumers);
                    counter.reset();
                    producer.send(session.createTextMessage("m" + sent));
                    await().atMost(PATIENCE).until(() -> received.size() == soFar);
                    awaitResting(consumers);
                    String last = List.copyOf(received).get(soFar - 1);
                    assertThat(claimers(counter)).as("threads that claimed").containsExactly(last);
                    assertThat(counter.executedBy(last)).as("their statements").hasSizeLessThanOrEqualTo(statements);
                }
            }
        }
    }

    private static Set<String> claimers(StatementCounter counter) {
        List<StatementCounter.Executed> all = new ArrayList<>(counter.executedBy(RECEIVER));
        all.addAll(counter.executedBy(LISTENER));
        return all.stream().map(StatementCounter.Executed::thread).collect(Collectors.toSet());
    }

    /** Others have used up the deliveries of a message, by another configuration: whoever claims it makes it a dead letter. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void dead_letter_that_is_made_at_a_claim_wakes_who_waits_for_it(TestDatabase database) throws Exception {
        deadLetterWakes(database, false);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void dead_letter_that_is_made_in_a_transaction_wakes_who_waits_for_it(TestDatabase database) throws Exception {
        deadLetterWakes(database, true);
    }

    private static void deadLetterWakes(TestDatabase database, boolean inTransaction) throws Exception {
        String queue = "exhausted." + UUID.randomUUID();
        // Closed, so that nobody looks for what they wait for while others count the queries.
        try (ReadpastConnectionFactory others = new ReadpastConnectionFactory(database.readpastUrl());
                ReadpastConnectionFactory own = new ReadpastConnectionFactory(database.readpastUrl(
                        "notification=false",
                        "pollFloorMillis=" + NEVER,
                        "pollCeilingMillis=" + NEVER,
                        "redelivery.maximumDeliveries=1",
                        "redelivery.deadLetterDestination=DLQ.*"));
                JMSContext patient = others.createContext(JMSContext.SESSION_TRANSACTED);
                Connection connection = own.createConnection();
                Session session = connection.createSession(inTransaction, Session.AUTO_ACKNOWLEDGE)) {
            ConcurrentLinkedQueue<String> received = new ConcurrentLinkedQueue<>();
            startReceiver(1, consumer(connection, "DLQ." + queue), received);
            connection.start();
            awaitResting(1);
            patient.createProducer().send(patient.createQueue(queue), "one");
            patient.createProducer().send(patient.createQueue("other." + queue), "another");
            patient.commit();
            assertThat(patient.createConsumer(patient.createQueue(queue)).receive(PATIENCE.toMillis()))
                    .isNotNull();
            patient.rollback();
            if (inTransaction) {
                MessageConsumer other = session.createConsumer(session.createQueue("other." + queue));
                assertThat(other.receive(PATIENCE.toMillis())).isNotNull();
            }
            assertThat(session.createConsumer(session.createQueue(queue)).receiveNoWait())
                    .isNull();
            if (inTransaction) {
                session.commit();
            }
            await().atMost(PATIENCE).until(() -> received.size() == 1);
        }
    }

    /** For JVMs that datagrams do not reach. */
    @Test
    void notification_wakes_a_consumer_of_another_process_without_any_polling() throws Exception {
        String url = TestDatabase.POSTGRESQL.readpastUrl(
                "pollFloorMillis=" + NEVER, "pollCeilingMillis=" + NEVER, "idleCloseMillis=0", "datagrams=false");
        String queue = "notified." + UUID.randomUUID();
        int messages = 5;
        try (ChildJvm consumer = ChildJvm.start(WaitingConsumer.class, ChildJvm.SMALL, url, queue, "" + messages)) {
            consumer.awaitReport("resting");
            // Begins after the other, and so knows of it from the start.
            try (Connection connection = new ReadpastConnectionFactory(url).createConnection();
                    Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
                MessageProducer producer = session.createProducer(session.createQueue(queue));
                for (int i = 1; i <= messages; i++) {
                    consumer.awaitReport("resting", i);
                    producer.send(session.createTextMessage("m" + i));
                    consumer.awaitReport("received m" + i);
                }
            }
            assertThat(consumer.awaitEnd()).isZero();
        }
    }

    /** Nobody knows how many have come: who gets one wakes the next, who finds nothing wakes nobody. */
    @Test
    void ring_of_another_process_for_one_message_wakes_at_most_two_of_many() throws Exception {
        String queue = "herd." + UUID.randomUUID();
        int consumers = 100;
        ConcurrentLinkedQueue<String> received = new ConcurrentLinkedQueue<>();
        try (HikariDataSource pool = TestDatabase.POSTGRESQL.pool(POOL)) {
            StatementCounter counter = new StatementCounter(pool);
            ReadpastConnectionFactory factory = factory(counter, NEVER);
            factory.setNotification("true");
            factory.setDatagrams("false");
            try (Connection connection = factory.createConnection();
                    Connection elsewhere = new ReadpastConnectionFactory(
                                    TestDatabase.POSTGRESQL.readpastUrl("idleCloseMillis=0"))
                            .createConnection();
                    Session session = elsewhere.createSession(Session.AUTO_ACKNOWLEDGE)) {
                for (int i = 0; i < consumers; i++) {
                    startReceiver(i, consumer(connection, queue), received);
                }
                connection.start();
                MessageProducer producer = session.createProducer(session.createQueue(queue));
                for (int sent = 1; sent <= 5; sent++) {
                    int soFar = sent;
                    awaitResting(consumers);
                    counter.reset();
                    producer.send(session.createTextMessage("m" + sent));
                    await().atMost(PATIENCE).until(() -> received.size() == soFar);
                    awaitResting(consumers);
                    assertThat(claimers(counter))
                            .as("threads that claimed")
                            .contains(List.copyOf(received).get(soFar - 1))
                            .hasSizeLessThanOrEqualTo(2);
                }
            }
        }
    }

    /** By SQL, for example. Rings are closer together here than the looks of the JVM that hears them. */
    @Test
    void message_that_nobody_rings_for_is_found_however_often_others_are_rung_for() throws Exception {
        String url = TestDatabase.POSTGRESQL.readpastUrl(
                "pollFloorMillis=500", "pollCeilingMillis=500", "idleCloseMillis=0");
        String queue = "silent." + UUID.randomUUID();
        ConcurrentLinkedQueue<String> received = new ConcurrentLinkedQueue<>();
        try (Connection connection = new ReadpastConnectionFactory(url).createConnection();
                java.sql.Connection sql = TestDatabase.POSTGRESQL.connect();
                Statement statement = sql.createStatement()) {
            startReceiver(1, consumer(connection, queue), received);
            connection.start();
            awaitResting(1);
            ring(statement, 50);
            statement.execute("SELECT readpast.send('" + queue + "', 'm')");
            await().atMost(PATIENCE).until(() -> {
                ring(statement, 500);
                return received.size() == 1;
            });
        }
    }

    private static void ring(Statement statement, int times) throws SQLException {
        for (int i = 0; i < times; i++) {
            statement.execute("SELECT pg_notify('readpast', 'somebody:999999999')");
        }
    }

    private static ReadpastConnectionFactory factory(StatementCounter counter, String pollMillis) {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(counter.source());
        factory.setCreateSchema("true");
        factory.setJoin("NEVER");
        factory.setNotification("false");
        factory.setPollFloorMillis(pollMillis);
        factory.setPollCeilingMillis(pollMillis);
        factory.setIdleCloseMillis("0");
        return factory;
    }

    private static MessageConsumer consumer(Connection connection, String queue) throws JMSException {
        Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
        return session.createConsumer(session.createQueue(queue));
    }

    private static void startReceiver(int number, MessageConsumer consumer, ConcurrentLinkedQueue<String> received) {
        Thread thread = new Thread(
                () -> {
                    try {
                        for (Message message = consumer.receive(); message != null; message = consumer.receive()) {
                            received.add(Thread.currentThread().getName());
                        }
                    } catch (JMSException e) {
                        throw new AssertionError(e);
                    }
                },
                RECEIVER + number);
        thread.setDaemon(true);
        thread.start();
    }

    private static void awaitResting(int consumers) {
        await("all consumers to rest")
                .atMost(PATIENCE)
                .until(() -> IntStream.rangeClosed(1, 2).allMatch(look -> restingConsumers() == consumers));
    }

    private static long restingConsumers() {
        return restingThreads(RECEIVER) + restingThreads(LISTENER);
    }

    private static long restingThreads(String prefix) {
        return Threads.named(prefix).stream()
                .filter(thread -> Threads.restsIn(thread, "await"))
                .count();
    }
}
