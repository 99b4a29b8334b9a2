package org.readpast.ra.beans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.openejb.jee.ActivationConfig;
import org.apache.openejb.jee.EjbJar;
import org.apache.openejb.jee.MessageDrivenBean;
import org.apache.openejb.testing.Configuration;
import org.apache.openejb.testing.Module;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.ra.Embedded;

/**
 * Beans of a topic on two nodes, each with a runtime of its own. They have the same client id, as an application has that is deployed on both:
 * TomEE gives beans of topics one where they have none.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TwoNodesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String DATABASE = "nodes";

    /** What the nodes have seen: the node, the text of the message, and its count. */
    private static final Queue<String> SEEN = new ConcurrentLinkedQueue<>();

    /** Whether a node has had a message of a topic. */
    private static final Map<String, CountDownLatch> HAS_ONE = new ConcurrentHashMap<>();

    private static Embedded server;
    private static ReadpastConnectionFactory outside;

    /** Texts begin with the topic. */
    private static String topic(String text) {
        return text.substring(0, text.indexOf(' '));
    }

    private static CountDownLatch hasOne(String node, String topic) {
        return HAS_ONE.computeIfAbsent(node + topic, name -> new CountDownLatch(1));
    }

    /** A message waits until the other node has had one too. */
    private static void onMessage(Message message, String node, String other) {
        try {
            String text = message.getBody(String.class);
            SEEN.add(node + " " + text + " " + message.getIntProperty("JMSXDeliveryCount"));
            hasOne(node, topic(text)).countDown();
            hasOne(other, topic(text)).await();
        } catch (JMSException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static class One implements MessageListener {

        @Override
        public void onMessage(Message message) {
            TwoNodesTest.onMessage(message, "one", "other");
        }
    }

    public static class Other implements MessageListener {

        @Override
        public void onMessage(Message message) {
            TwoNodesTest.onMessage(message, "other", "one");
        }
    }

    /** The application. */
    public static class Shop {

        @Configuration
        public Properties configuration() {
            Properties all = Embedded.configuration(DATABASE);
            for (String topic : List.of("durable", "shared", "plain")) {
                all.put(
                        topic,
                        "new://Resource?type=jakarta.jms.Topic&class-name=org.readpast.jms.destination.ReadpastTopic");
                all.put(topic + ".PhysicalName", topic);
            }
            return all;
        }

        @Module
        public EjbJar beans() {
            EjbJar all = new EjbJar();
            for (Class<?> node : List.of(One.class, Other.class)) {
                // What makes the two runtimes different ones.
                String url = "readpast:java:openejb/Resource/own#pollFloorMillis=" + (node == One.class ? 11 : 12);
                ActivationConfig durable = bean(all, node, "durable", url);
                durable.addProperty("subscriptionDurability", "Durable");
                durable.addProperty("shareSubscriptions", "true");
                bean(all, node, "shared", url).addProperty("shareSubscriptions", "true");
                bean(all, node, "plain", url);
            }
            return all;
        }

        private static ActivationConfig bean(EjbJar all, Class<?> node, String topic, String url) {
            MessageDrivenBean bean = new MessageDrivenBean(node.getSimpleName() + " " + topic, node);
            ActivationConfig properties = new ActivationConfig();
            properties.addProperty("destinationType", "jakarta.jms.Topic");
            properties.addProperty("destination", topic);
            properties.addProperty("subscriptionName", "readers of " + topic);
            properties.addProperty("clientId", "shop " + topic);
            properties.addProperty("maxSession", "1");
            properties.addProperty("dataSource", "java:openejb/Resource/shop");
            properties.addProperty("url", url);
            bean.setActivationConfig(properties);
            all.addEnterpriseBean(bean);
            return properties;
        }
    }

    @BeforeAll
    static void start() throws Exception {
        server = Embedded.start(DATABASE, new Shop());
        outside = server.outside("");
    }

    @AfterAll
    static void stop() throws Exception {
        outside.close();
        server.close();
    }

    private static void publish(String text) {
        try (JMSContext context = outside.createContext()) {
            context.createProducer().send(context.createTopic(topic(text)), text);
        }
    }

    private static List<String> seen(String text) {
        return SEEN.stream().filter(line -> line.contains(" " + text)).toList();
    }

    /** Who publishes before there is a subscription reaches nobody. */
    private static void publishUntilSeen(String text, int times) {
        await().atMost(PATIENCE).until(() -> {
            publish(text);
            return seen(text).stream().distinct().count() >= times;
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"durable", "shared"})
    void message_of_a_shared_subscription_is_delivered_on_one_node_and_both_have_some(String topic) {
        publishUntilSeen(topic + " first", 1);
        List<String> texts =
                IntStream.range(10, 30).mapToObj(i -> topic + " news " + i).toList();
        texts.forEach(TwoNodesTest::publish);
        await().atMost(PATIENCE)
                .until(() -> texts.stream().noneMatch(text -> seen(text).isEmpty()));
        assertThat(seen(topic + " news"))
                .extracting(line -> line.substring(line.indexOf(' ') + 1))
                .containsExactlyInAnyOrderElementsOf(
                        texts.stream().map(text -> text + " 1").toList());
    }

    @Test
    void message_is_delivered_on_both_nodes_where_the_subscription_is_not_shared() {
        publishUntilSeen("plain first", 2);
        publish("plain news");
        await().atMost(PATIENCE).until(() -> seen("plain news").size() == 2);
        assertThat(seen("plain news")).containsExactlyInAnyOrder("one plain news 1", "other plain news 1");
    }
}
