package org.readpast.jms.tck.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
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

/** Which messages an administrator means: the conditions that all procedures for repair have. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SqlRepairConditionsTest extends SqlQueueFixture {

    private final String other = "other." + UUID.randomUUID();

    SqlRepairConditionsTest(TestDatabase database) {
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

    @Test
    void headers_are_conditions() throws Exception {
        String id = send("body", "a");
        send("body", "b", "correlation_id", "c-1");
        send("body", "c", "type", "invoice");
        send("body", "d", "type", "invoice ");

        assertThat(repair("purge", "jms_message_id", id + "0")).isZero();
        assertThat(repair("purge", "jms_message_id", id)).isEqualTo(1);
        assertThat(repair("purge", "correlation_id", "C-1")).isZero();
        assertThat(repair("purge", "correlation_id", "c-1")).isEqualTo(1);
        assertThat(repair("purge", "type", "Invoice")).isZero();
        assertThat(repair("purge", "type", "invoice")).isEqualTo(1);
        assertThat(drain(queue)).containsExactly("d");
    }

    @Test
    void properties_are_conditions() throws Exception {
        send("body", "a", "properties", "{\"customer\":\"Ada\",\"count\":3}");
        send("body", "b", "properties", "{\"customer\":\"ada\",\"paid\":true}");
        send("body", "c", "properties", "{\"odd \\\" ' name\":\"x\"}");
        sendAll("d");

        assertThat(repair("purge", "property", "customer", "property_value", "AD"))
                .isZero();
        assertThat(repair("purge", "property", "customer", "property_value", "Ada"))
                .isEqualTo(1);
        assertThat(repair("purge", "property", "Paid")).isZero();
        assertThat(repair("purge", "property", "paid", "property_value", "true"))
                .isEqualTo(1);
        assertThat(repair("purge", "property", "odd \" ' name")).isEqualTo(1);
        assertThat(drain(queue)).containsExactly("d");
    }

    @Test
    void condition_is_never_read_as_sql() throws Exception {
        send("body", "a", "properties", "{\"x\":\"y\"}");
        for (String attack : List.of("' OR '1'='1", "x') OR 1=1 --", "$.x", "\"x\"", "%")) {
            assertThat(repair("purge", "jms_message_id", attack)).isZero();
            assertThat(repair("purge", "type", attack)).isZero();
            assertThat(repair("purge", "property", attack)).isZero();
            assertThat(repair("purge", "property", "x", "property_value", attack))
                    .isZero();
            assertThat(repair("purge", "origin", attack)).isZero();
            assertThatThrownBy(() -> procedures.count(sql, "purge", to(attack))).isInstanceOf(SQLException.class);
        }
        assertThat(drain(queue)).containsExactly("a");
    }

    /** A moment as the parameter wants it: datetime2 in UTC, or timestamptz. */
    private Object moment(Instant at) {
        return procedures.isTransactSql() ? LocalDateTime.ofInstant(at, ZoneOffset.UTC) : at.atOffset(ZoneOffset.UTC);
    }

    @Test
    void time_of_sending_is_a_condition() throws Exception {
        Message first = session.createTextMessage("first");
        session.createProducer(session.createQueue(queue)).send(first);
        Instant sent = Instant.ofEpochMilli(first.getJMSTimestamp());

        assertThat(repair("purge", "sent_before", moment(sent))).isZero();
        assertThat(repair("purge", "sent_after", moment(sent))).isZero();
        assertThat(repair(
                        "purge", "sent_after", moment(sent.minusMillis(1)), "sent_before", moment(sent.plusMillis(1))))
                .isEqualTo(1);
    }

    @Test
    void number_of_deliveries_is_a_condition() throws Exception {
        sendAll("failed", "fresh");
        try (Session transacted = newSession(Session.SESSION_TRANSACTED);
                MessageConsumer consumer = transacted.createConsumer(transacted.createQueue(queue))) {
            assertThat(text(consumer.receive(PATIENCE))).isEqualTo("failed");
            transacted.rollback();
        }
        assertThat(repair("move", "target", other, "minimum_deliveries", 2)).isZero();
        assertThat(repair("move", "target", other, "minimum_deliveries", 1)).isEqualTo(1);
        Message moved = receive(other, PATIENCE);
        assertThat(text(moved)).isEqualTo("failed");
        assertThat(moved.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        assertThat(drain(queue)).containsExactly("fresh");
    }

    @Test
    void state_is_a_condition() throws Exception {
        sendAll("claimed", "held");
        assertThat(procedures.rows(sql, "claim", to(queue, "count", 1, "lease_seconds", 3_600, "worker", "w")))
                .hasSize(1);
        assertThat(repair("hold")).isEqualTo(1);
        send("body", "delayed", "delay_millis", 3_600_000L);
        sendAll("waiting");

        assertThat(repair("purge", "state", "delayed")).isEqualTo(1);
        assertThat(repair("purge", "state", "waiting")).isEqualTo(1);
        assertThat(repair("purge")).isZero();
        assertThat(repair("purge", "state", "held")).isEqualTo(1);
        assertThat(repair("purge", "state", "claimed")).isEqualTo(1);
        assertThat(repair("purge", "state", "claimed")).isZero();
    }

    @Test
    void no_more_than_asked_for_in_the_order_of_delivery() throws Exception {
        sendAll("a", "b", "c");
        send("body", "first", "priority", 9);

        assertThat(repair("move", "target", other, "most", 2)).isEqualTo(2);
        assertThat(drain(other)).containsExactly("first", "a");
        assertThat(drain(queue)).containsExactly("b", "c");
    }

    @Test
    void wrong_arguments_are_refused_and_named() {
        assertRefused("state", "purge", "state", "lost");
        assertRefused("state", "hold", "state", "held");
        assertRefused("state", "expire", "state", "expired");
        assertRefused("most", "purge", "most", 0);
        assertRefused("property", "purge", "property_value", "x");
        for (String procedure : List.of("move", "copy")) {
            assertRefused("target", procedure, "target", queue);
            assertRefused("create_queue", procedure, "target", "nobody." + queue);
        }
        assertThatThrownBy(() -> procedures.count(sql, "purge", to("nobody." + queue)))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("no queue or subscription");
    }

    private void assertRefused(String named, String procedure, Object... arguments) {
        assertThatThrownBy(() -> repair(procedure, arguments))
                .isInstanceOf(SQLException.class)
                .hasMessageMatching("(?s).*(" + named + "|already).*");
    }
}
