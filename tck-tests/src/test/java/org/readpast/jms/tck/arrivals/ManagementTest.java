package org.readpast.jms.tck.arrivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.management.ProviderMXBean;
import org.readpast.jms.tck.rig.TestDatabase;

/** What JMX shows. Two factories of different settings are two JVMs as far as this goes. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ManagementTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

    /** Of classes that ran before in this JVM, whose pools outlive them for a while, and those that a test knows. */
    private final Set<ObjectName> known = new HashSet<>();

    private ObjectName name;

    static Stream<TestDatabase> databases() {
        return TestDatabase.requested();
    }

    static Stream<TestDatabase> servers() {
        return TestDatabase.servers();
    }

    private Set<ObjectName> beans() throws Exception {
        return server.queryNames(new ObjectName("org.readpast.jms:type=Provider,*"), null);
    }

    private Connection connect(TestDatabase database, int poolSize) throws JMSException {
        Connection connection = new ReadpastConnectionFactory(
                        database.readpastUrl("idleCloseMillis=0", "notification=false", "poolSize=" + poolSize))
                .createConnection();
        connection.start();
        return connection;
    }

    /** The bean that was not there before. */
    private ProviderMXBean appeared() throws Exception {
        Set<ObjectName> now = new HashSet<>(beans());
        now.removeAll(known);
        assertThat(now).hasSize(1);
        name = now.iterator().next();
        known.add(name);
        return JMX.newMXBeanProxy(server, name, ProviderMXBean.class);
    }

    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("databases")
    void shows_a_jvm_from_its_first_connection_to_the_end_of_its_last(TestDatabase database) throws Exception {
        known.addAll(beans());
        try (Connection connection = connect(database, 5)) {
            ProviderMXBean bean = appeared();
            assertThat(bean.getDatabase()).containsIgnoringCase("readpast");
            assertThat(name.getKeyProperty("instance")).contains(bean.getInstance());
            assertThat(bean.getSqlConnections()).isBetween(1, 5);
            assertThat(bean.getSqlConnectionsInUse()).isBetween(0, 5);
            assertThat(bean.getThreadsWaitingForSqlConnection()).isZero();
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            session.createProducer(session.createQueue("managed." + UUID.randomUUID()))
                    .send(session.createMessage());
            session.commit();
            assertThat(bean.getRingsSent()).isZero();
            session.createConsumer(session.createTemporaryQueue()).setMessageListener(message -> {
                // It has come.
            });
            await().atMost(PATIENCE).until(() -> bean.getLooks() > 0);
        }
        await().atMost(PATIENCE).until(() -> !server.isRegistered(name));
    }

    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("servers")
    void shows_what_jvms_tell_each_other_and_which_one_looks_for_all(TestDatabase database) throws Exception {
        String queue = "managed." + UUID.randomUUID();
        known.addAll(beans());
        try (Connection one = connect(database, 5);
                Session sends = one.createSession()) {
            ProviderMXBean sender = appeared();
            try (Connection other = connect(database, 6);
                    Session waits = other.createSession()) {
                ProviderMXBean receiver = appeared();
                assertThat(receiver.getDatagramAddress()).contains(" port ");
                waits.createConsumer(waits.createQueue(queue)).setMessageListener(message -> {
                    // It has come.
                });
                await().atMost(PATIENCE)
                        .until(() -> sender.getOtherJvms().size() == 1
                                && sender.getUnreachedJvms().isEmpty()
                                && receiver.getUnreachedJvms().isEmpty());
                await().atMost(PATIENCE).until(() -> receiver.isLookingForOthers() && sender.isLookedFor());
                assertThat(receiver.isLookedFor()).isFalse();
                assertThat(sender.isLookingForOthers()).isFalse();
                await().atMost(PATIENCE).until(() -> {
                    sends.createProducer(sends.createQueue(queue)).send(sends.createMessage());
                    return sender.getRingsSent() > 0 && receiver.getRingsReceived() > 0;
                });
            }
        }
    }
}
