package org.readpast.jms.tck.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.tck.rig.TestDatabase;

/** What programs in SQL leave in the history of a queue, and how long it stays there. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
class SqlHistoryTest extends SqlQueueFixture {

    private SqlHistory history;

    SqlHistoryTest(TestDatabase database) {
        super(database);
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.servers();
    }

    @BeforeEach
    void keepHistory() throws SQLException {
        history = new SqlHistory(procedures, sql);
        procedures.call(sql, "keep_history", to(queue));
    }

    /** Whether times are in the order in which things happen to a message, and how many deliveries it had. */
    private static final String TIMES = "h.jms_message_id, h.delivery_count,"
            + " CASE WHEN h.enqueued_at <= h.claimed_at AND h.claimed_at <= h.completed_at THEN 1 ELSE 0 END AS in_order";

    @Test
    void received_message_is_kept_with_all_that_is_known_of_it() throws Exception {
        String id = send(
                "body",
                "work",
                "properties",
                "{\"a\":1}",
                "priority",
                7,
                "correlation_id",
                "c",
                "type",
                "t",
                "reply_to",
                "r");
        receiveBatch(1);

        SqlRow kept = history.rows(
                        queue,
                        TIMES + ", h.consumer, h.outcome, h.priority_order, h.correlation_id, h.jms_type, h.reply_to,"
                                + " h.properties, h.body_kind, h.body_format, h.body_length, h.body AS binary_body, "
                                + (procedures.isTransactSql() ? "SUSER_SNAME()" : "session_user") + " AS login")
                .get(0);
        assertThat(kept.text("jms_message_id")).isEqualTo(id);
        assertThat(kept.text("outcome")).isEqualTo("completed");
        assertThat(kept.text("consumer")).isEqualTo(kept.text("login")).isNotBlank();
        assertThat(kept.number("in_order")).isEqualTo(1);
        assertThat(kept.number("delivery_count")).isEqualTo(1);
        assertThat(kept.number("priority_order")).isEqualTo(2);
        assertThat(kept.text("correlation_id")).isEqualTo("c");
        assertThat(kept.text("jms_type")).isEqualTo("t");
        assertThat(kept.text("reply_to")).isEqualTo("queue://r");
        assertThat(kept.text("properties")).isEqualTo("{\"a\":1}");
        assertThat(kept.number("body_kind")).isEqualTo(1);
        assertThat(kept.number("body_length"))
                .isEqualTo(kept.bytes("binary_body").length)
                .isGreaterThanOrEqualTo(4);
    }

    @Test
    void completed_claim_is_kept_with_its_worker_and_attempts() throws Exception {
        send("body", "work");
        fail(claim("first"));
        complete(claim("second"));

        SqlRow kept = history.rows(queue, TIMES + ", h.consumer, h.outcome").get(0);
        assertThat(history.count(queue)).isEqualTo(1);
        assertThat(kept.text("consumer")).isEqualTo("second");
        assertThat(kept.text("outcome")).isEqualTo("completed");
        assertThat(kept.number("delivery_count")).isEqualTo(2);
        assertThat(kept.number("in_order")).isEqualTo(1);
    }

    @Test
    void purged_messages_are_kept_as_such_with_who_purged_them() throws Exception {
        send("body", "waits");
        send("body", "delayed", "delay_millis", 3_600_000);

        procedures.call(sql, "purge", to(queue));

        for (SqlRow kept : history.rows(queue, "h.outcome, h.consumer, h.claimed_at, h.body AS binary_body")) {
            assertThat(kept.text("outcome")).isEqualTo("purged");
            assertThat(kept.text("consumer")).isNotBlank();
            assertThat(kept.text("claimed_at")).isNull();
            assertThat(kept.bytes("binary_body")).isNotEmpty();
        }
        assertThat(history.count(queue)).isEqualTo(2);
    }

    @Test
    void claim_without_a_worker_is_the_logins() throws Exception {
        send("body", "work");
        SqlRow claimed = procedures.rows(sql, "claim", to(queue)).get(0);
        complete(claimed);
        send("body", "more");
        receiveBatch(1);

        List<SqlRow> kept = history.rows(queue, "h.consumer");
        assertThat(kept.get(0).text("consumer"))
                .isEqualTo(kept.get(1).text("consumer"))
                .isNotBlank();
    }

    @Test
    void message_whose_attempts_are_used_up_is_kept_as_a_dead_letter_without_its_body() throws Exception {
        String dead = "dead." + UUID.randomUUID();
        procedures.call(sql, "create_queue", to(queue, "maximum_attempts", 1, "dead_letter_queue", dead));
        String id = send("body", "work", "properties", "{\"a\":1}");
        fail(claim("worker"));

        SqlRow kept = history.rows(
                        queue, TIMES + ", h.consumer, h.outcome, h.properties, h.body_length, h.body AS binary_body")
                .get(0);
        assertThat(kept.text("jms_message_id")).isEqualTo(id);
        assertThat(kept.text("outcome")).isEqualTo("dead letter");
        assertThat(kept.text("consumer")).isEqualTo("worker");
        assertThat(kept.number("delivery_count")).isEqualTo(1);
        assertThat(kept.number("in_order")).isEqualTo(1);
        assertThat(kept.text("properties")).isEqualTo("{\"a\":1}");
        assertThat(kept.bytes("binary_body")).isNull();
        assertThat(kept.number("body_length")).isGreaterThanOrEqualTo(4);
        assertThat(history.count(dead)).isZero();
        assertThat(text(receive(dead, PATIENCE))).isEqualTo("work");
    }

    @Test
    void what_is_rolled_back_is_not_kept() throws Exception {
        send("body", "work");
        try (java.sql.Connection transaction = transaction()) {
            assertThat(receiveBatch(transaction, 1)).hasSize(1);
            transaction.rollback();
            assertThat(history.count(queue)).isZero();
            assertThat(receiveBatch(transaction, 1)).hasSize(1);
            transaction.commit();
        }
        assertThat(history.count(queue)).isEqualTo(1);
    }

    @Test
    void stale_token_leaves_nothing() throws Exception {
        send("body", "work");
        SqlRow claimed = claim("worker");
        complete(claimed);
        assertThat(procedures.did(sql, "complete", SqlQueue.with("claim_token", claimed.token())))
                .isFalse();
        assertThat(history.count(queue)).isEqualTo(1);
    }

    @Test
    void queue_without_history_has_none() throws Exception {
        String other = "other." + UUID.randomUUID();
        procedures.send(sql, to(other));
        procedures.send(sql, to(other));
        procedures.rows(sql, "receive_batch", to(other));
        complete(procedures.rows(sql, "claim", to(other)).get(0));
        assertThat(history.count(other)).isZero();
    }

    @Test
    void oldest_rows_go_where_a_queue_keeps_a_number() throws Exception {
        receive("a", "b", "c", "d", "e");
        procedures.call(sql, "keep_history", to(queue, "rows", 3));
        assertThat(purge(1)).isEqualTo(1);
        assertThat(purge(100)).isEqualTo(1);
        assertThat(purge(100)).isZero();
        assertThat(ids()).containsExactly("c", "d", "e");
    }

    @Test
    void rows_go_when_they_are_old_enough() throws Exception {
        receive("a", "b", "c");
        age("a", 8);
        age("c", 6);
        procedures.call(sql, "keep_history", to(queue, "days", 7));
        assertThat(purge(100)).isEqualTo(1);
        assertThat(ids()).containsExactlyInAnyOrder("b", "c");
    }

    @Test
    void whichever_limit_is_met_first_counts() throws Exception {
        receive("a", "b", "c", "d");
        age("a", 9);
        age("b", 8);
        age("c", 1);
        procedures.call(sql, "keep_history", to(queue, "days", 7, "rows", 3));
        assertThat(purge(100)).isEqualTo(2);
        procedures.call(sql, "keep_history", to(queue, "days", 7, "rows", 1));
        assertThat(purge(100)).isEqualTo(1);
        assertThat(ids()).containsExactly("d");
    }

    @Test
    void purge_of_all_queues_leaves_those_without_a_limit() throws Exception {
        String limited = "limited." + UUID.randomUUID();
        procedures.call(sql, "keep_history", to(limited, "rows", 0));
        procedures.send(sql, to(limited));
        procedures.rows(sql, "receive_batch", to(limited));
        receive("a");
        assertThat(history.count(limited)).isEqualTo(1);

        procedures.count(sql, "purge_history", SqlQueue.with("most", 10_000));
        assertThat(history.count(limited)).isZero();
        assertThat(history.count(queue)).isEqualTo(1);
    }

    @Test
    void dropped_history_goes_with_the_next_purge() throws Exception {
        receive("a");
        procedures.call(sql, "drop_history", to(queue));
        receive("b");
        assertThat(ids()).containsExactly("a");
        assertThat(purge(100)).isEqualTo(1);
        assertThat(history.count(queue)).isZero();
    }

    @Test
    void wrong_arguments_are_refused() {
        assertThatThrownBy(() -> procedures.call(sql, "keep_history", to(queue, "days", -1)))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("null for no limit");
        assertThatThrownBy(() -> procedures.call(sql, "keep_history", to(queue, "rows", -1)))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("null for no limit");
        assertThatThrownBy(() -> purge(0)).isInstanceOf(SQLException.class).hasMessageContaining("1 or more");
    }

    private void receive(String... correlationIds) throws SQLException {
        for (String id : correlationIds) {
            send("correlation_id", id);
            assertThat(receiveBatch(1)).hasSize(1);
        }
    }

    private List<String> ids() throws SQLException {
        return history.rows(queue, "h.correlation_id").stream()
                .map(row -> row.text("correlation_id"))
                .toList();
    }

    /** Makes a row older. */
    private void age(String correlationId, int days) throws SQLException {
        String update = procedures.isTransactSql()
                ? "SET NOCOUNT OFF; UPDATE [readpast].message_history SET completed_at = DATEADD(day, ?, completed_at) WHERE correlation_id = ?"
                        + " AND destination_id = (SELECT destination_id FROM [readpast].destination WHERE kind = N'Q' AND name = ?)"
                : "UPDATE readpast.message_history SET completed_at = completed_at + ? * interval '1 day'"
                        + " WHERE correlation_id = ?"
                        + " AND destination_id = (SELECT destination_id FROM readpast.destination WHERE kind = 'Q' AND name = ?)";
        try (PreparedStatement statement = sql.prepareStatement(update)) {
            statement.setInt(1, -days);
            statement.setString(2, correlationId);
            statement.setString(3, queue);
            assertThat(statement.executeUpdate()).isEqualTo(1);
        }
    }

    private long purge(int most) throws SQLException {
        return procedures.count(sql, "purge_history", to(queue, "most", most));
    }

    private SqlRow claim(String worker) throws SQLException {
        return procedures
                .rows(sql, "claim", to(queue, "lease_seconds", 600, "worker", worker))
                .get(0);
    }

    private void complete(SqlRow claimed) throws SQLException {
        assertThat(procedures.did(sql, "complete", SqlQueue.with("claim_token", claimed.token())))
                .isTrue();
    }

    private void fail(SqlRow claimed) throws SQLException {
        assertThat(procedures.did(sql, "fail", SqlQueue.with("claim_token", claimed.token())))
                .isTrue();
    }
}
