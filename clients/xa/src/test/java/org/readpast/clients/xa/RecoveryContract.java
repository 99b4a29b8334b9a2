package org.readpast.clients.xa;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.readpast.jms.ReadpastConnectionFactory;

/** The JVM of a transaction manager dies at each step of a transaction on two databases, and another one ends what it has left. */
@Tag("extended")
abstract class RecoveryContract {

    private static final long PATIENCE_MILLIS = 30_000;

    private static EmbeddedPostgres server;

    abstract Coordinator.Product product();

    @TempDir
    private Path log;

    private TwoDatabases databases;
    private ReadpastConnectionFactory factory;
    private Connection connection;

    @BeforeAll
    static void start() throws IOException, SQLException {
        server = TwoDatabases.startServer();
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    /** One delivery more than a message is given here would make a dead letter of it. */
    @BeforeEach
    void send_one() throws SQLException, JMSException {
        databases = TwoDatabases.emptyOn(server);
        factory = new ReadpastConnectionFactory(databases.factoryUrl() + "&redelivery.maximumDeliveries=1");
        connection = factory.createConnection();
        connection.start();
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            session.createProducer(session.createQueue("in")).send(session.createTextMessage("coffee"));
        }
    }

    @AfterEach
    void nothing_is_left_behind() throws SQLException, JMSException {
        factory.close();
        assertThat(databases.inDoubt()).isZero();
        databases.close();
    }

    private int run(String step, String node) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Mover.class.getName()));
        command.addAll(List.of(
                product().name(),
                step,
                databases.factoryUrl(),
                databases.rows(),
                log.resolve(node).toString(),
                node));
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }

    private Message receivedAtOnce(String queue) throws JMSException {
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                MessageConsumer consumer = session.createConsumer(session.createQueue(queue))) {
            return consumer.receiveNoWait();
        }
    }

    private Message received(String queue) throws JMSException {
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                MessageConsumer consumer = session.createConsumer(session.createQueue(queue))) {
            return consumer.receive(PATIENCE_MILLIS);
        }
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void transaction_of_a_JVM_that_died_is_done_once_or_not_at_all(Step step) throws Exception {
        assertThat(run(step.name(), "shop")).isEqualTo(Mover.HALTED);
        assertThat(run("RECOVER", "shop")).isZero();
        assertThat(databases.orders()).isEqualTo(step.isDecided() ? 1 : 0);
        Message once = received(step.isDecided() ? "out" : "in");
        assertThat(once.getBody(String.class)).isEqualTo("coffee");
        assertThat(once.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        assertThat(once.getJMSRedelivered()).isFalse();
        for (String queue : List.of("in", "out", "DLQ")) {
            assertThat(receivedAtOnce(queue)).as(queue).isNull();
        }
    }

    @Test
    void messages_of_a_branch_in_doubt_are_seen_by_nobody_and_another_node_leaves_it_alone() throws Exception {
        assertThat(run(Step.BEFORE_COMMIT.name(), "shop")).isEqualTo(Mover.HALTED);
        assertThat(databases.inDoubt()).isEqualTo(2);
        assertThat(receivedAtOnce("in")).isNull();
        assertThat(receivedAtOnce("out")).isNull();

        assertThat(run("RECOVER", "another")).isZero();
        assertThat(databases.inDoubt()).isEqualTo(2);
        assertThat(receivedAtOnce("in")).isNull();
        assertThat(receivedAtOnce("out")).isNull();

        assertThat(run("RECOVER", "shop")).isZero();
        assertThat(received("out")).isNotNull();
        assertThat(receivedAtOnce("in")).isNull();
        assertThat(databases.orders()).isEqualTo(1);
    }
}
