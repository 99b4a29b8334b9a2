package org.readpast.jms.tck.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.h2.tools.Server;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Aside;
import org.readpast.jms.tck.rig.ChildJvm;
import org.readpast.jms.tck.rig.H2File;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * A message that kills the JVM of whoever gets it ends among the dead letters, though a JVM that halts counts nothing, and a
 * supervisor starts it again and again. The other messages come as if nothing had been.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Execution(ExecutionMode.CONCURRENT)
@Tag("extended")
class KillingMessageTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int MAXIMUM_DELIVERIES = 2;

    @TempDir
    static Path files;

    private final String name = "killing." + UUID.randomUUID();

    static List<Arguments> mannersOnServers() {
        return TestDatabase.servers()
                .flatMap(database -> Stream.of(Victim.Manner.values()).map(manner -> Arguments.of(database, manner)))
                .toList();
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("mannersOnServers")
    void message_that_kills_its_consumer_ends_among_the_dead_letters(TestDatabase database, Victim.Manner manner)
            throws Exception {
        send(url(database.jdbcUrl()), manner);
        killUntilDead(url(database.jdbcUrl()), manner);
        assertNothingIsCountedAnyMore(database.jdbcUrl());
    }

    @ParameterizedTest
    @EnumSource(names = {"CLIENT", "TRANSACTED"})
    void message_that_kills_its_consumer_ends_among_the_dead_letters_of_an_h2_server(Victim.Manner manner)
            throws Exception {
        Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        try {
            String jdbcUrl = "jdbc:h2:tcp://localhost:" + server.getPort() + "/mem:" + name
                    + ";DB_CLOSE_DELAY=-1;USER=sa;PASSWORD=sa";
            send(url(jdbcUrl), manner);
            killUntilDead(url(jdbcUrl), manner);
            assertNothingIsCountedAnyMore(jdbcUrl);
        } finally {
            server.stop();
        }
    }

    /** The database dies with its only JVM, and is opened again by the next. */
    @ParameterizedTest
    @EnumSource(names = {"AUTO", "RECEIVE_TRANSACTED"})
    void message_that_kills_its_consumer_ends_among_the_dead_letters_of_an_h2_file(Victim.Manner manner)
            throws Exception {
        H2File database = new H2File(files.resolve(name));
        String url = url(database.jdbcUrl());
        send(url, manner);
        await().atMost(PATIENCE).until(() -> !database.isOpen());
        killUntilDead(url, manner);
    }

    private void killUntilDead(String url, Victim.Manner manner) throws Exception {
        List<String> taken = new ArrayList<>();
        int kills = 0;
        while (dies(url, manner, taken)) {
            kills++;
            assertThat(kills).as("kills; taken: " + taken).isLessThanOrEqualTo(MAXIMUM_DELIVERIES + 1);
        }

        // The first delivery was counted by nobody; each after it was, before it began.
        assertThat(kills).isEqualTo(MAXIMUM_DELIVERIES + 1);
        assertThat(taken)
                .containsExactly(
                        "took before 1",
                        "took poison 1",
                        "took poison 1",
                        "took poison 2 again",
                        "took after 1",
                        "took last 1");
        assertThatOneDeadLetterTellsOfDeaths(url);
    }

    private String url(String jdbcUrl) {
        return TestDatabase.readpastUrlOf(
                jdbcUrl,
                "redelivery.maximumDeliveries=" + MAXIMUM_DELIVERIES,
                "redelivery.deadLetterDestination=DLQ.*",
                "idleCloseMillis=0");
    }

    private void send(String url, Victim.Manner manner) {
        try (JMSContext context = new ReadpastConnectionFactory(url).createContext()) {
            Topic topic = context.createTopic(name);
            if (manner == Victim.Manner.SUBSCRIPTION) {
                context.createSharedDurableConsumer(topic, name).close();
            }
            JMSProducer producer = context.createProducer();
            if (manner == Victim.Manner.GROUP) {
                producer.setProperty("JMSXGroupID", "g");
            }
            producer.setProperty("kind", "any");
            for (String text : List.of("before", "poison", "after", "last")) {
                producer.send(manner == Victim.Manner.SUBSCRIPTION ? topic : context.createQueue(name), text);
            }
        }
    }

    private boolean dies(String url, Victim.Manner manner, List<String> taken) {
        try (ChildJvm victim = ChildJvm.start(Victim.class, ChildJvm.SMALL, url, name, manner.name())) {
            int end = victim.awaitEnd();
            taken.addAll(victim.reports());
            assertThat(end)
                    .as(() -> "end of a JVM that wrote " + victim.output())
                    .isIn(0, Victim.HALTED);
            return end == Victim.HALTED;
        }
    }

    private void assertThatOneDeadLetterTellsOfDeaths(String url) throws Exception {
        assertThatOneDeadLetterTells(
                url,
                "delivered 2 times without being acknowledged; 2 of them ended as the consumer's JVM or its connection "
                        + "died");
    }

    private void assertThatOneDeadLetterTells(String url, String reason) throws Exception {
        try (JMSContext context = new ReadpastConnectionFactory(url).createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue("DLQ." + name))) {
            Message dead = consumer.receive(PATIENCE.toMillis());
            assertThat(((TextMessage) dead).getText()).isEqualTo("poison");
            assertThat(dead.getIntProperty("JMS_READPAST_Deliveries")).isEqualTo(MAXIMUM_DELIVERIES);
            assertThat(dead.getStringProperty("JMS_READPAST_DeadLetterReason")).isEqualTo(reason);
            assertThat(consumer.receiveNoWait()).isNull();
        }
    }

    private void assertNothingIsCountedAnyMore(String jdbcUrl) throws Exception {
        String schema = jdbcUrl.startsWith("jdbc:sqlserver:") ? "[readpast]" : "readpast";
        String counted = "SELECT d.name FROM " + schema + ".suspect_delivery s JOIN " + schema
                + ".destination d ON d.destination_id = s.destination_id";
        List<String> names = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(jdbcUrl);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(counted)) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        assertThat(names).noneMatch(counting -> counting.contains(name));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("servers")
    void delivery_of_a_suspect_message_that_ends_is_counted_as_any_other(TestDatabase database) throws Exception {
        String url = url(database.jdbcUrl());
        send(url, Victim.Manner.AUTO);
        assertThat(dies(url, Victim.Manner.AUTO, new ArrayList<>())).isTrue();
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(url);

        try (JMSContext context = factory.createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue(name))) {
            assertThatThrownBy(() -> consumer.receiveBody(Map.class, PATIENCE.toMillis()))
                    .isInstanceOf(MessageFormatRuntimeException.class);
        }
        try (JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED);
                JMSConsumer consumer = context.createConsumer(context.createQueue(name))) {
            for (int delivery = 1; delivery <= MAXIMUM_DELIVERIES; delivery++) {
                Message message = consumer.receive(PATIENCE.toMillis());
                assertThat(((TextMessage) message).getText()).isEqualTo("poison");
                assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(delivery);
                context.rollback();
            }
        }

        assertThatOneDeadLetterTells(url, "delivered 2 times without being acknowledged");
        assertNothingIsCountedAnyMore(database.jdbcUrl());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("servers")
    void message_that_kills_one_jvm_after_the_other_is_stopped_too(TestDatabase database) throws Exception {
        String url = url(database.jdbcUrl());
        int jvms = 3;
        send(url, Victim.Manner.AUTO);
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger kills = new AtomicInteger();
        List<Aside<Void>> supervisors = IntStream.range(0, jvms)
                .mapToObj(i -> Aside.call(() -> supervise(url, kills, over)))
                .toList();

        await().atMost(Duration.ofMinutes(4)).until(() -> kills.get() > MAXIMUM_DELIVERIES);
        assertThatOneDeadLetterTellsOfDeaths(url);
        over.set(true);
        for (Aside<Void> supervisor : supervisors) {
            supervisor.result();
        }

        // Whoever was alive before the first death was marked may get the message as if nothing had been.
        assertThat(kills.get()).isBetween(MAXIMUM_DELIVERIES + 1, MAXIMUM_DELIVERIES + jvms);
    }

    static List<TestDatabase> servers() {
        return TestDatabase.servers().toList();
    }

    private Void supervise(String url, AtomicInteger kills, AtomicBoolean over) {
        while (!over.get()) {
            try (ChildJvm victim = ChildJvm.start(Victim.class, ChildJvm.SMALL, url, name, "AUTO")) {
                await().atMost(PATIENCE).until(() -> over.get() || !victim.isAlive());
                victim.tell("end");
                if (victim.awaitEnd() == Victim.HALTED) {
                    kills.incrementAndGet();
                }
            }
        }
        return null;
    }
}
