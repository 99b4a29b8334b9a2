package org.readpast.jms.tck.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Message;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.strict.StrictDriver;
import org.readpast.jms.tck.rig.Aside;
import org.readpast.jms.tck.rig.TestDatabase;

/** Claims that commit at once: out of the queue until their deadline, done, failed or extended by their token. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SqlLeaseTest extends SqlQueueFixture {

    private static final int LONG = 3_600;
    private static final int BEATS = 200;
    private static final int LARGE = 30;

    SqlLeaseTest(TestDatabase database) {
        super(database);
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.servers();
    }

    private List<SqlRow> claim(int count, int leaseSeconds, String worker) throws SQLException {
        return procedures.rows(
                sql, "claim", to(queue, "count", count, "lease_seconds", leaseSeconds, "worker", worker));
    }

    private SqlRow claimOne(int leaseSeconds) throws SQLException {
        List<SqlRow> claimed = claim(1, leaseSeconds, "worker");
        assertThat(claimed).hasSize(1);
        return claimed.get(0);
    }

    private SqlRow awaitClaim() {
        return await().atMost(Duration.ofMillis(PATIENCE))
                .until(() -> claim(1, LONG, "next"), claimed -> !claimed.isEmpty())
                .get(0);
    }

    private boolean complete(SqlRow claimed) throws SQLException {
        return procedures.did(sql, "complete", SqlQueue.with("claim_token", claimed.token()));
    }

    private boolean fail(SqlRow claimed) throws SQLException {
        return procedures.did(sql, "fail", SqlQueue.with("claim_token", claimed.token()));
    }

    private boolean extend(SqlRow claimed, int seconds) throws SQLException {
        return extend(sql, claimed, seconds);
    }

    private boolean extend(Connection by, SqlRow claimed, int seconds) throws SQLException {
        return procedures.did(by, "extend", SqlQueue.with("claim_token", claimed.token(), "lease_seconds", seconds));
    }

    @Test
    void claimed_message_is_seen_by_nobody_else_and_gone_when_completed() throws Exception {
        sendByJms("work");
        SqlRow claimed = claimOne(LONG);

        assertThat(claimed.body()).isEqualTo("work");
        assertThat(claimed.number("attempt")).isEqualTo(1);
        assertThat(claimed.number("delivery_count")).isZero();
        assertThat(textNow()).isNull();
        assertThat(session.createBrowser(session.createQueue(queue))
                        .getEnumeration()
                        .hasMoreElements())
                .isFalse();
        assertThat(receiveBatch(1)).isEmpty();
        assertThat(claim(1, LONG, "other")).isEmpty();

        assertThat(complete(claimed)).isTrue();
        assertThat(textNow()).isNull();
        assertThat(complete(claimed)).isFalse();
    }

    @Test
    void name_of_a_worker_is_kept_whole_or_refused() throws Exception {
        sendByJms("work");
        assertThatThrownBy(() -> claim(1, LONG, "w".repeat(256)))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("worker");
        assertThat(claim(1, LONG, "w".repeat(255))).hasSize(1);
        assertThat(look("worker")).containsExactly("w".repeat(255));
    }

    @Test
    void two_workers_share_a_queue() throws Exception {
        for (String body : List.of("a", "b", "c")) {
            send("body", body);
        }
        List<SqlRow> first = claim(2, LONG, "one");
        List<SqlRow> second = claim(2, LONG, "two");

        assertThat(first).hasSize(2);
        assertThat(second).hasSize(1);
        assertThat(Stream.concat(first.stream(), second.stream()).map(SqlRow::body))
                .containsExactlyInAnyOrder("a", "b", "c");
        assertThat(look("worker")).containsExactlyInAnyOrder("one", "one", "two");
        assertThat(complete(second.get(0))).isTrue();
        assertThat(look("worker")).containsExactlyInAnyOrder("one", "one");
    }

    /** A column of what is claimed of this queue, as an administrator sees it. */
    private List<String> look(String column) throws SQLException {
        String schema = procedures.isTransactSql() ? "[readpast]" : "readpast";
        try (PreparedStatement look =
                sql.prepareStatement("SELECT " + column + " FROM " + schema + ".claimed_message WHERE name = ?")) {
            look.setString(1, queue);
            return SqlRow.all(look.executeQuery()).stream()
                    .map(row -> row.text(column))
                    .toList();
        }
    }

    @Test
    void message_is_available_again_past_the_deadline_and_its_old_token_is_stale() throws Exception {
        send("body", "slow");
        SqlRow late = claimOne(1);
        SqlRow again = awaitClaim();

        assertThat(again.body()).isEqualTo("slow");
        assertThat(again.number("attempt")).isEqualTo(2);
        assertThat(again.token()).isNotEqualTo(late.token());
        assertThat(complete(late)).isFalse();
        assertThat(fail(late)).isFalse();
        assertThat(extend(late, LONG)).isFalse();

        assertThat(claim(1, LONG, "other")).isEmpty();
        assertThat(complete(again)).isTrue();
    }

    @Test
    void claim_that_a_heartbeat_extends_at_the_same_time_is_not_stale() throws Exception {
        send("body", "work");
        SqlRow claimed = claimOne(LONG);
        AtomicBoolean stopped = new AtomicBoolean();
        try (Connection heart = database.connect()) {
            Aside<Integer> staleBeats = Aside.call(() -> {
                int stale = 0;
                while (!stopped.get()) {
                    stale += extend(heart, claimed, 2 * LONG) ? 0 : 1;
                }
                return stale;
            });
            int stale = 0;
            for (int i = 0; i < BEATS; i++) {
                stale += extend(sql, claimed, LONG) ? 0 : 1;
            }
            stopped.set(true);
            assertThat(staleBeats.result()).isZero();
            assertThat(stale).isZero();
        }
        assertThat(complete(claimed)).isTrue();
    }

    @Test
    void jms_consumer_gets_a_message_past_its_deadline_as_redelivered() throws Exception {
        send("body", "slow");
        claimOne(1);

        Message message = receive();
        assertThat(text(message)).isEqualTo("slow");
        assertThat(message.getJMSRedelivered()).isTrue();
        assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
    }

    @Test
    void extended_claim_has_another_deadline() throws Exception {
        send("body", "slow");
        SqlRow claimed = claimOne(LONG);
        String first = look("deadline").get(0);
        assertThat(extend(claimed, 2 * LONG)).isTrue();
        assertThat(look("deadline").get(0)).isGreaterThan(first);

        assertThat(extend(claimed, 1)).isTrue();
        assertThat(awaitClaim().number("attempt")).isEqualTo(2);
        assertThat(extend(claimed, LONG)).isFalse();
    }

    @Test
    void failed_message_is_back_at_once() throws Exception {
        send("body", "x");
        assertThat(fail(claimOne(LONG))).isTrue();

        SqlRow again = claimOne(LONG);
        assertThat(again.number("attempt")).isEqualTo(2);
        assertThat(fail(again)).isTrue();
        assertThat(receive().getIntProperty("JMSXDeliveryCount")).isEqualTo(3);
    }

    @Test
    void message_that_fails_as_often_as_its_queue_allows_is_a_dead_letter() throws Exception {
        String dead = "dead." + UUID.randomUUID();
        procedures.call(sql, "create_queue", to(queue, "maximum_attempts", 2, "dead_letter_queue", dead));
        String id = send("body", "x", "properties", "{\"customer\":\"Ada\",\"total\":1.0E10}");
        assertThat(fail(claimOne(LONG))).isTrue();
        assertThat(procedures.did(
                        sql, "fail", SqlQueue.with("claim_token", claimOne(LONG).token(), "reason", "no \"stock\"")))
                .isTrue();

        assertThat(claim(1, LONG, "worker")).isEmpty();
        Message letter = receive(dead, PATIENCE);
        assertDeadLetter(letter, id, "no \"stock\"", 2);
        assertThat(letter.getStringProperty("customer")).isEqualTo("Ada");
        assertThat(letter.getJMSDestination()).isEqualTo(session.createQueue(dead));
        assertThat(letter.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    }

    private void assertDeadLetter(Message letter, String id, String reason, int deliveries) throws Exception {
        assertThat(letter.getStringProperty("JMS_READPAST_OriginalDestination")).isEqualTo("queue://" + queue);
        assertThat(letter.getStringProperty("JMS_READPAST_OriginalMessageID")).isEqualTo(id);
        assertThat(letter.getStringProperty("JMS_READPAST_DeadLetterReason")).isEqualTo(reason);
        assertThat(letter.getObjectProperty("JMS_READPAST_DeadLetterTime")).isInstanceOf(Long.class);
        assertThat(letter.getObjectProperty("JMS_READPAST_Deliveries")).isEqualTo(deliveries);
    }

    @Test
    void message_whose_last_lease_runs_out_is_a_dead_letter_for_whoever_looks_next() throws Exception {
        for (String reader : List.of("claim", "receive_batch")) {
            String dead = "dead." + UUID.randomUUID();
            procedures.call(sql, "create_queue", to(queue, "maximum_attempts", 1, "dead_letter_queue", dead));
            String id = send("body", "kills its worker");
            claimOne(1);

            Message letter = await().atMost(Duration.ofMillis(PATIENCE))
                    .until(
                            () -> {
                                assertThat(procedures.rows(sql, reader, to(queue)))
                                        .isEmpty();
                                return receive(dead, 0);
                            },
                            found -> found != null);
            assertDeadLetter(letter, id, "delivered 1 times without being acknowledged", 1);
        }
    }

    @Test
    void attempts_without_limit_never_make_a_dead_letter() throws Exception {
        procedures.call(sql, "create_queue", to(queue, "maximum_attempts", 0));
        send("body", "x");
        for (int attempt = 1; attempt <= 12; attempt++) {
            SqlRow claimed = claimOne(LONG);
            assertThat(claimed.number("attempt")).isEqualTo(attempt);
            assertThat(fail(claimed)).isTrue();
        }
        assertThat(receiveBatch(1)).hasSize(1);
    }

    @Test
    void completion_belongs_to_the_callers_transaction() throws Exception {
        send("body", "x");
        SqlRow claimed = claimOne(LONG);
        try (java.sql.Connection transaction = transaction()) {
            assertThat(procedures.did(transaction, "complete", SqlQueue.with("claim_token", claimed.token())))
                    .isTrue();
            transaction.rollback();
        }
        assertThat(complete(claimed)).isTrue();
    }

    @Test
    void claim_commits_at_once_or_is_refused() throws Exception {
        send("body", "x");
        try (java.sql.Connection transaction = transaction()) {
            if (procedures.isTransactSql()) {
                assertThatThrownBy(() -> procedures.rows(transaction, "claim", to(queue)))
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("outside of a transaction");
            } else {
                assertThat(procedures.rows(transaction, "claim", to(queue))).hasSize(1);
            }
            transaction.rollback();
        }
        assertThat(claimOne(LONG).number("attempt")).isEqualTo(1);
    }

    /** SQL Server sends rows while a procedure runs, and goes on when they are read. */
    @Test
    void token_is_good_before_the_rows_behind_it_are_read() throws Exception {
        sendMoreThanTheNetworkHolds();
        try (Connection worker = connectAsIs();
                PreparedStatement claim = claimAll(worker);
                ResultSet claimed = claim.executeQuery()) {
            assertThat(claimed.next()).isTrue();
            String token = claimed.getString("claim_token");
            if (procedures.isTransactSql()) {
                try (Statement patience = sql.createStatement()) {
                    patience.execute("SET LOCK_TIMEOUT 10000");
                }
            }
            assertThat(procedures.did(sql, "complete", SqlQueue.with("claim_token", token)))
                    .isTrue();
            int more = 0;
            while (claimed.next()) {
                more++;
            }
            assertThat(more).isEqualTo(LARGE - 1);
        }
    }

    @Test
    void claim_stays_when_whoever_reads_its_rows_is_gone() throws Exception {
        sendMoreThanTheNetworkHolds();
        try (Connection worker = connectAsIs();
                PreparedStatement claim = claimAll(worker);
                ResultSet claimed = claim.executeQuery()) {
            assertThat(claimed.next()).isTrue();
            worker.abort(Runnable::run);
        }
        assertThat(look("worker")).hasSize(LARGE);
    }

    private void sendMoreThanTheNetworkHolds() throws SQLException {
        byte[] body = new byte[1_000_000];
        for (int i = 0; i < LARGE; i++) {
            send("binary_body", body);
        }
    }

    /** By the driver alone: the strict one reads all rows at once. */
    private Connection connectAsIs() throws SQLException {
        return DriverManager.getConnection(database.jdbcUrl() + (procedures.isTransactSql() ? StrictDriver.OFF : ""));
    }

    private PreparedStatement claimAll(Connection worker) throws SQLException {
        return procedures.prepare(worker, "claim", to(queue, "count", LARGE, "lease_seconds", LONG));
    }
}
