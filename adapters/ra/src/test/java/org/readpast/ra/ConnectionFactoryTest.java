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
import jakarta.resource.spi.InvalidPropertyException;
import jakarta.transaction.UserTransaction;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Properties;
import javax.sql.DataSource;
import javax.sql.XAConnection;
import org.apache.openejb.OpenEJB;
import org.apache.openejb.testing.Configuration;
import org.apache.openejb.testing.Module;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.ra.database.MessageDatabase;

/** Connection factories that a server makes: over its own DataSource, and with a URL of their own. */
class ConnectionFactoryTest {

    private static final String DATABASE = "factories";
    private static final String BY_URL = "readpast:jdbc:h2:mem:" + DATABASE + ";DB_CLOSE_DELAY=-1#user=sa";
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
            Properties all = Embedded.configuration(DATABASE, "orders", "several");
            all.put("several.PhysicalName", "orders,invoices");
            Embedded.connectionFactory(all, "byUrl");
            all.put("byUrl.Url", BY_URL);
            Embedded.connectionFactory(all, "byUrlAndUser");
            all.put("byUrlAndUser.Url", all.get("byUrl.Url"));
            Embedded.connectionFactory(all, "byXa");
            all.put("byXa.Url", all.get("byUrl.Url"));
            all.put("byXa.TransactionSupportLevel", "XATransaction");
            all.put("byXa.TransactionSupport", "xa");
            Embedded.connectionFactory(all, "notTold");
            all.put("notTold.Url", all.get("byUrl.Url"));
            all.put("notTold.TransactionSupportLevel", "XATransaction");
            Embedded.connectionFactory(all, "alone");
            all.put("alone.Url", all.get("byUrl.Url"));
            all.put("alone.TransactionSupportLevel", "NoTransaction");
            all.put("alone.TransactionSupport", "none");
            Embedded.connectionFactory(all, "unmanaged");
            all.put("unmanaged.DataSource", "java:openejb/Resource/own");
            all.put("unmanaged.Url", BY_URL);
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

    /** Another database's part in the transaction. */
    private static XAConnection ledger() throws Exception {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:ledger;DB_CLOSE_DELAY=-1");
        try (java.sql.Connection sql = source.getConnection();
                Statement statement = sql.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS entry (text VARCHAR(100))");
        }
        XAConnection ledger = source.getXAConnection();
        OpenEJB.getTransactionManager().getTransaction().enlistResource(ledger.getXAResource());
        return ledger;
    }

    /** Its connection stays open, since H2 rolls back as it is closed. */
    private static void enter(XAConnection ledger, String text) throws Exception {
        try (Statement statement = ledger.getConnection().createStatement()) {
            statement.executeUpdate("INSERT INTO entry VALUES ('" + text + "')");
        }
    }

    private static boolean isEntered(String text) throws Exception {
        try (java.sql.Connection sql = DriverManager.getConnection("jdbc:h2:mem:ledger");
                Statement statement = sql.createStatement();
                ResultSet rows = statement.executeQuery("SELECT 1 FROM entry WHERE text = '" + text + "'")) {
            return rows.next();
        }
    }

    @Test
    void factory_with_XA_has_a_branch_for_all_its_sessions_beside_that_of_another_database() throws Exception {
        UserTransaction transaction = Component.current;
        for (String text : new String[] {"undone by XA", "done by XA"}) {
            transaction.begin();
            XAConnection ledger = ledger();
            try (Connection connection = factory("byXa").createConnection();
                    Session one = connection.createSession();
                    Session other = connection.createSession()) {
                send(one, text);
                enter(ledger, text);
                send(other, text);
            }
            assertThat(received()).isNull();
            if (text.startsWith("undone")) {
                transaction.rollback();
            } else {
                transaction.commit();
            }
            ledger.close();
        }
        assertThat(received()).isEqualTo("done by XA");
        assertThat(received()).isEqualTo("done by XA");
        assertThat(received()).isNull();
        assertThat(isEntered("done by XA")).isTrue();
        assertThat(isEntered("undone by XA")).isFalse();
    }

    @Test
    void what_is_received_with_XA_comes_again_after_a_rollback() throws Exception {
        try (JMSContext context = outside.createContext()) {
            context.createProducer().send(context.createQueue("received by XA"), "order");
        }
        UserTransaction transaction = Component.current;
        for (int i = 0; i < 2; i++) {
            transaction.begin();
            XAConnection ledger = ledger();
            try (JMSContext context = factory("byXa").createContext()) {
                assertThat(context.createConsumer(context.createQueue("received by XA"))
                                .receiveBody(String.class, 5_000))
                        .isEqualTo("order");
            }
            if (i == 0) {
                transaction.rollback();
            } else {
                transaction.commit();
            }
            ledger.close();
        }
        try (JMSContext context = outside.createContext()) {
            assertThat(context.createConsumer(context.createQueue("received by XA"))
                            .receiveNoWait())
                    .isNull();
        }
    }

    @Test
    void factory_with_XA_sends_by_itself_where_there_is_no_transaction() throws Exception {
        try (JMSContext context = factory("byXa").createContext()) {
            context.createProducer().send(context.createQueue("sent"), "by itself");
        }
        assertThat(received()).isEqualTo("by itself");
    }

