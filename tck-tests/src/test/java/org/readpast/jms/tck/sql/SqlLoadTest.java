package org.readpast.jms.tck.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.tck.rig.TestDatabase;

/** Many readers and writers in SQL on one queue: each message exactly once, and no error reaches anybody. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 4, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SqlLoadTest extends SqlQueueFixture {

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
        new SqlCrowd(procedures, queue).run(false, (connection, batch) -> {
            List<SqlRow> rows = receiveBatch(connection, batch);
            if (batch == 5 && rows.size() > 3) {
                connection.rollback();
                return List.of();
            }
            connection.commit();
            return rows;
        });
        assertThat(textNow()).isNull();
    }

    @Test
    void workers_with_leases() throws Exception {
        new SqlCrowd(procedures, queue).run(true, (connection, batch) -> {
            List<SqlRow> claimed =
                    procedures.rows(connection, "claim", to(queue, "count", batch, "lease_seconds", 600));
            for (SqlRow row : claimed) {
                assertThat(procedures.did(connection, "complete", SqlQueue.with("claim_token", row.token())))
                        .isTrue();
            }
            return claimed;
        });
        assertThat(textNow()).isNull();
    }
}
