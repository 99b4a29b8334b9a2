package org.readpast.jms.tck.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
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

/** Programs that say how a queue shall be, each time that they start. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SqlQueueSettingsTest extends SqlQueueFixture {

    SqlQueueSettingsTest(TestDatabase database) {
        super(database);
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.servers();
    }

    @ParameterizedTest
    @ValueSource(strings = {"create_queue", "keep_history", "drop_history"})
    void queue_that_is_as_it_shall_be_is_not_locked(String procedure) throws Exception {
        procedures.call(sql, "create_queue", to(queue));
        procedures.call(sql, procedure, to(queue));
        try (Connection first = transaction();
                Connection second = transaction();
                Statement setting = second.createStatement()) {
            procedures.call(first, procedure, to(queue));
            setting.execute(procedures.isTransactSql() ? "SET LOCK_TIMEOUT 10000" : "SET lock_timeout = 10000");
            procedures.call(second, procedure, to(queue));
            second.rollback();
            first.rollback();
        }
    }

    @Test
    void whatever_differs_is_changed() throws Exception {
        procedures.call(sql, "create_queue", to(queue, "maximum_attempts", 0, "dead_letter_queue", queue + ".a"));
        assertThat(settings()).containsExactly("0", queue + ".a", "0", null, null);
        procedures.call(sql, "create_queue", to(queue, "maximum_attempts", 3, "dead_letter_queue", queue + ".a"));
        assertThat(settings()).containsExactly("3", queue + ".a", "0", null, null);
        procedures.call(sql, "create_queue", to(queue, "maximum_attempts", 3, "dead_letter_queue", queue + ".a "));
        assertThat(settings()).containsExactly("3", queue + ".a ", "0", null, null);
        procedures.call(sql, "create_queue", to(queue, "maximum_attempts", 3, "dead_letter_queue", queue + ".bc"));
        assertThat(settings()).containsExactly("3", queue + ".bc", "0", null, null);

        procedures.call(sql, "keep_history", to(queue));
        assertThat(settings()).containsExactly("3", queue + ".bc", "1", null, null);
        procedures.call(sql, "keep_history", to(queue, "days", 0));
        assertThat(settings()).containsExactly("3", queue + ".bc", "1", "0", null);
        procedures.call(sql, "keep_history", to(queue, "days", 0, "rows", 5));
        assertThat(settings()).containsExactly("3", queue + ".bc", "1", "0", "5");
        procedures.call(sql, "drop_history", to(queue));
        assertThat(settings()).containsExactly("3", queue + ".bc", "0", null, "0");
        procedures.call(sql, "keep_history", to(queue, "rows", 0));
        assertThat(settings()).containsExactly("3", queue + ".bc", "1", null, "0");
    }

    @Test
    void what_is_not_said_of_a_queue_stays_and_what_is_changed_is_in_the_audit() throws Exception {
        procedures.call(sql, "create_queue", to(queue));
        assertThat(settings()).containsExactly(null, null, "0", null, null);
        assertThat(rowsOfAudit()).isEmpty();

        procedures.call(sql, "create_queue", to(queue, "dead_letter_queue", queue + ".dead", "claimed_user", "ada"));
        procedures.call(sql, "create_queue", to(queue, "maximum_attempts", 3));
        procedures.call(sql, "create_queue", to(queue));
        procedures.call(sql, "create_queue", to(queue, "maximum_attempts", 3, "dead_letter_queue", queue + ".dead"));
        assertThat(settings()).containsExactly("3", queue + ".dead", "0", null, null);
        assertThat(rowsOfAudit())
                .containsExactly(
                        "create 10 attempts, then " + queue + ".dead ada",
                        "create 3 attempts, then " + queue + ".dead null");
    }

    private List<String> rowsOfAudit() throws SQLException {
        try (PreparedStatement look = sql.prepareStatement("SELECT action, target, claimed_user FROM "
                + inSchema("audit") + " WHERE queue = ? ORDER BY audit_id")) {
            look.setString(1, queue);
            return SqlRow.all(look.executeQuery()).stream()
                    .map(row -> row.text("action") + " " + row.text("target") + " " + row.text("claimed_user"))
                    .toList();
        }
    }

    private List<String> settings() throws SQLException {
        List<String> columns =
                List.of("maximum_attempts", "dead_letter_queue", "history", "history_days", "history_rows");
        try (PreparedStatement look = sql.prepareStatement("SELECT " + String.join(", ", columns) + " FROM "
                + inSchema("destination") + " WHERE kind = 'Q' AND name = ?")) {
            look.setString(1, queue);
            SqlRow row = SqlRow.all(look.executeQuery()).get(0);
            return columns.stream().map(row::text).toList();
        }
    }
}
