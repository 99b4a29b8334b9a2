package org.readpast.jms.tck.expiry;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;

/** Where expired messages go. In schemas of their own, where nobody else's settings remove them. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExpiryDestinationTest {

    private static final long PATIENCE = 60_000;

    private static ReadpastConnectionFactory factory(TestDatabase database, String... options) throws JMSException {
        String schema = "expiry_" + Long.toString(System.nanoTime(), 36);
        return new ReadpastConnectionFactory(database.readpastUrl(
                Stream.concat(Stream.of("schema=" + schema, "idleCloseMillis=0"), Stream.of(options))
                        .toArray(String[]::new)));
    }

    @ParameterizedTest
    @MethodSource("org.readpast.jms.tck.rig.TestDatabase#requested")
    void expired_messages_of_a_pattern_go_to_its_expiry_destination(TestDatabase database) throws Exception {
        try (JMSContext context =
                factory(database, "expiry.prices.*.destination=late.*").createContext()) {
            context.createProducer().setTimeToLive(1).send(context.createQueue("prices.tea"), "one pound");
            context.createProducer().setTimeToLive(1).send(context.createQueue("news"), "old");

            JMSConsumer late = context.createConsumer(context.createQueue("late.prices.tea"));
            Message expired = late.receive(PATIENCE);

            assertThat(expired.getBody(String.class)).isEqualTo("one pound");
            assertThat(expired.getJMSExpiration()).isZero();
            assertThat(late.receiveNoWait()).isNull();
            assertThat(context.createConsumer(context.createQueue("news")).receiveNoWait())
                    .isNull();
        }
    }

    @ParameterizedTest
    @MethodSource("org.readpast.jms.tck.rig.TestDatabase#requested")
    void expired_messages_of_a_subscription_with_wildcards_go_by_its_pattern(TestDatabase database) throws Exception {
        try (JMSContext context =
                factory(database, "expiry.prices.*.destination=late").createContext()) {
            context.setClientID("subscriber");
            context.createDurableConsumer(context.createTopic("prices.>"), "all")
                    .close();
            context.createProducer().setTimeToLive(1).send(context.createTopic("prices.tea"), "one pound");

            JMSConsumer late = context.createConsumer(context.createQueue("late"));

            assertThat(late.receiveBody(String.class, PATIENCE)).isEqualTo("one pound");
            context.unsubscribe("all");
        }
    }

    /** A queue for each of them would stay for ever. */
    @ParameterizedTest
    @MethodSource("org.readpast.jms.tck.rig.TestDatabase#requested")
    void temporary_queues_have_one_queue_for_what_expires_and_one_for_what_fails(TestDatabase database)
            throws Exception {
        ReadpastConnectionFactory factory = factory(
                database,
                "expiry.destination=late.*",
                "redelivery.maximumDeliveries=1",
                "redelivery.deadLetterDestination=dead.*");
        try (JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED)) {
            Queue temporary = context.createTemporaryQueue();
            context.createProducer().send(temporary, "failed");
            context.createProducer().setTimeToLive(1).send(temporary, "expired");
            context.commit();
            context.createConsumer(temporary).receive(PATIENCE);
            context.rollback();

            JMSConsumer dead = context.createConsumer(context.createQueue("dead.temporary"));
            assertThat(dead.receiveBody(String.class, PATIENCE)).isEqualTo("failed");
            JMSConsumer late = context.createConsumer(context.createQueue("late.temporary"));
            assertThat(late.receiveBody(String.class, PATIENCE)).isEqualTo("expired");
            context.commit();
        }
    }
}
