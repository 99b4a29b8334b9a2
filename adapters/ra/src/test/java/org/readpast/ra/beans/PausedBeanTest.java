package org.readpast.ra.beans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.management.JMX;
import javax.management.ObjectName;
import org.apache.openejb.testing.Configuration;
import org.apache.openejb.testing.Module;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.ra.Embedded;

/** Message-driven beans that are paused after failures or by hand, and what JMX shows of them. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PausedBeanTest {

    private static final String DATABASE = "paused";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** What the beans have seen: the text of the message, and its count. */
    private static final Queue<String> SEEN = new ConcurrentLinkedQueue<>();

    private static volatile boolean broken;

    private Embedded server;
    private ReadpastConnectionFactory outside;

    /** Throws as long as it is broken, and at the first two deliveries of some messages. */
    abstract static class Bean {

        static void take(Message message) {
            boolean fails = broken;
            try {
                String text = message.getBody(String.class);
                int count = message.getIntProperty("JMSXDeliveryCount");
                SEEN.add(text + " " + count);
                fails |= text.startsWith("twice") && count <= 2;
            } catch (JMSException e) {
                throw new IllegalStateException(e);
            }
            if (fails) {
                throw new IllegalArgumentException("the mail server is away");
            }
        }
    }

    @MessageDriven(
            activationConfig = {
                @ActivationConfigProperty(propertyName = "destinationType", propertyValue = "jakarta.jms.Queue"),
                @ActivationConfigProperty(propertyName = "destination", propertyValue = "mail"),
                @ActivationConfigProperty(propertyName = "maxSession", propertyValue = "1"),
                @ActivationConfigProperty(propertyName = "maxSequentialDeliveryFailures", propertyValue = "2")
            })
    public static class Mail extends Bean implements MessageListener {

        @Override
        public void onMessage(Message message) {
            take(message);
        }
    }

    @MessageDriven(
            activationConfig = {
                @ActivationConfigProperty(propertyName = "destinationType", propertyValue = "jakarta.jms.Queue"),
                @ActivationConfigProperty(propertyName = "destination", propertyValue = "plain"),
                @ActivationConfigProperty(propertyName = "maxSession", propertyValue = "4"),
                @ActivationConfigProperty(propertyName = "maxSequentialDeliveryFailures", propertyValue = "0")
            })
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public static class Plain extends Bean implements MessageListener {

        @Override
        public void onMessage(Message message) {
            take(message);
        }
    }

    /** A reason that is told only when the next delivery has come, or does not come. */
    private static final class SlowlyTold extends IllegalStateException {

        private static final long serialVersionUID = 1L;

        private final int seen = SEEN.size();

        @Override
        public String getMessage() {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300);
            while (SEEN.size() == seen && System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            return "the mail server is away";
        }
    }

    @MessageDriven(
            activationConfig = {
                @ActivationConfigProperty(propertyName = "destinationType", propertyValue = "jakarta.jms.Queue"),
                @ActivationConfigProperty(propertyName = "destination", propertyValue = "mails"),
                @ActivationConfigProperty(propertyName = "maxSession", propertyValue = "4"),
                @ActivationConfigProperty(propertyName = "maxSequentialDeliveryFailures", propertyValue = "3")
            })
    public static class Mails implements MessageListener {

        @Override
        public void onMessage(Message message) {
            SEEN.add("mails");
            throw new SlowlyTold();
        }
    }

    @MessageDriven(
            activationConfig = {
                @ActivationConfigProperty(propertyName = "destinationType", propertyValue = "jakarta.jms.Queue"),
                @ActivationConfigProperty(propertyName = "destination", propertyValue = "plains"),
                @ActivationConfigProperty(propertyName = "maxSession", propertyValue = "4"),
                @ActivationConfigProperty(propertyName = "maxSequentialDeliveryFailures", propertyValue = "3")
            })
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public static class Plains implements MessageListener {

        @Override
        public void onMessage(Message message) {
            SEEN.add("plains");
            throw new SlowlyTold();
        }
    }

    /** The application. */
    public static class Post {

        @Configuration
        public Properties configuration() {
            return Embedded.configuration(DATABASE, "mail", "plain", "mails", "plains");
        }

        @Module
        public Class<?>[] beans() {
            return new Class<?>[] {Mail.class, Plain.class, Mails.class, Plains.class};
        }
    }

    @BeforeEach
    void start() throws Exception {
        SEEN.clear();
        broken = false;
        server = Embedded.start(DATABASE, new Post());
        outside = server.outside("");
    }

    @AfterEach
    void stop() throws Exception {
        outside.close();
        server.close();
        assertThat(names("*")).isEmpty();
        server.sql("DROP ALL OBJECTS");
    }

    private void send(String queue, String text) {
        try (JMSContext context = outside.createContext()) {
            context.createProducer().send(context.createQueue(queue), text);
        }
    }

    @Test
    void bean_that_is_resumed_at_once_stays_so() throws Exception {
        MessageDrivenBeanMXBean plain = shown("Plain");
        for (int round = 1; round <= 20; round++) {
            broken = true;
            send("plain", "letter");
            await().atMost(PATIENCE).until(plain::isPaused);
            broken = false;
            plain.resume();
            int delivered = round;
            await().atMost(PATIENCE).until(() -> plain.getSucceeded() == delivered);
        }
    }

    @Test
    void paused_bean_only_waits() throws Exception {
        broken = true;
        send("plain", "letter");
        await().atMost(PATIENCE).until(shown("Plain")::isPaused);
        await().atMost(PATIENCE)
                .during(Duration.ofSeconds(1))
                .pollInterval(Duration.ofMillis(20))
                .until(PausedBeanTest::allWorkersWait);
    }

    private static boolean allWorkersWait() {
        return Thread.getAllStackTraces().values().stream()
                .filter(stack -> isWithin(stack, Worker.class.getName(), "attempt"))
                .allMatch(stack -> isWithin(stack, "org.readpast.jms.engine.session.EngineConsumer", "awaitMessage"));
    }

    private static boolean isWithin(StackTraceElement[] stack, String type, String method) {
        return Stream.of(stack)
                .anyMatch(frame -> frame.getClassName().equals(type)
                        && frame.getMethodName().equals(method));
    }

    /** Another thread of the bean's waits for the message that comes back. */
    @ParameterizedTest
    @CsvSource({"mails, Mails", "plains, Plains"})
    void no_delivery_begins_after_the_failure_that_was_one_too_many(String queue, String bean) throws Exception {
        send(queue, "letter");
        await().atMost(PATIENCE).until(() -> shown(bean).isPaused());
        assertThat(SEEN).hasSize(4);
        assertThat(shown(bean).getFailed()).isEqualTo(4);
    }

    private static Set<ObjectName> names(String bean) throws Exception {
        ObjectName pattern = new ObjectName("org.readpast.ra:type=MessageDrivenBean,bean=" + bean + ",*");
        return ManagementFactory.getPlatformMBeanServer().queryNames(pattern, null);
    }

    /** What a console shows of a bean. */
    private static MessageDrivenBeanMXBean shown(String bean) throws Exception {
        ObjectName name = names(ObjectName.quote(bean)).iterator().next();
        return JMX.newMXBeanProxy(ManagementFactory.getPlatformMBeanServer(), name, MessageDrivenBeanMXBean.class);
    }

    @Test
    void bean_is_paused_after_too_many_failures_in_a_row_and_goes_on_when_it_is_resumed() throws Exception {
        broken = true;
        send("mail", "letter");
        MessageDrivenBeanMXBean mail = shown("Mail");
        await().atMost(PATIENCE).until(mail::isPaused);
        assertThat(SEEN).containsExactly("letter 1", "letter 2", "letter 3");
        assertThat(mail.getFailed()).isEqualTo(3);
        assertThat(mail.getFailedInARow()).isEqualTo(3);
        assertThat(mail.getLastFailureReason()).contains("the mail server is away");
        assertThat(mail.getLastFailure()).isNotNull();
        assertThat(mail.getLastSuccess()).isNull();
        assertThat(mail.getDestination()).isEqualTo("queue://mail");

        broken = false;
        mail.resume();
        await().atMost(PATIENCE).until(() -> mail.getSucceeded() == 1);
        assertThat(SEEN).containsExactly("letter 1", "letter 2", "letter 3", "letter 4");
        assertThat(mail.isPaused()).isFalse();
        assertThat(mail.getFailedInARow()).isZero();
        assertThat(mail.getLastSuccess()).isNotNull();
        assertThat(mail.getOutage()).isNull();
    }

    @Test
    void failures_are_in_a_row_only_without_a_success_between() throws Exception {
        MessageDrivenBeanMXBean mail = shown("Mail");
        for (String letter : List.of("twice a", "twice b", "twice c")) {
            send("mail", letter);
        }
        await().atMost(PATIENCE).until(() -> mail.getSucceeded() == 3);
        assertThat(mail.getFailed()).isEqualTo(6);
        assertThat(mail.isPaused()).isFalse();
    }

    @Test
    void bean_without_a_transaction_is_paused_too() throws Exception {
        broken = true;
        send("plain", "letter");
        MessageDrivenBeanMXBean plain = shown("Plain");
        await().atMost(PATIENCE).until(plain::isPaused);
        assertThat(SEEN).containsExactly("letter 1");
        broken = false;
        plain.resume();
        await().atMost(PATIENCE).until(() -> plain.getSucceeded() == 1);
        assertThat(SEEN).containsExactly("letter 1", "letter 2");
    }

    @Test
    void bean_is_paused_by_hand_and_its_messages_wait() throws Exception {
        send("mail", "before");
        MessageDrivenBeanMXBean mail = shown("Mail");
        await().atMost(PATIENCE).until(() -> mail.getSucceeded() == 1);
        mail.pause();
        mail.pause();
        send("mail", "meanwhile");
        send("plain", "other");
        // The other bean is not paused.
        await().atMost(PATIENCE).until(() -> SEEN.contains("other 1"));
        assertThat(SEEN).containsExactly("before 1", "other 1");
        assertThat(mail.getDelivering()).isZero();
        mail.resume();
        mail.resume();
        await().atMost(PATIENCE).until(() -> SEEN.contains("meanwhile 1"));
    }
}
