package org.readpast.jms.tck.arrivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.management.ProviderMXBean;
import org.readpast.jms.tck.rig.SharedPostgres;
import org.readpast.jms.tck.rig.TcpProxy;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * A JVM at rest for which another one looks asks the database next to nothing by itself; it is told all the same of what happens there. Two
 * factories of different settings are two JVMs as far as this goes.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RestingJvmTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int UUID_LENGTH = 36;

    private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    private final String schema = "resting_" + Long.toString(System.nanoTime(), 36);
    private final String queue = "resting." + UUID.randomUUID();

    static List<TestDatabase> servers() {
        return TestDatabase.servers().toList();
    }

    /** One of two JVMs, whose connections can be cut. */
    private final class Jvm implements AutoCloseable {

        private final TcpProxy proxy;
        private final Connection connection;
        private final ProviderMXBean bean;

        Jvm(TestDatabase database, int poolSize) throws Exception {
            ObjectName all = new ObjectName("org.readpast.jms:type=Provider,*");
            Set<ObjectName> before = beans.queryNames(all, null);
            proxy = TcpProxy.to(database.port());
            connection = new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(
                            database.urlThrough(proxy.port()),
                            "schema=" + schema,
                            "idleCloseMillis=0",
                            "poolSize=" + poolSize))
                    .createConnection();
            connection.start();
            Set<ObjectName> added = beans.queryNames(all, null);
            added.removeAll(before);
            assertThat(added).hasSize(1);
            bean = JMX.newMXBeanProxy(beans, added.iterator().next(), ProviderMXBean.class);
        }

        private UUID id() {
            return UUID.fromString(bean.getInstance().substring(0, UUID_LENGTH));
        }

        /** Waits for a queue, and counts what comes. */
        CountDownLatch listen(String name) throws JMSException {
            CountDownLatch came = new CountDownLatch(1);
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            session.createConsumer(session.createQueue(name)).setMessageListener(message -> came.countDown());
            return came;
        }

        @Override
        public void close() throws JMSException, IOException {
            connection.close();
            proxy.close();
        }
    }

    /** The one of the two for which the other one looks: that with the greater id. It may be the other way round until both have looked. */
    private static Jvm awaitResting(Jvm one, Jvm other) {
        Jvm resting = one.id().compareTo(other.id()) > 0 ? one : other;
        await().atMost(PATIENCE).until(resting.bean::isLookedFor);
        return resting;
    }

    private static void execute(TestDatabase database, String sql) throws SQLException {
        try (java.sql.Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long number(TestDatabase database, String sql) throws SQLException {
        try (java.sql.Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** It is told that nobody holds its lock, and takes it again before others take it for dead. */
    @Test
    void one_that_loses_its_connection_keeps_its_temporary_queue() throws Exception {
        try (Jvm one = new Jvm(TestDatabase.POSTGRESQL, 5);
                Jvm other = new Jvm(TestDatabase.POSTGRESQL, 6)) {
            one.listen(queue);
            other.listen(queue);
            Jvm resting = awaitResting(one, other);
            Session session = resting.connection.createSession(Session.AUTO_ACKNOWLEDGE);
            TemporaryQueue replies = session.createTemporaryQueue();
            try (Session answering =
                    (resting == one ? other : one).connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
                answering.createProducer(replies).send(answering.createTextMessage("kept"));
            }
            await().atMost(PATIENCE).until(resting.bean::isLookedFor);
            String holder = "SELECT coalesce(max(pid), 0) FROM pg_locks WHERE locktype = 'advisory' AND granted"
                    + " AND ((CAST(classid AS bigint) << 32) | CAST(objid AS bigint)) = hashtextextended('readpast:"
                    + schema + ":" + resting.bean.getInstance() + "', 0)";
            long before = SharedPostgres.get().number(holder);
            assertThat(before).isPositive();

            resting.proxy.cut();

            await("its lock to be held by another session").atMost(PATIENCE).until(() -> {
                long now = SharedPostgres.get().number(holder);
                return now > 0 && now != before;
            });
            MessageConsumer consumer = session.createConsumer(replies);
            assertThat(((TextMessage) consumer.receive(PATIENCE.toMillis())).getText())
                    .isEqualTo("kept");
        }
    }

    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("servers")
    void one_follows_a_queue_whose_row_was_removed(TestDatabase database) throws Exception {
        try (Jvm one = new Jvm(database, 5);
                Jvm other = new Jvm(database, 6)) {
            one.listen(queue + ".1");
            other.listen(queue + ".2");
            Jvm resting = awaitResting(one, other);
            CountDownLatch came = resting.listen(queue);
            await().atMost(PATIENCE).until(resting.bean::isLookedFor);

            execute(database, "DELETE FROM " + schema + ".destination WHERE name = '" + queue + "'");

            Connection sending = (resting == one ? other : one).connection;
            try (Session session = sending.createSession(Session.AUTO_ACKNOWLEDGE)) {
                session.createProducer(session.createQueue(queue)).send(session.createMessage());
            }
            assertThat(came.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            await().atMost(PATIENCE).until(resting.bean::isLookedFor);
        }
    }

    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("servers")
    void both_keep_to_a_pause_and_to_its_end(TestDatabase database) throws Exception {
        String paused = "SELECT count(*) FROM " + schema + ".presence WHERE paused_queues IS NOT NULL";
        String row = schema + ".destination SET paused = ";
        try (Jvm one = new Jvm(database, 5);
                Jvm other = new Jvm(database, 6)) {
            one.listen(queue);
            other.listen(queue);
            awaitResting(one, other);

            execute(database, "UPDATE " + row + "'receive' WHERE name = '" + queue + "'");
            await().atMost(PATIENCE).until(() -> number(database, paused) == 2);

            execute(database, "UPDATE " + row + "NULL WHERE name = '" + queue + "'");
            await().atMost(PATIENCE).until(() -> number(database, paused) == 0);
            awaitResting(one, other);
        }
    }
}
