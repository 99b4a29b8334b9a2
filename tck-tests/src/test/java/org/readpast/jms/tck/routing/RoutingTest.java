package org.readpast.jms.tck.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicConnectionFactory;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.spi.NamingManager;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.ReadpastXAConnectionFactory;
import org.readpast.jms.session.SqlSession;
import org.readpast.jms.tck.rig.Container;
import org.readpast.jms.tck.rig.TestDatabase;
import org.readpast.jms.tck.rig.Warnings;

/** Each destination in its database, and what would take two of them refused with the names of both. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("kinds")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RoutingTest {

    private static final long RECEIVE = 20_000;

    private final TestDatabase kind;
    private TwoDatabases databases;
    private ReadpastConnectionFactory factory;

    RoutingTest(TestDatabase kind) {
        this.kind = kind;
    }

    static Stream<TestDatabase> kinds() {
        return TwoDatabases.kinds();
    }

    @BeforeEach
    void open() throws Exception {
        databases = TwoDatabases.of(kind);
        factory = databases.factory();
    }

    @AfterEach
    void close() throws Exception {
        factory.close();
    }

    @Test
    void each_destination_is_in_the_database_of_its_route() throws Exception {
        try (JMSContext context = factory.createContext()) {
            send(context, "plain", "one");
            send(context, "west.orders", "two");
            send(context, "westward", "three");

            assertThat(count(databases.home(), "plain")).isEqualTo(1);
            assertThat(count(databases.west(), "west.orders")).isEqualTo(1);
            assertThat(count(databases.home(), "westward")).isEqualTo(1);
            assertThat(receive(context, "plain")).isEqualTo("one");
            assertThat(receive(context, "west.orders")).isEqualTo("two");
            assertThat(context.createBrowser(context.createQueue("westward"))
                            .getEnumeration()
                            .hasMoreElements())
                    .isTrue();
        }
    }

    @Test
    void a_producer_without_a_destination_picks_by_send() throws Exception {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.DUPS_OK_ACKNOWLEDGE);
                MessageProducer producer = session.createProducer(null)) {
            connection.start();
            producer.send(session.createQueue("west.a"), session.createTextMessage("west"));
            producer.send(session.createQueue("a"), session.createTextMessage("home"));

            assertThat(text(session.createConsumer(session.createQueue("west.a"))))
                    .isEqualTo("west");
            assertThat(text(session.createConsumer(session.createQueue("a")))).isEqualTo("home");
        }
    }

    @Test
    void exact_names_win_over_patterns_and_home_takes_back_what_it_names() throws Exception {
        factory.setProperty("route.home.destinations", "west.audit");
        try (JMSContext context = factory.createContext()) {
            send(context, "west.audit", "one");
            assertThat(count(databases.home(), "west.audit")).isEqualTo(1);
        }
    }

    @Test
    void all_stands_in_one_url() throws Exception {
        factory = new ReadpastConnectionFactory(databases.url());
        try (JMSContext context = factory.createContext()) {
            send(context, "west.a", "one");
            assertThat(count(databases.west(), "west.a")).isEqualTo(1);
        }
        assertThat(factory.toString()).doesNotContain("PASSWORD=sa").doesNotContain("password");
    }

    @Test
    void jndi_knows_routes() throws Exception {
        Properties environment = new Properties();
        environment.put(Context.INITIAL_CONTEXT_FACTORY, "org.readpast.jms.jndi.ReadpastInitialContextFactory");
        environment.put("connectionFactory.orders", "readpast:" + databases.home());
        environment.put("connection.orders.createSchema", "true");
        environment.put("route.west.url", databases.west());
        environment.put("connection.orders.route.west.destinations", "west.*");
        factory = (ReadpastConnectionFactory) new InitialContext(environment).lookup("orders");
        ReadpastConnectionFactory again =
                (ReadpastConnectionFactory) NamingManager.getObjectInstance(factory.getReference(), null, null, null);
        try (JMSContext context = factory.createContext();
                JMSContext other = again.createContext()) {
            send(context, "west.a", "one");
            assertThat(count(databases.west(), "west.a")).isEqualTo(1);
            assertThat(receive(other, "west.a")).isEqualTo("one");
        } finally {
            again.close();
        }
    }

    @Test
    void a_transacted_session_is_in_one_database_until_it_commits() throws Exception {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED);
                MessageProducer producer = session.createProducer(null)) {
            connection.start();
            Queue home = session.createQueue("a");
            Queue west = session.createQueue("west.a");
            producer.send(home, session.createTextMessage("one"));
            refused(
                    () -> producer.send(west, session.createTextMessage("two")),
                    "'home'",
                    "'west'",
                    "Commit or roll back");
            refused(() -> session.createConsumer(west).receiveNoWait(), "'home'", "'west'", "another session");
            session.commit();

            producer.send(west, session.createTextMessage("two"));
            session.rollback();
            producer.send(west, session.createTextMessage("three"));
            session.commit();

            try (MessageConsumer fromHome = session.createConsumer(home);
                    MessageConsumer fromWest = session.createConsumer(west)) {
                assertThat(text(fromHome)).isEqualTo("one");
                refused(fromWest::receiveNoWait, "'home'", "'west'");
                refused(() -> producer.send(west, session.createTextMessage("four")), "'home'", "'west'");
                session.commit();
                assertThat(text(fromWest)).isEqualTo("three");
                session.commit();
                assertThat(fromHome.receiveNoWait()).isNull();
                assertThat(fromWest.receiveNoWait()).isNull();
            }
        }
        assertThat(count(databases.home(), "a")).isZero();
        assertThat(count(databases.west(), "west.a")).isZero();
    }

    @Test
    void a_client_session_is_in_one_database_until_it_acknowledges() throws Exception {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE)) {
            connection.start();
            Queue home = session.createQueue("a");
            Queue west = session.createQueue("west.a");
            MessageProducer producer = session.createProducer(null);
            producer.send(home, session.createTextMessage("one"));
            producer.send(west, session.createTextMessage("two"));
            MessageConsumer fromHome = session.createConsumer(home);
            MessageConsumer fromWest = session.createConsumer(west);
            assertThat(text(fromHome)).isEqualTo("one");
            refused(fromWest::receiveNoWait, "'home'", "'west'", "Acknowledge or recover");
            // Committed by itself, as its sends always are.
            producer.send(west, session.createTextMessage("three"));
            session.recover();
            TextMessage two = (TextMessage) fromWest.receive(RECEIVE);
            refused(fromHome::receiveNoWait, "'home'", "'west'");
            two.acknowledge();
            TextMessage one = (TextMessage) fromHome.receive(RECEIVE);
            assertThat(one.getJMSRedelivered()).isTrue();
            one.acknowledge();
            assertThat(text(fromWest)).isEqualTo("three");
        }
    }

    @Test
    void a_listener_of_a_transacted_session_keeps_the_session_in_its_database() throws Exception {
        for (int mode : List.of(Session.SESSION_TRANSACTED, Session.CLIENT_ACKNOWLEDGE)) {
            try (Connection connection = factory.createConnection();
                    Session session = connection.createSession(mode)) {
                session.createConsumer(session.createQueue("a")).setMessageListener(message -> {});
                MessageConsumer other = session.createConsumer(session.createQueue("west.a"));
                refused(() -> other.setMessageListener(message -> {}), "'home'", "'west'", "another session");
            }
        }
    }

    @Test
    void a_composite_destination_is_in_one_database() throws Exception {
        try (JMSContext context = factory.createContext()) {
            send(context, "a", "zero");
            refused(() -> send(context, "a,west.a", "one"), "'home'", "'west'", "one by one");
            assertThat(count(databases.home(), "a")).isEqualTo(1);
            send(context, "west.a,queue://west.b", "two");
            assertThat(receive(context, "west.a")).isEqualTo("two");
            assertThat(receive(context, "west.b")).isEqualTo("two");
        }
    }

    @Test
    void a_subscription_with_wildcards_is_in_one_database() throws Exception {
        try (JMSContext context = factory.createContext()) {
            refused(
                    () -> context.createConsumer(context.createTopic("*.news")),
                    "'home'",
                    "'west'",
                    "a pattern for each");
            refused(() -> context.createConsumer(context.createTopic(">")), "'home'", "'west'");
            // The topic 'west' itself is among these.
            refused(() -> context.createConsumer(context.createTopic("west.>")), "'home'", "'west'");
            try (JMSConsumer west = context.createConsumer(context.createTopic("west.*.news"));
                    JMSConsumer home = context.createConsumer(context.createTopic("east.>"))) {
                context.createProducer().send(context.createTopic("west.big.news"), "one");
                context.createProducer().send(context.createTopic("east.news"), "two");
                assertThat(west.receiveBody(String.class, RECEIVE)).isEqualTo("one");
                assertThat(home.receiveBody(String.class, RECEIVE)).isEqualTo("two");
            }
        }
    }

    @Test
    void dead_letters_stay_in_their_database() throws Exception {
        factory.setRedeliveryMaximumDeliveries("1");
        try (JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED)) {
            for (String queue : List.of("a", "west.a")) {
                send(context, queue, queue);
                context.commit();
                try (JMSConsumer consumer = context.createConsumer(context.createQueue(queue))) {
                    assertThat(consumer.receive(RECEIVE)).isNotNull();
                    context.rollback();
                    assertThat(consumer.receiveNoWait()).isNull();
                    context.commit();
                }
            }
            assertThat(receive(context, "DLQ")).isEqualTo("a");
            context.commit();
            assertThat(receive(context, "DLQ.west")).isEqualTo("west.a");
            context.commit();
        }
    }

    @Test
    void dead_letters_of_another_database_are_refused() throws Exception {
        factory.setProperty("redelivery.west.a.deadLetterDestination", "failed");
        try (JMSContext context = factory.createContext()) {
            refused(
                    () -> send(context, "west.a", "one"),
                    "'failed'",
                    "'home'",
                    "'west'",
                    "route.west.redelivery.deadLetterDestination");
            send(context, "west.b", "two");
        }
    }

    @Test
    void expired_messages_for_another_database_are_refused() throws Exception {
        factory.setProperty("expiry.destination", "west.expired");
        try (JMSContext context = factory.createContext()) {
            refused(
                    () -> context.createConsumer(context.createQueue("a")),
                    "'west.expired'",
                    "'home'",
                    "'west'",
                    "expiry.destination");
            send(context, "west.a", "one");
        }
    }

    @Test
    void the_sql_connection_is_that_of_the_transactions_database() throws Exception {
        TwoDatabases.execute(databases.west(), "CREATE TABLE shop_order (item varchar(50))");
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            Queue west = session.createQueue("west.a");
            SqlSession sql = (SqlSession) session;
            refused(sql::sqlConnection, "home", "west", "sqlConnection(destination)");
            insert(sql.sqlConnection(west));
            refused(() -> sql.sqlConnection(session.createQueue("a")), "'home'", "'west'");
            session.createProducer(west).send(session.createTextMessage("one"));
            session.rollback();
            assertThat(rows()).isZero();

            session.createProducer(west).send(session.createTextMessage("two"));
            insert(sql.sqlConnection());
            session.commit();
            assertThat(rows()).isEqualTo(1);
            assertThat(count(databases.west(), "west.a")).isEqualTo(1);
            refused(sql::sqlConnection, "home", "west");
        }
    }

    private static void insert(java.sql.Connection connection) throws Exception {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("INSERT INTO shop_order (item) VALUES ('coffee')");
        }
    }

    private int rows() throws Exception {
        try (java.sql.Connection connection = DriverManager.getConnection(databases.west());
                Statement statement = connection.createStatement();
                var row = statement.executeQuery("SELECT COUNT(*) FROM shop_order")) {
            row.next();
            return row.getInt(1);
        }
    }

    @Test
    void a_borrowed_sql_connection_is_of_one_database() throws Exception {
        try (java.sql.Connection borrowed = DriverManager.getConnection(databases.west())) {
            refused(() -> factory.createConnection(borrowed), "database(name)", "home", "west");
            try (Container container = new Container(borrowed)) {
                refused(() -> factory.createConnection(container), "database(name)", "home", "west");
            }
        }
        try (java.sql.Connection borrowed = DriverManager.getConnection(databases.west())) {
            try (JMSContext ready = factory.createContext()) {
                send(ready, "west.a", "zero");
            }
            borrowed.setAutoCommit(false);
            try (JMSContext context = factory.database("west").createContext(borrowed)) {
                refused(() -> send(context, "a", "one"), "'home'", "'west'", "database(\"home\")");
                send(context, "west.a", "two");
                borrowed.rollback();
                send(context, "west.a", "three");
                borrowed.commit();
            }
        }
        assertThat(count(databases.west(), "west.a")).isEqualTo(2);
        assertThatThrownBy(() -> factory.database("wets"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'west'");
    }

    @Test
    void xa_and_connection_consumers_are_of_one_database() throws Exception {
        ReadpastXAConnectionFactory xa = new ReadpastXAConnectionFactory(databases.url());
        try {
            refused(xa::createXAConnection, "database(name)", "home", "west");
            try (Connection connection = xa.createConnection();
                    Session session = connection.createSession()) {
                Queue queue = session.createQueue("a");
                refused(() -> connection.createConnectionConsumer(queue, null, () -> null, 1), "database(name)");
                refused(() -> session.setMessageListener(message -> {}), "database(name)");
            }
        } finally {
            xa.close();
        }
    }

    @Test
    void a_client_id_is_taken_at_home_and_known_elsewhere() throws Exception {
        try (Connection connection = factory.createConnection()) {
            connection.setClientID("shop");
            assertThatThrownBy(() -> connection.setClientID("other")).isInstanceOf(IllegalStateException.class);
            try (Session session = connection.createSession()) {
                connection.start();
                Topic topic = session.createTopic("west.news");
                MessageConsumer consumer = session.createDurableConsumer(topic, "reader");
                session.createProducer(topic).send(session.createTextMessage("one"));
                assertThat(text(consumer)).isEqualTo("one");
                try (Connection second = factory.createConnection()) {
                    assertThatThrownBy(() -> second.setClientID("shop")).isInstanceOf(InvalidClientIDException.class);
                }
                consumer.close();
                session.createProducer(topic).send(session.createTextMessage("two"));
            }
        }
        try (Connection connection = factory.createConnection()) {
            connection.setClientID("shop");
            try (Session session = connection.createSession()) {
                connection.start();
                MessageConsumer consumer = session.createDurableConsumer(session.createTopic("west.news"), "reader");
                assertThat(text(consumer)).isEqualTo("two");
                consumer.close();
                session.unsubscribe("reader");
                assertThatThrownBy(() -> session.unsubscribe("reader")).isInstanceOf(InvalidDestinationException.class);
                assertThatThrownBy(() -> connection.setClientID("late")).isInstanceOf(IllegalStateException.class);
            }
        }
    }

    private static MessageConsumer subscriber(Connection connection, String clientId) throws JMSException {
        connection.setClientID(clientId);
        Session session = connection.createSession();
        connection.start();
        return session.createDurableConsumer(session.createTopic("west.news"), "reader");
    }

    @Test
    void a_client_id_counts_where_a_connection_is_to_one_database_alone() throws Exception {
        for (String clientId : List.of("shop", "stock")) {
            try (Connection connection = factory.database("west").createConnection()) {
                subscriber(connection, clientId).close();
            }
        }
        try (JMSContext context = factory.createContext()) {
            context.createProducer().send(context.createTopic("west.news"), "one");
        }
        for (String clientId : List.of("shop", "stock")) {
            try (Connection connection = factory.createConnection()) {
                assertThat(text(subscriber(connection, clientId))).as(clientId).isEqualTo("one");
            }
        }
    }

    @Test
    void the_configured_client_id_is_there_from_the_start() throws Exception {
        factory.setClientId("fixed");
        try (Connection connection = factory.createConnection()) {
            assertThat(connection.getClientID()).isEqualTo("fixed");
            assertThatThrownBy(factory::createConnection).isInstanceOf(InvalidClientIDException.class);
            try (Session session = connection.createSession()) {
                session.createDurableConsumer(session.createTopic("west.news"), "reader")
                        .close();
                session.unsubscribe("reader");
            }
        }
    }

    @Test
    void the_old_domains_have_routes_too() throws Exception {
        QueueConnectionFactory queues = factory;
        try (QueueConnection connection = queues.createQueueConnection()) {
            QueueSession session = connection.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
            connection.start();
            session.createSender(session.createQueue("west.a")).send(session.createTextMessage("one"));
            assertThat(text(session.createReceiver(session.createQueue("west.a"))))
                    .isEqualTo("one");
            assertThatThrownBy(() -> session.createTopic("news")).isInstanceOf(IllegalStateException.class);
        }
        TopicConnectionFactory topics = factory;
        try (TopicConnection connection = topics.createTopicConnection()) {
            assertThatThrownBy(() -> connection.createConnectionConsumer((Queue) null, null, null, 1))
                    .isInstanceOf(JMSException.class);
            assertThat(connection.getMetaData().getJMSProviderName()).isNotBlank();
        }
    }

    @Test
    void who_would_wait_for_replies_in_the_wrong_database_is_told() throws Exception {
        try (Warnings warnings = new Warnings();
                JMSContext context = factory.createContext()) {
            context.createProducer()
                    .setJMSReplyTo(context.createQueue("replies"))
                    .send(context.createQueue("west.requests"), "one")
                    .send(context.createQueue("west.requests"), "two");
            assertThat(warnings.with("JMSReplyTo")).singleElement().asString().contains("'west'", "'home'", "replies");
        }
    }

    @Test
    void what_is_configured_wrongly_is_told() {
        ReadpastConnectionFactory wrong = new ReadpastConnectionFactory("readpast:" + databases.home());
        assertThatThrownBy(() -> wrong.setProperty("route.west.poolSze", "3"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("poolSize");
        for (String option :
                List.of("route.west", "route.1.url", "route.home.url", "route.west.clientId", "route.a.trustUrl")) {
            assertThatThrownBy(() -> wrong.setProperty(option, "x"))
                    .as(option)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        wrong.setProperty("route.west.destinations", "a, b");
        assertThatThrownBy(wrong::createConnection).hasMessageContaining("route.west.url");
        ReadpastConnectionFactory twice = databases.factory();
        twice.setProperty("route.east.url", databases.west());
        twice.setProperty("route.east.destinations", "west.*");
        assertThatThrownBy(twice::createConnection).hasMessageContainingAll("'east'", "'west'", "'west.*'");
    }

    @Test
    void wrong_credentials_are_told_of_where_a_connection_is_made() {
        try (JMSContext context = factory.createContext()) {
            send(context, "a", "one");
        }
        assertThatThrownBy(() -> factory.createConnection("nobody", "nothing"))
                .isInstanceOf(JMSSecurityException.class);
    }

    @Test
    void a_closed_factory_makes_no_connections() throws Exception {
        JMSContext context = factory.createContext();
        send(context, "west.a", "one");
        factory.close();
        assertThatThrownBy(() -> send(context, "west.a", "two")).isNotNull();
        assertThatThrownBy(factory::createConnection).isInstanceOf(IllegalStateException.class);
    }

    private static void refused(ThrowingCallable call, String... words) {
        List<String> expected = new ArrayList<>(List.of(words));
        assertThatThrownBy(call)
                .satisfies(refusal -> assertThat(refusal)
                        .isInstanceOfAny(
                                IllegalStateException.class,
                                InvalidDestinationException.class,
                                jakarta.jms.IllegalStateRuntimeException.class,
                                jakarta.jms.InvalidDestinationRuntimeException.class))
                .hasMessageContainingAll(expected.toArray(String[]::new));
    }

    private static int count(String url, String queue) throws Exception {
        return TwoDatabases.count(url, queue);
    }

    private static void send(JMSContext context, String queue, String text) {
        context.createProducer().send(context.createQueue(queue), text);
    }

    private static String receive(JMSContext context, String queue) {
        try (JMSConsumer consumer = context.createConsumer(context.createQueue(queue))) {
            return consumer.receiveBody(String.class, RECEIVE);
        }
    }

    private static String text(MessageConsumer consumer) throws JMSException {
        return ((TextMessage) consumer.receive(RECEIVE)).getText();
    }
}
