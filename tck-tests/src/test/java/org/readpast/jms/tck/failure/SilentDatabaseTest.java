package org.readpast.jms.tck.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.rig.H2File;
import org.readpast.jms.tck.rig.TcpProxy;
import org.readpast.jms.tck.rig.TestDatabase;
import org.readpast.jms.tck.rig.Warnings;

/** A database that does not answer any more, and another one of the same JVM. */
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SilentDatabaseTest {

    private static final int DELAYED = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path files;

    static TestDatabase[] servers() {
        return TestDatabase.servers().toArray(TestDatabase[]::new);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void database_is_left_while_another_one_is_silent(TestDatabase server) throws Exception {
        try (TcpProxy proxy = TcpProxy.to(server.port())) {
            JMSContext silent = connect(server.urlThrough(proxy.port()));
            proxy.stall();
            silent.close();

            H2File other = new H2File(files.resolve("other"));
            connect(other.jdbcUrl()).close();

            await().atMost(PATIENCE).until(() -> !other.isOpen());
            proxy.cut();
        }
    }

    /** No packet goes through in either direction, and nobody is told: neither the client nor, until the end, the server. */
    @ParameterizedTest
    @MethodSource("servers")
    void everything_goes_on_after_all_packets_were_swallowed_and_nobody_is_reaped_who_lives(TestDatabase server)
            throws Exception {
        Queue<String> heard = new ConcurrentLinkedQueue<>();
        String name = "silent." + UUID.randomUUID();
        try (Warnings warnings = new Warnings();
                TcpProxy proxy = TcpProxy.to(server.port());
                JMSContext away = new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(
                                impatient(server, proxy.port()), "poolTimeoutMillis=10000", "idleCloseMillis=0"))
                        .createContext()) {
            Topic topic = away.createTopic(name);
            away.createConsumer(topic).setMessageListener(message -> heard.add(text(message)));
            try (JMSContext here =
                    new ReadpastConnectionFactory(server.readpastUrl("idleCloseMillis=0")).createContext()) {
                keepHousekeepingBusy(here, name);
                here.createProducer().send(topic, "before");
                await().atMost(PATIENCE).until(() -> heard.contains("before") && isAcknowledged(server, name));

                proxy.silence();
                long silent = proxy.silentLines();
                here.createProducer().send(topic, "meanwhile");
                await("an attempt to connect").atMost(PATIENCE).until(() -> proxy.silentLines() > silent);
                proxy.heal();
                await("a connection").atMost(PATIENCE).until(() -> proxy.liveLines() > 0);
                proxy.noticeSilent();

                await("presence")
                        .atMost(PATIENCE)
                        .until(() -> !warnings.said("takes another").isEmpty());
                here.createProducer().send(topic, "after");
                await("what was published").atMost(PATIENCE).until(() -> heard.contains("after"));
                assertThat(heard).containsExactly("before", "meanwhile", "after");
                assertThat(warnings.with("took it for dead")).isEmpty();
            }

            try (JMSContext sending = away.createContext(JMSContext.AUTO_ACKNOWLEDGE)) {
                sending.createProducer().setDeliveryDelay(1).send(topic, "delayed");
            }
            await("housekeeping").atMost(PATIENCE).until(() -> heard.contains("delayed"));
        }
    }

    /** As where its attempt to connect waits for an answer that does not come, while others have a connection already. */
    @ParameterizedTest
    @MethodSource("servers")
    void who_comes_back_late_from_an_outage_keeps_its_temporary_queue(TestDatabase server) throws Exception {
        String schema = "late_" + Long.toString(System.nanoTime(), 36);
        String[] options = {"schema=" + schema, "poolTimeoutMillis=60000", "idleCloseMillis=0"};
        try (TcpProxy slow = TcpProxy.to(server.port());
                TcpProxy quick = TcpProxy.to(server.port());
                JMSContext late = connect(server.urlThrough(slow.port()), options);
                JMSContext early = connect(server.urlThrough(quick.port()), options)) {
            TemporaryQueue replies = late.createTemporaryQueue();
            early.createProducer().send(replies, "kept");
            slow.refuse();
            slow.cut();
            quick.cut();

            await("others to have looked for longer than they wait otherwise")
                    .atMost(PATIENCE)
                    .until(() -> isMissingForLong(server, schema));
            slow.heal();
            assertThat(late.createConsumer(replies).receiveBody(String.class, PATIENCE.toMillis()))
                    .isEqualTo("kept");
        }
    }

    /** Whether one of two JVMs has been without its lock for seven seconds, or was removed. */
    private static boolean isMissingForLong(TestDatabase server, String schema) throws SQLException {
        String since = server == TestDatabase.POSTGRESQL
                ? "clock_timestamp() - interval '7 seconds'"
                : "DATEADD(second, -7, SYSUTCDATETIME())";
        try (java.sql.Connection connection = server.connect();
                PreparedStatement look = connection.prepareStatement("SELECT COUNT(*) FROM " + schema
                        + ".presence WHERE missing_since IS NULL OR missing_since > " + since);
                ResultSet row = look.executeQuery()) {
            row.next();
            return row.getInt(1) < 2;
        }
    }

    /** Each gives something up in the database as it is closed. */
    enum Closed {
        CONSUMER,
        SESSION,
        CONNECTION
    }

    static Stream<Arguments> closedOnServers() {
        return TestDatabase.servers()
                .flatMap(server -> Stream.of(Closed.values()).map(closed -> Arguments.of(server, closed)));
    }

    /** The driver has no time-out here: without a bound of ours closing would wait for ever. */
    @ParameterizedTest
    @MethodSource("closedOnServers")
    void closing_comes_back_while_the_database_is_silent(TestDatabase server, Closed what) throws Exception {
        String name = "closed." + UUID.randomUUID();
        try (TcpProxy proxy = TcpProxy.to(server.port());
                JMSContext other =
                        new ReadpastConnectionFactory(server.readpastUrl("idleCloseMillis=0")).createContext()) {
            Connection connection = new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(
                            server.urlThrough(proxy.port()), "closeTimeoutMillis=500", "idleCloseMillis=0"))
                    .createConnection();
            Destination queue = other.createQueue(name);
            other.createProducer().send(queue, "1").send(queue, "2");
            connection.setClientID(name);
            connection.start();
            Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
            session.createTemporaryQueue();
            MessageConsumer subscriber = session.createConsumer(session.createTopic(name));
            assertThat(session.createConsumer(queue).receive()).isNotNull();
            AutoCloseable closed = switch (what) {
                case CONSUMER -> subscriber;
                case SESSION -> session;
                case CONNECTION -> connection;
            };

            proxy.stall();
            assertThatThrownBy(closed::close).hasMessageContaining("option 'closeTimeoutMillis'");
            proxy.heal();

            if (closed != subscriber) {
                try (JMSConsumer consumer = other.createConsumer(queue)) {
                    assertThat(List.of(consumer.receiveBody(String.class), consumer.receiveBody(String.class)))
                            .containsExactlyInAnyOrder("1", "2");
                }
            }
            await("the end of its use of the topic").atMost(PATIENCE).until(() -> !isSubscribed(server, name));
            await("the rest").atMost(PATIENCE).until(() -> Jms.isClosed(connection));
        }
    }

    /** So that it is at work on a connection when that falls silent. */
    private static void keepHousekeepingBusy(JMSContext context, String name) {
        Destination queue = context.createQueue(name);
        context.createConsumer(queue).setMessageListener(message -> {});
        try (JMSContext sending = context.createContext(JMSContext.AUTO_ACKNOWLEDGE)) {
            for (int number = 1; number <= DELAYED; number++) {
                sending.createProducer().setDeliveryDelay(number * 100L).send(queue, String.valueOf(number));
            }
        }
    }

    /** What sessions do is bounded by this alone; it is longer than what bounds presence, and shorter than what bounds housekeeping. */
    private static String impatient(TestDatabase server, int port) {
        return server.urlThrough(port)
                + (server == TestDatabase.POSTGRESQL ? "&socketTimeout=15" : ";socketTimeout=15000");
    }

    private static boolean isAcknowledged(TestDatabase server, String topic) throws SQLException {
        try (java.sql.Connection connection = server.connect();
                PreparedStatement look = connection.prepareStatement(
                        "SELECT depth FROM " + server.schema() + ".queue_overview WHERE topic = ?")) {
            look.setString(1, topic);
            try (ResultSet row = look.executeQuery()) {
                return row.next() && row.getLong(1) == 0;
            }
        }
    }

    private static boolean isSubscribed(TestDatabase server, String topic) throws SQLException {
        try (java.sql.Connection connection = server.connect();
                PreparedStatement look = connection.prepareStatement(
                        "SELECT COUNT(*) FROM " + server.schema() + ".queue_overview WHERE topic = ?")) {
            look.setString(1, topic);
            try (ResultSet row = look.executeQuery()) {
                row.next();
                return row.getInt(1) > 0;
            }
        }
    }

    private static String text(Message message) {
        try {
            return ((TextMessage) message).getText();
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    private static JMSContext connect(String jdbcUrl) {
        return connect(jdbcUrl, "idleCloseMillis=0");
    }

    private static JMSContext connect(String jdbcUrl, String... options) {
        return new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(jdbcUrl, options)).createContext();
    }
}
