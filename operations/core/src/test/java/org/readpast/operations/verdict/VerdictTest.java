package org.readpast.operations.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import jakarta.jms.Topic;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.operations.Databases;
import org.readpast.operations.administration.Administration;
import org.readpast.operations.snapshot.Consumer;
import org.readpast.operations.snapshot.Delayed;
import org.readpast.operations.snapshot.Moved;
import org.readpast.operations.snapshot.Orphaned;
import org.readpast.operations.snapshot.Paused;
import org.readpast.operations.snapshot.Queue;
import org.readpast.operations.snapshot.Snapshot;

/** Each case is made to happen, and the verdict names it and nothing else. */
@Execution(ExecutionMode.CONCURRENT)
class VerdictTest {

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

    /** Waits until the verdict has one finding alone, which is of this cause, and returns it. */
    private Finding verdict(Cause cause) {
        return await().atMost(Duration.ofSeconds(60))
                .until(
                        () -> new Verdict(SHORT).judge(database.look()),
                        findings -> findings.size() == 1 && findings.get(0).cause() == cause)
                .get(0);
    }

    private static void send(ConnectionFactory factory, String queue, String... texts) {
        try (JMSContext context = factory.createContext()) {
            for (String text : texts) {
                context.createProducer().send(context.createQueue(queue), text);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {Databases.H2, Databases.POSTGRESQL})
    void nothing_is_found_where_messages_come_and_go(String product) throws Exception {
        ConnectionFactory factory = on(product);
        try (JMSContext context = factory.createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue("orders"))) {
            context.createProducer().send(context.createQueue("orders"), "one");
            context.createProducer().setDeliveryDelay(3_600_000).send(context.createQueue("orders"), "later");
            assertThat(consumer.receiveBody(String.class, 10_000)).isEqualTo("one");
            // A commit that the disk holds up on a busy machine is a transaction that is open for long.
            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                Snapshot seen = database.look();
                assertThat(new Verdict(SHORT).judge(seen)).isEmpty();
                assertThat(seen.queues().rows()).extracting(Queue::name).contains("orders");
                assertThat(seen.consumers().rows()).extracting(Consumer::queue).containsExactly("orders");
                assertThat(seen.delayed().rows()).extracting(Delayed::delayed).containsExactly(1L);
            });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {Databases.H2, Databases.POSTGRESQL})
    void no_consumer(String product) {
        send(on(product), "orders", "one", "two");
        Finding finding = verdict(Cause.NO_CONSUMER);
        assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
        assertThat(finding.what()).startsWith("orders: 2 waiting, the oldest since ");
        assertThat(finding.evidence().get(0)).contains("programs in SQL are not known");
    }

