package org.readpast.jms.tck.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import jakarta.jms.JMSContext;
import java.net.InetAddress;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;

/** How fast a queue and its consumers are, out of a history that the test has written and can count. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ThroughputViewsTest extends SqlQueueFixture {

    private static final int MESSAGES = 100;

    /** Some time within the last hour, and away from a minute's end. */
    private final Instant lately = Instant.now()
            .minus(Duration.ofMinutes(10))
            .truncatedTo(ChronoUnit.MINUTES)
            .plusSeconds(10);

    private int destination;

    ThroughputViewsTest(TestDatabase database) {
        super(database);
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.requested();
    }

    /** The hundred waited 10, 20, ... 1000 ms and took 2, 4, ... 200 ms, the first half of them with one consumer. */
    @BeforeEach
    void writeHistory() throws SQLException, jakarta.jms.JMSException {
        sendByJms("makes the queue");
        destination = number("SELECT destination_id FROM " + inSchema("destination") + " WHERE name = '" + queue + "'");
        for (int i = 1; i <= MESSAGES; i++) {
            finished(lately, i <= MESSAGES / 2 ? "early" : "late", "completed", 10L * i, 2L * i);
        }
        finished(lately.plusSeconds(60), "early", "dead letter", 1, 1);
        finished(lately.plusSeconds(60), "early", "completed", null, 0);
        finished(lately.plusSeconds(60), null, "expired", null, 0);
        finished(lately.plusSeconds(60), null, "purged", null, 0);
        finished(Instant.now().minus(Duration.ofMinutes(100)), "early", "completed", 99_000L, 99_000);
    }

    private int number(String query) throws SQLException {
        try (Statement statement = sql.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            assertThat(row.next()).isTrue();
            return row.getInt(1);
        }
    }

    /** @param queueMillis null for a message of which it is not known when it was claimed */
    private void finished(Instant at, String consumer, String outcome, Number queueMillis, long workMillis)
            throws SQLException {
        Instant claimed = at.minusMillis(workMillis);
        Instant sent = claimed.minusMillis(queueMillis == null ? 5_000 : queueMillis.longValue());
        try (PreparedStatement insert = sql.prepareStatement("INSERT INTO " + inSchema("message_history")
                + " (destination_id, message_id, priority_order, body_kind, body_format, body_length, delivery_count,"
                + " completed_at, enqueued_at, claimed_at, consumer, outcome)"
                + " VALUES (?, 1, 5, 1, 0, 0, 0, ?, ?, ?, ?, ?)")) {
            insert.setInt(1, destination);
            setTime(insert, 2, at);
            setTime(insert, 3, sent);
            setTime(insert, 4, queueMillis == null ? null : claimed);
            insert.setString(5, consumer);
            insert.setString(6, outcome);
            insert.executeUpdate();
        }
    }

    private void setTime(PreparedStatement statement, int index, Instant time) throws SQLException {
        if (time == null) {
            statement.setNull(index, procedures.isTransactSql() ? java.sql.Types.TIMESTAMP : java.sql.Types.OTHER);
        } else if (procedures.isTransactSql()) {
            statement.setObject(index, time.atOffset(ZoneOffset.UTC).toLocalDateTime());
        } else {
            statement.setObject(index, time.atOffset(ZoneOffset.UTC));
        }
    }

    @Test
    void queue_timing_has_average_and_percentiles_of_the_last_hour() throws Exception {
        List<SqlRow> rows = rowsOf("queue_timing");

        assertThat(rows).hasSize(1);
        assertThat(rows.get(0).number("messages")).isEqualTo(MESSAGES + 1);
        assertTiming(rows.get(0), "queue", 505, 500, 950, 990);
        assertTiming(rows.get(0), "work", 101, 100, 190, 198);
    }

    @Test
    void consumer_timing_tells_consumers_apart() throws Exception {
        List<SqlRow> rows = rowsOf("consumer_timing");

        assertThat(rows).hasSize(2);
        SqlRow early = of("early", rows);
        assertThat(early.number("messages")).isEqualTo(MESSAGES / 2 + 1);
        assertTiming(early, "queue", 255, 250, 480, 500);
        assertTiming(early, "work", 51, 50, 96, 100);
        assertThat(of("late", rows).number("queue_p50_ms")).isEqualTo(750);
    }

    @Test
    void consumer_that_is_connected_has_its_host_and_process() throws Exception {
        String client = "night-" + UUID.randomUUID();
        try (JMSContext connected =
                new ReadpastConnectionFactory(database.readpastUrl("clientId=" + client)).createContext()) {
            finished(lately, connected.getClientID(), "completed", 1, 1);

            SqlRow here = of(client, rowsOf("consumer_timing"));

            assertThat(here.text("host")).isEqualTo(InetAddress.getLocalHost().getHostName());
            assertThat(here.text("process"))
                    .isEqualTo("pid " + ProcessHandle.current().pid());
        }
        assertThat(of(client, rowsOf("consumer_timing")).text("host")).isNull();
    }

    private static SqlRow of(String consumer, List<SqlRow> rows) {
        return rows.stream()
                .filter(row -> consumer.equals(row.text("consumer")))
                .findFirst()
                .orElseThrow();
    }

    private static void assertTiming(SqlRow row, String of, long average, long p50, long p95, long p99) {
        assertThat(Stream.of("avg", "p50", "p95", "p99").map(column -> row.number(of + "_" + column + "_ms")))
                .containsExactly(average, p50, p95, p99);
    }

    @Test
    void throughput_counts_by_minute_consumer_and_outcome() throws Exception {
        List<SqlRow> rows = rowsOf("throughput");

        assertThat(rows.stream().map(row -> row.text("consumer")))
                .containsExactlyInAnyOrder("early", "late", "early", null);
        assertThat(sum(rows, "completed")).isEqualTo(MESSAGES + 1);
        assertThat(of("late", rows).number("completed")).isEqualTo(MESSAGES / 2);
        SqlRow nobody = rows.stream()
                .filter(row -> row.text("consumer") == null)
                .findFirst()
                .orElseThrow();
        assertThat(List.of(nobody.number("expired"), nobody.number("purged"), nobody.number("dead_letters")))
                .containsExactly(1L, 1L, 0L);
        assertThat(sum(rows, "dead_letters")).isEqualTo(1);
    }

    @Test
    void largest_number_of_minutes_is_all_that_there_is_and_none_is_nothing() throws Exception {
        assumeTrue(database != TestDatabase.H2, "H2 has no functions with a number of minutes");
        for (int minutes : new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE / 2, 1_000}) {
            assertThat(sum(rowsOf("throughput_since(" + minutes + ")"), "completed"))
                    .isEqualTo(MESSAGES + 2);
            assertThat(rowsOf("queue_timing_since(" + minutes + ")").get(0).number("messages"))
                    .isEqualTo(MESSAGES + 2);
            assertThat(rowsOf("consumer_timing_since(" + minutes + ")")).hasSize(2);
        }
        for (int minutes : new int[] {0, -1, Integer.MIN_VALUE}) {
            assertThat(rowsOf("throughput_since(" + minutes + ")")).isEmpty();
            assertThat(rowsOf("queue_timing_since(" + minutes + ")")).isEmpty();
            assertThat(rowsOf("consumer_timing_since(" + minutes + ")")).isEmpty();
        }
    }

    private static long sum(List<SqlRow> rows, String column) {
        return rows.stream().mapToLong(row -> row.number(column)).sum();
    }
}
