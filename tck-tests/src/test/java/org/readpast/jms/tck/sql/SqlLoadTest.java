package org.readpast.jms.tck.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.tck.rig.TestDatabase;

/** Many readers and writers in SQL on one queue: each message exactly once, and no error reaches anybody. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("extended")
class SqlLoadTest extends SqlQueueFixture {

    private static final SqlCrowd.Size LARGE =
            new SqlCrowd.Size(200, 200, Integer.getInteger("readpast.test.crowd.messages", 20_000), 10);

    SqlLoadTest(TestDatabase database) {
        super(database);
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.servers();
    }

    @BeforeEach
    void createQueue() throws SQLException {
        procedures.call(sql, "create_queue", to(queue));
    }

    @Test
    void receivers_of_which_some_roll_back() throws Exception {
        new SqlCrowd(procedures, queue, SqlCrowd.SMALL).run(false, this::receive);
        assertThat(textNow()).isNull();
    }

    @Test
    void workers_with_leases() throws Exception {
        new SqlCrowd(procedures, queue, SqlCrowd.SMALL).run(true, this::work);
        assertThat(textNow()).isNull();
    }

    @Test
    void two_hundred_readers_and_two_hundred_writers_with_their_history() throws Exception {
        assumeThat(procedures.isOnBabelfish(sql))
                .as("Babelfish ignores FORCESEEK, and for each claim reads the whole backlog and sorts it")
                .isFalse();
        procedures.call(sql, "keep_history", to(queue));
        new SqlCrowd(procedures, queue, LARGE).run(false, this::receive);

        assertThat(textNow()).isNull();
        SqlRow kept = new SqlHistory(procedures, sql)
                .row(
                        queue,
                        "count(*) AS messages, count(DISTINCT h.message_id) AS ids,"
                                + " count(DISTINCT h.correlation_id) AS numbers,"
                                + " min(CAST(h.correlation_id AS int)) AS lowest,"
                                + " max(CAST(h.correlation_id AS int)) AS highest,"
                                + " count(CASE WHEN h.outcome = 'completed' THEN 1 END) AS completed");
        assertThat(kept.number("messages")).isEqualTo(LARGE.messages());
        assertThat(kept.number("ids")).isEqualTo(LARGE.messages());
        assertThat(kept.number("numbers")).isEqualTo(LARGE.messages());
        assertThat(kept.number("lowest")).isZero();
        assertThat(kept.number("highest")).isEqualTo(LARGE.messages() - 1L);
        assertThat(kept.number("completed")).isEqualTo(LARGE.messages());
    }

    /** Every seventh batch goes back. */
    private List<SqlRow> receive(Connection connection, int most, int turn) throws SQLException {
        List<SqlRow> rows = receiveBatch(connection, most);
        if (turn % 7 == 0) {
            connection.rollback();
            return List.of();
        }
        connection.commit();
        return rows;
    }

    private List<SqlRow> work(Connection connection, int most, int turn) throws SQLException {
        List<SqlRow> claimed = procedures.rows(
                connection, "claim", to(queue, "count", most, "lease_seconds", 600, "worker", "turn " + turn));
        for (SqlRow row : claimed) {
            assertThat(procedures.did(connection, "complete", SqlQueue.with("claim_token", row.token())))
                    .isTrue();
        }
        return claimed;
    }
}
