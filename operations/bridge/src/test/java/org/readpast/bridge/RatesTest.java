package org.readpast.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.BridgeConfiguration;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.readpast.jms.ReadpastConnectionFactory;

/**
 * How fast durable messages of mixed sizes leave Artemis: by its own core bridge to another Artemis, and by this bridge to PostgreSQL, in turns.
 * All of them flush to the disk, and run in this JVM but for PostgreSQL. It prints the rates and asserts nothing about them.
 */
@EnabledIfSystemProperty(
        named = "readpast.test.bridge.rates",
        matches = "[0-9]+",
        disabledReason = "-Dreadpast.test.bridge.rates=MESSAGES was not given")
class RatesTest {

    private static final int MESSAGES = Integer.getInteger("readpast.test.bridge.rates", 0);
    private static final int BATCH = Integer.getInteger("readpast.test.bridge.batch", 1000);
    private static final int ROUNDS = 6;
    private static final List<String> QUEUES = IntStream.range(0, Integer.getInteger("readpast.test.bridge.queues", 1))
            .mapToObj(i -> "orders" + i)
            .toList();

    @TempDir
    Path folder;

    private EmbeddedActiveMQ source;
    private EmbeddedActiveMQ target;
    private ConnectionFactory sender;

    @Test
    void both_bridges_in_turns() throws Exception {
        int sourcePort = TestBroker.freePort();
        int targetPort = TestBroker.freePort();
        source = new EmbeddedActiveMQ()
                .setConfiguration(TestBroker.configuration(sourcePort, folder.resolve("source"))
                        .addConnectorConfiguration("target", "tcp://localhost:" + targetPort));
        target =
                new EmbeddedActiveMQ().setConfiguration(TestBroker.configuration(targetPort, folder.resolve("target")));
        source.start();
        target.start();
        sender = BrokerUrl.factory("artemis:tcp://localhost:" + sourcePort, RatesTest.class.getClassLoader());
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(2))
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("shared_buffers", "512MB")
                .setServerConfig("max_wal_size", "8GB")
                .setDataDirectory(folder.resolve("postgresql"))
                .start()) {
            for (EmbeddedActiveMQ broker : List.of(source, target)) {
                for (String queue : QUEUES) {
                    broker.getActiveMQServer()
                            .createQueue(QueueConfiguration.of(queue).setRoutingType(RoutingType.ANYCAST));
                }
            }
            for (int round = 0; round < ROUNDS; round++) {
                double core = byCoreBridge();
                double readpast = byThisBridge("round" + round, server);
                System.out.printf(
                        "Bridged a second, round %d: Artemis' core bridge %.0f, this bridge %.0f, ratio %.2f%n",
                        round + 1, core, readpast, readpast / core);
            }
        } finally {
            source.stop();
            target.stop();
        }
    }

    /** So that no round has the messages of another one to keep. */
    private static void createDatabase(EmbeddedPostgres server, String name) throws Exception {
        try (java.sql.Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        }
    }

    /** 70 % of 1 KiB, 25 % of 10 KiB, 5 % of 64 KiB. */
    private void send() throws Exception {
        Random random = new Random(1);
        byte[] body = new byte[64 * 1024];
        random.nextBytes(body);
        try (Connection connection = sender.createConnection();
                Session session = connection.createSession(true, Session.SESSION_TRANSACTED)) {
            MessageProducer producer = session.createProducer(null);
            for (int i = 1; i <= MESSAGES; i++) {
                int kind = random.nextInt(100);
                BytesMessage message = session.createBytesMessage();
                message.writeBytes(body, 0, 1024 * (kind < 70 ? 1 : kind < 95 ? 10 : 64));
                producer.send(session.createQueue(QUEUES.get(i % QUEUES.size())), message);
                if (i % 100 == 0 || i == MESSAGES) {
                    session.commit();
                }
            }
        }
    }

    private static long messages(EmbeddedActiveMQ broker) {
        return QUEUES.stream()
                .mapToLong(queue -> queue(broker, queue).getMessageCount())
                .sum();
    }

    private static Queue queue(EmbeddedActiveMQ broker, String name) {
        return broker.getActiveMQServer().locateQueue(SimpleString.of(name));
    }

    /** Messages in a second, until so many have come. */
    private static double rate(long since, LongSupplier come) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(10))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> come.getAsLong() >= MESSAGES);
        return MESSAGES * 1e9 / (System.nanoTime() - since);
    }

    private double byCoreBridge() throws Exception {
        for (String queue : QUEUES) {
            queue(target, queue).deleteAllReferences();
        }
        send();
        long since = System.nanoTime();
        for (String queue : QUEUES) {
            source.getActiveMQServer()
                    .deployBridge(new BridgeConfiguration()
                            .setName(queue)
                            .setQueueName(queue)
                            .setForwardingAddress(queue)
                            .setStaticConnectors(List.of("target")));
        }
        double rate = rate(since, () -> messages(target));
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> messages(source) == 0);
        for (String queue : QUEUES) {
            source.getActiveMQServer().destroyBridge(queue);
        }
        return rate;
    }

    private double byThisBridge(String name, EmbeddedPostgres server) throws Exception {
        createDatabase(server, name);
        send();
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(server.getJdbcUrl("postgres", name));
        factory.setProperty("createSchema", "true");
        List<String> rules = new ArrayList<>(List.of("name " + name, "batch " + BATCH, "temporary-replies no"));
        QUEUES.forEach(queue -> rules.add("over " + queue));
        try (Bridge bridge = new Bridge(BridgeRules.parse(rules), Side.of(sender), Side.of(factory))) {
            bridge.createTables();
            long since = System.nanoTime();
            bridge.start();
            double rate = rate(
                    since,
                    () -> bridge.status().stream()
                            .mapToLong(LinkStatus::crossed)
                            .sum());
            assertThat(messages(source)).isZero();
            return rate;
        }
    }
}
