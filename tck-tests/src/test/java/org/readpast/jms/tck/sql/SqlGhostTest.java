package org.readpast.jms.tck.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * A message that goes back to a key that somebody has locked. On SQL Server a consumer that came too late may hold such a lock on the
 * deleted row; here a row that is not committed stands in for it. The other databases lock no deleted rows.
 */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SqlGhostTest extends SqlQueueFixture {

    private static final int LONG = 3_600;
    private static final String COLUMNS = "destination_id, priority_order, message_id, jms_message_id, jms_destination,"
            + " delivery_mode, jms_timestamp, jms_expiration, jms_delivery_time, body_kind, body_format, body_length";

    SqlGhostTest(TestDatabase database) {
        super(database);
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.servers().filter(database -> database == TestDatabase.SQLSERVER);
    }

    private List<SqlRow> claim() throws SQLException {
        return procedures.rows(sql, "claim", to(queue, "count", 1, "lease_seconds", LONG, "worker", "worker"));
    }

    private SqlRow awaitClaim() {
        return await().atMost(Duration.ofMillis(PATIENCE))
                .until(() -> claim(), claimed -> !claimed.isEmpty())
                .get(0);
    }

    /** Locks the place in the queue from which a message was claimed. */
    private Connection holdPlaceOf(SqlRow claimed) throws SQLException {
        Connection other = transaction();
        try (PreparedStatement hold = other.prepareStatement("SET NOCOUNT OFF; INSERT INTO [readpast].message ("
                + COLUMNS + ") SELECT " + COLUMNS + " FROM [readpast].delayed_message WHERE message_id = ?")) {
            hold.setLong(1, claimed.number("message_id"));
            assertThat(hold.executeUpdate()).isEqualTo(1);
        }
        return other;
    }

    @Test
    void claim_can_be_failed_and_is_back_once_its_place_is_free() throws Exception {
        send("body", "work");
        SqlRow claimed = claim().get(0);
        try (Connection other = holdPlaceOf(claimed)) {
            assertThat(procedures.did(sql, "fail", SqlQueue.with("claim_token", claimed.token())))
                    .isTrue();
            other.rollback();
        }
        SqlRow again = awaitClaim();
        assertThat(again.body()).isEqualTo("work");
        assertThat(again.number("attempt")).isEqualTo(2);
    }

    @Test
    void claim_that_is_over_holds_up_nobody_else() throws Exception {
        send("body", "slow");
        SqlRow slow = claim().get(0);
        try (Connection other = holdPlaceOf(slow)) {
            assertThat(procedures.did(sql, "extend", SqlQueue.with("claim_token", slow.token(), "lease_seconds", 1)))
                    .isTrue();
            send("body", "next");
            assertThat(awaitClaim().body()).isEqualTo("next");
            await().atMost(Duration.ofMillis(PATIENCE)).until(() -> isOver(slow));
            assertThat(claim()).isEmpty();
            other.rollback();
        }
        assertThat(awaitClaim().body()).isEqualTo("slow");
    }

    private boolean isOver(SqlRow claimed) throws SQLException {
        try (PreparedStatement look = sql.prepareStatement(
                "SELECT 1 FROM [readpast].delayed_message WHERE message_id = ? AND due_at <= SYSUTCDATETIME()")) {
            look.setLong(1, claimed.number("message_id"));
            return !SqlRow.all(look.executeQuery()).isEmpty();
        }
    }
}
