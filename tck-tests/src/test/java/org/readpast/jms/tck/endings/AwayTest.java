package org.readpast.jms.tck.endings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Aside;
import org.readpast.jms.tck.rig.PostgresServer;
import org.readpast.jms.tck.rig.TestDatabase;
import org.readpast.jms.tck.rig.Threads;

/** What is opened and closed while the database is away, or on threads that are interrupted. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AwayTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** JVMs that are there, or were and are not removed. */
    private static final String PRESENT = "SELECT count(*) FROM readpast.presence";

    /** Statements that wait for a lock. */
    private static final String WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'";

    /** Connections of clients, but for the one that asks. */
    private static final String CONNECTED = "SELECT count(*) FROM pg_stat_activity"
            + " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";

    private static final List<String> SUBSCRIPTIONS = List.of("first", "second");

    private static ReadpastConnectionFactory factory(SwitchedSource source) {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(source);
        factory.setCreateSchema("true");
        factory.setIdleCloseMillis("0");
        factory.setRecoveryDelayMillis("50");
        return factory;
    }

    private static boolean exists(TestDatabase database, String destination) throws Exception {
        try (java.sql.Connection connection = database.connect();
                PreparedStatement query = connection.prepareStatement(
                        "SELECT 1 FROM " + database.schema() + ".destination WHERE name = ?")) {
            query.setString(1, destination);
            try (ResultSet row = query.executeQuery()) {
                return row.next();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("org.readpast.jms.tck.rig.TestDatabase#requested")
    void client_id_and_temporary_queue_of_a_connection_that_was_closed_meanwhile_are_given_up(TestDatabase database)
            throws Exception {
        SwitchedSource source = new SwitchedSource(database);
        ReadpastConnectionFactory factory = factory(source);
        String id = "away." + UUID.randomUUID();
        try (Connection other = factory.createConnection()) {
            Connection closed = factory.createConnection();
            closed.setClientID(id);
            TemporaryQueue queue = closed.createSession().createTemporaryQueue();
            assertThat(exists(database, queue.getQueueName())).isTrue();

            source.refuse();
            closed.close();
            source.allow();

            try (Connection next = factory.createConnection()) {
                await().atMost(PATIENCE).ignoreException(JMSException.class).until(() -> {
                    next.setClientID(id);
                    return true;
                });
                assertThatThrownBy(() -> other.setClientID(id)).isInstanceOf(InvalidClientIDException.class);
                await().atMost(PATIENCE).until(() -> !exists(database, queue.getQueueName()));
                assertThatThrownBy(() -> other.setClientID(id))
                        .as("a late release does not take it away")
                        .isInstanceOf(InvalidClientIDException.class);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("org.readpast.jms.tck.rig.TestDatabase#requested")
    void what_is_opened_for_somebody_who_was_interrupted_is_closed(TestDatabase database) throws Exception {
        SwitchedSource source = new SwitchedSource(database);
        ReadpastConnectionFactory factory = factory(source);
        int before = Threads.named("readpast-housekeeping-").size();
        // The first one is looked at, the next ones are for what all connections share.
        source.holdAfter(1);
        for (int i = 0; i < 5; i++) {
            assertConnectingIsInterrupted(factory, source::isWaitedFor);
        }

        source.allow();

        await().atMost(PATIENCE).until(() -> source.inUse() == 0);
        await().atMost(PATIENCE)
                .until(() -> Threads.named("readpast-housekeeping-").size() <= before);
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession()) {
            assertThat(session.createTextMessage("as good as ever")).isNotNull();
        }
    }

    /** A connection that has taken what others cannot have meanwhile, and is to give it up. */
    private static Connection holding(ReadpastConnectionFactory factory, String id) throws JMSException {
        Connection connection = factory.createConnection();
        connection.setClientID(id);
        Session session = connection.createSession();
        for (String subscription : SUBSCRIPTIONS) {
            session.createDurableSubscriber(session.createTopic(id), subscription);
        }
        return connection;
    }

    private static void assertGivenUp(ReadpastConnectionFactory factory, String id) throws JMSException {
        try (Connection next = factory.createConnection()) {
            next.setClientID(id);
            Session session = next.createSession();
            for (String subscription : SUBSCRIPTIONS) {
                session.unsubscribe(subscription);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("org.readpast.jms.tck.rig.TestDatabase#requested")
    void closing_on_an_interrupted_thread_gives_everything_up(TestDatabase database) throws Exception {
        ReadpastConnectionFactory factory = factory(new SwitchedSource(database));
        String id = "interrupted." + UUID.randomUUID();
        Connection connection = holding(factory, id);

        Aside<Boolean> closing = Aside.call(() -> {
            Thread.currentThread().interrupt();
            connection.close();
            return Thread.interrupted();
        });

        assertThat(closing.result()).as("the interrupt is kept").isTrue();
        assertGivenUp(factory, id);
    }

    @ParameterizedTest
    @MethodSource("org.readpast.jms.tck.rig.TestDatabase#requested")
    void interrupt_while_closing_waits_for_a_sql_connection_ends_nothing(TestDatabase database) throws Exception {
        SwitchedSource source = new SwitchedSource(database);
        ReadpastConnectionFactory factory = factory(source);
        String id = "interrupted." + UUID.randomUUID();
        Connection connection = holding(factory, id);
        AtomicReference<Thread> closer = new AtomicReference<>();
        source.holdAfter(0);
        Aside<Boolean> closing = Aside.call(() -> {
            closer.set(Thread.currentThread());
            connection.close();
            return Thread.interrupted();
        });
        await().atMost(PATIENCE).until(() -> closing.restsIn("close") && source.isWaitedFor());

        closer.get().interrupt();
        source.allow();

        assertThat(closing.result()).as("the interrupt is kept").isTrue();
        assertGivenUp(factory, id);
    }

    /** A statement that the server is at goes on, and so does what comes after it. */
    @Test
    void what_goes_on_though_it_was_interrupted_is_closed_when_it_is_open() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            ReadpastConnectionFactory factory =
                    new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(server.jdbcUrl(), "idleCloseMillis=0"));
            factory.createConnection().close();
            await().atMost(PATIENCE).until(() -> server.number(CONNECTED) == 0);
            try (java.sql.Connection holder = server.connect();
                    Statement statement = holder.createStatement()) {
                holder.setAutoCommit(false);
                statement.execute("LOCK TABLE readpast.presence IN SHARE ROW EXCLUSIVE MODE");
                for (int i = 0; i < 3; i++) {
                    assertConnectingIsInterrupted(factory, () -> server.number(WAITING) > 0);
                }
                holder.rollback();
            }
            await().atMost(PATIENCE).until(() -> server.number(PRESENT) == 0);
            await().atMost(PATIENCE).until(() -> server.number(CONNECTED) == 0);
        }
    }

    private static void assertConnectingIsInterrupted(ReadpastConnectionFactory factory, Callable<Boolean> isUnderWay)
            throws Exception {
        AtomicReference<Thread> caller = new AtomicReference<>();
        Aside<Exception> connecting = Aside.attempt(() -> {
            caller.set(Thread.currentThread());
            factory.createConnection();
        });
        await().atMost(PATIENCE).until(() -> isUnderWay.call() && connecting.restsIn("createConnection"));
        caller.get().interrupt();
        assertThat(connecting.result()).isInstanceOf(JMSException.class).hasMessageContaining("nterrupted");
    }

    /** @param step the method of the provider in which all of them wait */
    private static List<Aside<Exception>> connecting(ReadpastConnectionFactory factory, int threads, String step) {
        List<Aside<Exception>> connecting = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            connecting.add(Aside.attempt(factory::createConnection));
        }
        await().atMost(PATIENCE).until(() -> connecting.stream().allMatch(thread -> thread.restsIn(step)));
        return connecting;
    }

    /** Looking at the DataSource is the first step, opening what all connections share the second. */
    @ParameterizedTest
    @MethodSource("org.readpast.jms.tck.rig.TestDatabase#requested")
    void those_who_connect_at_the_same_time_share_one_attempt_and_its_failure(TestDatabase database) throws Exception {
        for (int step = 0; step < 2; step++) {
            SwitchedSource source = new SwitchedSource(database);
            source.holdAfter(step);
            ReadpastConnectionFactory factory = factory(source);

            List<Aside<Exception>> connecting = connecting(factory, 8, step == 0 ? "applicationSource" : "open");
            source.refuse();

            for (Aside<Exception> one : connecting) {
                assertThat(one.result())
                        .isInstanceOf(JMSException.class)
                        .hasMessageContaining("The test has taken the database away");
            }
            assertThat(source.attempts()).isEqualTo(step + 1);

            source.allow();
            factory.createConnection().close();
        }
    }

    @ParameterizedTest
    @MethodSource("org.readpast.jms.tck.rig.TestDatabase#requested")
    void who_waits_for_a_connection_with_others_can_be_interrupted(TestDatabase database) throws Exception {
        SwitchedSource source = new SwitchedSource(database);
        source.holdAfter(0);
        ReadpastConnectionFactory factory = factory(source);
        AtomicReference<Thread> impatient = new AtomicReference<>();
        Aside<Connection> patient = Aside.call(factory::createConnection);
        Aside<Exception> interrupted = Aside.attempt(() -> {
            impatient.set(Thread.currentThread());
            factory.createConnection();
        });
        await().atMost(PATIENCE)
                .until(() -> patient.restsIn("createConnection") && interrupted.restsIn("createConnection"));

        impatient.get().interrupt();

        assertThat(interrupted.result()).isInstanceOf(JMSException.class);
        source.allow();
        patient.result().close();
    }
}
