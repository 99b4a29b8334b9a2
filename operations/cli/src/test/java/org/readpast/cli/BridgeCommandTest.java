package org.readpast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.management.MBeanServerFactory;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.readpast.bridge.Bridge;
import org.readpast.bridge.BridgeRules;
import org.readpast.bridge.Side;
import org.readpast.cli.terminal.ExitCode;
import org.readpast.jms.ReadpastConnectionFactory;
import picocli.CommandLine;

/** The command between two databases: a Readpast is a JMS broker, too. Brokers themselves are in the tests of the bridge. */
class BridgeCommandTest {

    private record Outcome(int code, String out, String err) {}

    @TempDir
    Path folder;

    private String old;
    private String database;
    private Path rules;

    @BeforeEach
    void makeSides() throws Exception {
        old = url("old");
        database = url("new");
        rules = Files.writeString(folder.resolve("rules.txt"), "name test\nover orders\ntemporary-replies no\n");
        try (JMSContext context = factory(old).createContext()) {
            context.createProducer().send(context.createQueue("orders"), "hello");
        }
        factory(database).createContext().close();
    }

    private String url(String name) {
        return "jdbc:h2:mem:" + name + System.nanoTime() + ";DB_CLOSE_DELAY=-1";
    }

    private static ReadpastConnectionFactory factory(String url) {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(url);
        factory.setProperty("createSchema", "true");
        factory.setProperty("idleCloseMillis", "0");
        return factory;
    }

