package org.readpast.jms.tck.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import jakarta.jms.JMSContext;
import jakarta.jms.TemporaryQueue;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;

/** Leases as others see them, and messages that somebody claimed and nobody completed. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LostMessageTest extends SqlQueueFixture {

    LostMessageTest(TestDatabase database) {
        super(database);
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.servers();
    }

    private SqlRow claim(int leaseSeconds) throws SQLException {
        return claim(leaseSeconds, "nightly-1");
    }

    private SqlRow claim(int leaseSeconds, String worker) throws SQLException {
        return procedures
                .rows(sql, "claim", to(queue, "count", 1, "lease_seconds", leaseSeconds, "worker", worker))
                .get(0);
    }

    private List<String> states() throws SQLException {
        return rowsOf("lost_message").stream().map(row -> row.text("state")).toList();
    }

    @Test
    void lease_is_in_flight_with_its_worker_and_deadline_and_not_lost() throws Exception {
        send("body", "work");
        SqlRow claimed = claim(3_600);

        List<SqlRow> rows = rowsOf("in_flight_message");

        assertThat(rows).hasSize(1);
        assertThat(rows.get(0).text("held_by")).isEqualTo("lease");
        assertThat(rows.get(0).text("holder")).isEqualTo("nightly-1");
        assertThat(rows.get(0).number("attempt")).isEqualTo(1);
        assertThat(rows.get(0).number("seconds")).isNotNegative();
        assertThat(rows.get(0).text("deadline")).isEqualTo(claimed.text("deadline"));
        assertThat(states()).isEmpty();
        assertThat(procedures.did(sql, "complete", SqlQueue.with("claim_token", claimed.token())))
                .isTrue();
        assertThat(rowsOf("in_flight_message")).isEmpty();
    }

    /** Within a transaction, since whoever finds the lease overdue puts the message back. */
    @Test
    void lease_past_its_deadline_is_overdue() throws Exception {
        send("body", "work");
        SqlRow claimed = claim(3_600);
        try (Connection later = transaction();
                Statement statement = later.createStatement()) {
            statement.execute("UPDATE " + inSchema("delayed_message") + " SET due_at = "
                    + (procedures.isTransactSql()
                            ? "DATEADD(second, -90, SYSUTCDATETIME())"
                            : "statement_timestamp() - interval '90 seconds'")
                    + " WHERE claim_token = '" + claimed.token() + "'");

            List<SqlRow> lost = rowsOf(later, "lost_message");

            assertThat(lost).hasSize(1);
            assertThat(lost.get(0).text("state")).isEqualTo("overdue");
            assertThat(lost.get(0).text("worker")).isEqualTo("nightly-1");
            assertThat(lost.get(0).number("attempts")).isEqualTo(1);
            assertThat(lost.get(0).number("seconds")).isGreaterThanOrEqualTo(90);
            later.rollback();
        }
    }

    /** On PostgreSQL the cluster's identifier stands behind the name of an instance. */
    @ParameterizedTest
    @ValueSource(strings = {"", "@1"})
    void lease_of_a_jvm_that_is_no_longer_there_is_lost_before_its_deadline(String cluster) throws Exception {
        assumeTrue(cluster.isEmpty() || !procedures.isTransactSql(), "SQL Server's instances have none");
        send("body", "of the living");
        send("body", "of the dead");
        claim(3_600, thisJvm());
        claim(3_600, UUID.randomUUID() + cluster);

        List<SqlRow> lost = rowsOf("lost_message");

        assertThat(states()).containsExactly("gone");
        assertThat(lost.get(0).number("attempts")).isEqualTo(1);
        assertThat(lost.get(0).text("worker")).isNotEqualTo(thisJvm());
        assertThat(rowsOf("in_flight_message").stream()
                        .map(row -> row.text("process"))
                        .filter(Objects::nonNull))
                .containsExactly("" + ProcessHandle.current().pid());
    }

    /** This one, as a JMS client: that of the session, since others of this process may be ending. */
    private String thisJvm() throws Exception {
        TemporaryQueue own = session.createTemporaryQueue();
        try (Statement statement = sql.createStatement();
                ResultSet row = statement.executeQuery("SELECT owner FROM " + inSchema("destination")
                        + " WHERE name = '" + own.getQueueName() + "'")) {
            assertThat(row.next()).isTrue();
            return row.getString(1);
        } finally {
            own.delete();
        }
    }

    @Test
    void message_that_came_back_after_its_lease_is_returned_with_its_attempts() throws Exception {
        send("body", "work");
        claim(1);

        await().atMost(Duration.ofMillis(PATIENCE)).until(() -> states().equals(List.of("returned")));

        assertThat(rowsOf("lost_message").get(0).number("attempts")).isEqualTo(1);
        assertThat(textNow()).isEqualTo("work");
        assertThat(states()).isEmpty();
    }

    @Test
    void message_that_waits_for_its_next_attempt_is_delayed() throws Exception {
        sendByJms("again later");
        send("body", "never tried", "delay_millis", 3_600_000);
        String url = database.readpastUrl("redelivery.delayMillis=3600000");
        try (JMSContext context = new ReadpastConnectionFactory(url).createContext(JMSContext.SESSION_TRANSACTED)) {
            assertThat(context.createConsumer(context.createQueue(queue)).receive(PATIENCE))
                    .isNotNull();
            context.rollback();

            assertThat(states()).containsExactly("delayed");
            assertThat(repair("hold")).isEqualTo(2);
            assertThat(states()).as("what an administrator holds").isEmpty();
        }
    }
}
