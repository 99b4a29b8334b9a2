package org.readpast.jms.tck.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TcpProxy;
import org.readpast.jms.tck.rig.TestDatabase;

/** One of two PostgreSQL databases cannot be reached for a while: what is in the other one goes on. */
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RoutedOutageTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private TcpProxy proxy;
    private TwoDatabases databases;
    private ReadpastConnectionFactory factory;

    @BeforeEach
    void open() throws Exception {
        databases = TwoDatabases.of(TestDatabase.POSTGRESQL);
        proxy = TcpProxy.to(TestDatabase.POSTGRESQL.port());
    }

    @AfterEach
    void close() throws Exception {
        proxy.heal();
        factory.close();
        proxy.close();
    }

    private String throughProxy(String url) {
        return url.replaceFirst("//[^/]*/", "//localhost:" + proxy.port() + "/")
                + "&socketTimeout=10&connectTimeout=10";
    }

    private void connect(String home, String west) {
        factory = TwoDatabases.factory(home, west);
        factory.setPoolTimeoutMillis("5000");
        factory.setRecoveryDelayMillis("50");
        factory.setRecoveryCeilingMillis("500");
    }

    @Test
    void with_one_database_away_a_sessions_listener_in_the_other_goes_on_and_both_do_when_it_is_back()
            throws Exception {
        connect(databases.home(), throughProxy(databases.west()));
        ConcurrentLinkedQueue<String> got = new ConcurrentLinkedQueue<>();
        ConcurrentLinkedQueue<JMSException> told = new ConcurrentLinkedQueue<>();
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession();
                Session sending = connection.createSession();
                MessageProducer producer = sending.createProducer(null)) {
            connection.setExceptionListener(told::add);
            Queue home = session.createQueue("a");
            Queue west = session.createQueue("west.a");
            for (Queue queue : new Queue[] {home, west}) {
                session.createConsumer(queue).setMessageListener(message -> {
                    try {
                        got.add(((TextMessage) message).getText());
                    } catch (JMSException e) {
                        got.add(e.toString());
                    }
                });
            }
            connection.start();
            producer.send(west, session.createTextMessage("before"));
            await().atMost(PATIENCE).until(() -> got.contains("before"));
            // Its acknowledgement too is there: it would come again, and rightly so, if the connection were cut before.
            await().atMost(PATIENCE).until(() -> TwoDatabases.count(databases.west(), "west.a") == 0);

            proxy.refuse();
            proxy.cut();
            assertThatThrownBy(() -> producer.send(west, session.createTextMessage("lost")))
                    .isInstanceOf(JMSException.class);
            for (int i = 0; i < 20; i++) {
                producer.send(home, session.createTextMessage("meanwhile " + i));
            }
            await().atMost(PATIENCE).until(() -> got.contains("meanwhile 19"));

            proxy.heal();
            await().atMost(PATIENCE).until(() -> sent(producer, west, session.createTextMessage("after")));
            await().atMost(PATIENCE).until(() -> got.contains("after"));
            assertThat(got).doesNotHaveDuplicates();
        }
    }

    private static boolean sent(MessageProducer producer, Queue queue, TextMessage message) {
        try {
            producer.send(queue, message);
            return true;
        } catch (JMSException stillAway) {
            return false;
        }
    }

    @Test
    void with_home_away_only_connections_with_a_client_id_wait() throws Exception {
        connect(throughProxy(databases.home()), databases.west());
        proxy.refuse();
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession()) {
            connection.start();
            Queue west = session.createQueue("west.a");
            session.createProducer(west).send(session.createTextMessage("one"));
            try (MessageConsumer consumer = session.createConsumer(west)) {
                assertThat(consumer.receive(20_000)).isNotNull();
            }
            assertThatThrownBy(() ->
                            session.createProducer(session.createQueue("a")).send(session.createMessage()))
                    .isInstanceOf(JMSException.class);
        }
        try (Connection named = factory.createConnection()) {
            assertThatThrownBy(() -> named.setClientID("shop")).isInstanceOf(JMSException.class);
            proxy.heal();
            named.setClientID("shop");
            try (Session session = named.createSession()) {
                session.createDurableConsumer(session.createTopic("west.news"), "reader");
            }
        }
    }

    @Test
    void a_transaction_in_one_database_is_not_touched_by_the_loss_of_the_other() throws Exception {
        connect(databases.home(), throughProxy(databases.west()));
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            connection.start();
            MessageProducer producer = session.createProducer(null);
            producer.send(session.createQueue("west.a"), session.createTextMessage("one"));
            session.commit();
            producer.send(session.createQueue("a"), session.createTextMessage("two"));
            proxy.refuse();
            proxy.cut();
            session.commit();
            assertThat(TwoDatabases.count(databases.home(), "a")).isEqualTo(1);
        }
    }
}
