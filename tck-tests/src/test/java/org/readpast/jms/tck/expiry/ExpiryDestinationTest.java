package org.readpast.jms.tck.expiry;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;

/** Where expired messages go. In schemas of their own, where nobody else's settings remove them. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExpiryDestinationTest {

    private static final long PATIENCE = 60_000;

    @ParameterizedTest
    @MethodSource("org.readpast.jms.tck.rig.TestDatabase#requested")
    void expired_messages_of_a_pattern_go_to_its_expiry_destination(TestDatabase database) throws Exception {
        String schema = "expiry_" + Long.toString(System.nanoTime(), 36);
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(
                database.readpastUrl("schema=" + schema, "expiry.prices.*.destination=late.*", "idleCloseMillis=0"));
        try (JMSContext context = factory.createContext()) {
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
}
