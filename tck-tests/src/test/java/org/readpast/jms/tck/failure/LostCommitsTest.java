package org.readpast.jms.tck.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.session.SqlSession;
import org.readpast.jms.tck.rig.Aside;
import org.readpast.jms.tck.rig.PostgresServer;
import org.readpast.jms.tck.rig.TcpProxy;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * A failover of servers that loses what was committed last: the standby follows asynchronously and is cut off some time before the server
 * is killed. Clients live on. The ledger is in the database, a row in the transaction of each send and of each receive: what came back of
 * it has to fit the messages that came back.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LostCommitsTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int PROGRESS = 30;

    private final List<String> told = new CopyOnWriteArrayList<>();
    private volatile boolean sending = true;
    private volatile boolean receiving = true;

    @Test
    void messages_and_business_rows_go_back_together_and_clients_go_on() throws Exception {
        try (PostgresServer primary = PostgresServer.start();
                PostgresServer standby = primary.startStandby();
                TcpProxy proxy = TcpProxy.to(primary.port())) {
            primary.execute(
                    "ALTER SYSTEM RESET synchronous_standby_names",
                    "SELECT pg_reload_conf()",
                    "CREATE TABLE sent (id text NOT NULL)",
                    "CREATE TABLE done (id text NOT NULL)");
            String options =
                    "poolTimeoutMillis=60000&recoveryDelayMillis=50&recoveryCeilingMillis=500&idleCloseMillis=0";
            ReadpastConnectionFactory factory = new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(
                    PostgresServer.urlThrough(proxy.port()), options, "redelivery.maximumDeliveries=0"));
            try (Connection connection = factory.createConnection();
                    JMSContext late = factory.createContext()) {
                connection.setClientID("lost");
                connection.start();
                List<Aside<Exception>> receivers = List.of(
                        receiver(connection, session -> session.createConsumer(session.createQueue("orders"))),
                        receiver(
                                connection,
                                session ->
                                        session.createConsumer(session.createQueue("leased?consumer.leaseSeconds=60"))),
                        receiver(
                                connection,
                                session -> session.createDurableConsumer(session.createTopic("news"), "all")));
                Aside<Exception> sender = sender(connection);
                awaitProgress();
                // It may not have heard of the table yet.
                await("the standby to follow")
                        .atMost(PATIENCE)
                        .ignoreExceptionsInstanceOf(SQLException.class)
                        .until(() -> standby.number("SELECT count(*) FROM pg_stat_wal_receiver") == 1
                                && standby.number("SELECT count(*) FROM sent") > 0);
                standby.execute("ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()");
                await("the standby to be cut off")
                        .atMost(PATIENCE)
                        .until(() -> standby.number("SELECT count(*) FROM pg_stat_wal_receiver") == 0);
                late.createProducer().send(late.createQueue("late"), "lost");
                TemporaryQueue replies = late.createTemporaryQueue();
                JMSConsumer requester = late.createConsumer(replies);
                awaitProgress();

                primary.crash();
                Set<String> toldBefore = new HashSet<>(told);
                standby.promote();
                await("the standby to be promoted")
                        .atMost(PATIENCE)
                        .until(() -> standby.number("SELECT CASE WHEN pg_is_in_recovery() THEN 0 ELSE 1 END") == 1);
                try (JMSContext elsewhere = new ReadpastConnectionFactory(
                                TestDatabase.readpastUrlOf(standby.jdbcUrl(), "idleCloseMillis=0"))
                        .createContext()) {
                    JMSConsumer another = elsewhere.createConsumer(elsewhere.createQueue("another"));
                    proxy.leadTo(standby.port());
                    awaitProgress();
                    await("the queue to be made again").atMost(PATIENCE).until(() -> isSent(late));
                    assertThat(late.createConsumer(late.createQueue("late")).receiveBody(String.class, 30_000))
                            .isEqualTo("late");
                    assertThat(another.receiveNoWait()).isNull();
                    await("the temporary queue to be made again")
                            .atMost(PATIENCE)
                            .ignoreExceptionsInstanceOf(JMSRuntimeException.class)
                            .until(() -> {
                                elsewhere.createProducer().send(replies, "reply");
                                return "reply".equals(requester.receiveBody(String.class, 500));
                            });
                }

                sending = false;
                assertThat(sender.result()).isNull();
                await("all messages to be consumed")
                        .atMost(PATIENCE)
                        .until(() ->
                                standby.number("SELECT count(*) FROM sent WHERE id NOT IN (SELECT id FROM done)") == 0);
                receiving = false;
                for (Aside<Exception> receiver : receivers) {
                    assertThat(receiver.result()).isNull();
                }

                assertThat(standby.number("SELECT count(*) FROM done WHERE id NOT IN (SELECT id FROM sent)"))
                        .as("consumed, and not sent")
                        .isZero();
                assertThat(standby.number("SELECT count(*) - count(DISTINCT id) FROM done"))
                        .as("consumed twice")
                        .isZero();
                toldBefore.removeAll(sent(standby));
                assertThat(toldBefore).as("commits that were lost").isNotEmpty();
            }
        }
    }

    private void awaitProgress() {
        int before = told.size();
        await("clients to get on").atMost(PATIENCE).until(() -> told.size() >= before + PROGRESS);
    }

    /** It fails where the connection is gone or the queue is, and not more often than that. */
    private static boolean isSent(JMSContext late) {
        try {
            late.createProducer().send(late.createQueue("late"), "late");
            return true;
        } catch (JMSRuntimeException e) {
            return false;
        }
    }

    private static Set<String> sent(PostgresServer server) throws SQLException {
        Set<String> sent = new HashSet<>();
        try (java.sql.Connection connection = server.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT id FROM sent")) {
            while (rows.next()) {
                sent.add(rows.getString(1));
            }
        }
        return sent;
    }

    /** To each of the receivers in turn, every second round delayed. */
    private Aside<Exception> sender(Connection connection) throws JMSException {
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        MessageProducer producer = session.createProducer(null);
        List<Destination> destinations =
                List.of(session.createQueue("orders"), session.createQueue("leased"), session.createTopic("news"));
        return Aside.attempt(() -> {
            for (int i = 0; sending; i++) {
                String text = "m" + i;
                try {
                    producer.setDeliveryDelay(i / destinations.size() % 2 == 0 ? 0 : 100);
                    producer.send(destinations.get(i % destinations.size()), session.createTextMessage(text));
                    note(session, "sent", text);
                    session.commit();
                    told.add(text);
                } catch (JMSException | SQLException e) {
                    rollBack(session);
                }
            }
        });
    }

    private interface Consuming {
        MessageConsumer by(Session session) throws JMSException;
    }

    private Aside<Exception> receiver(Connection connection, Consuming consuming) throws JMSException {
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        MessageConsumer consumer = consuming.by(session);
        return Aside.attempt(() -> {
            while (receiving) {
                try {
                    Message message = consumer.receive(200);
                    if (message != null) {
                        note(session, "done", ((TextMessage) message).getText());
                        session.commit();
                    }
                } catch (JMSException | SQLException e) {
                    rollBack(session);
                }
            }
        });
    }

    private static void note(Session session, String table, String text) throws JMSException, SQLException {
        try (PreparedStatement insert =
                ((SqlSession) session).sqlConnection().prepareStatement("INSERT INTO " + table + " (id) VALUES (?)")) {
            insert.setString(1, text);
            insert.executeUpdate();
        }
    }

    private static void rollBack(Session session) {
        try {
            session.rollback();
        } catch (JMSException e) {
            // Its connection is gone, and the transaction with it.
        }
    }
}
