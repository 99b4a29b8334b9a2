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
import java.time.Duration;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.apache.openejb.resource.jdbc.dbcp.BasicManagedDataSource;
import org.apache.openejb.testing.Configuration;
import org.apache.openejb.testing.Module;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.ra.Embedded;
import org.readpast.ra.Logged;

/** The application's DataSource has another isolation than its transactions need. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class IsolationTest {

    private static final String DATABASE = "isolated";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Queue<String> SEEN = new ConcurrentLinkedQueue<>();

    /** Notes what it gets. */
    abstract static class Bean {

        static void take(Message message) {
            try {
                SEEN.add(message.getBody(String.class) + " " + message.getIntProperty("JMSXDeliveryCount"));
            } catch (JMSException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @MessageDriven(
            activationConfig = {
                @ActivationConfigProperty(propertyName = "destinationType", propertyValue = "jakarta.jms.Queue"),
                @ActivationConfigProperty(propertyName = "destination", propertyValue = "orders")
            })
    public static class Orders extends Bean implements MessageListener {

        @Override
        public void onMessage(Message message) {
            take(message);
        }
    }

    @MessageDriven(
            activationConfig = {
                @ActivationConfigProperty(propertyName = "destinationType", propertyValue = "jakarta.jms.Queue"),
                @ActivationConfigProperty(propertyName = "destination", propertyValue = "plain")
            })
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public static class Plain extends Bean implements MessageListener {

        @Override
        public void onMessage(Message message) {
            take(message);
        }
    }

    /** The application. */
    public static class Shop {

        @Configuration
        public Properties configuration() {
            Properties all = Embedded.configuration(DATABASE, "orders", "plain");
            all.put("shop.DefaultTransactionIsolation", "REPEATABLE_READ");
            return all;
        }

        @Module
        public Class<?>[] beans() {
            return new Class<?>[] {Orders.class, Plain.class};
        }
    }

    private static void send(ReadpastConnectionFactory factory, String queue, String text) {
        try (JMSContext context = factory.createContext()) {
            context.createProducer().send(context.createQueue(queue), text);
        }
    }

    @Test
    void bean_with_container_transactions_says_so_before_there_is_a_message() throws Exception {
        try (Logged logged = new Logged(Outage.class);
                Embedded server = Embedded.start(DATABASE, new Shop());
                ReadpastConnectionFactory outside = server.outside("")) {
            await().atMost(PATIENCE).until(() -> !logged.lines().isEmpty());
            assertThat(logged.lines()).hasSize(1);
            assertThat(logged.lines().get(0))
                    .startsWith(
                            "SEVERE Message-driven bean Orders of queue://orders: no messages until somebody mends this")
                    .contains("java:openejb/Resource/shop", "REPEATABLE READ", "READ COMMITTED")
                    .contains("Open Liberty: isolationLevel=\"TRANSACTION_READ_COMMITTED\"");
            send(outside, "orders", "order");
            send(outside, "plain", "plain");
            await().atMost(PATIENCE).until(() -> SEEN.contains("plain 1"));
            assertThat(SEEN).containsExactly("plain 1");

            BasicManagedDataSource shop = Embedded.resource("shop", BasicManagedDataSource.class);
            shop.setDefaultTransactionIsolation("READ_COMMITTED");
            shop.restart();
            await().atMost(PATIENCE).until(() -> SEEN.contains("order 1"));
            assertThat(logged.lines()).hasSize(2).last().asString().contains("messages are delivered again");
        }
    }
}
