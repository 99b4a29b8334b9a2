package org.readpast.jms.tck.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * A message that goes back to a key that somebody has locked. On SQL Server a consumer that came too late may hold such a lock on the
 * deleted row; here a row that is not committed stands in for it. The other databases lock no deleted rows.
 */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
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

    /** Locks the places in this queue of all messages that are in another one. */
    private Connection holdPlacesOf(String elsewhere) throws SQLException {
        Connection other = transaction();
        try (PreparedStatement hold = other.prepareStatement("SET NOCOUNT OFF; INSERT INTO [readpast].message ("
                + COLUMNS + ") SELECT here.destination_id"
                + COLUMNS.substring(COLUMNS.indexOf(','))
                + " FROM [readpast].message AS m JOIN [readpast].destination AS there"
                + " ON there.destination_id = m.destination_id"
                + " JOIN [readpast].destination AS here ON here.name = ? WHERE there.name = ?")) {
            hold.setString(1, queue);
            hold.setString(2, elsewhere);
            assertThat(hold.executeUpdate()).isPositive();
        }
        return other;
    }

    private MessageConsumer leasing(Session by) throws JMSException {
        return by.createConsumer(by.createQueue(queue + "?consumer.leaseSeconds=" + LONG));
    }

    private static void assertDelivery(Message message, String text, int count) throws JMSException {
        assertThat(text(message)).isEqualTo(text);
        assertThat(message.getIntProperty("JMSXDeliveryCount")).as(text).isEqualTo(count);
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

    @Test
    void lease_that_is_rolled_back_ends_though_somebody_holds_the_place() throws Exception {
        sendByJms("failed");
        try (Session failing = newSession(Session.SESSION_TRANSACTED);
                MessageConsumer consumer = leasing(failing)) {
            assertDelivery(consumer.receive(PATIENCE), "failed", 1);
            SqlRow leased = rowsOf("claimed_message").get(0);
            try (Connection other = holdPlaceOf(leased)) {
                failing.rollback();
                assertThat(isOver(leased)).isTrue();
                other.rollback();
            }
            assertDelivery(consumer.receive(PATIENCE), "failed", 2);
            failing.commit();
        }
    }

    @Test
    void lease_of_what_was_never_delivered_ends_without_counting() throws Exception {
        try (Session closing = newSession(Session.CLIENT_ACKNOWLEDGE)) {
            MessageConsumer consumer = leasing(closing);
            // So that the next claim is for two.
            sendByJms("a");
            sendByJms("b");
            assertDelivery(consumer.receive(PATIENCE), "a", 1);
            Message before = consumer.receive(PATIENCE);
            assertDelivery(before, "b", 1);
            before.acknowledge();
            sendByJms("delivered");
            sendByJms("undelivered");
            Message delivered = consumer.receive(PATIENCE);
            assertDelivery(delivered, "delivered", 1);
            assertThat(rowsOf("claimed_message")).hasSize(2);
            SqlRow undelivered = rowsOf("claimed_message").stream()
                    .max(Comparator.comparingLong(row -> row.number("message_id")))
                    .orElseThrow();
            try (Connection other = holdPlaceOf(undelivered)) {
                consumer.close();
                assertThat(isOver(undelivered)).isTrue();
                // Giving it back once more, as after a doubtful commit, finds no lease.
                assertThat(rowsOf("claimed_message")).hasSize(1);
                other.rollback();
            }
            delivered.acknowledge();
        }
        assertDelivery(receive(), "undelivered", 1);
        assertThat(textNow()).isNull();
    }

    @Test
    void work_by_lease_is_acknowledged_in_a_history_though_somebody_holds_the_place() throws Exception {
        sendByJms("work");
        procedures.call(sql, "keep_history", to(queue));
        // Settings that no other client here has, so that it asks for what the queue keeps now.
        String url = database.readpastUrl("idleCloseMillis=4711");
        try (jakarta.jms.Connection client = new ReadpastConnectionFactory(url).createConnection();
                Session working = client.createSession(Session.SESSION_TRANSACTED)) {
            client.start();
            assertDelivery(leasing(working).receive(PATIENCE), "work", 1);
            try (Connection other = holdPlaceOf(rowsOf("claimed_message").get(0))) {
                working.commit();
                other.rollback();
            }
        }
        try (PreparedStatement look = sql.prepareStatement(
                "SELECT h.outcome, h.delivery_count FROM [readpast].message_history AS h JOIN [readpast].destination AS d"
                        + " ON d.destination_id = h.destination_id WHERE d.name = ?")) {
            look.setString(1, queue);
            assertThat(SqlRow.all(look.executeQuery())).singleElement().satisfies(row -> {
                assertThat(row.text("outcome")).isEqualTo("completed");
                assertThat(row.number("delivery_count")).isEqualTo(1);
            });
        }
        assertThat(textNow()).isNull();
    }

    @Test
    void dead_letters_go_back_and_wait_for_nobody_who_holds_their_places() throws Exception {
        String dead = "dead." + UUID.randomUUID();
        procedures.call(sql, "create_queue", to(queue, "maximum_attempts", 1, "dead_letter_queue", dead));
        sendAll("one", "two");
        for (int i = 0; i < 2; i++) {
            procedures.did(
                    sql, "fail", SqlQueue.with("claim_token", claim().get(0).token()));
        }
        try (Connection other = holdPlacesOf(dead)) {
            assertThat(procedures.count(sql, "retry", to(dead))).isEqualTo(2);
            other.rollback();
        }
        assertThat(text(receive())).isEqualTo("one");
        assertThat(text(receive())).isEqualTo("two");
    }

    @Test
    void messages_are_moved_back_and_wait_for_nobody_who_holds_their_places() throws Exception {
        String aside = "aside." + UUID.randomUUID();
        procedures.call(sql, "create_queue", to(aside));
        sendAll("one", "two");
        assertThat(repair("move", "target", aside)).isEqualTo(2);
        try (Connection other = holdPlacesOf(aside)) {
            assertThat(procedures.count(sql, "move", to(aside, "target", queue)))
                    .isEqualTo(2);
            other.rollback();
        }
        assertThat(text(receive())).isEqualTo("one");
        assertThat(text(receive())).isEqualTo("two");
    }
}
