package org.readpast.jms.tck.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.ChildJvm;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * There are more listeners than an application's DataSource has connections, and each session holds one. Whatever a delivery needs beside
 * that must not be another one of them: all would wait for each other, until the pool gives up.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("extended")
class SmallPoolTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long MUCH_LONGER_THAN_PATIENCE = TimeUnit.HOURS.toMillis(1);
    private static final int POOL = 8;
    private static final int LISTENERS = 12;
    private static final int MESSAGES = 60;

    private final String queue = "small pool." + UUID.randomUUID();

    private static Server h2;

    private String jdbcUrl;

    static List<Arguments> modes() {
        return TestDatabase.requested()
                .flatMap(database -> Stream.of(Session.AUTO_ACKNOWLEDGE, Session.SESSION_TRANSACTED)
                        .map(mode -> Arguments.of(database, mode)))
                .toList();
    }

    @AfterAll
    static void stopServer() {
        if (h2 != null) {
            h2.stop();
        }
    }

    /** H2 as a server as well, since another process is killed. */
    private void use(TestDatabase database) throws SQLException {
        if (database == TestDatabase.H2) {
            if (h2 == null) {
                h2 = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
            }
            jdbcUrl = "jdbc:h2:tcp://localhost:" + h2.getPort() + "/mem:small;DB_CLOSE_DELAY=-1;USER=sa;PASSWORD=sa";
        } else {
            jdbcUrl = database.jdbcUrl();
        }
    }

    @ParameterizedTest(name = "{0}, acknowledge mode {1}")
    @MethodSource("modes")
    void suspect_messages_are_counted_before_they_are_delivered_and_nobody_waits_for_himself(
            TestDatabase database, int mode) throws Exception {
        use(database);
        send("");
        makeSuspect(database);
        assertAllAreDelivered(
                mode,
                message -> assertThat(counted(database))
                        .as("deliveries that were counted before they ended")
                        .isPositive());
        assertThat(counted(database)).isZero();
    }

    /** What a session holds while it takes a group is a connection as well. */
    @ParameterizedTest(name = "{0}, acknowledge mode {1}")
    @MethodSource("modes")
    void groups_are_taken_and_nobody_waits_for_himself(TestDatabase database, int mode) throws Exception {
        use(database);
        send("g");
        assertAllAreDelivered(
                mode,
                message -> assertThat(message.getStringProperty("JMSXGroupID")).startsWith("g"));
    }

    private void send(String groupPrefix) {
        String url = TestDatabase.readpastUrlOf(jdbcUrl, "idleCloseMillis=0");
        try (JMSContext context = new ReadpastConnectionFactory(url).createContext()) {
            for (int i = 0; i < MESSAGES; i++) {
                JMSProducer producer = context.createProducer();
                if (!groupPrefix.isEmpty()) {
                    producer.setProperty("JMSXGroupID", groupPrefix + i / 2);
                }
                producer.send(context.createQueue(queue), "m" + i);
            }
        }
    }

    /** A JVM that holds one of the messages is killed, and another one finds that out as it appears. */
    private void makeSuspect(TestDatabase database) throws Exception {
        String url = TestDatabase.readpastUrlOf(jdbcUrl, "idleCloseMillis=0");
        try (ChildJvm holder = ChildJvm.start(
                HoldingConsumer.class, ChildJvm.SMALL, url, queue, "" + Session.CLIENT_ACKNOWLEDGE, "1")) {
            holder.awaitReport("holding");
            holder.kill();
        }
        await("the death to be noticed").atMost(PATIENCE).until(() -> {
            new ReadpastConnectionFactory(url).createContext().close();
            return number(database, "suspect_mark") > 0;
        });
    }

    @FunctionalInterface
    private interface Check {
        void on(Message message) throws Exception;
    }

    private void assertAllAreDelivered(int mode, Check check) throws Exception {
        Queue<String> delivered = new ConcurrentLinkedQueue<>();
        Queue<Throwable> problems = new ConcurrentLinkedQueue<>();
        HikariConfig small = new HikariConfig();
        small.setJdbcUrl(jdbcUrl);
        small.setMaximumPoolSize(POOL);
        small.setConnectionTimeout(MUCH_LONGER_THAN_PATIENCE);
        try (HikariDataSource pool = new HikariDataSource(small)) {
            ReadpastConnectionFactory factory = new ReadpastConnectionFactory(pool);
            factory.setIdleCloseMillis("0");
            try (Connection connection = factory.createConnection()) {
                connection.setExceptionListener(problems::add);
                for (int i = 0; i < LISTENERS; i++) {
                    Session session = connection.createSession(mode);
                    session.createConsumer(session.createQueue(queue)).setMessageListener(message -> {
                        try {
                            check.on(message);
                            if (mode == Session.SESSION_TRANSACTED) {
                                session.commit();
                            }
                            delivered.add(((TextMessage) message).getText());
                        } catch (Exception | AssertionError problem) {
                            problems.add(problem);
                        }
                    });
                }
                connection.start();
                await("all messages").atMost(PATIENCE).until(() -> delivered.size() >= MESSAGES || !problems.isEmpty());
            }
        }
        assertThat(problems).isEmpty();
        assertThat(delivered)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, MESSAGES).mapToObj(i -> "m" + i).toList());
    }

    private long counted(TestDatabase database) throws SQLException {
        return number(database, "suspect_delivery");
    }

    private long number(TestDatabase database, String table) throws SQLException {
        try (java.sql.Connection connection = DriverManager.getConnection(jdbcUrl);
                PreparedStatement statement = connection.prepareStatement("SELECT count(*) FROM " + database.schema()
                        + "." + table + " t JOIN " + database.schema()
                        + ".destination d ON d.destination_id = t.destination_id WHERE d.name = ?")) {
            statement.setString(1, queue);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }
}
