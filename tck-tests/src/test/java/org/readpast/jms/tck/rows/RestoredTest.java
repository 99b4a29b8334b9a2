package org.readpast.jms.tck.rows;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;

/** Somebody says that the database was restored, while JVMs are connected. H2 has no such procedure. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RestoredTest {

    private static final long PATIENCE = 30_000;
    private static final String QUEUE = "orders";

    private final TestDatabase database;
    private final String schema = "restored_" + Long.toString(System.nanoTime(), 36);

    RestoredTest(TestDatabase database) {
        this.database = database;
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.requested().filter(database -> database != TestDatabase.H2);
    }

    private JMSContext context() throws JMSException {
        return new ReadpastConnectionFactory(database.readpastUrl("schema=" + schema)).createContext();
    }

    private int restored() throws SQLException {
        return number(
                database == TestDatabase.SQLSERVER
                        ? "DECLARE @done int; EXECUTE @done = " + schema + ".restored; SELECT @done"
                        : "SELECT " + schema + ".restored()");
    }

    private int number(String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getInt(1);
        }
    }

    /** What somebody has at that moment, as while it becomes due, is held by the next call. */
    private int heldInAll() throws SQLException {
        int held = 0;
        for (int now = restored(); now > 0; now = restored()) {
            held += now;
        }
        return held;
    }

    private void claimOne() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    database == TestDatabase.SQLSERVER
                            ? "EXECUTE " + schema + ".claim N'" + QUEUE + "', @lease_seconds = 1"
                            : "SELECT * FROM " + schema + ".claim('" + QUEUE + "', lease_seconds => 1)");
        }
    }

    private void release(String queue) throws SQLException {
        run(
                database == TestDatabase.SQLSERVER
                        ? "EXECUTE " + schema + ".release N'" + queue + "'"
                        : "SELECT " + schema + ".release('" + queue + "')");
    }

    private void run(String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void send(JMSContext context, String text, long delay) {
        context.createProducer().setDeliveryDelay(delay).send(context.createQueue(QUEUE), text);
    }

    @Test
    void everything_is_held_until_released_and_nothing_is_lost_or_doubled() throws Exception {
        try (JMSContext context = context()) {
            context.createSharedDurableConsumer(context.createTopic("news"), "reader")
                    .close();
            context.createProducer().send(context.createTopic("news"), "news");
            send(context, "leased", 0);
            claimOne();
            send(context, "waiting", 0);
            send(context, "delayed", 1_000);
            assertThat(heldInAll()).isEqualTo(4);
            JMSConsumer subscriber = context.createSharedDurableConsumer(context.createTopic("news"), "reader");
            JMSConsumer consumer = context.createConsumer(context.createQueue(QUEUE));
            assertThat(subscriber.receiveNoWait()).isNull();
            send(context, "new", 0);
            assertThat(consumer.receiveBody(String.class, PATIENCE)).isEqualTo("new");
            assertThat(consumer.receiveNoWait()).isNull();
            release(QUEUE);
            Set<String> received = new TreeSet<>();
            for (int i = 0; i < 3; i++) {
                received.add(consumer.receiveBody(String.class, PATIENCE));
            }
            assertThat(received).containsExactly("delayed", "leased", "waiting");
            assertThat(consumer.receiveNoWait()).isNull();
            assertThat(number("SELECT COUNT(*) FROM " + schema + ".held_message"))
                    .isEqualTo(1);
        }
    }

    @Test
    void what_a_consumer_has_is_its_own_and_is_held_when_it_gives_it_back() throws Exception {
        int first;
        try (JMSContext context = context();
                JMSContext transacted = context.createContext(JMSContext.SESSION_TRANSACTED)) {
            send(context, "one", 0);
            send(context, "two", 0);
            JMSConsumer consumer = transacted.createConsumer(transacted.createQueue(QUEUE));
            assertThat(consumer.receiveBody(String.class, PATIENCE)).isEqualTo("one");
            first = restored();
            assertThat(first).isLessThan(2);
        }
        assertThat(first + restored()).isEqualTo(2);
    }

    @Test
    void called_again_after_one_restore_it_takes_no_further_ids() throws Exception {
        String largest = "SELECT MAX(destination_id) FROM " + schema + ".destination";
        try (JMSContext context = context()) {
            send(context, "one", 0);
            assertThat(restored()).isOne();
            context.createProducer().send(context.createQueue("another"), "two");
            int before = number(largest);
            assertThat(restored()).isOne();
            context.createProducer().send(context.createQueue("a third"), "three");
            assertThat(number(largest)).isLessThan(before + 1_000_000);
        }
    }

    @Test
    void messages_are_held_though_the_ids_are_used_up() throws Exception {
        try (JMSContext context = context()) {
            send(context, "one", 0);
            run(
                    database == TestDatabase.SQLSERVER
                            ? "SET IDENTITY_INSERT " + schema + ".destination ON; INSERT INTO " + schema
                                    + ".destination (destination_id, kind, name) VALUES (2147400000, N'Q', N'last');"
                                    + " SET IDENTITY_INSERT " + schema + ".destination OFF"
                            : "SELECT setval(pg_get_serial_sequence('" + schema
                                    + ".destination', 'destination_id'), 2147400000)");
            assertThat(restored()).isOne();
            context.createProducer().send(context.createQueue("another"), "two");
            assertThat(number("SELECT MAX(destination_id) FROM " + schema + ".destination"))
                    .isEqualTo(2_147_400_001);
        }
    }

    @Test
    void new_queues_get_ids_that_nobody_remembers() throws Exception {
        String largest = "SELECT MAX(destination_id) FROM " + schema + ".destination";
        try (JMSContext context = context()) {
            send(context, "before", 0);
            int before = number(largest);
            restored();
            assertThat(number(largest)).isEqualTo(before);
            context.createProducer().send(context.createQueue("another"), "after");
            assertThat(number(largest)).isGreaterThan(before + 9_999_999);
        }
    }
}