    @Test
    void factory_without_transactions_sends_by_itself_in_one() throws Exception {
        UserTransaction transaction = Component.current;
        transaction.begin();
        try (JMSContext context = factory("alone").createContext()) {
            context.createProducer().send(context.createQueue("sent"), "all the same");
        }
        transaction.rollback();
        assertThat(received()).isEqualTo("all the same");
    }

    /** TomEE leaves it out of the transaction, or not: nothing is sent beside it. */
    @ParameterizedTest
    @ValueSource(strings = {"byUrl", "byXa"})
    void connection_from_before_the_transaction_sends_nothing_beside_it(String name) throws Exception {
        UserTransaction transaction = Component.current;
        try (Connection connection = factory(name).createConnection();
                Session session = connection.createSession()) {
            transaction.begin();
            try {
                assertThatThrownBy(() -> send(session, "silent")).hasStackTraceContaining("A transaction runs");
            } finally {
                transaction.rollback();
            }
            assertThat(received()).isNull();
        }
    }

    @Test
    void server_that_takes_no_notice_of_XA_is_told_so() throws Exception {
        UserTransaction transaction = Component.current;
        transaction.begin();
        try {
            assertThatThrownBy(() -> factory("notTold").createConnection())
                    .hasStackTraceContaining("TransactionSupport = xa");
        } finally {
            transaction.rollback();
        }
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

    /** Open Liberty asks so for contexts that it injects. */
    @Test
    void user_that_is_null_is_none() throws Exception {
        ConnectionFactory factory = factory("factory");
        factory.createContext(null, null).close();
        factory.createContext(null, null, JMSContext.AUTO_ACKNOWLEDGE).close();
        factory.createConnection(null, null).close();
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

    @Test
    void destination_in_JNDI_that_stands_for_several_is_refused() {
        ReadpastActivationSpec spec = new ReadpastActivationSpec();
        spec.setDestinationLookup("java:openejb/Resource/several");
        spec.setUrl("readpast:jdbc:h2:mem:none");
        assertThatThrownBy(spec::subscription)
                .isInstanceOf(InvalidPropertyException.class)
                .hasMessageContaining("'destinationLookup' is 'java:openejb/Resource/several'")
                .hasMessageContaining("several that can only be sent to");
    }

    private static ReadpastActivationSpec orders(String connectionFactory) {
        ReadpastActivationSpec spec = new ReadpastActivationSpec();
        spec.setDestinationLookup("java:openejb/Resource/orders");
        spec.setConnectionFactoryLookup(connectionFactory);
        return spec;
    }

    @Test
    void bean_may_name_a_connection_factory_whose_database_it_is() throws Exception {
        assertThat(orders("java:openejb/Resource/factory").subscription().database())
                .isEqualTo(MessageDatabase.of("java:openejb/Resource/shop", Embedded.ownUrl(""), null, null));
        assertThat(orders("java:openejb/Resource/byUrl").subscription().database())
                .isEqualTo(MessageDatabase.of(null, BY_URL, null, null));
    }

    @Test
    void what_is_no_connection_factory_of_the_adapter_is_refused_with_what_to_set() {
        assertThatThrownBy(orders("java:openejb/Resource/nothing")::subscription)
                .hasMessageContaining(
                        "'connectionFactoryLookup' is 'java:openejb/Resource/nothing', where JNDI has no connection factory of this")
                .hasMessageContaining("leave it out");
        assertThatThrownBy(orders("java:openejb/Resource/shop")::subscription)
                .hasMessageContaining(
                        "'connectionFactoryLookup' is 'java:openejb/Resource/shop', where JNDI has no connection factory of this")
                .hasMessageContaining("leave it out");
    }

    @Test
    void destination_that_JNDI_does_not_have_is_told_with_its_property() {
        ReadpastActivationSpec spec = new ReadpastActivationSpec();
        spec.setDestination("java:openejb/Resource/nothing");
        spec.setUrl("readpast:jdbc:h2:mem:none");
        assertThatThrownBy(spec::subscription)
                .hasMessageContaining(
                        "'destination' is 'java:openejb/Resource/nothing', where JNDI has no queue or topic");
    }

    /** Without a destinationType only JNDI tells that it is a queue. */
    @ParameterizedTest
    @CsvSource({"Durable, false, subscriptionDurability", "NonDurable, true, shareSubscriptions"})
    void queue_in_JNDI_has_no_subscription(String durability, String shared, String property) {
        ReadpastActivationSpec spec = new ReadpastActivationSpec();
        spec.setDestinationLookup("java:openejb/Resource/orders");
        spec.setSubscriptionDurability(durability);
        spec.setShareSubscriptions(shared);
        spec.setSubscriptionName("readers");
        spec.setClientId("shop");
        spec.setUrl("readpast:jdbc:h2:mem:none");
        assertThatThrownBy(spec::subscription)
                .isInstanceOf(InvalidPropertyException.class)
                .hasMessageContaining(property)
                .hasMessageContaining("queue://orders");
    }
}
