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
import jakarta.jms.TransactionRolledBackException;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
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
import org.readpast.jms.session.SqlSession;
import org.readpast.jms.tck.rig.BusinessTable;
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

    private long look(String column) throws SQLException {
        return procedures.overview(sql, queue).number(column);
    }

    private List<SqlRow> claim(int count) throws SQLException {
        return procedures.rows(sql, "claim", to(queue, "count", count, "lease_seconds", LONG, "worker", "w"));
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

    /** Whoever works on it finds that out when it commits, and has written nothing. */
    @Test
    void message_that_is_moved_away_from_a_jms_consumer_with_a_lease_makes_no_second_row() throws Exception {
        sendAll("at work");
        try (BusinessTable business = new BusinessTable(database);
                Session first = newSession(Session.SESSION_TRANSACTED);
                Session second = newSession(Session.SESSION_TRANSACTED);
                MessageConsumer leasing =
                        first.createConsumer(first.createQueue(queue + "?consumer.leaseSeconds=" + LONG));
                MessageConsumer next = second.createConsumer(second.createQueue(other))) {
            assertThat(text(leasing.receive(PATIENCE))).isEqualTo("at work");
            business.insert(((SqlSession) first).sqlConnection(), "first");

            assertThat(repair("move", "target", other)).as("without saying so").isZero();
            assertThat(repair("move", "target", other, "state", "claimed")).isEqualTo(1);
            assertThat(text(next.receive(PATIENCE))).isEqualTo("at work");
            business.insert(((SqlSession) second).sqlConnection(), "second");
            second.commit();

            assertThatThrownBy(first::commit).isInstanceOf(TransactionRolledBackException.class);
            assertThat(business.has("first")).isFalse();
            assertThat(business.has("second")).isTrue();
            assertThat(drain(queue)).isEmpty();
            assertThat(drain(other)).isEmpty();
        }
    }

    /** SQL Server notes 10,000 more than it was asked for before it does anything. */
    @Test
    void messages_behind_very_many_that_somebody_has_are_found() throws Exception {
        try (Session transacted = newSession(Session.SESSION_TRANSACTED)) {
            MessageProducer producer = transacted.createProducer(transacted.createQueue(queue));
            for (int i = 0; i < 11_010; i++) {
                producer.send(transacted.createMessage());
            }
            transacted.commit();
        }
        try (java.sql.Connection worker = database.connect()) {
            worker.setAutoCommit(false);
            assertThat(procedures.rows(worker, "receive_batch", to(queue, "batch", 10_000)))
                    .hasSize(10_000);
            assertThat(procedures.rows(worker, "receive_batch", to(queue, "batch", 1_000)))
                    .hasSize(1_000);

            assertThat(repair("purge", "most", 1_000)).isEqualTo(10);
            worker.rollback();
        }
        assertThat(look("depth")).isEqualTo(11_000);
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

    /** The fifth message cannot be held, since its place among the delayed ones is taken. */
    @Test
    void call_that_fails_keeps_what_it_has_committed() throws Exception {
        sendAll("a", "b", "c", "d", "e");
        String schema = procedures.isTransactSql() ? "[readpast]" : "readpast";
        String destination = "(SELECT destination_id FROM " + schema + ".destination WHERE name = '" + queue + "')";
        try (Statement statement = sql.createStatement()) {
            statement.execute("INSERT INTO " + schema + ".delayed_message (due_at, message_id, destination_id,"
                    + " priority_order, jms_destination, delivery_mode, jms_timestamp, jms_expiration, jms_delivery_time,"
                    + " body_kind, body_format, body_length) SELECT '"
                    + (procedures.isTransactSql() ? "9999-12-31" : "9999-12-31 00:00:00+00")
                    + "', MAX(message_id), -1, 5, 'queue://none', 2, 0, 0, 0, 0, 0, 0 FROM " + schema
                    + ".message WHERE destination_id = " + destination);
            try {
                Object[] batches = procedures.isTransactSql() ? new Object[] {"batch", 2} : new Object[] {};
                assertThatThrownBy(() -> repair("hold", batches)).isInstanceOf(SQLException.class);
            } finally {
                statement.execute("DELETE FROM " + schema + ".delayed_message WHERE destination_id = -1");
            }
        }
        // On SQL Server two batches were committed; on PostgreSQL a call is one transaction.
        assertThat(look("held")).isEqualTo(procedures.isTransactSql() ? 4 : 0);
        assertThat(look("depth")).isEqualTo(procedures.isTransactSql() ? 1 : 5);
        assertThat(repair("hold")).isEqualTo(procedures.isTransactSql() ? 1 : 5);
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
