package org.readpast.jms.tck.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;

/** Dead letters that an administrator sends back where they came from. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SqlRetryTest extends SqlQueueFixture {

    private final String dead = "dead." + UUID.randomUUID();

    SqlRetryTest(TestDatabase database) {
        super(database);
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.servers();
    }

    /** Makes the next message of a destination a dead letter, as a consumer does that fails with it. */
    private void failWith(boolean topic, String name, String subscription) throws JMSException {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(database.readpastUrl(
                "redelivery.maximumDeliveries=1", "redelivery.deadLetterDestination=" + dead, "idleCloseMillis=0"));
        try (Connection failing = factory.createConnection();
                Session transacted = failing.createSession(Session.SESSION_TRANSACTED)) {
            failing.start();
            MessageConsumer consumer = topic
                    ? transacted.createSharedDurableConsumer(transacted.createTopic(name), subscription)
                    : transacted.createConsumer(transacted.createQueue(name));
            assertThat(consumer.receive(PATIENCE)).isNotNull();
            transacted.rollback();
        }
    }

    private long retry(Object... namesAndValues) throws SQLException {
        return procedures.count(sql, "retry", to(dead, namesAndValues));
    }

    @Test
    void dead_letter_of_jms_is_delivered_as_if_never_before() throws Exception {
        Message sent = session.createTextMessage("poison");
        sent.setLongProperty("order", 5L);
        sent.setStringProperty("customer", "Ada \"L\"");
        sent.setJMSType("invoice");
        session.createProducer(session.createQueue(queue)).send(sent);
        failWith(false, queue, null);
        assertThat(textNow()).isNull();
        assertThat(procedures.overview(sql, queue).number("dead_letters")).isEqualTo(1);

        assertThat(retry()).isEqualTo(1);

        assertThat(procedures.overview(sql, queue).number("dead_letters")).isZero();
        assertThat(procedures.overview(sql, dead).number("depth")).isZero();
        Message back = receive();
        assertThat(text(back)).isEqualTo("poison");
        assertThat(back.getJMSMessageID()).isEqualTo(sent.getJMSMessageID());
        assertThat(back.getJMSDestination()).isEqualTo(session.createQueue(queue));
        assertThat(back.getJMSType()).isEqualTo("invoice");
        assertThat(back.getJMSRedelivered()).isFalse();
        assertThat(back.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        assertThat(back.getObjectProperty("order")).isEqualTo(5L);
        assertThat(back.getStringProperty("customer")).isEqualTo("Ada \"L\"");
        assertThat(properties(back)).contains("order", "customer").noneMatch(name -> name.startsWith("JMS_READPAST_"));
    }

    /** It would expire at once if it had its old time. */
    @Test
    void dead_letter_whose_time_is_over_gets_a_new_life() throws Exception {
        long life = 10_000;
        MessageProducer producer = session.createProducer(session.createQueue(queue));
        producer.setTimeToLive(life);
        Message sent = session.createTextMessage("late");
        producer.send(sent);
        failWith(false, queue, null);
        await().atMost(Duration.ofMinutes(1)).until(() -> System.currentTimeMillis() > sent.getJMSExpiration() + life);
        assertThat(retry()).isEqualTo(1);
        assertThat(text(receive())).isEqualTo("late");
    }

    private static List<String> properties(Message message) throws JMSException {
        List<String> names = new ArrayList<>();
        Enumeration<?> each = message.getPropertyNames();
        while (each.hasMoreElements()) {
            names.add((String) each.nextElement());
        }
        return names;
    }

    @Test
    void message_without_properties_has_none_afterwards() throws Exception {
        sendByJms("plain");
        failWith(false, queue, null);

        assertThat(retry("property", "JMS_READPAST_Deliveries", "property_value", "1"))
                .isEqualTo(1);

        assertThat(receiveBatch(1)).singleElement().satisfies(row -> {
            assertThat(row.body()).isEqualTo("plain");
            assertThat(row.text("properties")).isNull();
        });
    }

    @Test
    void dead_letter_of_the_procedures_goes_back_too_and_others_stay() throws Exception {
        procedures.call(sql, "create_queue", to(queue, "maximum_attempts", 1, "dead_letter_queue", dead));
        send("body", "failed", "properties", "{\"n\":1}");
        SqlRow claimed = procedures
                .rows(sql, "claim", to(queue, "count", 1, "lease_seconds", 60))
                .get(0);
        assertThat(procedures.did(sql, "fail", SqlQueue.with("claim_token", claimed.token(), "reason", "no ink")))
                .isTrue();
        procedures.send(sql, to(dead, "body", "no dead letter"));

        assertThat(retry("origin", "somewhere else")).isZero();
        assertThat(retry("origin", queue)).isEqualTo(1);
        assertThat(retry()).isZero();
        Message back = receive();
        assertThat(text(back)).isEqualTo("failed");
        assertThat(back.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        assertThat(text(receive(dead, PATIENCE))).isEqualTo("no dead letter");
    }

    /** JMS has texts that a database has not, which its functions for JSON fail with. */
    @Test
    void property_that_sql_cannot_hold_stops_neither_workers_nor_repairs() throws Exception {
        assumeFalse(procedures.isOnBabelfish(sql), "Babelfish reads JSON as PostgreSQL does");
        procedures.call(sql, "create_queue", to(queue, "maximum_attempts", 1, "dead_letter_queue", dead));
        List<String> notes = List.of("a\0b", "a\ud800");
        for (String note : notes) {
            Message spoilt = session.createTextMessage("spoilt");
            spoilt.setStringProperty("note", note);
            session.createProducer(session.createQueue(queue)).send(spoilt);
        }
        SqlRow failed = claim(3_600);
        claim(1);
        sendByJms("next");

        assertThat(procedures.did(sql, "fail", SqlQueue.with("claim_token", failed.token(), "reason", "no ink")))
                .isTrue();
        List<String> received = new ArrayList<>();
        await().atMost(Duration.ofMinutes(1)).until(() -> {
            received.addAll(bodies(receiveBatch(2)));
            return procedures.overview(sql, dead).number("depth") == 2;
        });
        assertThat(received).containsExactly("next");

        List<Message> letters = new ArrayList<>();
        try (QueueBrowser browser = session.createBrowser(session.createQueue(dead))) {
            Enumeration<?> each = browser.getEnumeration();
            while (each.hasMoreElements()) {
                letters.add((Message) each.nextElement());
            }
        }
        assertThat(letters).hasSize(2).allSatisfy(letter -> {
            assertThat(letter.getStringProperty("JMS_READPAST_OriginalDestination"))
                    .isEqualTo("queue://" + queue);
            assertThat(letter.getIntProperty("JMS_READPAST_Deliveries")).isEqualTo(1);
            assertThat(letter.getStringProperty("note")).isIn(notes);
        });
        assertThat(letters.get(0).getStringProperty("JMS_READPAST_DeadLetterReason"))
                .isEqualTo("no ink");

        assertThat(retry("property", "note", "property_value", "other")).isZero();
        assertThat(retry()).isEqualTo(2);
        for (String note : notes) {
            Message back = receive();
            assertThat(back.getStringProperty("note")).isEqualTo(note);
            assertThat(back.getJMSDestination()).isEqualTo(session.createQueue(queue));
        }
    }

    /** Types are an object where JMS writes them; here a sender in SQL has written something else. */
    @ParameterizedTest
    @ValueSource(strings = {"5", "[1]", "null", "\"int\""})
    void types_that_are_no_object_stop_no_repair(String types) throws Exception {
        procedures.call(sql, "create_queue", to(queue, "maximum_attempts", 1, "dead_letter_queue", dead));
        send("body", "odd", "properties", "{\"n\":1,\"@types\":" + types + "}");
        send("body", "healthy", "properties", "{\"n\":2}");
        for (int i = 0; i < 2; i++) {
            SqlRow claimed = claim(60);
            assertThat(procedures.did(sql, "fail", SqlQueue.with("claim_token", claimed.token())))
                    .isTrue();
        }

        assertThat(retry()).isEqualTo(2);
        List<SqlRow> back = receiveBatch(10);
        assertThat(bodies(back)).containsExactly("odd", "healthy");
        assertThat(back).allSatisfy(row -> assertThat(row.text("properties")).doesNotContain("JMS_READPAST_"));
        assertThat(back.get(0).text("properties")).contains("\"n\"");
    }

    private SqlRow claim(int leaseSeconds) throws SQLException {
        return procedures
                .rows(sql, "claim", to(queue, "count", 1, "lease_seconds", leaseSeconds))
                .get(0);
    }

    /** Only a dead letter says itself where it was sent to: names with JMS_ are free for applications. */
    @ParameterizedTest
    @ValueSource(strings = {"", "\"JMS_READPAST_DeadLetterReason\":\"x\","})
    void what_the_sender_says_of_where_it_came_from_is_not_believed(String reason) throws Exception {
        String claimed = reason.isEmpty() ? "queue://elsewhere" : "queue://" + "x".repeat(500);
        send("properties", "{" + reason + "\"JMS_READPAST_OriginalDestination\":\"" + claimed + "\"}");
        procedures.call(sql, "create_queue", to(dead));
        try (PreparedStatement expired = sql.prepareStatement("UPDATE " + inSchema("message")
                + " SET origin_id = destination_id, destination_id = (SELECT destination_id FROM "
                + inSchema("destination") + " WHERE kind = 'Q' AND name = ?) WHERE jms_destination = ?")) {
            expired.setString(1, dead);
            expired.setString(2, "queue://" + queue);
            expired.execute();
        }

        assertThat(retry()).isEqualTo(1);

        Message back = receive();
        assertThat(back.getJMSDestination()).isEqualTo(session.createQueue(queue));
    }

    @Test
    void dead_letter_of_a_subscription_goes_back_to_it_alone() throws Exception {
        String topic = "topic." + UUID.randomUUID();
        String failing = "failing" + UUID.randomUUID();
        String working = "working" + UUID.randomUUID();
        for (String name : List.of(failing, working)) {
            session.createSharedDurableConsumer(session.createTopic(topic), name)
                    .close();
        }
        session.createProducer(session.createTopic(topic)).send(session.createTextMessage("news"));
        failWith(true, topic, failing);

        assertThat(retry("origin", procedures.subscription(sql, failing))).isEqualTo(1);

        for (String name : List.of(failing, working)) {
            try (MessageConsumer consumer = session.createSharedDurableConsumer(session.createTopic(topic), name)) {
                Message back = consumer.receive(PATIENCE);
                assertThat(text(back)).isEqualTo("news");
                assertThat(back.getJMSDestination()).isEqualTo(session.createTopic(topic));
                assertThat(consumer.receiveNoWait()).isNull();
            }
            session.unsubscribe(name);
        }
    }

    @Test
    void dead_letter_whose_origin_is_gone_stays() throws Exception {
        String topic = "topic." + UUID.randomUUID();
        String name = "gone" + UUID.randomUUID();
        session.createSharedDurableConsumer(session.createTopic(topic), name).close();
        session.createProducer(session.createTopic(topic)).send(session.createTextMessage("orphan"));
        failWith(true, topic, name);
        session.unsubscribe(name);

        assertThat(retry()).isZero();
        assertThat(procedures.count(sql, "move", to(dead, "target", createQueue())))
                .isEqualTo(1);
        assertThat(textNow()).isEqualTo("orphan");
    }

    /** Between the moment when dead letters are noted and that when they are sent back. */
    @Test
    void dead_letter_whose_origin_goes_once_it_is_noted_stays() throws Exception {
        assumeTrue(procedures.isTransactSql(), "only there it is noted first, in a table that a test can make");
        String topic = "topic." + UUID.randomUUID();
        String name = "gone" + UUID.randomUUID();
        session.createSharedDurableConsumer(session.createTopic(topic), name).close();
        session.createProducer(session.createTopic(topic)).send(session.createTextMessage("orphan"));
        failWith(true, topic, name);
        sendByJms("elsewhere");
        failWith(false, queue, null);
        sendByJms("delayed");
        failWith(false, queue, null);
        assertThat(procedures.count(sql, "hold", to(dead, "origin", queue, "most", 1)))
                .isEqualTo(1);
        session.unsubscribe(name);
        execute("UPDATE [readpast].destination SET moved = N'gone', moved_database = N'other' WHERE name = N'" + queue
                + "'");

        String ofDead =
                " FROM [readpast].destination AS d JOIN [readpast].%s AS m ON m.destination_id = d.destination_id"
                        + " WHERE d.name = N'" + dead + "'";
        execute("CREATE TABLE #matching (number int NOT NULL IDENTITY(1, 1) PRIMARY KEY, due_at datetime2(3),"
                + " destination_id int NOT NULL, priority_order smallint NOT NULL, message_id bigint NOT NULL)");
        execute("INSERT INTO #matching (destination_id, priority_order, message_id)"
                + " SELECT m.destination_id, m.priority_order, m.message_id" + ofDead.formatted("message"));
        execute("INSERT INTO #matching (due_at, destination_id, priority_order, message_id)"
                + " SELECT m.due_at, m.destination_id, m.priority_order, m.message_id"
                + ofDead.formatted("delayed_message"));
        execute("EXECUTE [readpast].retry_batch 1, 3");

        assertThat(procedures.count(sql, "release", to(dead))).isEqualTo(1);
        assertThat(drain(dead)).containsExactlyInAnyOrder("orphan", "elsewhere", "delayed");
    }

    private void execute(String statement) throws SQLException {
        try (Statement any = sql.createStatement()) {
            any.execute(statement);
        }
    }

    private String createQueue() throws SQLException {
        procedures.call(sql, "create_queue", to(queue));
        return queue;
    }

    @Test
    void held_dead_letter_goes_back_when_it_is_released() throws Exception {
        sendByJms("poison");
        failWith(false, queue, null);
        assertThat(procedures.count(sql, "hold", to(dead))).isEqualTo(1);

        assertThat(retry()).isZero();
        assertThat(retry("state", "held")).isEqualTo(1);
        assertThat(textNow()).isNull();
        assertThat(procedures.count(sql, "release", to(queue))).isEqualTo(1);
        assertThat(text(receive())).isEqualTo("poison");
    }
}
