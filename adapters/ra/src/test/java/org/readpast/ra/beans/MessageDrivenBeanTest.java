package org.readpast.ra.beans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.annotation.Resource;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.ejb.MessageDrivenContext;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.transaction.UserTransaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.apache.openejb.testing.Configuration;
import org.apache.openejb.testing.Module;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.ra.Embedded;

/** Message-driven beans write a row and send on, over the DataSource that their messages are in. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MessageDrivenBeanTest {

    private static final String DATABASE = "beans";
    private static final long PATIENCE = 60_000;

    /** What the beans have seen: the text of the message, and its count. */
    private static final Queue<String> SEEN = new ConcurrentLinkedQueue<>();

    private static Embedded server;
    private static ReadpastConnectionFactory outside;

    /** What beans do with their messages. */
    abstract static class Bean {

        @Resource(name = "shop")
        private DataSource shop;

        @Resource(name = "factory")
        private ConnectionFactory factory;

        /** Notes the delivery, and returns whether it is the first one. */
        static boolean note(Message message) throws JMSException {
            int count = message.getIntProperty("JMSXDeliveryCount");
            SEEN.add(message.getBody(String.class) + " " + count);
            return count == 1;
        }

        void write(String text) throws SQLException {
            try (Connection sql = shop.getConnection();
                    PreparedStatement insert = sql.prepareStatement("INSERT INTO shop_row VALUES (?)")) {
                insert.setString(1, text);
                insert.executeUpdate();
            }
        }

        void send(String queue, String text) {
            try (JMSContext context = factory.createContext()) {
                context.createProducer().send(context.createQueue(queue), text);
            }
        }

        /** How many messages this transaction sees, which others do not before its commit. */
        int messages(String queue) throws SQLException {
            try (Connection sql = shop.getConnection();
                    Statement select = sql.createStatement();
                    ResultSet rows =
                            select.executeQuery("SELECT COUNT(*) FROM readpast.message m JOIN readpast.destination d ON"
                                    + " d.destination_id = m.destination_id WHERE d.name = '" + queue + "'")) {
                rows.next();
                return rows.getInt(1);
            }
        }
    }

    @MessageDriven(
            activationConfig = {
                @ActivationConfigProperty(propertyName = "destinationType", propertyValue = "javax.jms.Queue"),
                @ActivationConfigProperty(propertyName = "destination", propertyValue = "orders"),
                @ActivationConfigProperty(propertyName = "maxSession", propertyValue = "4")
            })
    public static class Orders extends Bean implements MessageListener {

        @Resource
        private MessageDrivenContext context;

        @Override
        public void onMessage(Message message) {
            try {
                String text = message.getBody(String.class);
                boolean first = note(message);
                if (text.startsWith("send first")) {
                    send("next", text);
                    if (first) {
                        context.setRollbackOnly();
                    }
                    return;
                }
                write(text);
                send("next", text);
                if (text.startsWith("look")) {
                    write(text + " " + messages("next"));
                }
                if (text.startsWith("poison") || (text.startsWith("later") && first)) {
                    throw new IllegalArgumentException("no such article: " + text);
                }
                if (text.startsWith("refused")) {
                    context.setRollbackOnly();
                }
            } catch (JMSException | SQLException e) {
                throw new IllegalStateException(e);
            }
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
            try {
                if (note(message)) {
                    throw new IllegalArgumentException("not now");
                }
                send("next", message.getBody(String.class));
            } catch (JMSException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @MessageDriven(
            activationConfig = {
                @ActivationConfigProperty(propertyName = "destinationType", propertyValue = "jakarta.jms.Queue"),
                @ActivationConfigProperty(propertyName = "destination", propertyValue = "managed"),
                @ActivationConfigProperty(propertyName = "messageSelector", propertyValue = "kind = 'bean'")
            })
    @TransactionManagement(TransactionManagementType.BEAN)
    public static class BeanManaged extends Bean implements MessageListener {

        @Resource
        private UserTransaction transaction;

        @Override
        public void onMessage(Message message) {
            try {
                String text = message.getBody(String.class);
                note(message);
                transaction.begin();
                write(text + " undone");
                send("next", text + " undone");
                transaction.rollback();
                transaction.begin();
                write(text);
                send("next", text);
                transaction.commit();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Its connection factory has an option that the adapter does not have. */
    @MessageDriven(
            activationConfig = {
                @ActivationConfigProperty(propertyName = "destinationType", propertyValue = "jakarta.jms.Queue"),
                @ActivationConfigProperty(propertyName = "destination", propertyValue = "strict"),
                @ActivationConfigProperty(
                        propertyName = "connectionFactoryLookup",
                        propertyValue = "java:openejb/Resource/once")
            })
    public static class Strict extends Node implements MessageListener {

        @Override
        public void onMessage(Message message) {
            fail(message);
        }
    }

    /** Two that consume one queue as two nodes do: each with a runtime of its own. */
    abstract static class Node extends Bean {

        static void fail(Message message) {
            try {
                note(message);
            } catch (JMSException e) {
                throw new IllegalStateException(e);
            }
            throw new IllegalArgumentException("no node can do this");
        }
    }

    @MessageDriven(
            activationConfig = {
                @ActivationConfigProperty(propertyName = "destinationType", propertyValue = "jakarta.jms.Queue"),
                @ActivationConfigProperty(propertyName = "destination", propertyValue = "both"),
                @ActivationConfigProperty(propertyName = "dataSource", propertyValue = "java:openejb/Resource/shop"),
                @ActivationConfigProperty(
                        propertyName = "url",
                        propertyValue =
                                "readpast:java:openejb/Resource/own#redelivery.maximumDeliveries=5&redelivery.deadLetterDestination=both.dead&pollFloorMillis=11")
            })
    public static class OneNode extends Node implements MessageListener {

        @Override
        public void onMessage(Message message) {
            fail(message);
        }
    }

    @MessageDriven(
            activationConfig = {
                @ActivationConfigProperty(propertyName = "destinationType", propertyValue = "jakarta.jms.Queue"),
                @ActivationConfigProperty(propertyName = "destination", propertyValue = "both"),
                @ActivationConfigProperty(propertyName = "dataSource", propertyValue = "java:openejb/Resource/shop"),
                @ActivationConfigProperty(
                        propertyName = "url",
                        propertyValue =
                                "readpast:java:openejb/Resource/own#redelivery.maximumDeliveries=5&redelivery.deadLetterDestination=both.dead&pollFloorMillis=12")
            })
    public static class OtherNode extends Node implements MessageListener {

        @Override
        public void onMessage(Message message) {
            fail(message);
        }
    }

    /** The application. */
    public static class Shop {

        @Configuration
        public Properties configuration() {
            Properties all = Embedded.configuration(DATABASE, "orders", "plain", "managed", "both", "strict");
            Embedded.connectionFactory(all, "once");
            all.put("once.TransactionSupport", "none");
            all.put("once.DataSource", "java:openejb/Resource/shop");
            all.put("once.Url", "readpast:java:openejb/Resource/own#redelivery.maximumDeliveries=1");
            return all;
        }

        @Module
        public Class<?>[] beans() {
            return new Class<?>[] {
                Orders.class, Plain.class, BeanManaged.class, Strict.class, OneNode.class, OtherNode.class
            };
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

    private static void send(String queue, String text) {
        try (JMSContext context = outside.createContext()) {
            context.createProducer().setProperty("kind", "bean").send(context.createQueue(queue), text);
        }
    }

    /** The message with this text, or null if there is none by then. */
    private static Message receive(String queue, String text, long millis) throws JMSException {
        try (JMSContext context = outside.createContext()) {
            while (true) {
                Message message =
                        context.createConsumer(context.createQueue(queue)).receive(millis);
                if (message == null || message.getBody(String.class).equals(text)) {
                    return message;
                }
            }
        }
    }

    private static List<String> seen(String text) {
        return SEEN.stream().filter(line -> line.startsWith(text)).toList();
    }

    private static List<String> deliveries(String text, int count) {
        return IntStream.rangeClosed(1, count).mapToObj(i -> text + " " + i).toList();
    }

    @Test
    void row_and_message_are_committed_with_the_end_of_the_message() throws Exception {
        send("orders", "order");
        assertThat(receive("next", "order", PATIENCE)).isNotNull();
        assertThat(server.rows("order")).isOne();
        assertThat(seen("order")).isEqualTo(deliveries("order", 1));
    }

    @Test
    void row_and_message_are_rolled_back_and_the_message_comes_again() throws Exception {
        send("orders", "later");
        assertThat(receive("next", "later", PATIENCE)).isNotNull();
        assertThat(server.rows("later")).isOne();
        assertThat(seen("later")).isEqualTo(deliveries("later", 2));
        assertThat(receive("next", "later", 300)).isNull();
    }

    @Test
    void what_is_sent_before_any_SQL_of_the_bean_is_rolled_back_too() throws Exception {
        send("orders", "send first");
        assertThat(receive("next", "send first", PATIENCE)).isNotNull();
        assertThat(seen("send first")).isEqualTo(deliveries("send first", 2));
        assertThat(receive("next", "send first", 300)).isNull();
    }

    @Test
    void bean_and_connection_factory_have_one_SQL_connection() throws Exception {
        send("orders", "look");
        await().atMost(PATIENCE, TimeUnit.MILLISECONDS).until(() -> server.rows("look 1") == 1);
        assertThat(receive("next", "look", PATIENCE)).isNotNull();
    }

    @Test
    void poison_is_a_dead_letter_after_its_last_delivery() throws Exception {
        send("orders", "poison");
        Message dead = receive("DLQ", "poison", PATIENCE);
        assertThat(seen("poison")).isEqualTo(deliveries("poison", 5));
        assertThat(dead.getStringProperty("JMS_READPAST_DeadLetterReason"))
                .startsWith("delivered 5 times without being acknowledged; the last: "
                        + "java.lang.IllegalArgumentException: no such article: poison, process ");
        assertThat(dead.getIntProperty("JMS_READPAST_Deliveries")).isEqualTo(5);
        assertThat(server.rows("poison")).isZero();
        assertThat(receive("next", "poison", 300)).isNull();
    }

    @Test
    void rollback_without_an_exception_is_counted_and_told() throws Exception {
        send("orders", "refused");
        Message dead = receive("DLQ", "refused", PATIENCE);
        assertThat(seen("refused")).isEqualTo(deliveries("refused", 5));
        assertThat(dead.getStringProperty("JMS_READPAST_DeadLetterReason"))
                .contains("rolled back by the container, no exception passed on, process ");
    }

    @Test
    void two_nodes_deliver_exactly_as_often_as_they_may() throws Exception {
        List<String> texts = IntStream.range(10, 30).mapToObj(i -> "both" + i).toList();
        texts.forEach(text -> send("both", text));
        List<String> dead = new ArrayList<>();
        try (JMSContext context = outside.createContext()) {
            JMSConsumer consumer = context.createConsumer(context.createQueue("both.dead"));
            for (int i = 0; i < texts.size(); i++) {
                dead.add(consumer.receiveBody(String.class, PATIENCE));
            }
        }
        assertThat(dead).containsExactlyInAnyOrderElementsOf(texts);
        assertThat(SEEN.stream().filter(line -> line.startsWith("both")))
                .containsExactlyInAnyOrderElementsOf(texts.stream()
                        .flatMap(text -> deliveries(text, 5).stream())
                        .toList());
    }

    @Test
    void bean_without_a_transaction_loses_nothing_when_it_throws() throws Exception {
        send("plain", "plain");
        assertThat(receive("next", "plain", PATIENCE)).isNotNull();
        assertThat(seen("plain")).isEqualTo(deliveries("plain", 2));
    }

    @Test
    void bean_has_transactions_of_its_own() throws Exception {
        send("managed", "own");
        assertThat(receive("next", "own", PATIENCE)).isNotNull();
        assertThat(server.rows("own")).isOne();
        assertThat(server.rows("own undone")).isZero();
        assertThat(receive("next", "own undone", 300)).isNull();
        assertThat(seen("own")).isEqualTo(deliveries("own", 1));
    }

    @Test
    void bean_with_the_lookup_of_a_connection_factory_goes_by_its_configuration() throws Exception {
        send("strict", "strict");
        assertThat(receive("DLQ", "strict", PATIENCE)).isNotNull();
        assertThat(seen("strict")).isEqualTo(deliveries("strict", 1));
    }

    @Test
    void many_messages_are_each_delivered_once() throws Exception {
        for (int i = 0; i < 100; i++) {
            send("orders", "many");
        }
        await().atMost(PATIENCE, TimeUnit.MILLISECONDS).until(() -> server.rows("many") == 100);
        assertThat(seen("many")).hasSize(100).containsOnly("many 1");
    }
}
