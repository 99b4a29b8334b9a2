package org.readpast.ra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.annotation.Resource;
import jakarta.ejb.Singleton;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.transaction.UserTransaction;
import java.util.Properties;
import javax.sql.DataSource;
import org.apache.openejb.testing.Configuration;
import org.apache.openejb.testing.Module;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.readpast.jms.ReadpastConnectionFactory;

/** Connection factories that a server makes: over its own DataSource, and with a URL of their own. */
class ConnectionFactoryTest {

    private static final String DATABASE = "factories";
    private static Embedded server;
    private static ReadpastConnectionFactory outside;

    /** Whose transactions the tests use. */
    @Singleton
    @TransactionManagement(TransactionManagementType.BEAN)
    public static class Component {

        @Resource
        private UserTransaction transaction;

        private static UserTransaction current;

        @jakarta.annotation.PostConstruct
        void offer() {
            current = transaction;
        }

        /** Makes the container make it. */
        public void touch() {}
    }

    /** The application. */
    public static class Shop {

        @jakarta.ejb.EJB
        private Component component;

        @Configuration
        public Properties configuration() {
            Properties all = Embedded.configuration(DATABASE);
            Embedded.connectionFactory(all, "byUrl");
            all.put("byUrl.Url", "readpast:jdbc:h2:mem:" + DATABASE + ";DB_CLOSE_DELAY=-1#user=sa");
            Embedded.connectionFactory(all, "byUrlAndUser");
            all.put("byUrlAndUser.Url", all.get("byUrl.Url"));
            Embedded.connectionFactory(all, "unmanaged");
            all.put("unmanaged.DataSource", "java:openejb/Resource/own");
            all.put("unmanaged.Url", "readpast:jdbc:h2:mem:" + DATABASE + ";DB_CLOSE_DELAY=-1#user=sa");
            all.put("unmanaged.TransactionSupport", "none");
            return all;
        }

        @Module
        public Class<?>[] beans() {
            return new Class<?>[] {Component.class};
        }
    }

    @BeforeAll
    static void start() throws Exception {
        Shop shop = new Shop();
        server = Embedded.start(DATABASE, shop);
        shop.component.touch();
        outside = server.outside("");
    }

    @AfterAll
    static void stop() throws Exception {
        outside.close();
        server.close();
    }

    private static ConnectionFactory factory(String name) throws Exception {
        return Embedded.resource(name, ConnectionFactory.class);
    }

    private static void send(Session session, String text) throws JMSException {
        session.createProducer(session.createQueue("sent")).send(session.createTextMessage(text));
    }

    private static String received() {
        try (JMSContext context = outside.createContext()) {
            return context.createConsumer(context.createQueue("sent")).receiveBody(String.class, 300);
        }
    }

    @Test
    void sends_join_the_transaction_of_the_DataSource() throws Exception {
        UserTransaction transaction = Component.current;
        try (Connection connection = factory("factory").createConnection()) {
            // Neither argument counts where the container has a transaction.
            Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
            transaction.begin();
            send(session, "undone");
            insert("undone");
            transaction.rollback();
            transaction.begin();
            send(session, "done");
            insert("done");
            assertThat(received()).isNull();
            transaction.commit();
            assertThat(received()).isEqualTo("done");
            assertThat(received()).isNull();
            assertThat(server.rows("done")).isOne();
            assertThat(server.rows("undone")).isZero();
            send(session, "by itself");
            assertThat(received()).isEqualTo("by itself");
        }
    }

    private static void insert(String text) throws Exception {
        try (java.sql.Connection sql =
                        Embedded.resource("shop", DataSource.class).getConnection();
                java.sql.Statement statement = sql.createStatement()) {
            statement.executeUpdate("INSERT INTO shop_row VALUES ('" + text + "')");
        }
    }

    @Test
    void receives_join_too() throws Exception {
        try (JMSContext context = outside.createContext()) {
            context.createProducer().send(context.createQueue("received"), "order");
        }
        UserTransaction transaction = Component.current;
        try (JMSContext context = factory("factory").createContext()) {
            Queue queue = context.createQueue("received");
            transaction.begin();
            assertThat(context.createConsumer(queue).receiveBody(String.class, 5_000))
                    .isEqualTo("order");
            transaction.rollback();
            transaction.begin();
            assertThat(context.createConsumer(queue).receiveBody(String.class, 5_000))
                    .isEqualTo("order");
            transaction.commit();
            assertThat(context.createConsumer(queue).receiveNoWait()).isNull();
        }
    }

    @Test
    void factory_with_a_URL_has_local_transactions_for_all_its_sessions() throws Exception {
        UserTransaction transaction = Component.current;
        transaction.begin();
        try (Connection connection = factory("byUrl").createConnection();
                Session one = connection.createSession();
                Session other = connection.createSession()) {
            send(one, "undone");
            send(other, "undone");
            transaction.rollback();
        }
        assertThat(received()).isNull();
        transaction.begin();
        try (Connection connection = factory("byUrl").createConnection();
                Session one = connection.createSession();
                Session other = connection.createSession()) {
            send(one, "done");
            send(other, "done");
            assertThat(received()).isNull();
            transaction.commit();
        }
        assertThat(received()).isEqualTo("done");
        assertThat(received()).isEqualTo("done");
        assertThat(received()).isNull();
    }

    @Test
    void DataSource_outside_of_the_transaction_is_an_error() throws Exception {
        UserTransaction transaction = Component.current;
        transaction.begin();
        try (JMSContext context = factory("unmanaged").createContext()) {
            Queue queue = context.createQueue("sent");
            assertThatThrownBy(() -> context.createProducer().send(queue, "silent"))
                    .hasStackTraceContaining("commits each statement by itself")
                    .hasStackTraceContaining("JtaManaged=true");
        } finally {
            transaction.rollback();
        }
        assertThat(received()).isNull();
    }

    @Test
    void user_and_password_are_the_DataSources() throws Exception {
        ConnectionFactory factory = factory("factory");
        assertThatThrownBy(() -> factory.createConnection("scott", "tiger"))
                .isInstanceOf(JMSSecurityException.class)
                .hasMessageContaining("java:openejb/Resource/shop")
                .hasMessageContaining("without user and password");
        ConnectionFactory byUrl = factory("byUrlAndUser");
        assertThatThrownBy(() -> byUrl.createConnection("scott", "tiger")).isInstanceOf(JMSSecurityException.class);
    }

    @Test
    void what_is_not_for_applications_in_a_server_is_refused() throws Exception {
        try (Connection connection = factory("factory").createConnection();
                Session session = connection.createSession();
                JMSContext context = factory("factory").createContext()) {
            MessageConsumer consumer = session.createConsumer(session.createQueue("refused"));
            MessageProducer producer = session.createProducer(session.createQueue("refused"));
            Message message = session.createMessage();
            assertThatThrownBy(() -> connection.setClientID("me")).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(connection::stop).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> connection.setExceptionListener(e -> {}))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> connection.createConnectionConsumer(session.createQueue("q"), null, null, 1))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> consumer.setMessageListener(m -> {}))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("message-driven bean");
            assertThatThrownBy(() -> producer.send(message, new Silent())).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> context.setClientID("me")).isInstanceOf(IllegalStateRuntimeException.class);
            assertThatThrownBy(() -> context.createProducer().setAsync(new Silent()))
                    .isInstanceOf(IllegalStateRuntimeException.class);
        }
    }

    private static final class Silent implements CompletionListener {

        @Override
        public void onCompletion(Message message) {}

        @Override
        public void onException(Message message, Exception problem) {}
    }
}