    @ParameterizedTest
    @ValueSource(strings = {Databases.H2, Databases.POSTGRESQL})
    void consumer_by_lease_is_not_started(String product) throws Exception {
        ConnectionFactory factory = on(product);
        try (JMSContext context = factory.createContext()) {
            context.setAutoStart(false);
            context.createConsumer(context.createQueue("orders?consumer.leaseSeconds=60"));
            send(factory, "orders", "one");
            Finding finding = verdict(Cause.NOT_STARTED);
            assertThat(finding.what()).startsWith("orders: 1 waiting");
            try (Connection connection = database.connect()) {
                Administration administration = new Administration(connection, database.schema);
                database.run("DELETE FROM readpast.message");
                assertThat(administration.dropQueue("orders"))
                        .as("while somebody consumes from it")
                        .isFalse();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "H2, AWAY, nothing can be sent here, routes have both",
        "PostgreSQL, AWAY, nothing can be sent here, routes have both",
        "PostgreSQL, HERE, what is there is received first, the same queue in the database 'archive'"
    })
    void messages_wait_in_a_queue_that_is_moved(String product, Moved.Stage stage, String what, String next)
            throws Exception {
        send(on(product), "orders", "one", "two");
        try (Connection connection = database.connect()) {
            new Administration(connection, database.schema).markMoved("orders", stage, "archive");
        }
        Finding finding = verdict(Cause.MOVED);
        assertThat(finding.what())
                .startsWith("orders: 2 waiting, the oldest since ")
                .contains(what);
        assertThat(finding.next()).contains(next);
    }

    @ParameterizedTest
    @ValueSource(strings = {Databases.H2, Databases.POSTGRESQL})
    void a_queue_is_paused_by_hand_without_a_time(String product) throws Exception {
        send(on(product), "orders", "one");
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "UPDATE " + database.schema + ".destination SET paused = 'receive' WHERE name = 'orders'");
        }
        Finding finding = verdict(Cause.PAUSED);
        assertThat(finding.what()).endsWith("An administrator has paused receiving");
        assertThat(finding.since()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "shop/orders-2 | shop/orders-2",
                "my orders     | 'my orders'",
                "x; a 'b' #    | 'x; a '\\''b'\\'' #'",
                "-rf           | -- '-rf'"
            })
    void command_that_is_to_be_copied_has_the_name_of_the_queue_as_one_argument(String queue, String argument)
            throws Exception {
        send(on(Databases.H2), queue, "one");
        try (Connection connection = database.connect()) {
            new Administration(connection, database.schema).pause(queue, Paused.What.RECEIVE);
        }
        assertThat(verdict(Cause.PAUSED).next()).contains("readpast resume " + argument + ". ");
    }

    @ParameterizedTest
    @ValueSource(strings = {Databases.H2, Databases.POSTGRESQL})
    void no_selector_matches(String product) {
        ConnectionFactory factory = on(product);
        try (JMSContext context = factory.createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue("orders"), "region = 'north'")) {
            assertThat(consumer.receiveNoWait()).isNull();
            send(factory, "orders", "one");
            Finding finding = verdict(Cause.NO_SELECTOR_MATCHES);
            assertThat(finding.what()).contains("All its consumers have selectors");
            assertThat(finding.evidence().get(0))
                    .endsWith(" has 1 consumer for it, 1 with a selector, such as region = 'north'");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {Databases.H2, Databases.POSTGRESQL})
    void urgent_messages_that_keep_coming(String product) throws Exception {
        ConnectionFactory factory = on(product);
        AtomicBoolean isOver = new AtomicBoolean();
        try (JMSContext context = factory.createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue("orders"))) {
            context.createProducer().setPriority(2).send(context.createQueue("orders"), "low");
            CompletableFuture<Void> coming = CompletableFuture.runAsync(() -> {
                JMSProducer urgent = context.createProducer().setPriority(8);
                urgent.send(context.createQueue("orders"), "urgent");
                while (!isOver.get()) {
                    urgent.send(context.createQueue("orders"), "urgent");
                    assertThat(consumer.receiveBody(String.class, 60_000)).isEqualTo("urgent");
                }
            });
            try {
                Finding finding = verdict(Cause.PRIORITY_STARVES);
                assertThat(finding.what())
                        .endsWith("Messages of priority 2 are not delivered, since those of priority 8 keep coming");
            } finally {
                isOver.set(true);
                coming.get(1, TimeUnit.MINUTES);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {Databases.H2, Databases.POSTGRESQL})
    void a_selector_that_no_column_can_hold(String product) {
        ConnectionFactory factory = on(product);
        try (JMSContext context = factory.createContext();
                JMSConsumer consumer = context.createConsumer(
                        context.createQueue("orders"), "r = '\0\ud800" + "\ud83d\ude00".repeat(300) + "'")) {
            assertThat(consumer.receiveNoWait()).isNull();
            send(factory, "orders", "one");
            assertThat(verdict(Cause.NO_SELECTOR_MATCHES).evidence().get(0))
                    .contains("such as r = '\\u0000?\ud83d\ude00")
                    .endsWith("\ud83d\ude00...");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {Databases.H2, Databases.POSTGRESQL})
    void nobody_calls_receive(String product) {
        ConnectionFactory factory = on(product);
        try (JMSContext context = factory.createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue("orders"));
                JMSConsumer selective = context.createConsumer(context.createQueue("orders"), "region = 'north'")) {
            assertThat(consumer.receiveNoWait()).isNull();
            assertThat(selective.receiveNoWait()).isNull();
            send(factory, "orders", "one");
            Finding finding = await().atMost(Duration.ofSeconds(60))
                    .until(
                            () -> verdict(Cause.STANDS_STILL),
                            found -> found.evidence().get(0).contains(" has 2 consumers for it, 1 with a selector"));
            assertThat(finding.next()).contains("a receive that nobody calls");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {Databases.H2, Databases.POSTGRESQL})
    void the_connection_of_the_consumers_is_not_started(String product) {
        ConnectionFactory factory = on(product);
        try (JMSContext context = factory.createContext()) {
            context.setAutoStart(false);
            context.createConsumer(context.createQueue("orders"));
            context.createConsumer(context.createQueue("orders"));
            send(factory, "orders", "one");
            Finding finding = verdict(Cause.NOT_STARTED);
            assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
            assertThat(finding.evidence().get(0))
                    .endsWith(" has 2 consumers for it, 2 of connections that are not started");
            context.start();
            assertThat(verdict(Cause.STANDS_STILL).evidence().get(0)).endsWith(" has 2 consumers for it");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {Databases.H2, Databases.POSTGRESQL})
    void the_consumer_was_closed_and_its_jvm_lives(String product) {
        ConnectionFactory factory = on(product);
        try (JMSContext context = factory.createContext()) {
            context.createConsumer(context.createQueue("orders")).close();
            send(factory, "orders", "one");
            Finding finding = verdict(Cause.NO_CONSUMER);
            assertThat(finding.what()).endsWith("The JMS clients that consumed from it have closed their consumers");
            assertThat(finding.evidence().get(0)).endsWith(" has no consumer for it any more");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {Databases.H2, Databases.POSTGRESQL})
    void the_clock_of_a_jvm_is_wrong(String product) throws Exception {
        ConnectionFactory factory = on(product);
        String instance = "00000000-0000-0000-0000-000000000000";
        database.run(
                "INSERT INTO readpast.presence (instance, host, process, reported_at, clock_millis, waiting_seconds) VALUES ('"
                        + instance + "', 'app-3', 'pid 4711', CURRENT_TIMESTAMP, "
                        + (System.currentTimeMillis() - 90_000) + ", 0)");
        assertThat(factory).isNotNull();
        Finding finding = verdict(Cause.CLOCK_SKEW);
        database.run("DELETE FROM readpast.presence");
        assertThat(finding.what()).matches("The clock of pid 4711 on host app-3 is \\d+ s behind the database's");
    }

    @ParameterizedTest
    @ValueSource(strings = {Databases.H2, Databases.POSTGRESQL})
    void jvms_have_had_different_releases_for_hours(String product) throws Exception {
        ConnectionFactory factory = on(product);
        for (int i = 1; i <= 2; i++) {
            database.run("INSERT INTO readpast.presence (instance, host, process, provider_version, started_at) VALUES"
                    + " ('00000000-0000-0000-0000-00000000000" + i + "', 'app-" + i + "', 'pid 4711', '1." + i
                    + "', CURRENT_TIMESTAMP - INTERVAL '" + (1 + i) + "' HOUR)");
        }
        assertThat(factory).isNotNull();
        Finding finding = verdict(Cause.RELEASES_MIXED);
        database.run("DELETE FROM readpast.presence");
        assertThat(finding.what()).endsWith(": 1.1, 1.2");
        assertThat(finding.evidence()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {Databases.H2, Databases.POSTGRESQL})
    void a_group_whose_owner_does_not_work(String product) throws Exception {
        ConnectionFactory factory = on(product);
        try (JMSContext context = factory.createContext(JMSContext.CLIENT_ACKNOWLEDGE);
                JMSConsumer consumer = context.createConsumer(context.createQueue("orders"))) {
            sendGrouped(factory);
            Message first = consumer.receive(10_000);
            first.acknowledge();
            sendGrouped(factory);
            Finding finding = verdict(Cause.GROUP_STUCK);
            assertThat(finding.what()).contains("1 message of the group 'customer-7'");
        }
    }

    private static void sendGrouped(ConnectionFactory factory) {
        try (JMSContext context = factory.createContext()) {
            context.createProducer()
                    .setProperty("JMSXGroupID", "customer-7")
                    .send(context.createQueue("orders"), "of the group");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {Databases.H2, Databases.POSTGRESQL})
    void a_durable_subscription_that_nobody_reads(String product) {
        ConnectionFactory factory = on(product);
        try (JMSContext context = factory.createContext()) {
            context.setClientID("warehouse");
            Topic topic = context.createTopic("prices");
            context.createDurableConsumer(topic, "stock").close();
            context.createProducer().send(topic, "one");
        }
        Finding finding = verdict(Cause.SUBSCRIPTION_UNREAD);
        assertThat(finding.what())
                .startsWith(
                        "Nobody reads the subscription stock of the client id warehouse to the topic prices: 1 waiting");
    }

    @ParameterizedTest
    @ValueSource(strings = {Databases.H2, Databases.POSTGRESQL})
    void delayed_messages_that_nobody_moves(String product) throws Exception {
        ConnectionFactory factory = on(product);
        try (JMSContext context = factory.createContext()) {
            context.createProducer().setDeliveryDelay(3_600_000).send(context.createQueue("orders"), "later");
        }
        database.awaitNobody();
        database.run("UPDATE readpast.delayed_message SET due_at = due_at - INTERVAL '2' HOUR");
        Finding finding = verdict(Cause.DELAYED_OVERDUE);
        assertThat(finding.next()).startsWith("Start a JMS client");
    }

    @ParameterizedTest
    @ValueSource(strings = {Databases.H2, Databases.POSTGRESQL})
    void a_message_that_comes_back_each_time(String product) throws Exception {
        ReadpastConnectionFactory factory = (ReadpastConnectionFactory) on(product);
        factory.setProperty("redelivery.delayMillis", "600000");
        factory.setProperty("redelivery.multiplier", "1");
        send(factory, "orders", "poison");
        for (int i = 0; i < 3; i++) {
            rollBackOne(factory);
            database.run(
                    "UPDATE readpast.delayed_message SET due_at = due_at - INTERVAL '" + (i < 2 ? 10 : 0) + "' MINUTE");
        }
        Finding finding = verdict(Cause.POISON);
        assertThat(finding.what())
                .startsWith("orders: 1 message delivered before and not acknowledged, one of them 3 times");
    }

    private static void rollBackOne(ConnectionFactory factory) {
        try (JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED);
                JMSConsumer consumer = context.createConsumer(context.createQueue("orders"))) {
            assertThat(consumer.receive(20_000)).isNotNull();
            context.rollback();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {Databases.H2, Databases.POSTGRESQL})
    void dead_letters_that_grow(String product) {
        ReadpastConnectionFactory factory = (ReadpastConnectionFactory) on(product);
        factory.setProperty("redelivery.maximumDeliveries", "1");
        send(factory, "orders", "cursed");
        rollBackOne(factory);
        Finding finding = verdict(Cause.DEAD_LETTERS);
        assertThat(finding.what())
                .isEqualTo("DLQ: 1 dead letter from orders, and growing: 1 of them within ten minutes");
    }

    @ParameterizedTest
    @ValueSource(strings = {Databases.H2, Databases.POSTGRESQL})
    void a_jvm_that_is_missed(String product) throws Exception {
        ConnectionFactory factory = on(product);
        String instance = "00000000-0000-0000-0000-000000000000";
        database.run("INSERT INTO readpast.presence (instance, host, process, missing_since) VALUES ('" + instance
                + "', 'app-3', 'pid 4711', CURRENT_TIMESTAMP)");
        assertThat(factory).isNotNull();
        Finding finding = verdict(Cause.PRESENCE_LOST);
        assertThat(finding.what()).startsWith("The JVM pid 4711 on host app-3 is missed since ");
    }

    @ParameterizedTest
    @ValueSource(strings = {Databases.H2, Databases.POSTGRESQL})
    void numbers_of_destinations_that_run_out(String product) throws Exception {
        ConnectionFactory factory = on(product);
        database.run("ALTER TABLE readpast.destination ALTER COLUMN destination_id RESTART WITH 2000000000");
        send(factory, "orders");
        try (JMSContext context = factory.createContext()) {
            context.createConsumer(context.createQueue("orders")).close();
        }
        Finding finding = verdict(Cause.IDS_NEAR_END);
        assertThat(finding.what()).isEqualTo("The numbers of destinations run out: 2000000000 of 2147483647 are given");
    }

    @ParameterizedTest
    @ValueSource(strings = {Databases.H2, Databases.POSTGRESQL})
    void messages_that_expire_faster_than_they_are_completed(String product) throws Exception {
        ConnectionFactory factory = on(product);
        send(factory, "quotes", "first");
        // Who knows the queue already learns of its history some time later.
        database.awaitNobody();
        database.run("UPDATE readpast.destination SET history = 1 WHERE name = 'quotes'");
        try (JMSContext context = factory.createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue("quotes"))) {
            assertThat(consumer.receiveBody(String.class, 10_000)).isEqualTo("first");
        }
        try (JMSContext context = factory.createContext()) {
            for (int i = 0; i < 3; i++) {
                context.createProducer().setTimeToLive(1).send(context.createQueue("quotes"), "late");
            }
            Finding finding = verdict(Cause.EXPIRING);
            assertThat(finding.what()).startsWith("quotes: within the last hour 3 messages expired and ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {Databases.H2, Databases.POSTGRESQL})
    void a_history_keeps_more_than_it_is_to(String product) throws Exception {
        ConnectionFactory factory = on(product);
        send(factory, "orders", "one");
        // Who knows the queue already learns of its history some time later.
        database.awaitNobody();
        database.run("UPDATE readpast.destination SET history = 1, history_days = 1 WHERE name = 'orders'");
        try (JMSContext context = factory.createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue("orders"))) {
            assertThat(consumer.receiveBody(String.class, 60_000)).isEqualTo("one");
        }
        assertThat(database.look().outcomes().rows()).hasSize(1);
        // Nobody is left to remove it.
        database.awaitNobody();
        database.run("UPDATE readpast.message_history SET completed_at = completed_at - INTERVAL '24' HOUR");
        assertThat(new Verdict().judge(database.look())).isEmpty();
        database.run("UPDATE readpast.message_history SET completed_at = completed_at - INTERVAL '2' HOUR");
        Finding finding = verdict(Cause.HISTORY_BEHIND);
        assertThat(finding.what()).startsWith("orders: its history is kept for 1 day, and it has rows since ");
        assertThat(finding.evidence()).containsExactly("JMS clients remove what is too old; 0 JVMs are connected");
        assertThat(finding.next()).startsWith("Start a JMS client");
    }

    @ParameterizedTest
    @ValueSource(strings = {Databases.H2, Databases.POSTGRESQL})
    void messages_of_a_destination_whose_row_is_gone(String product) throws Exception {
        ConnectionFactory factory = on(product);
        send(factory, "orders", "one");
        try (JMSContext context = factory.createContext()) {
            context.createProducer().setDeliveryDelay(3_600_000).send(context.createQueue("orders"), "later");
        }
        send(factory, "quotes", "another");
        database.awaitNobody();
        assertThat(database.look().orphaned().rows()).isEmpty();
        database.run("DELETE FROM readpast.destination WHERE name = 'orders'");
        List<Orphaned> orphaned = database.look().orphaned().rows();
        assertThat(orphaned).extracting(Orphaned::destination).containsExactly("queue://orders", "queue://orders");
        assertThat(orphaned).extracting(Orphaned::isDelayed).containsExactly(false, true);
        int id = orphaned.get(0).id();
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(new Verdict(SHORT).judge(database.look()))
                        .filteredOn(finding -> finding.cause() == Cause.ORPHANED)
                        .extracting(Finding::what)
                        .satisfiesExactly(
                                waiting -> assertThat(waiting)
                                        .startsWith("queue://orders: 1 message under the destination_id " + id
                                                + ", which has no row: no client finds them"),
                                delayed -> assertThat(delayed)
                                        .startsWith(
                                                "queue://orders: 1 message delayed, leased or held under the destination_id "
                                                        + id + ", which has no row: no client finds them")));

        // As docs/operations.md has it, when somebody has made the queue again.
        send(factory, "orders", "two");
        for (String table : List.of("message", "delayed_message")) {
            database.run("UPDATE readpast." + table
                    + " SET destination_id = (SELECT destination_id FROM readpast.destination WHERE kind = 'Q' AND name = 'orders')"
                    + " WHERE destination_id = " + id);
        }
        assertThat(database.look().orphaned().rows()).isEmpty();
        try (JMSContext context = factory.createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue("orders"))) {
            assertThat(consumer.receiveBody(String.class, 60_000)).isEqualTo("one");
            assertThat(consumer.receiveBody(String.class, 60_000)).isEqualTo("two");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {Databases.H2, Databases.POSTGRESQL})
    void the_usual_limits_leave_time(String product) {
        send(on(product), "orders", "one");
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(
                        () -> assertThat(new Verdict().judge(database.look())).isEqualTo(List.of()));
    }
}
