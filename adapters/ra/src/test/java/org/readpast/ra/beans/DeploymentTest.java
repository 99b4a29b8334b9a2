package org.readpast.ra.beans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.annotation.Resource;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.ejb.MessageDrivenContext;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.time.Duration;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.openejb.testing.Configuration;
import org.apache.openejb.testing.Module;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.ra.Embedded;
import org.readpast.ra.Logged;

/** Message-driven beans are deployed before their database is there, and undeployed in the middle of a message. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DeploymentTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Queue<String> SEEN = new ConcurrentLinkedQueue<>();

    /** Holds a bean in the middle of its message. */
    private static volatile CountDownLatch held;

    private static volatile CountDownLatch goOn;
    private static volatile boolean rollsBack;

    static class Held {

        public void onMessage(Message message) {
            try {
                SEEN.add(message.getBody(String.class) + " " + message.getIntProperty("JMSXDeliveryCount"));
                held.countDown();
                goOn.await();
            } catch (JMSException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @MessageDriven(
            activationConfig = {
                @ActivationConfigProperty(propertyName = "destinationType", propertyValue = "jakarta.jms.Topic"),
                @ActivationConfigProperty(propertyName = "destination", propertyValue = "news"),
                @ActivationConfigProperty(propertyName = "subscriptionDurability", propertyValue = "Durable"),
                @ActivationConfigProperty(propertyName = "subscriptionName", propertyValue = "readers"),
                @ActivationConfigProperty(propertyName = "clientId", propertyValue = "shop")
            })
    public static class Reader extends Held implements MessageListener {

        @Resource
        private MessageDrivenContext context;

        @Override
        public void onMessage(Message message) {
            super.onMessage(message);
            if (rollsBack) {
                context.setRollbackOnly();
            }
        }
    }

    /** Has no transaction to roll back, and throws instead. */
    @MessageDriven(
            activationConfig = {
                @ActivationConfigProperty(propertyName = "destinationType", propertyValue = "jakarta.jms.Topic"),
                @ActivationConfigProperty(propertyName = "destination", propertyValue = "news"),
                @ActivationConfigProperty(propertyName = "subscriptionDurability", propertyValue = "Durable"),
                @ActivationConfigProperty(propertyName = "subscriptionName", propertyValue = "readers"),
                @ActivationConfigProperty(propertyName = "clientId", propertyValue = "shop")
            })
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public static class Untransacted extends Held implements MessageListener {

        @Override
        public void onMessage(Message message) {
            super.onMessage(message);
            if (rollsBack) {
                throw new IllegalStateException("not now");
            }
        }
    }

    /** The application. */
    public static class Shop {

        private final Class<?> bean;
        private final String database;
        private final String options;

        public Shop() {
            this(Reader.class, "none", "");
        }

        Shop(Class<?> bean, String database, String options) {
            this.bean = bean;
            this.database = database;
            this.options = options;
        }

        @Configuration
        public Properties configuration() {
            Properties all = Embedded.configuration(database);
            all.put(
                    "news",
                    "new://Resource?type=jakarta.jms.Topic&class-name=org.readpast.jms.destination.ReadpastTopic");
            all.put("news.PhysicalName", "news");
            all.put("readpast.Url", Embedded.ownUrl(options));
            return all;
        }

        @Module
        public Class<?>[] beans() {
            return new Class<?>[] {bean};
        }
    }

    @BeforeEach
    void letPass() {
        SEEN.clear();
        held = new CountDownLatch(1);
        goOn = new CountDownLatch(0);
        rollsBack = false;
    }

    private static void publish(ReadpastConnectionFactory factory, String text) {
        try (JMSContext context = factory.createContext()) {
            context.createProducer().send(context.createTopic("news"), text);
        }
    }

    /** Undeploys while the bean is held, and lets it go on when that has begun. */
    private static void undeployMeanwhile(Embedded server) throws Exception {
        assertThat(held.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        Thread letGo = new Thread(() -> {
            await().atMost(PATIENCE)
                    .until(() -> Thread.getAllStackTraces().values().stream().anyMatch(DeploymentTest::isStopping));
            goOn.countDown();
        });
        letGo.start();
        server.close();
        letGo.join();
    }

    /** Whether it waits for the bean: what is rolled back before that is counted. */
    private static boolean isStopping(StackTraceElement[] stack) {
        return IntStream.range(2, stack.length)
                .anyMatch(i -> is(stack[i], Workers.class, "awaitEnd") && is(stack[i - 2], Object.class, "wait"));
    }

    private static boolean is(StackTraceElement frame, Class<?> type, String method) {
        return frame.getClassName().equals(type.getName())
                && frame.getMethodName().equals(method);
    }

    @Test
    void message_is_finished_when_its_bean_is_undeployed() throws Exception {
        goOn = new CountDownLatch(1);
        Embedded server = Embedded.start("finished", new Shop(Reader.class, "finished", ""));
        try (ReadpastConnectionFactory outside = server.outside("")) {
            await().atMost(PATIENCE).ignoreExceptions().until(() -> {
                publish(outside, "news");
                return held.await(200, TimeUnit.MILLISECONDS);
            });
            undeployMeanwhile(server);
            assertThat(SEEN).containsExactly("news 1");
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Reader.class, Untransacted.class})
    void message_that_is_rolled_back_then_comes_again_uncounted(Class<?> bean) throws Exception {
        String name = bean.getSimpleName();
        goOn = new CountDownLatch(1);
        rollsBack = true;
        Embedded first = Embedded.start(name, new Shop(bean, name, ""));
        try (ReadpastConnectionFactory outside = first.outside("")) {
            await().atMost(PATIENCE).ignoreExceptions().until(() -> {
                publish(outside, "news of " + System.nanoTime());
                return held.await(200, TimeUnit.MILLISECONDS);
            });
            undeployMeanwhile(first);
            assertThat(SEEN).hasSize(1);
            String seen = SEEN.remove();
            rollsBack = false;
            try (Embedded second = Embedded.start(name, new Shop(bean, name, ""))) {
                await().atMost(PATIENCE).until(() -> SEEN.contains(seen));
                assertThat(second.rows("none")).isZero();
            }
        }
    }

    @Test
    void bean_is_deployed_before_its_database_is_there() throws Exception {
        try (Logged logged = new Logged(Outage.class);
                Embedded server = Embedded.start("late", new Shop(Reader.class, "late", "&createSchema=false"));
                ReadpastConnectionFactory outside = server.outside("&createSchema=true")) {
            await().atMost(PATIENCE).until(() -> !logged.lines().isEmpty());
            await().atMost(PATIENCE).until(() -> {
                publish(outside, "news");
                return SEEN.contains("news 1");
            });
            assertThat(logged.lines()).hasSize(2);
            assertThat(logged.lines().get(0))
                    .startsWith(
                            "SEVERE Message-driven bean Reader of topic://news: no messages until somebody mends this")
                    .contains("schema readpast is missing");
            assertThat(logged.lines().get(1)).startsWith("INFO ").contains("messages are delivered again");
        }
    }
}
