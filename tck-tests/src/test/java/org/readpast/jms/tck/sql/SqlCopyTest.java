package org.readpast.jms.tck.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.tck.rig.TestDatabase;

/** Copies of messages in another queue. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SqlCopyTest extends SqlQueueFixture {

    private static final long SEED = Long.getLong("readpast.test.seed", 20_261_126);

    private final String other = "other." + UUID.randomUUID();

    SqlCopyTest(TestDatabase database) {
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

    private long copy(Object... conditions) throws SQLException {
        List<Object> all = new ArrayList<>(List.of(conditions));
        all.addAll(List.of("target", other));
        return repair("copy", all.toArray());
    }

    private long number(String column) throws SQLException {
        return procedures.overview(sql, other).number(column);
    }

    @Test
    void target_that_was_removed_meanwhile_is_refused() {
        String number = procedures.isTransactSql() ? "destination_id" : "queue";

        assertThatThrownBy(() -> procedures.call(sql, "check_not_moved", SqlQueue.with(number, Integer.MAX_VALUE)))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("removed meanwhile");
    }

    @Test
    void copy_is_a_new_message_like_the_one_that_stays() throws Exception {
        String id = send(
                "body", "a", "properties", "{\"n\":1}", "correlation_id", "c", "reply_to", "answers", "priority", 7);

        assertThat(copy()).isEqualTo(1);
        Message copied = receive(other, PATIENCE);
        assertThat(text(copied)).isEqualTo("a");
        assertThat(copied.getJMSMessageID()).startsWith("ID:").isNotEqualTo(id);
        assertThat(copied.getJMSDestination()).isEqualTo(session.createQueue(other));
        assertThat(copied.getIntProperty("n")).isEqualTo(1);
        assertThat(copied.getJMSCorrelationID()).isEqualTo("c");
        assertThat(copied.getJMSReplyTo()).isEqualTo(session.createQueue("answers"));
        assertThat(copied.getJMSPriority()).isEqualTo(7);
        assertThat(copied.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        Message first = receive();
        assertThat(first.getJMSMessageID()).isEqualTo(id);
        assertThat(first.getJMSDestination()).isEqualTo(session.createQueue(queue));
    }

    @Test
    void copies_are_in_the_order_of_the_messages_behind_what_was_there() throws Exception {
        Random random = new Random(SEED);
        procedures.send(sql, to(other, "body", "there", "priority", 9));
        int count = 20 + random.nextInt(40);
        for (int i = 0; i < count; i++) {
            send("body", "m" + i, "priority", random.nextInt(10));
        }
        Object[] batches =
                procedures.isTransactSql() ? new Object[] {"batch", 1 + random.nextInt(count)} : new Object[] {};

        assertThat(copy(batches)).as("seed %d", SEED).isEqualTo(count);
        List<String> copies = drain(other);
        assertThat(copies.get(0)).isEqualTo("there");
        assertThat(copies.subList(1, copies.size())).as("seed %d", SEED).containsExactlyElementsOf(drain(queue));
    }

    @Test
    void each_call_makes_copies_with_ids_of_their_own() throws Exception {
        sendAll("a", "b");
        assertThat(copy()).isEqualTo(2);
        assertThat(copy("most", 1)).isEqualTo(1);
        List<String> ids = new ArrayList<>();
        for (Message next = receive(other, PATIENCE); next != null; next = receive(other, 0)) {
            ids.add(next.getJMSMessageID());
        }
        assertThat(ids).hasSize(3).doesNotHaveDuplicates();
    }

    @Test
    void what_is_delayed_or_held_is_so_in_the_copy_and_what_a_worker_has_is_there_at_once() throws Exception {
        sendAll("claimed");
        procedures.rows(sql, "claim", to(queue, "count", 1, "lease_seconds", 3_600, "worker", "w"));
        send("body", "delayed", "delay_millis", 3_600_000L);
        sendAll("held");
        assertThat(repair("hold", "state", "waiting")).isEqualTo(1);

        assertThat(copy()).as("the delayed one").isEqualTo(1);
        assertThat(number("delayed")).isEqualTo(1);
        assertThat(copy("state", "claimed")).isEqualTo(1);
        assertThat(drain(other)).containsExactly("claimed");
        assertThat(copy("state", "held")).isEqualTo(1);
        assertThat(number("held")).isEqualTo(1);
        assertThat(drain(other)).isEmpty();
        assertThat(procedures.count(sql, "release", to(other))).isEqualTo(1);
        assertThat(drain(other)).containsExactly("held");
        assertThat(repair("release")).isEqualTo(1);
        assertThat(drain(queue)).containsExactly("held");
    }

    @Test
    void what_a_consumer_has_is_not_copied_and_nobody_waits() throws Exception {
        sendAll("consumed", "copied");
        try (Session transacted = newSession(Session.SESSION_TRANSACTED);
                MessageConsumer consumer = transacted.createConsumer(transacted.createQueue(queue))) {
            assertThat(text(consumer.receive(PATIENCE))).isEqualTo("consumed");
            assertThat(copy()).isEqualTo(1);
            transacted.commit();
        }
        assertThat(drain(other)).containsExactly("copied");
    }

    @Test
    void dead_letters_copy_can_be_retried() throws Exception {
        String dead = "dead." + UUID.randomUUID();
        procedures.call(sql, "create_queue", to(queue, "maximum_attempts", 1, "dead_letter_queue", dead));
        sendAll("a");
        SqlRow claimed = procedures
                .rows(sql, "claim", to(queue, "count", 1, "lease_seconds", 60))
                .get(0);
        procedures.call(sql, "fail", SqlQueue.with("claim_token", claimed.token(), "reason", "test"));

        assertThat(procedures.count(sql, "copy", to(dead, "target", other))).isEqualTo(1);
        assertThat(procedures.count(sql, "retry", to(other))).isEqualTo(1);
        assertThat(drain(queue)).containsExactly("a");
        assertThat(drain(dead)).containsExactly("a");
    }

    /** The second body goes with its last reader. By then the first would have gone as well. */
    @Test
    void large_body_stays_for_the_copy_when_all_its_other_readers_have_had_it() throws Exception {
        Topic topic = session.createTopic("topic." + UUID.randomUUID());
        String text = "x".repeat(200_000);
        List<String> names = List.of("one" + UUID.randomUUID(), "two" + UUID.randomUUID());
        Set<String> before = bodies();
        try (MessageConsumer one = session.createSharedDurableConsumer(topic, names.get(0));
                MessageConsumer two = session.createSharedDurableConsumer(topic, names.get(1));
                MessageProducer producer = session.createProducer(topic)) {
            producer.send(session.createTextMessage(text + "copied"));
            assertThat(bodiesSince(before)).as("stored once").isEqualTo(1);
            assertThat(procedures.count(sql, "copy", to(procedures.subscription(sql, names.get(0)), "target", other)))
                    .isEqualTo(1);
            producer.send(session.createTextMessage(text + "gone"));
            for (MessageConsumer reader : List.of(one, two)) {
                assertThat(text(reader.receive(PATIENCE))).endsWith("copied");
                assertThat(text(reader.receive(PATIENCE))).endsWith("gone");
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> bodiesSince(before) == 1);
        }
        assertThat(drain(other)).containsExactly(text + "copied");
        await().atMost(Duration.ofSeconds(60)).until(() -> bodiesSince(before) == 0);
        for (String name : names) {
            session.unsubscribe(name);
        }
    }

    /** Those of other tests may go at any time. */
    private int bodiesSince(Set<String> before) throws SQLException {
        Set<String> bodies = bodies();
        bodies.removeAll(before);
        return bodies.size();
    }

    private Set<String> bodies() throws SQLException {
        Set<String> bodies = new HashSet<>();
        try (Statement statement = sql.createStatement();
                ResultSet row = statement.executeQuery("SELECT body_id FROM " + inSchema("shared_body"))) {
            while (row.next()) {
                bodies.add(row.getString(1));
            }
        }
        return bodies;
    }
}
