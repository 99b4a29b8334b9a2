package org.readpast.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.BridgeConfiguration;
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
    private static final int BATCH = Integer.getInteger("readpast.test.bridge.batch", 100);
    private static final int ROUNDS = 6;
    private static final String QUEUE = "orders";

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
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .setDataDirectory(folder.resolve("postgresql"))
                .start()) {
            for (EmbeddedActiveMQ broker : List.of(source, target)) {
                broker.getActiveMQServer()
                        .createQueue(QueueConfiguration.of(QUEUE).setRoutingType(RoutingType.ANYCAST));
            }
            for (int round = 0; round < ROUNDS; round++) {
                double core = byCoreBridge();
                double readpast = byThisBridge(server.getJdbcUrl("postgres", "postgres"));
                System.out.printf(
                        "Bridged a second, round %d: Artemis' core bridge %.0f, this bridge %.0f, ratio %.2f%n",
                        round + 1, core, readpast, readpast / core);
            }
        } finally {
            source.stop();
            target.stop();
        }
    }

    /** 70 % of 1 KiB, 25 % of 10 KiB, 5 % of 64 KiB. */
    private void send() throws Exception {
        Random random = new Random(1);
        byte[] body = new byte[64 * 1024];
        random.nextBytes(body);
        try (Connection connection = sender.createConnection();
                Session session = connection.createSession(true, Session.SESSION_TRANSACTED)) {
            MessageProducer producer = session.createProducer(session.createQueue(QUEUE));
            for (int i = 1; i <= MESSAGES; i++) {
                int kind = random.nextInt(100);
                BytesMessage message = session.createBytesMessage();
                message.writeBytes(body, 0, 1024 * (kind < 70 ? 1 : kind < 95 ? 10 : 64));
                producer.send(message);
                if (i % 100 == 0 || i == MESSAGES) {
                    session.commit();
                }
            }
        }
    }

    private static long messages(EmbeddedActiveMQ broker) {
        return broker.getActiveMQServer().locateQueue(SimpleString.of(QUEUE)).getMessageCount();
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
        long before = messages(target);
        send();
        long since = System.nanoTime();
        source.getActiveMQServer()
                .deployBridge(new BridgeConfiguration()
                        .setName("core")
                        .setQueueName(QUEUE)
                        .setForwardingAddress(QUEUE)
                        .setStaticConnectors(List.of("target")));
        double rate = rate(since, () -> messages(target) - before);
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> messages(source) == 0);
        source.getActiveMQServer().destroyBridge("core");
        return rate;
    }

    private double byThisBridge(String url) throws Exception {
        send();
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(url);
        factory.setProperty("createSchema", "true");
        try (Bridge bridge = new Bridge(
                BridgeRules.parse(List.of("name rates", "over " + QUEUE, "batch " + BATCH, "temporary-replies no")),
                Side.of(sender),
                Side.of(factory))) {
            bridge.createTables();
            long since = System.nanoTime();
            bridge.start();
            double rate = rate(since, () -> bridge.status().get(0).crossed());
            assertThat(messages(source)).isZero();
            return rate;
        }
    }
}
