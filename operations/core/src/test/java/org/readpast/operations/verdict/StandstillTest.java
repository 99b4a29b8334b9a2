package org.readpast.operations.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.operations.Databases;
import org.readpast.operations.administration.Administration;
import org.readpast.operations.snapshot.Paused;

/** What is said of messages that wait while something else is to be seen that could explain it. */
@Execution(ExecutionMode.CONCURRENT)
class StandstillTest {

    /** Short, so that nothing has to be waited for. */
    private static final Limits SHORT =
            new Limits(Duration.ofMillis(200), Duration.ofMillis(500), Duration.ofSeconds(5), 3, 50_000);

    private Databases database;

    @AfterEach
    void dropSchema() throws SQLException {
        database.close();
    }

    private ConnectionFactory on(String product) {
        database = new Databases(product);
        return database.factory();
    }

    private List<Finding> awaitFindings(Verdict verdict, Cause... causes) {
        return await().atMost(Duration.ofSeconds(60))
                .until(
                        () -> verdict.judge(database.look()),
                        findings ->
                                findings.stream().map(Finding::cause).toList().equals(Arrays.asList(causes)));
    }

    /** @param group null for none */
    private static void send(ConnectionFactory factory, String group, int messages) {
        try (JMSContext context = factory.createContext()) {
            JMSProducer producer = context.createProducer();
            if (group != null) {
                producer.setProperty("JMSXGroupID", group);
            }
            for (int i = 0; i < messages; i++) {
                producer.send(context.createQueue("orders"), "message " + i);
            }
        }
    }

    private void pause(Paused.What what) throws SQLException {
        try (Connection connection = database.connect()) {
            new Administration(connection, database.schema, "tester").pause("orders", what);
        }
    }

    /** Only another JVM notices that one has died. */
    @ParameterizedTest
    @ValueSource(strings = {Databases.H2, Databases.POSTGRESQL})
    void all_jvms_have_died_and_nobody_is_left_to_miss_them(String product) throws Exception {
        send(on(product), null, 1);
        database.awaitNobody();
        jvmDied("kind = 'Q' AND name = 'orders'");
        List<Finding> findings = awaitFindings(new Verdict(SHORT), Cause.NO_CONSUMER, Cause.PRESENCE_LOST);
        forgetJvm();
        assertThat(findings.get(0).evidence())
                .contains("pid 4711 on host app-3 had a consumer for it, and is missed")
                .anySatisfy(line -> assertThat(line).startsWith("0 JVMs are connected"));
        assertThat(findings.get(1).what())
                .startsWith("The JVM pid 4711 on host app-3 has told nothing of itself since ");
    }

    private void jvmThatReadsSubscriptionsDied() throws SQLException {
        jvmDied("kind = 'S'");
        database.run("INSERT INTO readpast.subscription_consumer (destination_id, instance, consumer)"
                + " SELECT destination_id, '00000000-0000-0000-0000-000000000000', 'one'"
                + " FROM readpast.destination WHERE kind = 'S'");
    }

    /** What says that it is read is left behind by who has died. */
    @ParameterizedTest
    @ValueSource(strings = {Databases.H2, Databases.POSTGRESQL})
    void all_jvms_that_read_a_durable_subscription_have_died(String product) throws Exception {
        sendToSubscription(on(product));
        database.awaitNobody();
        jvmThatReadsSubscriptionsDied();
        List<Finding> findings = awaitFindings(new Verdict(SHORT), Cause.NO_CONSUMER, Cause.PRESENCE_LOST);
        database.run("DELETE FROM readpast.subscription_consumer");
        forgetJvm();
        assertThat(findings.get(0).severity()).isEqualTo(Severity.CRITICAL);
        assertThat(findings.get(0).evidence()).contains("pid 4711 on host app-3 had a consumer for it, and is missed");
    }

