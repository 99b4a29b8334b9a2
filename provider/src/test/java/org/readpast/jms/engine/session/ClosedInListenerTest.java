package org.readpast.jms.engine.session;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.MemoryFactories;

/** Consumers that want one message, and close themselves with it. */
@Timeout(90)
class ClosedInListenerTest {

    private static final int MANY = 200;

    /** What is kept for each destination that somebody consumes from. */
    private static final Pattern LINES =
            Pattern.compile("\\s(\\d+)\\s+\\d+\\s+org\\.readpast\\.jms\\.engine\\.arrival\\.Arrivals\\$Line\\s");

    private final MemoryFactories factories = new MemoryFactories();

    /** How many there are in this JVM, which other tests may use too. */
    private static int lines() throws JMException {
        String histogram = (String) ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
        Matcher line = LINES.matcher(histogram);
        return line.find() ? Integer.parseInt(line.group(1)) : 0;
    }

    @Test
    void leave_nothing_behind() throws Exception {
        try (Connection connection = factories.factory("idleCloseMillis=0").createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                Session sending = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            Topic topic = session.createTopic("news");
            int before = lines();
            for (int i = 0; i < MANY; i++) {
                CountDownLatch closed = new CountDownLatch(1);
                MessageConsumer consumer = session.createConsumer(topic);
                consumer.setMessageListener(message -> {
                    try {
                        consumer.close();
                    } catch (JMSException e) {
                        throw new IllegalStateException(e);
                    }
                    closed.countDown();
                });
                sending.createProducer(topic).send(sending.createMessage());
                assertThat(closed.await(60, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(lines() - before).isLessThan(MANY / 2);
        }
    }
}
