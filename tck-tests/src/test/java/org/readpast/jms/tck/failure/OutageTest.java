package org.readpast.jms.tck.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Aside;
import org.readpast.jms.tck.rig.PostgresServer;
import org.readpast.jms.tck.rig.TcpProxy;
import org.readpast.jms.tck.rig.TestDatabase;
import org.readpast.jms.tck.rig.Threads;
import org.readpast.jms.tck.rig.Warnings;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.jms.listener.DefaultMessageListenerContainer;
import org.springframework.util.backoff.FixedBackOff;

/**
 * The database is away for a while, by {@value #SECONDS} of two minutes, say: listeners, receives, Spring's container and pooled connections
 * go on by themselves, the log stays short, and nothing is left over.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("extended")
class OutageTest {

    private static final String SECONDS = "readpast.test.outage.seconds";
    private static final Duration AWAY = Duration.ofSeconds(Integer.getInteger(SECONDS, 2));
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int POOL = 8;
    private static final int LISTENERS = 12;
    private static final int SPRINGS = 2;
    private static final int BUSY = 10;
    private static final String LISTENER = "listener ";
    private static final String SPRING = "spring";
    private static final String RECEIVER = "receiver";
    private static final List<Integer> MODES = List.of(
            Session.AUTO_ACKNOWLEDGE,
            Session.DUPS_OK_ACKNOWLEDGE,
            Session.CLIENT_ACKNOWLEDGE,
            Session.SESSION_TRANSACTED);

    /** What happens to the database for as long as {@link #AWAY}. */
    @FunctionalInterface
    interface Trouble {
        void to(TcpProxy proxy) throws Exception;
    }

    enum Network implements Trouble {
        /** As a server does that is stopped. */
        REFUSED {
            @Override
            public void to(TcpProxy proxy) {
                int refusals = proxy.refusals();
                proxy.refuse();
                proxy.cut();
                whileAway().until(() -> proxy.refusals() > refusals);
                proxy.heal();
            }
        },

        /** As a server does that has lost its power. */
        SILENT {
            @Override
            public void to(TcpProxy proxy) {
                proxy.silence();
                long silent = proxy.silentLines();
                whileAway().until(() -> proxy.silentLines() > silent);
                proxy.heal();
                proxy.noticeSilent();
            }
        },

        /** As an administrator does who ends all sessions. */
        ENDED {
            @Override
            public void to(TcpProxy proxy) {
                proxy.cut();
                whileAway().until(() -> proxy.liveLines() > 0);
            }
        };

        private static ConditionFactory whileAway() {
            return await().pollDelay(AWAY).atMost(AWAY.plus(PATIENCE));
        }
    }

    static List<Arguments> networks() {
        List<Arguments> all = new ArrayList<>();
        TestDatabase.servers().forEach(database -> {
            for (Network network : Network.values()) {
                all.add(Arguments.of(database, network));
            }
        });
        return all;
    }

    static Stream<TestDatabase> withReadOnlyServers() {
        return TestDatabase.servers().filter(database -> database == TestDatabase.POSTGRESQL);
    }

    private final String name = "outage." + UUID.randomUUID() + ".";
    private final Set<String> heard = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean over = new AtomicBoolean();

    @ParameterizedTest(name = "{0} {1}", allowZeroInvocations = true)
    @MethodSource("networks")
    void everything_goes_on_by_itself(TestDatabase database, Network network) throws Exception {
        try (TcpProxy proxy = TcpProxy.to(database.port())) {
            String url = database.urlThrough(proxy.port())
                    + (database == TestDatabase.POSTGRESQL ? "&socketTimeout=5" : ";socketTimeout=5000");
            play(url, proxy, network);
        }
    }

    /** As the old primary is after a failover. */
    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("withReadOnlyServers")
    void everything_goes_on_by_itself_where_the_database_was_read_only(TestDatabase database) throws Exception {
        try (PostgresServer server = PostgresServer.start();
                TcpProxy proxy = TcpProxy.to(server.port())) {
            play(PostgresServer.urlThrough(proxy.port()) + "&socketTimeout=5", proxy, network -> {
                try {
                    server.execute("ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()");
                    await().pollDelay(AWAY).atMost(AWAY.plus(PATIENCE)).until(() -> refusesWrites(server));
                } finally {
                    server.execute(
                            "SET default_transaction_read_only = off",
                            "ALTER SYSTEM RESET default_transaction_read_only",
                            "SELECT pg_reload_conf()");
                }
            });
        }
    }

    private static boolean refusesWrites(PostgresServer server) {
        try {
            server.execute("DELETE FROM readpast.presence WHERE false");
            return false;
        } catch (SQLException e) {
            return true;
        }
    }

    private void play(String jdbcUrl, TcpProxy proxy, Trouble trouble) throws Exception {
        Set<Thread> before = new HashSet<>(Threads.named("readpast-"));
        ReadpastConnectionFactory factory = factory(jdbcUrl);
        CachingConnectionFactory cached = new CachingConnectionFactory(factory);
        DefaultMessageListenerContainer container = container(cached);
        try (Warnings warnings = new Warnings();
                Connection connection = factory.createConnection()) {
            listen(connection);
            connection.start();
            Aside<Void> receiver = Aside.call(() -> {
                receive(factory);
                return null;
            });
            send(cached, "before");
            awaitHeard("before");
            int threads = Threads.named("readpast-").size();
            for (int i = 0; i < BUSY; i++) {
                send(cached, "busy " + i);
            }
            trouble.to(proxy);
            send(cached, "after");
            awaitHeard("after");

            assertThat(warnings.with("Trouble")).as("warnings of one outage").hasSizeLessThanOrEqualTo(1);
            assertThat(warnings.lines())
                    .filteredOn(line -> !line.matches("[\\w ]+ schema readpast: .*"))
                    .as("one, and those of messages that may come again, without those of the start-up checks")
                    .hasSizeLessThanOrEqualTo(1 + LISTENERS + SPRINGS);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(Threads.named("readpast-")).hasSizeLessThanOrEqualTo(threads));
            // One that is given up may be replaced before the proxy has heard of its end.
            await("no more SQL connections than the pool may have")
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(proxy.liveLines()).isLessThanOrEqualTo(POOL + 2));
            over.set(true);
            receiver.result();
        } finally {
            over.set(true);
            container.destroy();
            cached.destroy();
            factory.close();
        }
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Threads.named("readpast-")).isSubsetOf(before));
        await().atMost(PATIENCE).until(() -> proxy.liveLines() == 0);
    }

    private static ReadpastConnectionFactory factory(String jdbcUrl) {
        return new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(
                jdbcUrl,
                "poolSize=" + POOL,
                "poolTimeoutMillis=1000",
                "recoveryDelayMillis=50",
                "recoveryCeilingMillis=500",
                "idleCloseMillis=0"));
    }

    private void hear(String who, Message message) {
        try {
            heard.add(who + " " + ((TextMessage) message).getText());
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    private void listen(Connection connection) throws JMSException {
        for (int i = 0; i < LISTENERS; i++) {
            Session session = connection.createSession(MODES.get(i % MODES.size()));
            String who = LISTENER + i;
            consumer(session, who).setMessageListener(message -> {
                hear(who, message);
                try {
                    if (session.getTransacted()) {
                        session.commit();
                    } else {
                        message.acknowledge();
                    }
                } catch (JMSException e) {
                    heard.add(who + " and was told: " + e.getMessage());
                }
            });
        }
    }

    private DefaultMessageListenerContainer container(ConnectionFactory factory) {
        DefaultMessageListenerContainer container = new DefaultMessageListenerContainer();
        container.setConnectionFactory(factory);
        container.setDestinationName(name + SPRING);
        container.setSessionTransacted(true);
        container.setConcurrentConsumers(SPRINGS);
        container.setBackOff(new FixedBackOff(100, FixedBackOff.UNLIMITED_ATTEMPTS));
        container.setupMessageListener((MessageListener) message -> hear(SPRING, message));
        container.afterPropertiesSet();
        container.start();
        return container;
    }

    /** On a server that sees its statements for the first time the pool may have nothing to lend for longer than one waits for it. */
    private MessageConsumer consumer(Session session, String who) {
        return await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> session.createConsumer(session.createQueue(name + who)), Objects::nonNull);
    }

    /** As a program does that is told of each failure, and goes on. */
    private void receive(ConnectionFactory factory) throws JMSException {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED);
                MessageConsumer consumer = consumer(session, RECEIVER)) {
            connection.start();
            while (!over.get()) {
                try {
                    Message message = consumer.receive(100);
                    if (message != null) {
                        hear(RECEIVER, message);
                        session.commit();
                    }
                } catch (JMSException e) {
                    session.rollback();
                }
            }
        }
    }

    private static List<String> everybody() {
        return Stream.concat(
                        Stream.of(SPRING, RECEIVER),
                        IntStream.range(0, LISTENERS).mapToObj(i -> LISTENER + i))
                .toList();
    }

    private void send(ConnectionFactory factory, String text) {
        JmsTemplate template = new JmsTemplate(factory);
        for (String queue : everybody()) {
            await().pollDelay(Duration.ZERO).atMost(PATIENCE).ignoreExceptions().until(() -> {
                template.convertAndSend(name + queue, text);
                return true;
            });
        }
    }

    private void awaitHeard(String text) {
        await(text)
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(heard)
                        .containsAll(everybody().stream()
                                .map(who -> who + " " + text)
                                .toList()));
    }
}
