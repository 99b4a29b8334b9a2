package org.readpast.jms.tck.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;

/** What JMS sends, SQL receives, in its own transaction. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SqlReceiveTest extends SqlQueueFixture {

    SqlReceiveTest(TestDatabase database) {
        super(database);
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.servers();
    }

    private SqlRow receiveOne() throws SQLException {
        List<SqlRow> rows = receiveBatch(1);
        assertThat(rows).hasSize(1);
        return rows.get(0);
    }

    @Test
    void text_message_has_its_text_and_headers() throws Exception {
        String text = "Grüße, 1 € 😀 \"quoted\"\n ";
        TextMessage sent = session.createTextMessage(text);
        sent.setJMSCorrelationID("c-1");
        sent.setJMSType("invoice");
        sent.setJMSReplyTo(session.createQueue("replies"));
        session.createProducer(session.createQueue(queue)).send(sent, DeliveryMode.PERSISTENT, 7, 3_600_000);

        SqlRow row = receiveOne();
        assertThat(row.body()).isEqualTo(text);
        assertThat(row.text("kind")).isEqualTo("text");
        assertThat(row.bytes("binary_body")).isNull();
        assertThat(row.text("jms_message_id")).isEqualTo(sent.getJMSMessageID());
        assertThat(row.number("priority")).isEqualTo(7);
        assertThat(row.text("correlation_id")).isEqualTo("c-1");
        assertThat(row.text("type")).isEqualTo("invoice");
        assertThat(row.text("reply_to")).isEqualTo("queue://replies");
        assertThat(row.text("properties")).isNull();
        assertThat(row.number("delivery_count")).isZero();
        assertThat(row.text("expires_at")).isNotNull();
        assertThat(receiveBatch(1)).isEmpty();
    }

    @Test
    void large_body_that_subscriptions_share_is_read_from_where_it_lies() throws Exception {
        String text = "large ".repeat(50_000);
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(database.readpastUrl());
        factory.setRedeliveryMaximumDeliveries("1");
        factory.setRedeliveryDeadLetterDestination(queue);
        try (Connection connection = factory.createConnection();
                Session publishing = connection.createSession();
                Session receiving = connection.createSession(Session.SESSION_TRANSACTED)) {
            Topic topic = publishing.createTopic("topic of " + queue);
            List<MessageConsumer> subscribers =
                    List.of(receiving.createConsumer(topic), receiving.createConsumer(topic));
            connection.start();
            publishing.createProducer(topic).send(publishing.createTextMessage(text));
            for (MessageConsumer subscriber : subscribers) {
                assertThat(text(subscriber.receive(PATIENCE))).isEqualTo(text);
            }
            receiving.rollback();
        }

        assertThat(bodies(receiveBatch(1))).containsExactly(text);
        assertThat(bodies(procedures.rows(sql, "claim", to(queue, "count", 1)))).containsExactly(text);
    }

    @Test
    void bytes_message_has_its_bytes() throws Exception {
        byte[] bytes = {0, 1, -1, 0x7f, -128, 0};
        BytesMessage sent = session.createBytesMessage();
        sent.writeBytes(bytes);
        session.createProducer(session.createQueue(queue)).send(sent);

        SqlRow row = receiveOne();
        assertThat(row.bytes("binary_body")).isEqualTo(bytes);
        assertThat(row.body()).isNull();
        assertThat(row.text("kind")).isEqualTo("bytes");
    }

    @Test
    void map_message_is_json_and_an_empty_one_has_no_body() throws Exception {
        MapMessage sent = session.createMapMessage();
        sent.setString("customer", "Ada");
        sent.setInt("count", 3);
        MessageProducer producer = session.createProducer(session.createQueue(queue));
        producer.send(sent);
        producer.send(session.createMessage());

        SqlRow map = receiveOne();
        assertThat(map.body()).isEqualTo("{\"customer\":\"Ada\",\"count\":3}");
        assertThat(map.text("kind")).isEqualTo("map");
        SqlRow plain = receiveOne();
        assertThat(plain.body()).isNull();
        assertThat(plain.text("kind")).isEqualTo("message");
    }

    @Test
    void properties_of_all_types_are_json_that_sql_can_read() throws Exception {
        Message sent = session.createMessage();
        sent.setStringProperty("s", "Ada \"L\"");
        sent.setBooleanProperty("t", true);
        sent.setByteProperty("b", (byte) 1);
        sent.setShortProperty("h", (short) 2);
        sent.setIntProperty("i", 3);
        sent.setLongProperty("l", 4_711_000_000_000L);
        sent.setFloatProperty("f", 1.5f);
        sent.setDoubleProperty("d", 19.9);
        session.createProducer(session.createQueue(queue)).send(sent);

        assertThat(receiveOne().text("properties"))
                .contains("\"s\":\"Ada \\\"L\\\"\"", "\"t\":true", "\"b\":1", "\"h\":2", "\"i\":3")
                .contains("\"l\":4711000000000", "\"f\":1.5", "\"d\":19.9");
    }

    @Test
    void batch_is_in_the_order_of_delivery_and_no_larger_than_asked() throws Exception {
        MessageProducer producer = session.createProducer(session.createQueue(queue));
        for (int priority : new int[] {1, 9, 4, 4, 0}) {
            producer.send(
                    session.createTextMessage("p" + priority),
                    DeliveryMode.PERSISTENT,
                    priority,
                    Message.DEFAULT_TIME_TO_LIVE);
        }
        assertThat(bodies(receiveBatch(3))).containsExactly("p9", "p4", "p4");
        assertThat(bodies(receiveBatch(3))).containsExactly("p1", "p0");
        assertThat(receiveBatch(3)).isEmpty();
    }

    @Test
    void received_messages_are_gone_with_the_commit_and_back_with_the_rollback() throws Exception {
        sendByJms("a");
        sendByJms("b");
        try (java.sql.Connection transaction = transaction()) {
            assertThat(receiveBatch(transaction, 5)).hasSize(2);
            assertThat(textNow()).isNull();
            transaction.rollback();
            assertThat(receiveBatch(transaction, 1)).hasSize(1);
            transaction.commit();
        }
        assertThat(receive()).isNotNull();
        assertThat(textNow()).isNull();
    }

    @Test
    void two_transactions_never_get_the_same_message_and_do_not_wait() throws Exception {
        for (int i = 0; i < 6; i++) {
            sendByJms("m" + i);
        }
        try (java.sql.Connection one = transaction();
                java.sql.Connection two = transaction()) {
            List<String> all = new ArrayList<>(bodies(receiveBatch(one, 2)));
            all.addAll(bodies(receiveBatch(two, 2)));
            all.addAll(bodies(receiveBatch(one, 1)));
            all.addAll(bodies(receiveBatch(two, 2)));
            assertThat(all).containsExactlyInAnyOrder("m0", "m1", "m2", "m3", "m4", "m5");
            assertThat(textNow()).isNull();
            two.commit();
            one.rollback();
        }
        assertThat(receiveBatch(10)).hasSize(3);
    }

    @Test
    void message_that_a_jms_session_holds_is_stepped_over() throws Exception {
        sendByJms("held");
        try (jakarta.jms.Connection other =
                        new org.readpast.jms.ReadpastConnectionFactory(database.readpastUrl()).createConnection();
                jakarta.jms.Session transacted = other.createSession(jakarta.jms.Session.SESSION_TRANSACTED)) {
            other.start();
            assertThat(text(transacted
                            .createConsumer(transacted.createQueue(queue))
                            .receive(PATIENCE)))
                    .isEqualTo("held");
            assertThat(receiveBatch(5)).isEmpty();
            transacted.rollback();
        }
        SqlRow back = receiveOne();
        assertThat(back.body()).isEqualTo("held");
        assertThat(back.number("delivery_count")).isEqualTo(1);
    }

    @Test
    void delayed_message_is_received_when_it_is_due_and_an_expired_one_never() throws Exception {
        MessageProducer producer = session.createProducer(session.createQueue(queue));
        producer.setTimeToLive(1);
        producer.send(session.createTextMessage("expired"));
        producer.setTimeToLive(0);
        producer.setDeliveryDelay(1_500);
        producer.send(session.createTextMessage("later"));

        List<String> received = new ArrayList<>();
        await().atMost(Duration.ofMillis(PATIENCE)).until(() -> {
            received.addAll(bodies(receiveBatch(5)));
            return !received.isEmpty();
        });
        assertThat(received).containsExactly("later");
    }

    /** A sender's clock may be years ahead, and its message must not stop the queue. */
    @Test
    void time_of_any_senders_clock_is_told_where_there_is_such_a_time() throws Exception {
        assertSentAt(Instant.parse("2038-07-01T12:00:00.123Z").toEpochMilli(), "2038-07-01");
        assertSentAt(Instant.parse("2100-07-01T12:00:00.123Z").toEpochMilli(), "2100-07-01");
        assertSentAt(Instant.parse("9999-07-01T12:00:00.123Z").toEpochMilli(), "9999-07-01");
        assertSentAt(Instant.parse("1900-07-01T12:00:00.123Z").toEpochMilli(), "1900-07-01");
        assertSentAt(Instant.parse("+10000-01-01T00:00:00Z").toEpochMilli(), null);
        assertSentAt(Instant.parse("-0001-12-31T00:00:00Z").toEpochMilli(), null);
        assertSentAt(Long.MAX_VALUE, null);
        assertSentAt(Long.MIN_VALUE, null);
    }

    private void assertSentAt(long timestamp, String day) throws Exception {
        send("body", "claimed");
        send("body", "received");
        try (PreparedStatement update = sql.prepareStatement((procedures.isTransactSql() ? "SET NOCOUNT OFF; " : "")
                + "UPDATE " + inSchema("message") + " SET jms_timestamp = ? WHERE jms_destination = ?")) {
            update.setLong(1, timestamp);
            update.setString(2, "queue://" + queue);
            assertThat(update.executeUpdate()).isEqualTo(2);
        }
        for (SqlRow row :
                List.of(procedures.rows(sql, "claim", to(queue, "count", 1)).get(0), receiveOne())) {
            if (day == null) {
                assertThat(row.text("sent_at")).isNull();
            } else {
                assertThat(row.text("sent_at")).startsWith(day);
            }
        }
    }

    @Test
    void queue_that_does_not_exist_is_empty() throws Exception {
        assertThat(receiveBatch(1)).isEmpty();
        assertThatThrownBy(() -> receiveBatch(0))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("batch");
    }
}
