package org.readpast.jms.tck.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;

/** What an administrator does to messages: purge, move, expire, hold and release; retry is {@link SqlRetryTest}. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SqlRepairTest extends SqlQueueFixture {

    private static final int LONG = 3_600;

    private final String other = "other." + UUID.randomUUID();

    SqlRepairTest(TestDatabase database) {
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

    private long repair(String procedure, Object... namesAndValues) throws SQLException {
        return procedures.count(sql, procedure, to(queue, namesAndValues));
    }

    private void sendAll(String... bodies) throws SQLException {
        for (String body : bodies) {
            send("body", body);
        }
    }

    private List<String> drain(String from) throws JMSException {
        List<String> texts = new ArrayList<>();
        for (Message next = receive(from, 0); next != null; next = receive(from, 0)) {
            texts.add(text(next));
        }
        return texts;
    }

    private long look(String column) throws SQLException {
        return procedures.overview(sql, queue).number(column);
    }

    private List<SqlRow> claim(int count) throws SQLException {
        return procedures.rows(sql, "claim", to(queue, "count", count, "lease_seconds", LONG, "worker", "w"));
    }

    // Conditions

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
        assertThat(claim(1)).hasSize(1);
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
        assertRefused("most", "purge", "most", 0);
        assertRefused("property", "purge", "property_value", "x");
        assertRefused("target", "move", "target", queue);
        assertRefused("create_queue", "move", "target", "nobody." + queue);
        assertThatThrownBy(() -> procedures.count(sql, "purge", to("nobody." + queue)))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("no queue or subscription");
    }

    private void assertRefused(String named, String procedure, Object... arguments) {
        assertThatThrownBy(() -> repair(procedure, arguments))
                .isInstanceOf(SQLException.class)
                .hasMessageMatching("(?s).*(" + named + "|already).*");
    }

    // Move, expire

    @Test
    void moved_message_is_one_of_its_new_queue() throws Exception {
        send("body", "a", "properties", "{\"n\":1}", "correlation_id", "c", "reply_to", "answers", "priority", 7);
        procedures.send(sql, to(other, "body", "later", "priority", 7));

        assertThat(repair("move", "target", other)).isEqualTo(1);
        Message moved = receive(other, PATIENCE);
        assertThat(text(moved)).isEqualTo("a");
        assertThat(moved.getJMSDestination()).isEqualTo(session.createQueue(other));
        assertThat(moved.getIntProperty("n")).isEqualTo(1);
        assertThat(moved.getJMSCorrelationID()).isEqualTo("c");
        assertThat(moved.getJMSReplyTo()).isEqualTo(session.createQueue("answers"));
        assertThat(moved.getJMSPriority()).isEqualTo(7);
        assertThat(drain(other)).containsExactly("later");
    }

    @Test
    void delayed_and_claimed_messages_can_be_moved() throws Exception {
        sendAll("claimed");
        SqlRow claimed = claim(1).get(0);
        send("body", "delayed", "delay_millis", 3_600_000L);

        assertThat(repair("move", "target", other)).isEqualTo(1);
        assertThat(procedures.overview(sql, other).number("delayed")).isEqualTo(1);
        assertThat(drain(other)).isEmpty();
        assertThat(repair("move", "target", other, "state", "claimed")).isEqualTo(1);
        assertThat(drain(other)).containsExactly("claimed");
        assertThat(procedures.did(sql, "complete", SqlQueue.with("claim_token", claimed.token())))
                .isFalse();
    }

    @Test
    void messages_of_a_subscription_can_be_moved_and_purged() throws Exception {
        String topic = "topic." + UUID.randomUUID();
        String name = "audit" + UUID.randomUUID();
        try (MessageConsumer subscriber = session.createSharedDurableConsumer(session.createTopic(topic), name)) {
            assertThat(subscriber).isNotNull();
        }
        MessageProducer publisher = session.createProducer(session.createTopic(topic));
        publisher.send(session.createTextMessage("moved"));
        publisher.send(session.createTextMessage("purged"));
        String shown = procedures.subscription(sql, name);

        assertThat(procedures.count(sql, "move", to(shown, "target", other, "most", 1)))
                .isEqualTo(1);
        assertThat(procedures.count(sql, "purge", to(shown))).isEqualTo(1);
        assertThat(drain(other)).containsExactly("moved");
        session.unsubscribe(name);
    }

    @Test
    void expired_message_is_received_by_nobody_and_removed_by_a_jms_client() throws Exception {
        sendAll("a", "b");
        send("body", "delayed", "delay_millis", 3_600_000L);

        assertThat(repair("expire", "most", 1)).isEqualTo(1);
        assertThat(repair("expire", "state", "delayed")).isEqualTo(1);
        assertThat(drain(queue)).containsExactly("b");
        assertThat(receiveBatch(5)).isEmpty();
        await().atMost(Duration.ofMillis(PATIENCE)).until(() -> look("depth") == 0 && look("delayed") == 0);
    }

    @Test
    void expired_messages_can_be_purged_where_no_jms_client_runs() throws Exception {
        send("body", "short", "time_to_live_millis", 1L);
        sendAll("long");
        // A JMS client that is running may be first.
        await().atMost(Duration.ofMillis(PATIENCE)).until(() -> {
            repair("purge", "state", "expired");
            return look("depth") == 1;
        });
        assertThat(drain(queue)).containsExactly("long");
    }

    // Hold, release

    @Test
    void held_message_is_received_by_nobody_until_it_is_released() throws Exception {
        sendAll("a");
        send("body", "urgent", "priority", 9);
        assertThat(repair("hold")).isEqualTo(2);

        sendAll("c");
        assertThat(look("held")).isEqualTo(2);
        assertThat(look("delayed")).isZero();
        assertThat(look("depth")).isEqualTo(1);
        Enumeration<?> browsed =
                session.createBrowser(session.createQueue(queue)).getEnumeration();
        assertThat(text((Message) browsed.nextElement())).isEqualTo("c");
        assertThat(browsed.hasMoreElements()).isFalse();
        assertThat(claim(5)).hasSize(1);
        assertThat(receiveBatch(5)).isEmpty();
        assertThat(textNow()).isNull();
        // Housekeeping has moved what was due meanwhile, and left what is held.
        send("body", "d", "delay_millis", 1L);
        assertThat(text(receive())).isEqualTo("d");
        assertThat(look("held")).isEqualTo(2);

        sendAll("e");
        assertThat(repair("release")).isEqualTo(2);
        assertThat(look("held")).isZero();
        assertThat(drain(queue)).containsExactly("urgent", "a", "e");
    }

    @Test
    void released_message_that_is_not_due_waits_on() throws Exception {
        send("body", "delayed", "delay_millis", 3_600_000L);
        assertThat(repair("hold")).isEqualTo(1);
        assertThat(look("held")).isEqualTo(1);
        assertThat(repair("release")).isEqualTo(1);
        assertThat(look("held")).isZero();
        assertThat(look("delayed")).isEqualTo(1);
        assertThat(textNow()).isNull();
    }

    @Test
    void waiting_consumer_gets_a_released_message() throws Exception {
        sendAll("a");
        assertThat(repair("hold")).isEqualTo(1);
        try (Session waiting = newSession(Session.SESSION_TRANSACTED);
                MessageConsumer consumer = waiting.createConsumer(waiting.createQueue(queue))) {
            assertThat(consumer.receiveNoWait()).isNull();
            assertThat(repair("release")).isEqualTo(1);
            assertThat(text(consumer.receive(PATIENCE))).isEqualTo("a");
            waiting.commit();
        }
    }

    // Beside consumers

    @Test
    void message_that_a_consumer_holds_is_left_alone_and_nobody_waits() throws Exception {
        sendAll("consumed", "purged");
        try (Session transacted = newSession(Session.SESSION_TRANSACTED);
                MessageConsumer consumer = transacted.createConsumer(transacted.createQueue(queue))) {
            assertThat(text(consumer.receive(PATIENCE))).isEqualTo("consumed");
            assertThat(repair("purge")).isEqualTo(1);
            assertThat(repair("move", "target", other)).isZero();
            assertThat(repair("hold")).isZero();
            assertThat(repair("expire")).isZero();
            transacted.commit();
        }
        assertThat(textNow()).isNull();
    }

    @Test
    void repair_in_a_transaction_is_undone_with_it_and_consumers_step_over_it() throws Exception {
        sendAll("a", "b", "c");
        try (java.sql.Connection transaction = transaction()) {
            assertThat(procedures.count(transaction, "purge", to(queue, "most", 1)))
                    .isEqualTo(1);
            assertThat(procedures.count(transaction, "hold", to(queue, "most", 1)))
                    .isEqualTo(1);
            assertThat(drain(queue)).containsExactly("c");
            transaction.rollback();
        }
        assertThat(drain(queue)).containsExactly("a", "b");
    }

    /** Each message is consumed once, although it is held, released, moved there and back all the time. */
    @Test
    void consumer_beside_repairs_gets_each_message_once() throws Exception {
        int messages = 300;
        Set<String> sent = new TreeSet<>();
        List<String> consumed = new ArrayList<>();
        List<Exception> problems = new ArrayList<>();
        try (Connection beside = new ReadpastConnectionFactory(database.readpastUrl()).createConnection()) {
            beside.setExceptionListener(problems::add);
            Session listening = beside.createSession(Session.AUTO_ACKNOWLEDGE);
            listening.createConsumer(listening.createQueue(queue)).setMessageListener(message -> {
                synchronized (consumed) {
                    try {
                        consumed.add(((TextMessage) message).getText());
                    } catch (JMSException e) {
                        problems.add(e);
                    }
                }
            });
            for (int i = 0; i < messages; i++) {
                send("body", "m" + i);
                sent.add("m" + i);
            }
            beside.start();
            Map<String, Object> back = to(other, "target", queue);
            await().atMost(Duration.ofMillis(3 * PATIENCE)).until(() -> {
                repair("hold", "most", 40);
                repair("release", "most", 30);
                repair("move", "target", other, "most", 20);
                procedures.count(sql, "move", back);
                repair("release");
                synchronized (consumed) {
                    return consumed.size() >= messages;
                }
            });
        }
        assertThat(problems).isEmpty();
        assertThat(consumed).hasSize(messages).containsExactlyInAnyOrderElementsOf(sent);
        assertThat(drain(queue)).isEmpty();
        assertThat(drain(other)).isEmpty();
    }
}
