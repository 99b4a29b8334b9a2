package org.readpast.jms.tck.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TransactionRolledBackRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;

/** A queue's row is removed, or its id is another's after a restore, while a JVM remembers what it was. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Execution(ExecutionMode.CONCURRENT)
class MovedDestinationTest {

    private static final long PATIENCE = 60_000;
    private static final String SCHEMA = "moved_" + Long.toString(System.nanoTime(), 36);

    private final String queue = "moved." + UUID.randomUUID();
    private final RowTable table;

    MovedDestinationTest(TestDatabase database) {
        table = new RowTable(database, SCHEMA);
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.requested();
    }

    /** With other settings it shares nothing with the first, as in another JVM. */
    private ReadpastConnectionFactory factory(int duplicateWindowMillis) throws JMSException {
        return factory(duplicateWindowMillis, 0);
    }

    private ReadpastConnectionFactory factory(int duplicateWindowMillis, int leaseSeconds) throws JMSException {
        return new ReadpastConnectionFactory(table.database()
                .readpastUrl(
                        "schema=" + SCHEMA,
                        // Each looks for itself: who rests while another one looks is what RestingJvmTest is about.
                        "datagrams=false",
                        "redelivery.maximumDeliveries=1",
                        "redelivery.deadLetterDestination=dead." + queue,
                        "consumer.leaseSeconds=" + leaseSeconds,
                        "duplicateWindowMillis=" + duplicateWindowMillis));
    }

    private void move(Move move, String name) throws Exception {
        move.carryOut(table, "Q", name);
    }

    private static void send(JMSContext context, String to, String text, long delay) {
        context.createProducer().setDeliveryDelay(delay).send(context.createQueue(to), text);
    }

    private static String receive(JMSContext context, String from) {
        try (JMSConsumer consumer = context.createConsumer(context.createQueue(from))) {
            return consumer.receiveBody(String.class, PATIENCE);
        }
    }

    @ParameterizedTest
    @EnumSource(Move.class)
    void send_fails_and_the_next_one_reaches_the_queue_that_others_use(Move move) throws Exception {
        send(move, 0);
    }

    @ParameterizedTest
    @EnumSource(Move.class)
    void delayed_send_fails_and_the_next_one_reaches_the_queue_that_others_use(Move move) throws Exception {
        send(move, 1);
    }

    private void send(Move move, long delay) throws Exception {
        try (JMSContext here = factory(1_000).createContext();
                JMSContext there = factory(2_000).createContext()) {
            send(here, queue, "before", delay);
            assertThat(receive(here, queue)).isEqualTo("before");
            move(move, queue);
            send(there, queue, "first", delay);
            if (isRefused(here, delay)) {
                send(here, queue, "second", delay);
            }
            assertThat(List.of(receive(there, queue), receive(there, queue)))
                    .containsExactlyInAnyOrder("first", "second");
            assertThat(there.createConsumer(there.createQueue("another." + queue))
                            .receiveNoWait())
                    .isNull();
        }
    }

    /** Is refused, unless one of the looks that come every five seconds was in between. */
    private void sendUnnoticed(JMSContext context) {
        try {
            send(context, queue, "lost", 0);
        } catch (JMSRuntimeException e) {
            assertThat(e).hasMessageContaining(queue);
        }
    }

    /** Unless one of the looks that come every five seconds was in between. */
    private boolean isRefused(JMSContext context, long delay) {
        try {
            send(context, queue, "second", delay);
            return false;
        } catch (InvalidDestinationRuntimeException e) {
            assertThat(e).hasMessageContaining(queue);
            return true;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 120})
    void commit_fails_as_a_whole_and_the_next_one_reaches_the_queue(int messages) throws Exception {
        try (JMSContext here = factory(1_000).createContext(JMSContext.SESSION_TRANSACTED)) {
            send(here, queue, "before", 0);
            here.commit();
            assertThat(receive(here, queue)).isEqualTo("before");
            here.commit();
            for (int i = 0; i < messages; i++) {
                send(here, queue, "lost " + i, 0);
            }
            send(here, "other." + queue, "lost", 0);
            move(Move.REMOVED, queue);
            assertThatThrownBy(here::commit)
                    .isInstanceOf(TransactionRolledBackRuntimeException.class)
                    .hasMessageContaining(queue);
            send(here, queue, "after", 0);
            here.commit();
            assertThat(receive(here, queue)).isEqualTo("after");
            assertThat(here.createConsumer(here.createQueue("other." + queue)).receiveNoWait())
                    .isNull();
            here.commit();
        }
    }

    @ParameterizedTest
    @EnumSource(Move.class)
    void consumers_go_on_with_the_queue_that_others_use(Move move) throws Exception {
        List<String> heard = new CopyOnWriteArrayList<>();
        try (JMSContext here = factory(1_000).createContext();
                JMSContext waiting = factory(1_000).createContext();
                JMSContext there = factory(2_000).createContext()) {
            here.createConsumer(here.createQueue(queue)).setMessageListener(message -> heard.add(body(message)));
            send(there, queue, "before", 0);
            await().atMost(Duration.ofMillis(PATIENCE)).until(() -> heard.contains("before"));
            move(move, queue);
            JMSConsumer consumer = waiting.createConsumer(waiting.createQueue(queue));
            sendUnnoticed(there);
            for (int i = 0; i < 10; i++) {
                send(there, queue, "after", 0);
                String received = consumer.receiveBody(String.class, 1);
                if (received != null) {
                    heard.add(received);
                }
            }
            await().atMost(Duration.ofMillis(PATIENCE)).untilAsserted(() -> {
                String received = consumer.receiveBody(String.class, 1);
                if (received != null) {
                    heard.add(received);
                }
                assertThat(heard.stream().filter("after"::equals)).hasSize(10);
            });
        }
    }

    @ParameterizedTest
    @EnumSource(Move.class)
    void temporary_queue_is_made_again(Move move) throws Exception {
        try (JMSContext here = factory(1_000).createContext();
                JMSContext there = factory(2_000).createContext()) {
            TemporaryQueue replies = here.createTemporaryQueue();
            temporary(here, there, replies, () -> move.carryOut(table, "TQ", replies.getQueueName()));
        }
    }

    @ParameterizedTest
    @EnumSource(Move.class)
    void temporary_topic_is_made_again(Move move) throws Exception {
        try (JMSContext here = factory(1_000).createContext();
                JMSContext there = factory(2_000).createContext()) {
            TemporaryTopic replies = here.createTemporaryTopic();
            temporary(here, there, replies, () -> move.carryOut(table, "TT", replies.getTopicName()));
        }
    }

    private interface Moving {
        void carryOut() throws Exception;
    }

    private static void temporary(JMSContext here, JMSContext there, Destination replies, Moving move)
            throws Exception {
        JMSConsumer consumer = here.createConsumer(replies);
        there.createProducer().send(replies, "before");
        assertThat(consumer.receiveBody(String.class, PATIENCE)).isEqualTo("before");
        move.carryOut();
        await().atMost(Duration.ofMillis(PATIENCE))
                .ignoreExceptionsInstanceOf(InvalidDestinationRuntimeException.class)
                .untilAsserted(() -> {
                    there.createProducer().send(replies, "after");
                    assertThat(consumer.receiveBody(String.class, 1)).isEqualTo("after");
                });
    }

    @ParameterizedTest
    @EnumSource(Move.class)
    void dead_letters_go_to_a_queue_that_is_made_again(Move move) throws Exception {
        deadLetters(move, 0);
    }

    @ParameterizedTest
    @EnumSource(Move.class)
    void dead_letters_by_lease_go_to_a_queue_that_is_made_again(Move move) throws Exception {
        deadLetters(move, 3_600);
    }

    private void deadLetters(Move move, int leaseSeconds) throws Exception {
        try (JMSContext here = factory(1_000, leaseSeconds).createContext(JMSContext.SESSION_TRANSACTED)) {
            die(here, "first", 2_001);
            move(move, "dead." + queue);
            die(here, "second", 2_002);
            here.commit();
        }
    }

    /** Others look up anew where it goes. */
    private void die(JMSContext context, String text, int other) throws Exception {
        send(context, queue, text, 0);
        context.commit();
        assertThat(receive(context, queue)).isEqualTo(text);
        context.rollback();
        try (JMSConsumer consumer = context.createConsumer(context.createQueue(queue))) {
            await().atMost(Duration.ofMillis(PATIENCE)).untilAsserted(() -> {
                Message again = consumer.receive(1);
                context.rollback();
                assertThat(again).isNull();
            });
        }
        try (JMSContext there = factory(other).createContext()) {
            String dead = receive(there, "dead." + queue);
            assertThat(dead)
                    .as("the dead letter of %s; %s", queue, dead == null ? table.described() : "")
                    .isEqualTo(text);
        }
    }

    private static String body(Message message) {
        try {
            return message.getBody(String.class);
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }
}
