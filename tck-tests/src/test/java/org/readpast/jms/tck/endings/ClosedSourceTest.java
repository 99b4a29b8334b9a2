package org.readpast.jms.tck.endings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.jms.Connection;
import jakarta.jms.Session;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;
import org.readpast.jms.tck.rig.Threads;
import org.readpast.jms.tck.rig.Warnings;

/** An application that closes its DataSource before the connections that are on it. */
@Timeout(value = 6, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClosedSourceTest {

    /** What classes before this one have left open is closed half a minute behind their last connection, and may start threads until then. */
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** One of its own, by which what others in this JVM still say of theirs is told from what is said of this one. */
    private static final String SCHEMA = "closed_source";

    /** Those that ask DataSources for connections end when nobody has asked for a while. */
    private static List<Thread> threads() {
        return Threads.named("readpast-").stream()
                .filter(thread -> !thread.getName().equals("readpast-connections"))
                .toList();
    }

    /** An acknowledgement that was under way would be in doubt, which is a line of its own. */
    private static boolean isAcknowledged(TestDatabase database, String destination) throws SQLException {
        try (java.sql.Connection connection = database.connect();
                PreparedStatement find =
                        connection.prepareStatement("SELECT 1 FROM " + SCHEMA + ".message WHERE jms_destination = ?")) {
            find.setString(1, destination);
            try (ResultSet row = find.executeQuery()) {
                return !row.next();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("org.readpast.jms.tck.rig.TestDatabase#requested")
    void stopping_says_no_more_than_one_line(TestDatabase database) throws Exception {
        Set<Thread> before = new HashSet<>(threads());
        String name = "closed source." + UUID.randomUUID();
        Queue<String> heard = new ConcurrentLinkedQueue<>();
        HikariDataSource source = database.pool(10);
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(source);
        factory.setSchema(SCHEMA);
        factory.setCreateSchema("true");
        Connection connection = factory.createConnection();
        connection.setClientID(name);
        Session listening = connection.createSession();
        listening.createConsumer(listening.createQueue(name)).setMessageListener(message -> heard.add("queue"));
        listening
                .createDurableConsumer(listening.createTopic(name), name)
                .setMessageListener(message -> heard.add("topic"));
        listening.createConsumer(listening.createTemporaryQueue()).setMessageListener(message -> heard.add("reply"));
        Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
        transacted.createProducer(transacted.createQueue(name)).send(transacted.createMessage());
        Session leasing = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        leasing.createConsumer(leasing.createQueue(name + "?consumer.leaseSeconds=60"));
        connection.start();
        try (Session sending = connection.createSession()) {
            sending.createProducer(sending.createTopic(name)).send(sending.createMessage());
        }
        await().atMost(PATIENCE).until(() -> heard.contains("topic") && isAcknowledged(database, "topic://" + name));
        // That of the presence, that of who watches for arrivals, and on H2 the one that is kept to be lent.
        int atRest = database == TestDatabase.H2 ? 3 : 2;
        await().atMost(PATIENCE).until(() -> source.getHikariPoolMXBean().getActiveConnections() <= atRest);

        try (Warnings warnings = new Warnings();
                Warnings pools = new Warnings("com.zaxxer.hikari")) {
            source.close();
            connection.close();
            factory.close();

            await().atMost(PATIENCE).untilAsserted(() -> assertThat(threads()).isSubsetOf(before));
            // Those of other databases are of tests before this one, which end in their own time.
            assertThat(warnings.lines())
                    .filteredOn(line -> !line.contains(" schema ") || line.contains(" schema " + SCHEMA))
                    .hasSizeLessThanOrEqualTo(1);
            // A statement that was under way is the pool's to tell of. What is closed is not to be used again.
            assertThat(pools.lines())
                    .noneMatch(line -> line.contains("JdbcPresence.close") || line.contains("JdbcWatch.close"));
        }
    }
}
