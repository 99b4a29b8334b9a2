package org.readpast.jms.tck.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.tck.rig.TestDatabase;

/** Receiving with an application lock for each message, which only SQL Server has and needs. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 4, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SqlApplicationLockTest extends SqlQueueFixture {

    SqlApplicationLockTest(TestDatabase database) {
        super(database);
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.servers().filter(database -> database == TestDatabase.SQLSERVER);
    }

    private List<SqlRow> receiveWithLock(Connection connection, int batch) throws SQLException {
        return procedures.rows(connection, "receive_batch", to(queue, "batch", batch, "application_lock", true));
    }

    @Test
    void message_whose_application_lock_is_held_is_stepped_over() throws Exception {
        for (String body : List.of("a", "b", "c", "d")) {
            send("body", body);
        }
        List<String> ids;
        try (Connection other = transaction()) {
            ids = receiveBatch(other, 4).stream()
                    .map(row -> row.text("message_id"))
                    .toList();
            other.rollback();
        }
        try (Connection other = transaction();
                Statement statement = other.createStatement()) {
            lock(statement, ids.get(0));
            lock(statement, ids.get(1));
            assertThat(receiveWithLock(sql, 1))
                    .extracting(row -> row.text("message_id"))
                    .containsExactly(ids.get(2));
            assertThat(receiveWithLock(sql, 5))
                    .extracting(row -> row.text("message_id"))
                    .containsExactly(ids.get(3));
            other.rollback();
        }
        assertThat(receiveWithLock(sql, 5)).hasSize(2);
    }

    /** The lock of a transaction, which some statement must have begun. */
    private static void lock(Statement statement, String messageId) throws SQLException {
        statement.execute("SELECT COUNT(*) FROM [readpast].destination; DECLARE @granted int;"
                + " EXECUTE @granted = sp_getapplock @Resource = 'readpast:message:" + messageId
                + "', @LockMode = 'Exclusive', @LockOwner = 'Transaction', @LockTimeout = 0;"
                + " IF @granted < 0 THROW 50002, N'not granted', 1");
        while (statement.getMoreResults() || statement.getUpdateCount() != -1) {
            // Errors come with the results.
        }
    }

    @Test
    void many_receivers_with_application_locks() throws Exception {
        procedures.call(sql, "create_queue", to(queue));
        new SqlCrowd(procedures, queue, SqlCrowd.SMALL).run(false, (connection, most, turn) -> {
            List<SqlRow> rows = receiveWithLock(connection, most);
            connection.commit();
            return rows;
        });
        assertThat(textNow()).isNull();
    }
}
