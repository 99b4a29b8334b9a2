package org.readpast.ra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.annotation.Resource;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.ejb.MessageDrivenContext;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.time.Duration;
import java.util.Arrays;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.openejb.testing.Configuration;
import org.apache.openejb.testing.Module;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.ReadpastConnectionFactory;

/** Message-driven beans are deployed before their database is there, and undeployed in the middle of a message. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DeploymentTest {

    private static final long PATIENCE = 20_000;
    private static final Queue<String> SEEN = new ConcurrentLinkedQueue<>();

    /** Holds a bean in the middle of its message. */
    private static volatile CountDownLatch held;

    private static volatile CountDownLatch goOn;
    private static volatile boolean rollsBack;

    @MessageDriven(
            activationConfig = {
                @ActivationConfigProperty(propertyName = "destinationType", propertyValue = "jakarta.jms.Topic"),
                @ActivationConfigProperty(propertyName = "destination", propertyValue = "news"),
                @ActivationConfigProperty(propertyName = "subscriptionDurability", propertyValue = "Durable"),
                @ActivationConfigProperty(propertyName = "subscriptionName", propertyValue = "readers"),
                @ActivationConfigProperty(propertyName = "clientId", propertyValue = "shop")
            })
    public static class Reader implements MessageListener {

        @Resource
        private MessageDrivenContext context;

        @Override
        public void onMessage(Message message) {
            try {
                SEEN.add(message.getBody(String.class) + " " + message.getIntProperty("JMSXDeliveryCount"));
                held.countDown();
                goOn.await();
                if (rollsBack) {
                    context.setRollbackOnly();
                }
            } catch (JMSException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** The application. */
    public static class Shop {

        private final String database;
        private final String options;

        public Shop() {
            this("none", "");
        }

        Shop(String database, String options) {
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
            return new Class<?>[] {Reader.class};
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
        assertThat(held.await(PATIENCE, TimeUnit.MILLISECONDS)).isTrue();
        Thread letGo = new Thread(() -> {
            await().until(() -> Thread.getAllStackTraces().values().stream().anyMatch(DeploymentTest::isStopping));
            goOn.countDown();
        });
        letGo.start();
        server.close();
        letGo.join();
    }

    private static boolean isStopping(StackTraceElement[] stack) {
        return Arrays.stream(stack)
                .anyMatch(frame -> frame.getClassName().equals(Activation.class.getName())
                        && frame.getMethodName().equals("stop"));
    }

    @Test
    void message_is_finished_when_its_bean_is_undeployed() throws Exception {
        goOn = new CountDownLatch(1);
        Embedded server = Embedded.start("finished", new Shop("finished", ""));
        try (ReadpastConnectionFactory outside = server.outside("")) {
            await().ignoreExceptions().until(() -> {
                publish(outside, "news");
                return held.await(200, TimeUnit.MILLISECONDS);
            });
            undeployMeanwhile(server);
            assertThat(SEEN).containsExactly("news 1");
        }
    }

    @Test
    void message_that_is_rolled_back_then_comes_again_uncounted() throws Exception {
        goOn = new CountDownLatch(1);
        rollsBack = true;
        Embedded first = Embedded.start("again", new Shop("again", ""));
        try (ReadpastConnectionFactory outside = first.outside("")) {
            await().ignoreExceptions().until(() -> {
                publish(outside, "news");
                return held.await(200, TimeUnit.MILLISECONDS);
            });
            undeployMeanwhile(first);
            assertThat(SEEN).containsExactly("news 1");
            SEEN.clear();
            rollsBack = false;
            try (Embedded second = Embedded.start("again", new Shop("again", ""))) {
                await().until(() -> SEEN.contains("news 1"));
                assertThat(second.rows("none")).isZero();
            }
        }
    }

    @Test
    void bean_is_deployed_before_its_database_is_there() throws Exception {
        try (Embedded server = Embedded.start("late", new Shop("late", "&createSchema=false"));
                ReadpastConnectionFactory outside = server.outside("&createSchema=true")) {
            await().atMost(Duration.ofSeconds(30)).until(() -> {
                publish(outside, "news");
                return SEEN.contains("news 1");
            });
        }
    }
}
