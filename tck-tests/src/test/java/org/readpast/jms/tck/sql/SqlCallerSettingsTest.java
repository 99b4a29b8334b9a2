package org.readpast.jms.tck.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.tck.rig.TestDatabase;

/** Callers whose settings are other than those of today's drivers: programs with DB-Library, old ODBC sources. Only SQL Server has them. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SqlCallerSettingsTest extends SqlQueueFixture {

    SqlCallerSettingsTest(TestDatabase database) {
        super(database);
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.servers().filter(database -> database == TestDatabase.SQLSERVER);
    }

    private static void set(Connection caller, String setting) throws SQLException {
        try (Statement statement = caller.createStatement()) {
            statement.execute("SET " + setting);
        }
    }

    private static int rowsOfTwo(Connection caller) throws SQLException {
        try (Statement statement = caller.createStatement();
                ResultSet result = statement.executeQuery("SELECT x FROM (VALUES (1), (2)) AS t (x)")) {
            int rows = 0;
            while (result.next()) {
                rows++;
            }
            return rows;
        }
    }

    private void assertAllIsDone(Connection caller) throws Exception {
        for (String body : List.of("a", "b", "c", "d")) {
            procedures.send(caller, to(queue, "body", body));
        }
        assertThat(procedures.count(caller, "hold", to(queue))).isEqualTo(4);
        assertThat(procedures.count(caller, "release", to(queue))).isEqualTo(4);
        List<SqlRow> claimed = procedures.rows(caller, "claim", to(queue, "count", 2));
        assertThat(bodies(claimed)).containsExactly("a", "b");
        assertThat(procedures.did(
                        caller,
                        "extend",
                        SqlQueue.with("claim_token", claimed.get(0).token())))
                .isTrue();
        assertThat(procedures.did(
                        caller,
                        "complete",
                        SqlQueue.with("claim_token", claimed.get(0).token())))
                .isTrue();
        assertThat(procedures.did(
                        caller,
                        "fail",
                        SqlQueue.with("claim_token", claimed.get(1).token())))
                .isTrue();
        assertThat(bodies(procedures.rows(caller, "receive_batch", to(queue, "batch", 10))))
                .containsExactly("b", "c", "d");
    }

    @Test
    void row_count_of_a_caller_cuts_nothing_short_and_is_his_again() throws Exception {
        try (Connection caller = database.connect()) {
            set(caller, "ROWCOUNT 1");
            assertThat(rowsOfTwo(caller)).isEqualTo(1);
            assertAllIsDone(caller);
            assertThat(rowsOfTwo(caller)).isEqualTo(1);
        }
    }

    @Test
    void old_settings_of_a_caller_are_no_obstacle_and_are_his_again() throws Exception {
        try (Connection caller = database.connect()) {
            for (String option : List.of("ANSI_WARNINGS", "ANSI_PADDING", "CONCAT_NULL_YIELDS_NULL", "ANSI_NULLS")) {
                set(caller, option + " OFF");
            }
            set(caller, "NUMERIC_ROUNDABORT ON");
            assertAllIsDone(caller);
            try (Statement statement = caller.createStatement();
                    ResultSet row = statement.executeQuery("SELECT @@OPTIONS & (8 | 16 | 4096)")) {
                assertThat(row.next()).isTrue();
                // Babelfish does not give them back.
                assertThat(row.getInt(1)).isIn(0, procedures.isOnBabelfish(caller) ? 8 | 16 : 0);
            }
        }
    }

    /** FreeTDS asks for 4,096 bytes. Babelfish cuts nothing. */
    @Test
    void text_size_of_a_caller_cuts_no_body() throws Exception {
        String text = "x".repeat(300);
        try (Connection caller = database.connect()) {
            set(caller, "TEXTSIZE 100");
            for (String procedure : List.of("receive_batch", "claim")) {
                procedures.send(caller, to(queue, "body", text, "properties", "{\"a\":\"" + text + "\"}"));
                SqlRow row = procedures.rows(caller, procedure, to(queue)).get(0);
                assertThat(row.body()).isEqualTo(text);
                assertThat(row.text("properties")).contains(text);
            }
        }
    }

    @Test
    void lock_timeout_of_a_caller_holds_where_a_failed_claim_becomes_a_dead_letter() throws Exception {
        String dead = queue + ".dead";
        procedures.call(sql, "create_queue", to(queue, "maximum_attempts", 1, "dead_letter_queue", dead));
        send("body", "poison");
        SqlRow claimed = procedures.rows(sql, "claim", to(queue)).get(0);
        try (PreparedStatement remove =
                sql.prepareStatement("DELETE FROM " + inSchema("destination") + " WHERE name = ?")) {
            remove.setString(1, dead);
            remove.executeUpdate();
        }
        try (Connection holder = transaction();
                Connection caller = database.connect()) {
            procedures.call(holder, "create_queue", to(dead));
            set(caller, "LOCK_TIMEOUT 500");
            assertThatThrownBy(() -> procedures.did(caller, "fail", SqlQueue.with("claim_token", claimed.token())))
                    .isInstanceOf(SQLException.class)
                    .hasMessageMatching("(?is).*lock.*");
            holder.rollback();
            assertThat(procedures.did(caller, "fail", SqlQueue.with("claim_token", claimed.token())))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"READ UNCOMMITTED", "REPEATABLE READ", "SERIALIZABLE", "SNAPSHOT"})
    void isolation_level_of_a_caller_is_no_obstacle(String level) throws Exception {
        try (Connection caller = database.connect()) {
            assumeTrue(
                    !procedures.isOnBabelfish(caller)
                            || !List.of("REPEATABLE READ", "SERIALIZABLE").contains(level),
                    "Babelfish has no " + level);
            set(caller, "TRANSACTION ISOLATION LEVEL " + level);
            assertAllIsDone(caller);
        }
    }
}
