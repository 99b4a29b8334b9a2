package org.readpast.jms.tck.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.time.Duration;
import java.util.Enumeration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.ChildJvm;
import org.readpast.jms.tck.rig.TestDatabase;

/** A message that kills the JVM of its consumer: its deliveries count, and it ends among the dead letters. */
@Timeout(value = 4, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HaltedConsumerTest {

    private static final int DELIVERIES = 3;
    private static final long PATIENCE = 60_000;

    static Stream<TestDatabase> databases() {
        return TestDatabase.servers();
    }

    /** The lease is much longer than the test, so that it is the end of the JVM that brings the message back. */
    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("databases")
    void message_that_halts_its_consumers_is_counted_and_becomes_a_dead_letter(TestDatabase database) throws Exception {
        String queue = "halt." + UUID.randomUUID();
        String url = database.readpastUrl("redelivery.halt.*.maximumDeliveries=" + DELIVERIES);
        String leased = queue + "?consumer.leaseSeconds=3600";
        try (Connection connection = new ReadpastConnectionFactory(url).createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            for (String text : new String[] {"poison", "harmless"}) {
                session.createProducer(session.createQueue(queue)).send(session.createTextMessage(text));
            }
            for (int delivery = 1; delivery <= DELIVERIES; delivery++) {
                if (delivery > 1) {
                    awaitBoth(session, queue);
                }
                try (ChildJvm consumer = ChildJvm.start(HaltingConsumer.class, ChildJvm.SMALL, url, leased)) {
                    assertThat(consumer.awaitReport("got")).isEqualTo("poison " + delivery);
                    assertThat(consumer.awaitEnd()).isEqualTo(9);
                }
            }
            awaitBoth(session, queue);

            MessageConsumer consumer = session.createConsumer(session.createQueue(leased));
            Message next = consumer.receive(PATIENCE);
            assertThat(((TextMessage) next).getText()).isEqualTo("harmless");
            assertThat(next.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
            Message letter = session.createConsumer(
                            session.createQueue("DLQ"), "JMS_READPAST_OriginalDestination = 'queue://" + queue + "'")
                    .receive(PATIENCE);
            assertThat(((TextMessage) letter).getText()).isEqualTo("poison");
            assertThat(letter.getIntProperty("JMS_READPAST_Deliveries")).isEqualTo(DELIVERIES);
        }
    }

    /** Both messages are in the queue again. */
    private static void awaitBoth(Session session, String queue) throws JMSException {
        try (QueueBrowser browser = session.createBrowser(session.createQueue(queue))) {
            await().atMost(Duration.ofMillis(PATIENCE)).until(() -> seen(browser) == 2);
        }
    }

    private static int seen(QueueBrowser browser) throws JMSException {
        Enumeration<?> messages = browser.getEnumeration();
        int seen = 0;
        while (messages.hasMoreElements()) {
            messages.nextElement();
            seen++;
        }
        return seen;
    }
}
