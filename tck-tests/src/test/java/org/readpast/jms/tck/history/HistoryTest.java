package org.readpast.jms.tck.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.history.KeptHistory.Row;
import org.readpast.jms.tck.rig.TestDatabase;

/** What JMS clients leave in the history of a queue. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Execution(ExecutionMode.CONCURRENT)
class HistoryTest {

    private static final long PATIENCE = 60_000;
    private static final String SCHEMA = "history_" + Long.toString(System.nanoTime(), 36);
    private static final AtomicInteger TESTS = new AtomicInteger();

    private final int test = TESTS.incrementAndGet();
    private final String desk = "desk." + test;
    private final String work = "work." + test;
    private final String other = "other." + test;
    private final String moved = "moved." + test;
    private final KeptHistory history;

    /** Its own settings keep its clients apart from those of other tests, so that they ask the database as they connect. */
    private final ReadpastConnectionFactory factory;

    HistoryTest(TestDatabase database) throws JMSException {
        history = new KeptHistory(database, SCHEMA);
        factory = new ReadpastConnectionFactory(database.readpastUrl(
                "schema=" + SCHEMA,
                "idleCloseMillis=" + test,
                "redelivery.work.*.maximumDeliveries=2",
                "expiry.moved.*.destination=late.*"));
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.requested();
    }

    @BeforeEach
    void keepHistory() throws Exception {
        String url = history.database().readpastUrl("schema=" + SCHEMA, "idleCloseMillis=0");
        new ReadpastConnectionFactory(url).createConnection().close();
        history.keep(work);
    }

    private JMSContext context(int mode) {
        JMSContext context = factory.createContext(mode);
        context.setClientID(desk);
        return context;
    }

    /** Sends messages and returns their ids. */
    private static List<String> send(JMSContext context, String queue, int count) throws JMSException {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Message message = context.createTextMessage("m" + i);
            context.createProducer().send(context.createQueue(queue), message);
            ids.add(message.getJMSMessageID());
        }
        if (context.getTransacted()) {
            context.commit();
        }
        return ids;
    }

    private Row completed(String id, int deliveries) {
        return new Row(id, "completed", desk, deliveries, true, 0L);
    }

    /** The rows without the lengths of their bodies, which follow the database's encoding. */
    private List<Row> rows(String queue) throws Exception {
        return history.of(queue).stream()
                .map(row -> new Row(
                        row.messageId(),
                        row.outcome(),
                        row.consumer(),
                        row.deliveries(),
                        row.inOrder(),
                        row.bodyLength() == null ? null : 0L))
                .toList();
    }

    @Test
    void each_acknowledge_mode_leaves_a_row_for_each_message() throws Exception {
        List<Row> expected = new ArrayList<>();
        for (int mode : List.of(
                JMSContext.AUTO_ACKNOWLEDGE,
                JMSContext.DUPS_OK_ACKNOWLEDGE,
                JMSContext.CLIENT_ACKNOWLEDGE,
                JMSContext.SESSION_TRANSACTED)) {
            try (JMSContext context = context(mode);
                    JMSConsumer consumer = context.createConsumer(context.createQueue(work))) {
                send(context, work, 10).forEach(id -> expected.add(completed(id, 1)));
                for (int i = 0; i < 10; i++) {
                    assertThat(consumer.receive(PATIENCE)).isNotNull();
                }
                if (mode == JMSContext.CLIENT_ACKNOWLEDGE) {
                    context.acknowledge();
                }
                if (mode == JMSContext.SESSION_TRANSACTED) {
                    context.commit();
                }
            }
            assertThat(rows(work)).as("mode " + mode).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @Test
    void consumer_by_lease_leaves_a_row_for_each_message() throws Exception {
        List<Row> expected = new ArrayList<>();
        for (int mode : List.of(JMSContext.AUTO_ACKNOWLEDGE, JMSContext.SESSION_TRANSACTED)) {
            try (JMSContext context = context(mode);
                    JMSConsumer consumer =
                            context.createConsumer(context.createQueue(work + "?consumer.leaseSeconds=600"))) {
                send(context, work, 3).forEach(id -> expected.add(completed(id, 1)));
                for (int i = 0; i < 3; i++) {
                    assertThat(consumer.receive(PATIENCE)).isNotNull();
                }
                if (mode == JMSContext.SESSION_TRANSACTED) {
                    context.commit();
                }
            }
            assertThat(rows(work)).as("mode " + mode).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    /** What a claim of the session does not find ends its SQL transaction, and not the lease. */
    @Test
    void message_by_lease_has_its_times_though_the_session_looked_elsewhere() throws Exception {
        try (JMSContext context = context(JMSContext.CLIENT_ACKNOWLEDGE);
                JMSConsumer leasing = context.createConsumer(context.createQueue(work + "?consumer.leaseSeconds=600"));
                JMSConsumer locking = context.createConsumer(context.createQueue(other))) {
            List<String> ids = send(context, work, 1);
            Message message = leasing.receive(PATIENCE);
            assertThat(locking.receiveNoWait()).isNull();
            message.acknowledge();

            assertThat(rows(work)).containsExactly(completed(ids.get(0), 1));
        }
    }

    @Test
    void listener_leaves_a_row_for_each_message() throws Exception {
        try (JMSContext context = context(JMSContext.AUTO_ACKNOWLEDGE);
                JMSContext sender = context.createContext(JMSContext.AUTO_ACKNOWLEDGE);
                JMSConsumer consumer = context.createConsumer(context.createQueue(work))) {
            List<Row> expected =
                    send(sender, work, 50).stream().map(id -> completed(id, 1)).toList();
            consumer.setMessageListener(message -> {});
            await().atMost(Duration.ofMillis(PATIENCE))
                    .untilAsserted(() -> assertThat(rows(work)).containsExactlyInAnyOrderElementsOf(expected));
        }
    }

    @Test
    void redelivered_message_has_one_row_with_all_its_deliveries() throws Exception {
        try (JMSContext context = context(JMSContext.SESSION_TRANSACTED);
                JMSConsumer consumer = context.createConsumer(context.createQueue(work))) {
            String id = send(context, work, 1).get(0);
            assertThat(consumer.receive(PATIENCE)).isNotNull();
            context.rollback();
            assertThat(history.of(work)).isEmpty();
            assertThat(consumer.receive(PATIENCE)).isNotNull();
            context.commit();
            assertThat(rows(work)).containsExactly(completed(id, 2));
        }
    }

    @Test
    void dead_letter_has_a_row_without_its_body() throws Exception {
        try (JMSContext context = context(JMSContext.SESSION_TRANSACTED);
                JMSConsumer consumer = context.createConsumer(context.createQueue(work))) {
            String id = send(context, work, 1).get(0);
            for (int i = 0; i < 2; i++) {
                assertThat(consumer.receive(PATIENCE)).isNotNull();
                context.rollback();
            }
            assertThat(rows(work)).containsExactly(new Row(id, "dead letter", desk, 2, true, null));
            assertThat(context.createConsumer(context.createQueue("DLQ")).receiveBody(String.class, PATIENCE))
                    .isEqualTo("m0");
        }
    }

    @Test
    void expired_messages_have_rows_whether_they_are_deleted_or_moved() throws Exception {
        history.keep(moved);
        try (JMSContext context = context(JMSContext.AUTO_ACKNOWLEDGE)) {
            List<String> ids = new ArrayList<>();
            for (String queue : List.of(work, moved)) {
                Message message = context.createTextMessage("old");
                context.createProducer().setTimeToLive(1).send(context.createQueue(queue), message);
                ids.add(message.getJMSMessageID());
            }
            await().atMost(Duration.ofMillis(PATIENCE)).untilAsserted(() -> {
                assertThat(rows(work)).containsExactly(new Row(ids.get(0), "expired", null, 0, null, 0L));
                assertThat(rows(moved)).containsExactly(new Row(ids.get(1), "expired", null, 0, null, null));
            });
            assertThat(context.createConsumer(context.createQueue("late." + moved))
                            .receiveBody(String.class, PATIENCE))
                    .isEqualTo("old");
        }
    }

    @Test
    void connection_without_a_client_id_goes_by_the_name_of_its_jvm() throws Exception {
        try (JMSContext context = factory.createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue(work))) {
            send(context, work, 1);
            assertThat(consumer.receive(PATIENCE)).isNotNull();
            assertThat(history.of(work))
                    .singleElement()
                    .satisfies(row -> assertThat(row.consumer()).isIn(history.instances()));
        }
    }

    @Test
    void transaction_over_queues_with_and_without_history_tells_of_the_first_only() throws Exception {
        try (JMSContext context = context(JMSContext.SESSION_TRANSACTED)) {
            List<String> ids = send(context, work, 5);
            send(context, other, 5);
            JMSConsumer told = context.createConsumer(context.createQueue(work));
            JMSConsumer untold = context.createConsumer(context.createQueue(other));
            for (int i = 0; i < 5; i++) {
                assertThat(told.receive(PATIENCE)).isNotNull();
                assertThat(untold.receive(PATIENCE)).isNotNull();
            }
            context.commit();
            assertThat(rows(work))
                    .containsExactlyInAnyOrderElementsOf(
                            ids.stream().map(id -> completed(id, 1)).toList());
            assertThat(rows(other)).isEmpty();
            assertThat(told.receiveNoWait()).isNull();
            assertThat(untold.receiveNoWait()).isNull();
        }
    }

    @Test
    void large_body_is_kept_whole() throws Exception {
        byte[] large = new byte[300_000];
        try (JMSContext context = context(JMSContext.AUTO_ACKNOWLEDGE);
                JMSConsumer consumer = context.createConsumer(context.createQueue(work))) {
            context.createProducer().send(context.createQueue(work), large);
            assertThat(consumer.receiveBody(byte[].class, PATIENCE)).hasSize(large.length);
        }
        assertThat(history.of(work))
                .singleElement()
                .satisfies(row -> assertThat(row.bodyLength()).isEqualTo(large.length));
    }

    @Test
    void running_client_follows_within_seconds() throws Exception {
        try (JMSContext context = context(JMSContext.AUTO_ACKNOWLEDGE)) {
            Queue queue = context.createQueue(other);
            JMSConsumer consumer = context.createConsumer(queue);
            context.createProducer().send(queue, "before");
            assertThat(consumer.receiveBody(String.class, PATIENCE)).isEqualTo("before");
            assertThat(history.of(other)).isEmpty();

            history.set(other, "history = 1");
            await().atMost(Duration.ofMillis(PATIENCE)).untilAsserted(() -> {
                context.createProducer().send(queue, "after");
                assertThat(consumer.receiveBody(String.class, PATIENCE)).isEqualTo("after");
                assertThat(history.of(other)).isNotEmpty();
            });

            history.set(other, "history = 0");
            await().atMost(Duration.ofMillis(PATIENCE)).untilAsserted(() -> {
                int before = history.of(other).size();
                context.createProducer().send(queue, "after");
                assertThat(consumer.receiveBody(String.class, PATIENCE)).isEqualTo("after");
                assertThat(history.of(other)).hasSize(before);
            });
        }
    }

    @Test
    void running_client_removes_what_is_over_the_limit() throws Exception {
        List<String> ids;
        try (JMSContext context = context(JMSContext.AUTO_ACKNOWLEDGE);
                JMSConsumer consumer = context.createConsumer(context.createQueue(work))) {
            ids = send(context, work, 5);
            IntStream.range(0, 5)
                    .forEach(i -> assertThat(consumer.receive(PATIENCE)).isNotNull());
        }
        history.set(work, "history_rows = 2");
        try (JMSContext context = context(JMSContext.AUTO_ACKNOWLEDGE)) {
            context.start();
            await().atMost(Duration.ofMillis(PATIENCE))
                    .untilAsserted(() -> assertThat(history.of(work).stream().map(Row::messageId))
                            .containsExactlyElementsOf(ids.subList(3, 5)));
        }
    }
}
