package org.readpast.jms.tck.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.TransactionRolledBackRuntimeException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.FaultyDriver;
import org.readpast.jms.tck.rig.FaultyDriver.Fault;
import org.readpast.jms.tck.rig.TestDatabase;

/** The rows of topics and subscriptions are removed, or their ids are others' after a restore, while JVMs remember what they were. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Execution(ExecutionMode.CONCURRENT)
class MovedTopicTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String SCHEMA = "topics_" + Long.toString(System.nanoTime(), 36);

    private final String topic = "moved-" + UUID.randomUUID() + ".topic";
    private final RowTable table;

    /** What kind of subscription, by its consumer. */
    private enum Kind {
        UNSHARED {
            @Override
            JMSConsumer consumer(JMSContext context, String topic) {
                return context.createConsumer(context.createTopic(topic));
            }
        },
        SHARED {
            @Override
            JMSConsumer consumer(JMSContext context, String topic) {
                return context.createSharedConsumer(context.createTopic(topic), "shared." + topic);
            }
        },
        DURABLE {
            @Override
            JMSConsumer consumer(JMSContext context, String topic) {
                return context.createSharedDurableConsumer(context.createTopic(topic), "durable." + topic);
            }
        },
        MATCHING {
            @Override
            JMSConsumer consumer(JMSContext context, String topic) {
                return context.createSharedConsumer(context.createTopic(subscribed(topic)), "all." + topic);
            }

            @Override
            String subscribed(String topic) {
                return topic.replaceAll("\\..*", ".>");
            }
        };

        abstract JMSConsumer consumer(JMSContext context, String topic);

        /** What stands for the topic in the row of its subscription. */
        String subscribed(String topic) {
            return topic;
        }
    }

    MovedTopicTest(TestDatabase database) {
        table = new RowTable(database, SCHEMA);
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.requested();
    }

    /** With other settings it shares nothing with the first, as in another JVM. */
    private ReadpastConnectionFactory factory(int duplicateWindowMillis) throws JMSException {
        return new ReadpastConnectionFactory(table.database()
                .readpastUrl(
                        "schema=" + SCHEMA,
                        // Each looks for itself: who rests while another one looks is what RestingJvmTest is about.
                        "datagrams=false",
                        "duplicateWindowMillis=" + duplicateWindowMillis));
    }

    private void move(Move move, String name) throws Exception {
        move.carryOut(table, "T", name);
    }

    private void publish(JMSContext context, String text, long delay) {
        context.createProducer().setDeliveryDelay(delay).send(context.createTopic(topic), text);
    }

    /** Is refused, unless one of the looks that come every five seconds was in between. */
    private void publishUnnoticed(JMSContext context, long delay) {
        ignoringRefusal(topic, () -> publish(context, "lost", delay));
    }

    private static void ignoringRefusal(String topic, Runnable send) {
        try {
            send.run();
        } catch (InvalidDestinationRuntimeException e) {
            assertThat(e).hasMessageContaining(topic);
        }
    }

    /** Publishes until a consumer hears of it again. */
    private void heardAgain(JMSContext publisher, JMSConsumer consumer, long delay) throws Exception {
        AtomicInteger published = new AtomicInteger();
        try {
            await().atMost(PATIENCE).untilAsserted(() -> {
                publish(publisher, "after", delay);
                published.incrementAndGet();
                assertThat(consumer.receiveBody(String.class, 100)).isEqualTo("after");
            });
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(published + " were published to " + topic + "; " + table.described(), e);
        }
    }

    @ParameterizedTest
    @EnumSource(Move.class)
    void publish_that_nobody_wants_fails_and_the_next_one_makes_the_topic(Move move) throws Exception {
        try (JMSContext here = factory(1_000).createContext();
                JMSContext there = factory(2_000).createContext()) {
            publish(here, "before", 0);
            move(move, topic);
            publishUnnoticed(here, 0);
            JMSConsumer consumer = there.createConsumer(there.createTopic(topic));
            publish(here, "after", 0);
            assertThat(consumer.receiveBody(String.class, PATIENCE.toMillis())).isEqualTo("after");
        }
    }

    @ParameterizedTest
    @EnumSource(Move.class)
    void publish_fails_and_subscribers_follow(Move move) throws Exception {
        follow(move, 0);
    }

    @ParameterizedTest
    @EnumSource(Move.class)
    void delayed_publish_fails_and_subscribers_follow(Move move) throws Exception {
        follow(move, 1);
    }

    private void follow(Move move, long delay) throws Exception {
        try (JMSContext here = factory(1_000).createContext();
                JMSContext there = factory(2_000).createContext();
                JMSContext third = factory(3_000).createContext()) {
            JMSConsumer unshared = Kind.UNSHARED.consumer(there, topic);
            JMSConsumer durable = Kind.DURABLE.consumer(third, topic);
            publish(here, "before", delay);
            assertThat(unshared.receiveBody(String.class, PATIENCE.toMillis())).isEqualTo("before");
            publish(here, "kept", delay);
            assertThat(unshared.receiveBody(String.class, PATIENCE.toMillis())).isEqualTo("kept");
            move(move, topic);
            publishUnnoticed(here, delay);
            heardAgain(here, unshared, delay);
            assertThat(durable.receiveBody(String.class, PATIENCE.toMillis())).isEqualTo("before");
            await().atMost(PATIENCE).until(() -> "kept".equals(durable.receiveBody(String.class, 100)));
            heardAgain(here, durable, delay);
        }
    }

    @ParameterizedTest
    @EnumSource(Move.class)
    void subscriber_in_the_jvm_whose_publish_fails_follows(Move move) throws Exception {
        try (JMSContext context = factory(1_000).createContext();
                JMSContext other = factory(1_000).createContext()) {
            JMSConsumer unshared = Kind.UNSHARED.consumer(context, topic);
            JMSConsumer matching = Kind.MATCHING.consumer(other, topic);
            publish(context, "before", 0);
            assertThat(unshared.receiveBody(String.class, PATIENCE.toMillis())).isEqualTo("before");
            assertThat(matching.receiveBody(String.class, PATIENCE.toMillis())).isEqualTo("before");
            move(move, topic);
            publishUnnoticed(context, 0);
            heardAgain(context, unshared, 0);
            heardAgain(context, matching, 0);
        }
    }

    /** A send that fails has all names forgotten. Its topic was found where it was once more after that, and not again by its name. */
    @ParameterizedTest
    @EnumSource(Move.class)
    void subscriber_follows_long_after_a_send_elsewhere_has_failed(Move move) throws Exception {
        String elsewhere = "elsewhere-" + topic;
        try (JMSContext here = factory(1_000).createContext();
                JMSContext there = factory(2_000).createContext()) {
            JMSConsumer consumer = here.createConsumer(here.createTopic(topic));
            JMSConsumer beside = here.createConsumer(here.createTopic(elsewhere));
            for (int i = 0; i < 2; i++) {
                move(Move.REMOVED, elsewhere);
                ignoringRefusal(elsewhere, () -> here.createProducer().send(here.createTopic(elsewhere), "lost"));
                heardFrom(there, elsewhere, beside);
            }
            move(move, topic);
            heardFrom(there, topic, consumer);
        }
    }

    private static void heardFrom(JMSContext publisher, String topic, JMSConsumer consumer) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            ignoringRefusal(topic, () -> publisher.createProducer().send(publisher.createTopic(topic), "after"));
            assertThat(consumer.receiveBody(String.class, 100)).isNotNull();
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 120})
    void commit_fails_as_a_whole_and_the_next_one_makes_the_topic(int messages) throws Exception {
        try (JMSContext here = factory(1_000).createContext(JMSContext.SESSION_TRANSACTED);
                JMSContext there = factory(2_000).createContext()) {
            JMSConsumer consumer = there.createConsumer(there.createTopic(topic));
            publish(here, "before", 0);
            here.commit();
            assertThat(consumer.receiveBody(String.class, PATIENCE.toMillis())).isEqualTo("before");
            for (int i = 0; i < messages; i++) {
                publish(here, "lost " + i, 0);
            }
            here.createProducer().send(here.createQueue("other." + topic), "lost");
            move(Move.REMOVED, topic);
            assertThatThrownBy(here::commit)
                    .isInstanceOf(TransactionRolledBackRuntimeException.class)
                    .hasMessageContaining(topic);
            await().atMost(PATIENCE).untilAsserted(() -> {
                publish(here, "after", 0);
                here.commit();
                assertThat(consumer.receiveBody(String.class, 100)).isEqualTo("after");
            });
            assertThat(there.createConsumer(there.createQueue("other." + topic)).receiveNoWait())
                    .isNull();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void subscriber_whose_subscription_was_removed_subscribes_again(Kind kind) throws Exception {
        try (JMSContext here = factory(1_000).createContext();
                JMSContext there = factory(2_000).createContext()) {
            JMSConsumer consumer = kind.consumer(there, topic);
            publish(here, "before", 0);
            assertThat(consumer.receiveBody(String.class, PATIENCE.toMillis())).isEqualTo("before");
            removeLastSubscription(kind.subscribed(topic));
            heardAgain(here, consumer, 0);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1})
    void nothing_is_stored_for_a_subscription_that_was_removed(long delay) throws Exception {
        try (JMSContext here = factory(1_000).createContext();
                JMSContext there = factory(2_000).createContext()) {
            JMSConsumer other = Kind.SHARED.consumer(there, topic);
            Kind.DURABLE.consumer(there, topic).close();
            publish(here, "before", delay);
            assertThat(other.receiveBody(String.class, PATIENCE.toMillis())).isEqualTo("before");
            // Each of the two copies may be moved by another one.
            await().atMost(PATIENCE)
                    .until(() -> table.text(
                                    "SELECT COUNT(*) FROM " + SCHEMA + ".delayed_message WHERE jms_destination = ?",
                                    "topic://" + topic)
                            .equals("0"));
            int removed = removeLastSubscription(topic);
            assertThat(table.run(
                            "DELETE FROM " + SCHEMA + ".message WHERE destination_id = " + removed + " AND 'x' = ?",
                            "x"))
                    .isEqualTo(1);
            publish(here, "after", delay);
            assertThat(other.receiveBody(String.class, PATIENCE.toMillis())).isEqualTo("after");
            for (String messages : new String[] {"message", "delayed_message"}) {
                assertThat(table.text(
                                "SELECT COUNT(*) FROM " + SCHEMA + "." + messages + " WHERE destination_id = " + removed
                                        + " AND 'x' = ?",
                                "x"))
                        .isEqualTo("0");
            }
        }
    }

    /** A failover, or a restore, has lost the last change of a topic's subscriptions, and the next one gets the version of that again. */
    @Test
    void publish_after_a_failover_reaches_subscriptions_of_a_version_that_was_another_one_before() throws Exception {
        try (FaultyDriver driver = FaultyDriver.of(table.database().jdbcUrl());
                JMSContext publisher = new ReadpastConnectionFactory(
                                TestDatabase.readpastUrlOf(driver.url(), "schema=" + SCHEMA, "datagrams=false"))
                        .createContext();
                JMSContext there = factory(1_000).createContext()) {
            JMSConsumer other = there.createConsumer(there.createTopic(topic));
            JMSConsumer lost = there.createConsumer(there.createTopic(topic));
            publish(publisher, "before", 0);
            assertThat(other.receiveBody(String.class, PATIENCE.toMillis())).isEqualTo("before");
            assertThat(lost.receiveBody(String.class, PATIENCE.toMillis())).isEqualTo("before");
            String version =
                    table.text("SELECT version FROM " + SCHEMA + ".destination WHERE kind = 'T' AND name = ?", topic);
            lost.close();
            JMSConsumer next = there.createConsumer(there.createTopic(topic));
            table.run(
                    "UPDATE " + SCHEMA + ".destination SET version = " + version + " WHERE kind = 'T' AND name = ?",
                    topic);

            driver.failNext("insert into", Fault.CUT_BEFORE);
            assertThatThrownBy(() -> publish(publisher, "undone", 0)).isInstanceOf(JMSRuntimeException.class);
            assertThat(driver.stop()).isTrue();
            publish(publisher, "after", 0);
            assertThat(other.receiveBody(String.class, PATIENCE.toMillis())).isEqualTo("after");
            assertThat(next.receiveBody(String.class, PATIENCE.toMillis())).isEqualTo("after");
        }
    }

    private int removeLastSubscription(String subscribed) throws Exception {
        int id = Integer.parseInt(table.text(
                "SELECT MAX(s.destination_id) FROM " + SCHEMA + ".subscription s LEFT JOIN " + SCHEMA
                        + ".destination t ON t.destination_id = s.topic_id WHERE COALESCE(s.pattern, t.name) = ?",
                subscribed));
        for (String of : new String[] {"subscription", "subscription_consumer", "destination"}) {
            table.run("DELETE FROM " + SCHEMA + "." + of + " WHERE destination_id = " + id + " AND 'x' = ?", "x");
        }
        return id;
    }
}
