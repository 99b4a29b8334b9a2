package org.readpast.jms.tck.sql;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSContext;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;

/** How far behind a queue is, at a price that has a bound. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class QueueDepthTest extends SqlQueueFixture {

    private static final int BOUND = 10_000;

    QueueDepthTest(TestDatabase database) {
        super(database);
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.servers();
    }

    private SqlRow depth() throws SQLException {
        return rowsOf("queue_depth").get(0);
    }

    @Test
    void depth_is_exact_below_the_bound_and_counts_what_is_locked() throws Exception {
        sendByJms("first");
        assertThat(depth().text("oldest_enqueued_at")).isNotNull();
        send("body", "second", "priority", 9);
        send("body", "later", "delay_millis", 3_600_000);
        try (JMSContext holder =
                new ReadpastConnectionFactory(database.readpastUrl()).createContext(JMSContext.SESSION_TRANSACTED)) {
            holder.createConsumer(holder.createQueue(queue)).receive(PATIENCE);

            assertThat(depth().number("depth")).isEqualTo(2);
            assertThat(depth().number("at_least")).isZero();
        }
    }

    @Test
    void oldest_message_is_found_behind_younger_ones_of_higher_priority() throws Exception {
        send("body", "old", "priority", 0);
        String oldest = depth().text("oldest_enqueued_at");
        for (int priority = 1; priority <= 9; priority++) {
            send("body", "young", "priority", priority);
        }
        assertThat(depth().text("oldest_enqueued_at")).isEqualTo(oldest);
        assertThat(depth().number("oldest_seconds")).isNotNegative();
    }

    @Test
    void empty_queue_has_no_oldest_message() throws Exception {
        sendByJms("gone");
        assertThat(textNow()).isEqualTo("gone");

        assertThat(depth().number("depth")).isZero();
        assertThat(depth().text("oldest_enqueued_at")).isNull();
    }

    @Test
    void counting_ends_at_the_bound_and_says_so() throws Exception {
        sendByJms("one");
        int sent = 1;
        for (; sent <= BOUND; sent *= 2) {
            sendAllAgain();
        }
        assertThat(depth().number("depth")).isEqualTo(BOUND);
        assertThat(depth().number("at_least")).isEqualTo(1);
        assertThat(rowsOf("queue_overview").get(0).number("depth")).isEqualTo(sent);
        if (database == TestDatabase.POSTGRESQL) {
            assertReadsUpTo(BOUND + 100);
        }
    }

    /** As many messages once more, by a statement that is quicker than so many sends. */
    private void sendAllAgain() throws SQLException {
        String columns =
                "destination_id, priority_order, jms_destination, delivery_mode, jms_timestamp, jms_expiration,"
                        + " jms_delivery_time, body_kind, body_format, body_length, body";
        try (Statement statement = sql.createStatement()) {
            statement.execute("INSERT INTO " + inSchema("message") + " (" + columns + ") SELECT " + columns + " FROM "
                    + inSchema("message") + " WHERE destination_id = (SELECT destination_id FROM "
                    + inSchema("destination") + " WHERE name = '" + queue + "')");
        }
    }

    /** PostgreSQL counts what a transaction has read. */
    private void assertReadsUpTo(long rows) throws SQLException {
        try (Connection looking = transaction()) {
            rowsOf(looking, "queue_depth");
            try (Statement statement = looking.createStatement();
                    ResultSet read = statement.executeQuery("SELECT seq_tup_read, idx_tup_fetch"
                            + " FROM pg_stat_xact_user_tables WHERE relid = 'readpast.message'::regclass")) {
                assertThat(read.next()).isTrue();
                assertThat(read.getLong(1)).isZero();
                assertThat(read.getLong(2)).isBetween(1L, rows);
            }
            looking.rollback();
        }
    }
}