    /** One without a name says always that it is read; it ends with the JVM, when others remove what is left of that. */
    @ParameterizedTest
    @ValueSource(strings = {Databases.H2, Databases.POSTGRESQL})
    void all_jvms_that_read_a_subscription_that_is_not_durable_have_died(String product) throws Exception {
        sendToSubscription(on(product));
        database.awaitNobody();
        jvmThatReadsSubscriptionsDied();
        database.run("UPDATE readpast.subscription SET durable = 0");
        Verdict verdict = new Verdict(SHORT);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> Duration.between(
                                        database.look().queues().rows().stream()
                                                .filter(queue -> queue.kind().equals("S"))
                                                .findFirst()
                                                .orElseThrow()
                                                .oldestAt(),
                                        database.look().takenAt())
                                .compareTo(SHORT.waiting())
                        > 0);
        awaitFindings(verdict, Cause.PRESENCE_LOST);
        database.run("DELETE FROM readpast.subscription_consumer");
        forgetJvm();
    }

    /** A row that nobody has removed. */
    @ParameterizedTest
    @ValueSource(strings = {Databases.H2, Databases.POSTGRESQL})
    void nobody_is_connected_who_reads_a_durable_subscription(String product) throws Exception {
        sendToSubscription(on(product));
        database.awaitNobody();
        database.run("INSERT INTO readpast.subscription_consumer (destination_id, instance, consumer)"
                + " SELECT destination_id, '00000000-0000-0000-0000-000000000000', 'one'"
                + " FROM readpast.destination WHERE kind = 'S'");
        Finding finding =
                awaitFindings(new Verdict(SHORT), Cause.SUBSCRIPTION_UNREAD).get(0);
        database.run("DELETE FROM readpast.subscription_consumer");
        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.next()).startsWith("Start its consumer");
    }

    private static void sendToSubscription(ConnectionFactory factory) {
        try (JMSContext context = factory.createContext()) {
            context.setClientID("warehouse");
            context.createDurableConsumer(context.createTopic("prices"), "stock")
                    .close();
            context.createProducer().send(context.createTopic("prices"), "one");
        }
    }

    /** A JVM that consumed from a destination, and that nobody is left to miss. */
    private void jvmDied(String destination) throws SQLException {
        database.run(
                "INSERT INTO readpast.presence (instance, host, process, reported_at, clock_millis, waiting_seconds)"
                        + " VALUES ('00000000-0000-0000-0000-000000000000', 'app-3', 'pid 4711',"
                        + " CURRENT_TIMESTAMP - INTERVAL '10' MINUTE, 0, 0)");
        database.run("INSERT INTO readpast.consumed_destination"
                + " (instance, destination_id, open_consumers, stopped_consumers, selective_consumers)"
                + " SELECT '00000000-0000-0000-0000-000000000000', destination_id, 1, 0, 0"
                + " FROM readpast.destination WHERE " + destination);
    }

    private void forgetJvm() throws SQLException {
        database.run("DELETE FROM readpast.consumed_destination");
        database.run("DELETE FROM readpast.presence");
    }

    @ParameterizedTest
    @ValueSource(strings = {Databases.H2, Databases.POSTGRESQL})
    void one_dead_letter_in_a_queue_that_nobody_consumes(String product) throws Exception {
        send(on(product), null, 2);
        database.run("UPDATE readpast.message SET origin_id = destination_id"
                + " WHERE message_id = (SELECT MIN(message_id) FROM readpast.message)");
        awaitFindings(new Verdict(SHORT), Cause.NO_CONSUMER, Cause.DEAD_LETTERS);
    }

    @ParameterizedTest
    @ValueSource(strings = {Databases.H2, Databases.POSTGRESQL})
    void groups_of_a_queue_that_is_paused(String product) throws Exception {
        ConnectionFactory factory = on(product);
        try (JMSContext context = factory.createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue("orders"))) {
            send(factory, "customer-7", 2);
            assertThat(consumer.receive(60_000)).isNotNull();
            awaitFindings(new Verdict(SHORT), Cause.GROUP_STUCK);
            pause(Paused.What.RECEIVE);
            awaitFindings(new Verdict(SHORT), Cause.PAUSED);
        }
    }

    /** As where a queue is emptied: that needs its consumers. */
    @ParameterizedTest
    @EnumSource
    void consumer_is_missed_unless_receiving_is_paused(Paused.What what) throws Exception {
        send(on(Databases.H2), null, 1);
        awaitFindings(new Verdict(SHORT), Cause.NO_CONSUMER);
        pause(what);
        awaitFindings(
                new Verdict(SHORT),
                what == Paused.What.SEND ? new Cause[] {Cause.NO_CONSUMER, Cause.PAUSED} : new Cause[] {Cause.PAUSED});
    }

    /** It is acknowledged before receive returns, so that nothing is locked while the application works on it. */
    @ParameterizedTest
    @CsvSource({
        Databases.H2 + ",,STANDS_STILL",
        Databases.POSTGRESQL + ",,STANDS_STILL",
        Databases.H2 + ",customer-7,GROUP_STUCK",
        Databases.POSTGRESQL + ",customer-7,GROUP_STUCK"
    })
    void messages_are_acknowledged_before_they_are_worked_on(String product, String group, Cause cause)
            throws Exception {
        ConnectionFactory factory = on(product);
        Verdict verdict = new Verdict(SHORT);
        try (JMSContext context = factory.createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue("orders"))) {
            send(factory, group, 100);
            assertThat(consumer.receive(60_000)).isNotNull();
            awaitFindings(verdict, cause);
            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                assertThat(consumer.receive(60_000)).isNotNull();
                assertThat(verdict.judge(database.look())).isEmpty();
            });
            awaitFindings(verdict, cause);
        }
    }

    /** Other JVMs remove what has expired. */
    @Test
    void message_that_expires_is_no_progress() throws Exception {
        ConnectionFactory factory = on(Databases.H2);
        Verdict verdict = new Verdict(SHORT);
        send(factory, null, 2);
        database.run("UPDATE readpast.message SET expires_at = CURRENT_TIMESTAMP"
                + " WHERE message_id = (SELECT MIN(message_id) FROM readpast.message)");
        awaitFindings(verdict, Cause.NO_CONSUMER);
        database.run("DELETE FROM readpast.message WHERE message_id = (SELECT MIN(message_id) FROM readpast.message)");
        assertThat(verdict.judge(database.look())).extracting(Finding::cause).contains(Cause.NO_CONSUMER);
    }

    /** It comes before those that wait, which nobody has taken. */
    @ParameterizedTest
    @ValueSource(strings = {Databases.H2, Databases.POSTGRESQL})
    void more_urgent_message_is_no_progress(String product) throws Exception {
        ConnectionFactory factory = on(product);
        Verdict verdict = new Verdict(SHORT);
        send(factory, null, 1);
        awaitFindings(verdict, Cause.NO_CONSUMER);
        try (JMSContext context = factory.createContext()) {
            context.createProducer().setPriority(9).send(context.createQueue("orders"), "urgent");
        }
        assertThat(verdict.judge(database.look())).extracting(Finding::cause).contains(Cause.NO_CONSUMER);
    }
}
