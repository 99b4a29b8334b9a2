package org.readpast.jms.tck.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.tck.rig.TestDatabase;

/** That each repair leaves a row of who did what, in its own transaction; and repairs of messages that were chosen one by one. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SqlAuditTest extends SqlQueueFixture {

    private final String other = "other." + UUID.randomUUID();

    SqlAuditTest(TestDatabase database) {
        super(database);
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.servers();
    }

    @BeforeEach
    void createQueues() throws SQLException {
        procedures.call(sql, "create_queue", to(queue));
        procedures.call(sql, "create_queue", to(other));
    }

    private List<SqlRow> audit() throws SQLException {
        try (PreparedStatement look =
                sql.prepareStatement("SELECT * FROM " + inSchema("audit") + " WHERE queue = ? ORDER BY audit_id")) {
            look.setString(1, queue);
            return SqlRow.all(look.executeQuery());
        }
    }

    private String one(String select) throws SQLException {
        try (Statement query = sql.createStatement();
                ResultSet row = query.executeQuery(select)) {
            row.next();
            return row.getString(1);
        }
    }

    private static List<String> shown(List<SqlRow> audit) {
        return audit.stream()
                .map(row -> row.text("action") + " " + row.number("messages") + " " + row.text("claimed_user"))
                .toList();
    }

    @Test
    void each_repair_leaves_a_row_of_who_did_what_to_how_many() throws Exception {
        sendAll("a", "b", "c");
        repair("hold", "claimed_user", "ada");
        repair("release", "most", 2);
        repair("move", "target", other, "most", 1, "claimed_user", "x".repeat(128));
        repair("expire", "most", 1);
        repair("purge", "state", "held");

        List<SqlRow> audit = audit();
        assertThat(shown(audit))
                .containsExactly(
                        "hold 3 ada", "release 2 null", "move 1 " + "x".repeat(128), "expire 1 null", "purge 1 null");
        String login = one(procedures.isTransactSql() ? "SELECT ORIGINAL_LOGIN()" : "SELECT session_user");
        assertThat(audit).allSatisfy(row -> assertThat(row.text("login")).isEqualTo(login));
        assertThat(audit.get(2).text("target")).isEqualTo(other);
        assertThat(
                        one(
                                procedures.isTransactSql()
                                        ? "SELECT COUNT(*) FROM [readpast].audit WHERE ABS(DATEDIFF(minute, done_at, SYSUTCDATETIME())) > 60"
                                        : "SELECT count(*) FROM readpast.audit WHERE abs(extract(epoch FROM clock_timestamp() - done_at)) > 3600"))
                .isEqualTo("0");
    }

    @Test
    void retry_of_a_dead_letter_is_noted() throws Exception {
        procedures.call(sql, "create_queue", to(other, "maximum_attempts", 1, "dead_letter_queue", queue));
        procedures.send(sql, to(other, "body", "a"));
        SqlRow claimed = procedures
                .rows(sql, "claim", to(other, "count", 1, "lease_seconds", 60, "worker", "w"))
                .get(0);
        procedures.did(sql, "fail", SqlQueue.with("claim_token", claimed.token(), "reason", "no kettle"));

        assertThat(repair("retry")).isEqualTo(1);
        assertThat(shown(audit())).containsExactly("retry 1 null");
    }

    /** On SQL Server each batch is a transaction. */
    @Test
    void each_transaction_has_its_own_row() throws Exception {
        sendAll("a", "b", "c");
        if (procedures.isTransactSql()) {
            assertThat(repair("hold", "batch", 2)).isEqualTo(3);
            assertThat(shown(audit())).containsExactly("hold 2 null", "hold 1 null");
        } else {
            assertThat(repair("hold")).isEqualTo(3);
            assertThat(shown(audit())).containsExactly("hold 3 null");
        }
    }

    @Test
    void what_did_nothing_or_was_rolled_back_leaves_no_row() throws Exception {
        assertThat(repair("purge")).isZero();
        sendAll("a");
        try (java.sql.Connection transaction = transaction()) {
            assertThat(procedures.count(transaction, "purge", to(queue))).isEqualTo(1);
            transaction.rollback();
        }
        assertThat(audit()).isEmpty();
    }

    // Keys

    /** The keys of all messages of the queue, as whoever chooses them reads them. */
    private String keys() throws SQLException {
        StringBuilder keys = new StringBuilder();
        try (PreparedStatement look = sql.prepareStatement(
                "SELECT m.priority_order, m.message_id, m.delivery_count FROM "
                        + inSchema("message") + " m JOIN " + inSchema("destination")
                        + " d ON d.destination_id = m.destination_id WHERE d.name = ? ORDER BY m.priority_order, m.message_id")) {
            look.setString(1, queue);
            for (SqlRow row : SqlRow.all(look.executeQuery())) {
                keys.append(keys.isEmpty() ? "" : ",")
                        .append("{\"p\":" + row.number("priority_order") + ",\"i\":" + row.number("message_id")
                                + ",\"c\":" + row.number("delivery_count") + "}");
            }
        }
        return "[" + keys + "]";
    }

    private String delayedKey() throws SQLException {
        try (PreparedStatement look =
                sql.prepareStatement("SELECT m.due_at, m.message_id, m.priority_order, m.delivery_count FROM "
                        + inSchema("delayed_message") + " m JOIN " + inSchema("destination")
                        + " d ON d.destination_id = m.destination_id WHERE d.name = ?")) {
            look.setString(1, queue);
            SqlRow row = SqlRow.all(look.executeQuery()).get(0);
            return "[{\"p\":4,\"i\":" + row.number("message_id") + ",\"c\":0,\"u\":\""
                    + row.text("due_at").replace(' ', 'T') + (procedures.isTransactSql() ? "" : "Z") + "\"}]";
        }
    }

    private long chosen(String procedure, String keys, Object... namesAndValues) throws SQLException {
        StringBuilder call = new StringBuilder();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            call.append(
                            procedures.isTransactSql()
                                    ? ", @" + namesAndValues[i] + " = '"
                                    : ", " + namesAndValues[i] + " => '")
                    .append(namesAndValues[i + 1])
                    .append("'");
        }
        try (PreparedStatement statement = sql.prepareStatement(
                procedures.isTransactSql()
                        ? "DECLARE @done int; EXECUTE @done = [readpast]." + procedure + " @queue = ?, @keys = ?" + call
                                + "; SELECT @done"
                        : "SELECT readpast." + procedure + "(queue => ?, keys => ?::json" + call + ")")) {
            statement.setString(1, queue);
            statement.setString(2, keys);
            ResultSet row = statement.executeQuery();
            row.next();
            long done = row.getLong(1);
            while (statement.getMoreResults() || statement.getUpdateCount() != -1) {
                // Errors come behind.
            }
            return done;
        }
    }

    @Test
    void chosen_messages_are_moved_and_no_others() throws Exception {
        sendAll("a", "b");
        String keys = keys();
        sendAll("c");
        assertThat(chosen("move", keys, "target", other)).isEqualTo(2);
        assertThat(chosen("move", keys, "target", other))
                .as("they are elsewhere")
                .isZero();
        assertThat(drain(other)).containsExactly("a", "b");
        assertThat(drain(queue)).containsExactly("c");
    }

    @Test
    void chosen_message_that_has_changed_meanwhile_stays() throws Exception {
        sendAll("a", "b", "c");
        String keys = keys();
        try (java.sql.Connection holder = transaction()) {
            assertThat(receiveBatch(holder, 1)).hasSize(1);
            assertThat(chosen("purge", keys, "state", "expired"))
                    .as("not in that state")
                    .isZero();
            try (Statement delivered = sql.createStatement()) {
                delivered.execute("UPDATE " + inSchema("message")
                        + " SET delivery_count = 1 WHERE message_id = (SELECT MAX(message_id) FROM "
                        + inSchema("message") + " WHERE destination_id = (SELECT destination_id FROM "
                        + inSchema("destination")
                        + " WHERE kind = 'Q' AND name = '" + queue + "'))");
            }
            assertThat(chosen("purge", keys))
                    .as("but the received and the delivered one")
                    .isEqualTo(1);
            holder.rollback();
        }
        assertThat(drain(queue)).containsExactly("a", "c");
    }

    @Test
    void chosen_delayed_message_is_held_and_released() throws Exception {
        send("body", "later", "delay_millis", 3_600_000L);
        assertThat(chosen("hold", delayedKey())).isEqualTo(1);
        assertThat(procedures.overview(sql, queue).number("held")).isEqualTo(1);
        assertThat(chosen("release", delayedKey())).isEqualTo(1);
        assertThat(procedures.overview(sql, queue).number("delayed")).isEqualTo(1);
    }

    @Test
    void keys_go_with_no_other_condition() throws Exception {
        sendAll("a");
        String keys = keys();
        assertThatThrownBy(() -> chosen("purge", keys, "type", "order"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("no conditions");
        assertThatThrownBy(() -> chosen("purge", "no keys")).isInstanceOf(SQLException.class);
        assertThat(drain(queue)).containsExactly("a");
    }
}