    private Outcome bridge(String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "bridge", "--from", "readpast:" + old, "--to", "readpast:" + database, "--rules", rules.toString()));
        arguments.addAll(List.of(more));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line =
                Readpast.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        int code = line.execute(arguments.toArray(String[]::new));
        return new Outcome(code, out.toString(), err.toString());
    }

    @Test
    void it_says_what_would_move_and_then_moves_it() {
        assertThat(bridge().code()).isEqualTo(ExitCode.NOT_THERE);

        Outcome dry = bridge("--dry-run");
        assertThat(dry.code()).isZero();
        assertThat(dry.out()).contains("over queue://orders queue://orders").contains("1");

        try (JMSContext context = factory(database).createContext()) {
            JMSConsumer consumer = context.createConsumer(context.createQueue("orders"));
            StringBuilder said = new StringBuilder();
            List<String> received = new ArrayList<>();
            // On a busy machine it may be over before it has moved anything, and goes on when it is started again.
            await().atMost(Duration.ofMinutes(2)).until(() -> {
                Outcome moved = bridge("--create-tables", "--every", "1", "--times", "5");
                assertThat(moved.err()).isEmpty();
                assertThat(moved.code()).isZero();
                said.append(moved.out());
                String text = consumer.receiveBody(String.class, 100);
                if (text != null) {
                    received.add(text);
                }
                return said.indexOf("RUNNING") >= 0 && !received.isEmpty();
            });
            assertThat(received).containsExactly("hello");
        }
    }

    @Test
    void what_is_left_is_counted_by_kind_and_is_said_by_the_exit_code() {
        Outcome waiting = bridge("--left", "--json");
        assertThat(waiting.code()).isEqualTo(ExitCode.FOUND);
        assertThat(waiting.out().replaceAll("\\s+", ""))
                .contains("\"kind\":\"waitingorinatransaction\",\"messages\":1")
                .contains("\"kind\":\"delayedorheld\",\"messages\":0")
                .contains("\"kind\":\"claimedbylease\",\"messages\":0")
                .contains("\"kind\":\"deadletters\",\"messages\":0");

        try (JMSContext context = factory(old).createContext()) {
            context.createConsumer(context.createQueue("orders")).receive(10_000);
            context.createProducer().setDeliveryDelay(3_600_000).send(context.createQueue("orders"), "later");
        }
        Outcome delayed = bridge("--left");
        assertThat(delayed.code()).isEqualTo(ExitCode.FOUND);
        assertThat(delayed.out())
                .containsPattern("waiting or in a transaction +0")
                .containsPattern("delayed or held +1");
    }

    @Test
    void a_queue_of_which_nothing_is_left_is_told_from_one_that_is_not_there() throws Exception {
        try (JMSContext context = factory(old).createContext()) {
            context.createConsumer(context.createQueue("orders")).receive(10_000);
        }
        assertThat(bridge("--left").code()).isZero();

        Files.writeString(rules, "name test\nover ordres\nover topic://prices?subscription=nightly\n");
        Outcome outcome = bridge("--left");
        assertThat(outcome.code()).isEqualTo(ExitCode.FOUND);
        assertThat(outcome.out()).contains("it is not there");
    }

    @Test
    void what_lies_in_the_queues_of_the_bridge_is_left_too() throws Exception {
        try (JMSContext context = factory(old).createContext()) {
            context.createConsumer(context.createQueue("orders")).receive(10_000);
            context.createProducer().send(context.createQueue("readpast.bridge.test.dead"), "letter");
        }
        Outcome outcome = bridge("--left");
        assertThat(outcome.code()).isEqualTo(ExitCode.FOUND);
        assertThat(outcome.out())
                .containsPattern("--from queue://readpast.bridge.test.dead +waiting or in a transaction +1");

        try (JMSContext context = factory(old).createContext()) {
            context.createConsumer(context.createQueue("readpast.bridge.test.dead"))
                    .receive(10_000);
        }
        Files.writeString(rules, "name test\nover orders\n");
        assertThat(bridge("--left").code()).isZero();
        try (JMSContext context = factory(database).createContext()) {
            context.createProducer().send(context.createQueue("readpast.bridge.test.replies"), "reply");
        }
        outcome = bridge("--left");
        assertThat(outcome.code()).isEqualTo(ExitCode.FOUND);
        assertThat(outcome.out())
                .containsPattern("--to queue://readpast.bridge.test.replies +waiting or in a transaction +1");
    }

    /** A look at PostgreSQL reads so many messages of each queue, and there may be dead letters of this one behind them. */
    @Test
    void dead_letters_are_not_known_where_another_queue_is_longer_than_a_look() throws Exception {
        old = TestServer.newDatabase();
        try (JMSContext context = factory(old).createContext(JMSContext.SESSION_TRANSACTED)) {
            context.createConsumer(context.createQueue("orders")).close();
            JMSProducer producer = context.createProducer();
            for (int i = 0; i < 10_001; i++) {
                producer.send(context.createQueue("long"), "x");
            }
            context.commit();
        }
        Outcome outcome = bridge("--left", "--json");
        assertThat(outcome.code()).isEqualTo(ExitCode.FOUND);
        assertThat(outcome.out().replaceAll("\\s+", "")).contains("\"kind\":\"deadletters\",\"messages\":null");
    }

    @Test
    void a_subscription_is_counted() throws Exception {
        try (JMSContext context = factory(old).createContext()) {
            context.createSharedDurableConsumer(context.createTopic("prices"), "nightly")
                    .close();
            context.createProducer().send(context.createTopic("prices"), "1.08");
        }
        Files.writeString(rules, "name test\nover topic://prices?subscription=nightly\n");
        assertThat(bridge("--left").out()).containsPattern("waiting or in a transaction +1");
    }

    @Test
    void jmx_that_shows_no_broker_is_told_from_jmx_that_is_not_there() throws Exception {
        JMXConnectorServer server = JMXConnectorServerFactory.newJMXConnectorServer(
                new JMXServiceURL("service:jmx:rmi://"), null, MBeanServerFactory.newMBeanServer());
        server.start();
        String address = server.getAddress().toString();
        Outcome none = bridge("--left", "--broker-jmx", address);
        server.stop();
        assertThat(none.code()).isEqualTo(ExitCode.USAGE);
        assertThat(none.err()).contains("0 brokers of Artemis and 0 of ActiveMQ");

        Outcome gone = bridge("--left", "--broker-jmx", address);
        assertThat(gone.code()).isEqualTo(ExitCode.NO_CONNECTION);
        assertThat(gone.err()).contains("JMX at " + address);

        assertThat(bridge("--left", "--broker-jmx", "old:1099").code()).isEqualTo(ExitCode.USAGE);
    }

    /** Where they go is known to the applications of each side alone. */
    @Test
    void expired_messages_are_left_to_applications() throws Exception {
        List<String> sides = List.of(old, database);
        for (String side : sides) {
            try (JMSContext context = withExpiry(side).createContext()) {
                context.createProducer().setTimeToLive(1).send(context.createQueue("quotes"), "quote");
            }
            // Housekeeping removes it when it has had the time to remove the message.
            try (Connection connection = DriverManager.getConnection(side);
                    Statement statement = connection.createStatement()) {
                statement.execute("INSERT INTO readpast.shared_body (body) VALUES (X'00')");
            }
        }
        BridgeRules nothing = BridgeRules.parse(List.of("name test", "over none", "temporary-replies no"));
        try (Bridge bridge = new Bridge(nothing, Side.of(factory(old)), Side.of(factory(database)))) {
            bridge.createTables();
            bridge.start();
            for (String side : sides) {
                await().atMost(Duration.ofSeconds(60)).until(() -> areBodiesGone(side));
            }
        }
        for (String side : sides) {
            try (JMSContext context = withExpiry(side).createContext();
                    JMSConsumer consumer = context.createConsumer(context.createQueue("expired"))) {
                assertThat(consumer.receiveBody(String.class, 60_000)).isEqualTo("quote");
            }
        }
    }

    private static boolean areBodiesGone(String side) throws SQLException {
        try (Connection connection = DriverManager.getConnection(side);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT 1 FROM readpast.shared_body")) {
            return !rows.next();
        }
    }

    private static ReadpastConnectionFactory withExpiry(String side) {
        ReadpastConnectionFactory application = factory(side);
        application.setProperty("expiry.destination", "expired");
        return application;
    }

    @Test
    void what_is_wrong_is_said() throws Exception {
        Files.writeString(rules, "name test\nover\n");
        Outcome outcome = bridge();
        assertThat(outcome.code()).isEqualTo(ExitCode.USAGE);
        assertThat(outcome.err()).contains("rules.txt: line 2: a rule is over SOURCE [TARGET]");

        Files.writeString(rules, "name test\nover orders\n");
        old = "jdbc:h2:mem:x;PASSWORD=secret";
        outcome = bridge();
        assertThat(outcome.code()).isEqualTo(ExitCode.USAGE);
        assertThat(outcome.err()).contains("READPAST_FROM_PASSWORD").doesNotContain("secret");

        for (String secret : List.of("jdbc:h2:mem:x#jms.password=s3cret", "jdbc:h2:mem:x?keyStorePassword=s3cret")) {
            old = secret;
            outcome = bridge();
            assertThat(outcome.code()).isEqualTo(ExitCode.USAGE);
            assertThat(outcome.err()).contains("READPAST_FROM_PASSWORD").doesNotContain("s3cret");
        }
    }
}
