package org.readpast.jms.tck.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.tck.rig.TestDatabase;

/** What SQL sends, JMS receives. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SqlSendTest extends SqlQueueFixture {

    SqlSendTest(TestDatabase database) {
        super(database);
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.servers();
    }

    @Test
    void text_is_a_text_message() throws Exception {
        String text = "Grüße, 1 € 😀 \"quoted\"\n ";
        String id = send("body", text);

        Message message = receive();
        assertThat(message).isInstanceOf(TextMessage.class);
        assertThat(text(message)).isEqualTo(text);
        assertThat(message.getJMSMessageID()).isEqualTo(id).startsWith("ID:");
        assertThat(message.getJMSDestination()).isEqualTo(session.createQueue(queue));
        assertThat(message.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(message.getJMSPriority()).isEqualTo(Message.DEFAULT_PRIORITY);
        assertThat(message.getJMSExpiration()).isZero();
        assertThat(message.getJMSDeliveryTime()).isEqualTo(message.getJMSTimestamp());
        assertThat(message.getJMSCorrelationID()).isNull();
        assertThat(message.getJMSReplyTo()).isNull();
        assertThat(message.getJMSRedelivered()).isFalse();
        assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    }

    @Test
    void empty_text_is_not_no_text() throws Exception {
        send("body", "");
        send();

        assertThat(text(receive())).isEmpty();
        assertThat(receive().getBody(String.class)).isNull();
    }

    @Test
    void bytes_are_a_bytes_message() throws Exception {
        byte[] bytes = {0, 1, -1, 0x7f, -128, 0};
        send("binary_body", bytes);

        Message message = receive();
        assertThat(message).isInstanceOf(BytesMessage.class);
        assertThat(message.getBody(byte[].class)).isEqualTo(bytes);
    }

    @Test
    void plain_json_object_becomes_properties_of_sensible_types() throws Exception {
        send(
                "body",
                "x",
                "properties",
                "{\"customer\":\"Ada \\\"L\\\"\",\"count\":3,\"total\":19.9,\"order\":4711000000000,\"paid\":true,"
                        + "\"note\":null}");

        Message message = receive();
        assertThat(message.getObjectProperty("customer")).isEqualTo("Ada \"L\"");
        assertThat(message.getObjectProperty("count")).isEqualTo(3);
        assertThat(message.getObjectProperty("total")).isEqualTo(19.9);
        assertThat(message.getObjectProperty("order")).isEqualTo(4711000000000L);
        assertThat(message.getObjectProperty("paid")).isEqualTo(true);
        assertThat(message.propertyExists("note")).isTrue();
        assertThat(message.getObjectProperty("note")).isNull();
    }

    @Test
    void json_object_may_have_white_space_around_it() throws Exception {
        send("properties", "\r\n\t {\r\n\t \"count\" : 3 } \n");

        assertThat(receive().getObjectProperty("count")).isEqualTo(3);
    }

    @Test
    void longest_headers_arrive_whole() throws Exception {
        String name = "x".repeat(442);
        String header = "y".repeat(255);
        send(
                "reply_to",
                name,
                "correlation_id",
                header,
                "type",
                header,
                "properties",
                "{\"JMSXGroupID\":\"" + header + "\"}");

        Message message = receive();
        assertThat(message.getJMSReplyTo()).hasToString("queue://" + name);
        assertThat(message.getJMSCorrelationID()).isEqualTo(header);
        assertThat(message.getJMSType()).isEqualTo(header);
        assertThat(message.getStringProperty("JMSXGroupID")).isEqualTo(header);
    }

    /** SQL Server's columns count them as two, whatever its functions count. */
    @Test
    void characters_beyond_the_first_65536_are_refused_or_arrive_whole() throws Exception {
        String most = "😀".repeat(127);
        send("correlation_id", most, "type", most, "reply_to", most);
        Message message = receive();
        assertThat(message.getJMSCorrelationID()).isEqualTo(most);
        assertThat(message.getJMSType()).isEqualTo(most);
        assertThat(message.getJMSReplyTo()).hasToString("queue://" + most);

        String more = "😀".repeat(128);
        if (procedures.isTransactSql()) {
            // Babelfish counts such a character as one, and its columns as two.
            boolean told = !procedures.isOnBabelfish(sql);
            assertRefused(told ? "correlation_id" : "too long", "correlation_id", more);
            assertRefused(told ? "type" : "too long", "type", more);
            assertRefused(told ? "reply_to" : "too long", "reply_to", "😀".repeat(222));
        } else {
            send("correlation_id", more, "type", more);
            assertThat(receive().getJMSCorrelationID()).isEqualTo(more);
        }
    }

    @Test
    void types_that_json_leaves_open_can_be_noted() throws Exception {
        send("properties", "{\"order\":5,\"rate\":2,\"@types\":{\"order\":\"long\",\"rate\":\"double\"}}");

        Message message = receive();
        assertThat(message.getObjectProperty("order")).isEqualTo(5L);
        assertThat(message.getObjectProperty("rate")).isEqualTo(2.0);
    }

    @Test
    void selector_sees_the_properties() throws Exception {
        send("body", "no", "properties", "{\"count\":2}");
        send("body", "yes", "properties", "{\"count\":3}");

        try (MessageConsumer consumer = session.createConsumer(session.createQueue(queue), "count > 2")) {
            assertThat(text(consumer.receive(PATIENCE))).isEqualTo("yes");
        }
        assertThat(text(receive())).isEqualTo("no");
    }

    @Test
    void headers_arrive() throws Exception {
        send(
                "body",
                "x",
                "priority",
                7,
                "correlation_id",
                "c-1",
                "type",
                "invoice",
                "reply_to",
                "replies",
                "properties",
                "{\"JMSXGroupID\":\"g\"}");
        send("reply_to", "topic://news");

        Message message = receive();
        assertThat(message.getJMSPriority()).isEqualTo(7);
        assertThat(message.getJMSCorrelationID()).isEqualTo("c-1");
        assertThat(message.getJMSType()).isEqualTo("invoice");
        assertThat(message.getJMSReplyTo()).isEqualTo(session.createQueue("replies"));
        assertThat(message.getStringProperty("JMSXGroupID")).isEqualTo("g");
        assertThat(receive().getJMSReplyTo()).isEqualTo(session.createTopic("news"));
    }

    @Test
    void higher_priority_is_delivered_first() throws Exception {
        send("body", "low", "priority", 1);
        send("body", "high", "priority", 9);
        send("body", "middle");

        assertThat(List.of(text(receive()), text(receive()), text(receive()))).containsExactly("high", "middle", "low");
    }

    @Test
    void delayed_message_is_delivered_when_it_is_due() throws Exception {
        send("body", "later", "delay_millis", 1_500L);

        Message later = receive();
        assertThat(text(later)).isEqualTo("later");
        assertThat(later.getLongProperty("JMSXRcvTimestamp")).isGreaterThanOrEqualTo(later.getJMSDeliveryTime());
        assertThat(later.getJMSDeliveryTime() - later.getJMSTimestamp()).isEqualTo(1_500);
    }

    @Test
    void message_has_its_time_to_live() throws Exception {
        send("body", "short", "time_to_live_millis", 1L);
        send("body", "long", "time_to_live_millis", 3_600_000L);

        Message message = receive();
        assertThat(text(message)).isEqualTo("long");
        assertThat(message.getJMSExpiration() - message.getJMSTimestamp()).isEqualTo(3_600_000);
        assertThat(textNow()).isNull();
    }

    @Test
    void message_is_sent_with_the_callers_transaction() throws Exception {
        procedures.call(sql, "create_queue", to(queue));
        try (java.sql.Connection transaction = transaction()) {
            procedures.send(transaction, to(queue, "body", "undone"));
            transaction.rollback();
            procedures.send(transaction, to(queue, "body", "done"));
            assertThat(textNow()).isNull();
            transaction.commit();
        }
        assertThat(text(receive())).isEqualTo("done");
        assertThat(textNow()).isNull();
    }

    /** What SQL sends, a selector reads. Strings that look like brackets, and names that are given twice, are no way round. */
    @Test
    void properties_have_as_many_levels_as_jms_reads() throws Exception {
        String hundred = "{\"a\":" + "[".repeat(99) + "]".repeat(99) + ",\"b\":\"]]\\\"[[{{\"}";
        send("body", "x", "properties", hundred);
        assertThat(receive().getStringProperty("a")).isEqualTo("[".repeat(99) + "]".repeat(99));

        for (String deeper : new String[] {
            "{\"a\":" + "[".repeat(100) + "]".repeat(100) + "}",
            "{\"a\":" + "[".repeat(600) + "]".repeat(600) + "}",
            "{\"b\":\"]\",\"a\":" + "{\"c\":[".repeat(60) + "]}".repeat(60) + "}"
        }) {
            assertThatThrownBy(() -> send("body", "x", "properties", deeper))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("properties has more than 100 objects and arrays within each other");
        }
    }

    @Test
    void depth_is_not_hidden_by_a_name_that_is_given_twice() throws Exception {
        assumeFalse(procedures.isOnBabelfish(sql), "Babelfish keeps the last of two values of one name");
        assertThatThrownBy(() ->
                        send("body", "x", "properties", "{\"a\":" + "[".repeat(100) + "]".repeat(100) + ",\"a\":1}"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("properties has more than 100 objects and arrays within each other");
    }

    @Test
    void request_of_jms_is_answered_where_its_reply_to_says() throws Exception {
        String name = "replies." + UUID.randomUUID();
        for (Queue replies : List.of(session.createQueue(name), session.createTemporaryQueue())) {
            Message request = session.createTextMessage("request");
            request.setJMSReplyTo(replies);
            session.createProducer(session.createQueue(queue)).send(request);
            SqlRow received = receiveBatch(1).get(0);
            for (long delay : new long[] {0, 1}) {
                procedures.send(
                        sql,
                        to(
                                received.text("reply_to"),
                                "body",
                                "reply",
                                "correlation_id",
                                received.text("jms_message_id"),
                                "delay_millis",
                                delay));
            }

            try (MessageConsumer consumer = session.createConsumer(replies)) {
                for (int i = 0; i < 2; i++) {
                    Message reply = consumer.receive(PATIENCE);
                    assertThat(text(reply)).isEqualTo("reply");
                    assertThat(reply.getJMSCorrelationID()).isEqualTo(request.getJMSMessageID());
                    assertThat(reply.getJMSDestination()).isEqualTo(replies);
                }
            }
            assertThat(destinations("%://" + replies.getQueueName())).isEmpty();
        }
    }

    @Test
    void longest_name_of_a_queue_is_taken_whole_behind_its_scheme() throws Exception {
        String name = "sql." + UUID.randomUUID() + "x".repeat(360);
        procedures.send(sql, to("queue://" + name, "body", "x"));

        assertThat(name).hasSize(400);
        assertThat(text(receive(name, PATIENCE))).isEqualTo("x");
        assertThatThrownBy(() -> procedures.send(sql, to("queue://" + name + "y")))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("name of a queue");
    }

    @Test
    void what_is_no_queue_is_neither_sent_to_nor_made_one() throws Exception {
        TemporaryQueue gone = session.createTemporaryQueue();
        gone.delete();
        assertThatThrownBy(() -> procedures.send(sql, to("temp-queue://" + gone.getQueueName())))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("temporary queue");

        for (String scheme : List.of("queue://", "topic://", "temp-queue://", "temp-topic://")) {
            String text = scheme + queue;
            if (!scheme.equals("queue://")) {
                assertThatThrownBy(() -> procedures.send(sql, to(text))).isInstanceOf(SQLException.class);
            }
            assertThatThrownBy(() -> procedures.send(sql, to("queue://" + text)))
                    .hasMessageContaining(scheme);
            assertThatThrownBy(() -> procedures.call(sql, "create_queue", to(text)))
                    .hasMessageContaining(scheme);
            assertThatThrownBy(() -> procedures.call(sql, "create_queue", to(queue, "dead_letter_queue", text)))
                    .hasMessageContaining(scheme);
            assertThatThrownBy(() -> procedures.call(sql, "keep_history", to(text)))
                    .hasMessageContaining(scheme);
        }
        assertThat(destinations("%://" + queue)).isEmpty();
    }

    private List<SqlRow> destinations(String like) throws SQLException {
        try (PreparedStatement look =
                sql.prepareStatement("SELECT name FROM " + inSchema("destination") + " WHERE name LIKE ?")) {
            look.setString(1, like);
            return SqlRow.all(look.executeQuery());
        }
    }

    @Test
    void wrong_arguments_are_refused_and_named() {
        assertRefused("priority", "priority", 10);
        assertRefused("properties", "properties", "[1]");
        assertRefused("body", "body", "x", "binary_body", new byte[1]);
        assertRefused("delay_millis", "delay_millis", -1L);
        assertRefused("time_to_live_millis", "time_to_live_millis", -1L);
        assertRefused("correlation_id", "correlation_id", "x".repeat(256));
        assertRefused("reply_to", "reply_to", "ftp://x");
        assertRefused("reply_to", "reply_to", "Queue://x");
        assertRefused("reply_to", "reply_to", "x".repeat(443));
        assertRefused("reply_to", "reply_to", "queue://" + "x".repeat(1_000));
        assertRefused("JMSXGroupID", "properties", "{\"JMSXGroupID\":\"" + "x".repeat(256) + "\"}");
        assertRefused("JMSXGroupID", "properties", "{\"JMSXGroupID\":\"" + "x".repeat(5_000) + "\"}");
        assertRefused("JMSGroupID", "properties", "{\"n\":1,\"JMSGroupID\":\"A\"}");
        assertRefused("JMSMessageID", "properties", "{\"JMSMessageID\":\"ID:x\"}");
        assertRefused("properties", "properties", "\r\n [1]");
        assertThatThrownBy(() -> procedures.send(sql, to("x".repeat(401))))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("name of a queue");
    }

    private void assertRefused(String named, Object... arguments) {
        assertThatThrownBy(() -> send(arguments))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining(named);
    }
}
