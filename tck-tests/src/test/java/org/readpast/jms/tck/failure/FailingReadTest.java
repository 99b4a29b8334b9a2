package org.readpast.jms.tck.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import jakarta.jms.ObjectMessage;
import jakarta.jms.TextMessage;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.FaultyDriver;
import org.readpast.jms.tck.rig.TestDatabase;

/** A receive fails while it reads its message, in a way that says nothing of the message or the database for good. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FailingReadTest {

    private static final long PATIENCE = 60_000;

    /** More than comes with a claim. */
    private static final String LONG = "x".repeat(400_000);

    private final String queue = "failing." + UUID.randomUUID();

    static Stream<TestDatabase> databases() {
        return TestDatabase.requested();
    }

    /** Its class has an assertion that does not hold here. */
    private static final class Asserting implements Serializable {
        private static final long serialVersionUID = 1;

        private void readObject(ObjectInputStream input) {
            throw new AssertionError("as it is read");
        }
    }

    private ReadpastConnectionFactory factory(TestDatabase database) {
        return new ReadpastConnectionFactory(
                database.readpastUrl("redelivery.maximumDeliveries=2", "trustedPackages=*"));
    }

    private void send(JMSContext context) {
        ObjectMessage asserting = context.createObjectMessage(new Asserting());
        context.createProducer().send(context.createQueue(queue), asserting);
        context.createProducer().send(context.createQueue(queue), "behind it");
    }

    @ParameterizedTest
    @MethodSource("databases")
    void message_that_is_an_error_to_read_becomes_a_dead_letter(TestDatabase database) throws Exception {
        try (JMSContext context = factory(database).createContext(JMSContext.SESSION_TRANSACTED)) {
            send(context);
            context.commit();
            JMSConsumer consumer = context.createConsumer(context.createQueue(queue));
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> consumer.receiveBody(Asserting.class, PATIENCE))
                        .hasMessageContaining("as it is read");
                context.rollback();
            }
            assertThat(consumer.receiveBody(String.class, PATIENCE)).isEqualTo("behind it");
            context.commit();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void message_that_is_an_error_to_read_is_for_others_at_once(TestDatabase database) throws Exception {
        try (JMSContext context = factory(database).createContext(JMSContext.AUTO_ACKNOWLEDGE);
                JMSContext other = context.createContext(JMSContext.AUTO_ACKNOWLEDGE)) {
            send(context);
            JMSConsumer consumer = context.createConsumer(context.createQueue(queue));
            assertThatThrownBy(() -> consumer.receiveBody(Asserting.class, PATIENCE))
                    .hasMessageContaining("as it is read");
            Message again = other.createConsumer(other.createQueue(queue)).receive(PATIENCE);
            assertThat(again).isInstanceOf(ObjectMessage.class);
            assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        }
    }

    /** Its body did not come with the claim. */
    @ParameterizedTest
    @MethodSource("databases")
    void leased_message_whose_body_could_not_be_read_is_the_next_one(TestDatabase database) throws Exception {
        try (FaultyDriver driver = FaultyDriver.of(database.jdbcUrl())) {
            ReadpastConnectionFactory factory =
                    new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(driver.url(), "idleCloseMillis=0"));
            try (JMSContext context = factory.createContext(JMSContext.CLIENT_ACKNOWLEDGE)) {
                JMSConsumer consumer =
                        context.createConsumer(context.createQueue(queue + "?consumer.leaseSeconds=3600"));
                for (String text : new String[] {"1", "2"}) {
                    context.createProducer().send(context.createQueue(queue), text);
                }
                consumer.receiveBody(String.class, PATIENCE);
                consumer.receive(PATIENCE).acknowledge();
                // As many as were acknowledged are likely to follow, and are claimed at once.
                for (String text : new String[] {"3", "4"}) {
                    context.createProducer().send(context.createQueue(queue), text + LONG);
                }
                driver.failNext("substring(m.body", FaultyDriver.Fault.CUT_BEFORE);
                assertThatThrownBy(() -> consumer.receive(PATIENCE)).hasMessageContaining(queue);
                for (String text : new String[] {"3", "4"}) {
                    assertThat(((TextMessage) consumer.receive(PATIENCE)).getText())
                            .startsWith(text);
                }
                context.acknowledge();
            }
        }
    }
}
