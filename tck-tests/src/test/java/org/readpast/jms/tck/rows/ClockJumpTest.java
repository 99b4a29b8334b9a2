package org.readpast.jms.tck.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.TransactionRolledBackRuntimeException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
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

/**
 * A server takes over whose clock is minutes ahead or behind, while JVMs are connected. All times in the tables are by the database's
 * clock, so the clock jumps as seen from there where all of these times move the other way.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClockJumpTest {

    private static final long PATIENCE = 30_000;
    private static final int JUMP_SECONDS = 120;
    private static final String QUEUE = "orders";

    private static final Map<String, List<String>> TIMES = Map.of(
            "message", List.of("enqueued_at", "expires_at"),
            "delayed_message", List.of("due_at", "enqueued_at", "expires_at", "claimed_at"),
            "duplicate_id", List.of("forget_at"),
            "commit_marker", List.of("committed_at"),
            "dropped_destination", List.of("dropped_at"),
            "presence", List.of("missing_since"));

    private final TestDatabase database;
    private final String schema = "clock_" + Long.toString(System.nanoTime(), 36);

    ClockJumpTest(TestDatabase database) {
        this.database = database;
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.requested();
    }

    private JMSContext context() throws JMSException {
        return new ReadpastConnectionFactory(database.readpastUrl("schema=" + schema)).createContext();
    }

    /** Behind where it is negative. */
    private void clockIsAhead(int seconds) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (Map.Entry<String, List<String>> table : TIMES.entrySet()) {
                for (String time : table.getValue()) {
                    String moved = switch (database) {
                        case H2 -> "DATEADD('SECOND', " + -seconds + ", " + time + ")";
                        case POSTGRESQL -> time + " - " + seconds + " * interval '1 second'";
                        case SQLSERVER -> "DATEADD(SECOND, " + -seconds + ", " + time + ")";
                    };
                    statement.executeUpdate("UPDATE " + schema + "." + table.getKey() + " SET " + time + " = " + moved
                            + " WHERE " + time + " IS NOT NULL");
                }
            }
        }
    }

    private static JMSConsumer leasing(JMSContext context) {
        return context.createConsumer(context.createQueue(QUEUE + "?consumer.leaseSeconds=60"));
    }

    private static Set<String> receive(JMSConsumer consumer, int messages) {
        Set<String> received = new TreeSet<>();
        for (int i = 0; i < messages; i++) {
            received.add(consumer.receiveBody(String.class, PATIENCE));
        }
        return received;
    }

    @Test
    void ahead_what_waits_for_its_time_comes_too_early_and_nothing_is_lost_or_done_twice() throws Exception {
        try (JMSContext context = context();
                JMSContext transacted = context.createContext(JMSContext.SESSION_TRANSACTED)) {
            Queue queue = context.createQueue(QUEUE);
            context.createProducer().send(queue, "leased");
            assertThat(leasing(transacted).receiveBody(String.class, PATIENCE)).isEqualTo("leased");
            transacted.createProducer().send(transacted.createQueue("answers"), "to what was leased");
            context.createProducer().setTimeToLive(60_000).send(queue, "short-lived");
            context.createProducer().setTimeToLive(3_600_000).send(queue, "long-lived");
            context.createProducer().setDeliveryDelay(60_000).send(queue, "delayed");
            context.createProducer().send(queue, "waiting");

            clockIsAhead(JUMP_SECONDS);

            JMSConsumer consumer = context.createConsumer(queue);
            assertThat(receive(consumer, 4)).containsExactly("delayed", "leased", "long-lived", "waiting");
            assertThat(consumer.receiveNoWait()).isNull();
            assertThatThrownBy(transacted::commit).isInstanceOf(TransactionRolledBackRuntimeException.class);
            assertThat(context.createConsumer(context.createQueue("answers")).receiveNoWait())
                    .isNull();
            context.createProducer().setDeliveryDelay(500).send(queue, "delayed since");
            assertThat(receive(consumer, 1)).containsExactly("delayed since");
        }
    }

    @Test
    void behind_what_waits_for_its_time_comes_too_late_and_all_else_goes_on() throws Exception {
        try (JMSContext context = context();
                JMSContext transacted = context.createContext(JMSContext.SESSION_TRANSACTED)) {
            Queue queue = context.createQueue(QUEUE);
            context.createProducer().send(queue, "leased");
            assertThat(leasing(transacted).receiveBody(String.class, PATIENCE)).isEqualTo("leased");
            context.createProducer().setTimeToLive(3_600_000).send(queue, "long-lived");
            context.createProducer().setDeliveryDelay(60_000).send(queue, "delayed");
            context.createProducer().send(queue, "waiting");

            clockIsAhead(-JUMP_SECONDS);

            JMSConsumer consumer = context.createConsumer(queue);
            assertThat(receive(consumer, 2)).containsExactly("long-lived", "waiting");
            context.createProducer().setDeliveryDelay(500).send(queue, "delayed since");
            assertThat(receive(consumer, 1)).containsExactly("delayed since");
            transacted.commit();
            assertThat(consumer.receiveNoWait()).isNull();

            clockIsAhead(JUMP_SECONDS + 60);
            assertThat(receive(consumer, 1)).containsExactly("delayed");
            assertThat(consumer.receiveNoWait()).isNull();
        }
    }
}
