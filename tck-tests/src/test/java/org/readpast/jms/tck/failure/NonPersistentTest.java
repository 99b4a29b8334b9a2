package org.readpast.jms.tck.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.session.SqlSession;
import org.readpast.jms.tck.rig.Aside;
import org.readpast.jms.tck.rig.PostgresServer;
import org.readpast.jms.tck.rig.SharedPostgres;
import org.readpast.jms.tck.rig.TestDatabase;

/** Messages that may be lost with the server are committed without waiting for its disk, and nothing else is. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NonPersistentTest {

    private static final PostgresServer SERVER = SharedPostgres.get();
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int SENDERS = 40;

    private final String schema = "fleeting_" + Long.toString(System.nanoTime(), 36);

    @Test
    void only_sends_of_them_alone_do_not_wait_for_the_disk() throws Exception {
        try (ReadpastConnectionFactory factory =
                        new ReadpastConnectionFactory(TestDatabase.POSTGRESQL.readpastUrl("schema=" + schema));
                Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                Session transacted = connection.createSession(Session.SESSION_TRANSACTED)) {
            connection.start();
            Queue queue = session.createQueue("ticks");
            Topic topic = session.createTopic("rates");
            MessageConsumer subscriber = session.createConsumer(topic);
            send(session, topic, DeliveryMode.PERSISTENT, "whom it reaches is known from here on");
            assertThat(subscriber.receive(PATIENCE.toMillis())).isNotNull();
            noteCommits();

            send(session, queue, DeliveryMode.NON_PERSISTENT, "to a queue");
            send(session, topic, DeliveryMode.NON_PERSISTENT, "to a topic");
            send(session, session.createQueue("ticks,tocks"), DeliveryMode.NON_PERSISTENT, "to two queues");
            sendTogether(connection, queue);
            send(session, queue, DeliveryMode.PERSISTENT, "persistent");
            send(transacted, queue, DeliveryMode.NON_PERSISTENT, "beside what is persistent");
            send(transacted, queue, DeliveryMode.PERSISTENT, "beside what is not");
            transacted.commit();
            send(transacted, queue, DeliveryMode.NON_PERSISTENT, "beside rows");
            try (var statement = ((SqlSession) transacted).sqlConnection(queue).createStatement()) {
                statement.execute("CREATE TABLE " + schema + ".business (id int)");
            }
            transacted.commit();
            try (MessageConsumer consumer = session.createConsumer(queue, "JMSType = 'to a queue'")) {
                assertThat(consumer.receive(PATIENCE.toMillis())).isNotNull();
            }

            Map<String, Set<String>> expected = new HashMap<>();
            for (String kind : List.of("to a queue", "to a topic", "to two queues", "together")) {
                expected.put(kind, Set.of("off"));
            }
            for (String kind :
                    List.of("persistent", "beside what is persistent", "beside what is not", "beside rows", "gone")) {
                expected.put(kind, Set.of("on"));
            }
            assertThat(noted()).isEqualTo(expected);
        } finally {
            SERVER.execute("DROP SCHEMA " + schema + " CASCADE");
        }
    }

    /** With a pool of two connections: what the next transaction finds is what one before it has left. */
    @Test
    void connection_that_comes_back_waits_for_the_disk_again() throws Exception {
        try (ReadpastConnectionFactory factory = new ReadpastConnectionFactory(
                        TestDatabase.POSTGRESQL.readpastUrl("schema=" + schema, "poolSize=2"));
                Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            Queue queue = session.createQueue("ticks");
            send(session, queue, DeliveryMode.PERSISTENT, "before");
            noteCommits();
            for (int i = 0; i < 3; i++) {
                send(session, queue, DeliveryMode.NON_PERSISTENT, "fleeting");
                send(session, session.createQueue("ticks,tocks"), DeliveryMode.NON_PERSISTENT, "fleeting");
                send(session, queue, DeliveryMode.PERSISTENT, "lasting");
            }
            assertThat(noted()).isEqualTo(Map.of("fleeting", Set.of("off"), "lasting", Set.of("on")));
        } finally {
            SERVER.execute("DROP SCHEMA " + schema + " CASCADE");
        }
    }

    /** The server loses its memory three times while messages of both kinds are sent and consumed beside rows. */
    @Test
    void crash_of_the_server_loses_some_of_them_and_brings_none_twice_or_out_of_order() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            // Else what may be lost is on the disk a moment later.
            server.execute(
                    "ALTER SYSTEM SET wal_writer_delay = '10s'",
                    "ALTER SYSTEM SET wal_writer_flush_after = '1GB'",
                    "SELECT pg_reload_conf()",
                    "CREATE TABLE done (position int GENERATED ALWAYS AS IDENTITY, id int NOT NULL, lasting boolean)");
            try (ReadpastConnectionFactory factory = new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(
                            server.jdbcUrl(),
                            "recoveryDelayMillis=50",
                            "recoveryCeilingMillis=500",
                            "idleCloseMillis=0",
                            "redelivery.maximumDeliveries=0"));
                    Connection connection = factory.createConnection()) {
                connection.start();
                Ledger ledger = new Ledger();
                Aside<Exception> sender = Aside.attempt(() -> ledger.send(connection));
                Aside<Exception> receiver = Aside.attempt(() -> ledger.receive(connection));
                for (int crash = 0; crash < 3; crash++) {
                    int before = ledger.told();
                    await("messages to be sent").atMost(PATIENCE).until(() -> ledger.told() > before + 40);
                    server.crashAndRecover();
                    await("messages to be sent again").atMost(PATIENCE).until(() -> ledger.told() > before + 80);
                }
                ledger.sending = false;
                assertThat(sender.result()).isNull();
                await("what is left to be consumed").atMost(PATIENCE).until(() -> {
                    try {
                        return server.number("SELECT count(*) FROM readpast.message") == 0;
                    } catch (SQLException e) {
                        return false;
                    }
                });
                ledger.receiving = false;
                assertThat(receiver.result()).isNull();

                List<Integer> done = new ArrayList<>();
                try (var sql = server.connect();
                        ResultSet rows = sql.createStatement().executeQuery("SELECT id FROM done ORDER BY position")) {
                    while (rows.next()) {
                        done.add(rows.getInt(1));
                    }
                }
                assertThat(done).doesNotHaveDuplicates().isSorted();
                assertThat(done).containsAll(ledger.lasting());
            }
        }
    }

    /** What one session sent, numbered, and another one receives, with a row for each in the transaction that receives it. */
    private static final class Ledger {

        private final List<Integer> told = new ArrayList<>();
        private final List<Integer> lasting = new ArrayList<>();
        private volatile boolean sending = true;
        private volatile boolean receiving = true;

        synchronized int told() {
            return told.size();
        }

        synchronized List<Integer> lasting() {
            return List.copyOf(lasting);
        }

        private synchronized void tell(int id, boolean isLasting) {
            told.add(id);
            if (isLasting) {
                lasting.add(id);
            }
        }

        void send(Connection connection) throws JMSException {
            try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                    MessageProducer producer = session.createProducer(session.createQueue("ticks"))) {
                for (int id = 1; sending; id++) {
                    boolean isLasting = id % 10 == 0;
                    producer.setDeliveryMode(isLasting ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
                    try {
                        producer.send(session.createTextMessage("" + id));
                        tell(id, isLasting);
                    } catch (JMSException e) {
                        // The server is away, and the message may be stored or not.
                    }
                }
            }
        }

        void receive(Connection connection) throws JMSException {
            try (Session session = connection.createSession(Session.SESSION_TRANSACTED);
                    MessageConsumer consumer = session.createConsumer(session.createQueue("ticks"))) {
                while (receiving) {
                    try {
                        Message message = consumer.receive(200);
                        if (message != null) {
                            note((TextMessage) message, ((SqlSession) session).sqlConnection());
                            session.commit();
                        }
                    } catch (JMSException | SQLException e) {
                        rollBack(session);
                    }
                }
            }
        }

        private static void note(TextMessage message, java.sql.Connection sql) throws JMSException, SQLException {
            try (PreparedStatement insert = sql.prepareStatement("INSERT INTO done (id) VALUES (?)")) {
                insert.setInt(1, Integer.parseInt(message.getText()));
                insert.executeUpdate();
            }
        }

        private static void rollBack(Session session) {
            try {
                session.rollback();
            } catch (JMSException e) {
                // The server is away still: the next receive tells it too.
            }
        }
    }

    /** From now on each commit notes for each message that it stores or removes whether it waits for the disk. */
    private void noteCommits() throws SQLException {
        SERVER.execute(
                "CREATE TABLE " + schema + ".noted (kind text, setting text)",
                "CREATE FUNCTION " + schema + ".note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO " + schema
                        + ".noted VALUES (CASE TG_OP WHEN ''DELETE'' THEN ''gone'' ELSE NEW.jms_type END,"
                        + " current_setting(''synchronous_commit'')); RETURN NULL; END'",
                "CREATE CONSTRAINT TRIGGER note AFTER INSERT OR DELETE ON " + schema
                        + ".message DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION " + schema + ".note()");
    }

    private Map<String, Set<String>> noted() throws SQLException {
        Map<String, Set<String>> noted = new HashMap<>();
        try (var sql = SERVER.connect();
                ResultSet rows = sql.createStatement().executeQuery("SELECT kind, setting FROM " + schema + ".noted")) {
            while (rows.next()) {
                noted.computeIfAbsent(rows.getString(1), kind -> new HashSet<>())
                        .add(rows.getString(2));
            }
        }
        return noted;
    }

    private static void send(Session session, Destination to, int mode, String kind) throws JMSException {
        Message message = session.createTextMessage(kind);
        message.setJMSType(kind);
        try (MessageProducer producer = session.createProducer(to)) {
            producer.setDeliveryMode(mode);
            producer.send(message);
        }
    }

    /** So many at the same time that they share transactions. */
    private static void sendTogether(Connection connection, Queue queue) throws Exception {
        List<Aside<Exception>> senders = new ArrayList<>();
        for (int i = 0; i < SENDERS; i++) {
            senders.add(Aside.attempt(() -> {
                try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
                    for (int message = 0; message < 10; message++) {
                        send(session, queue, DeliveryMode.NON_PERSISTENT, "together");
                    }
                }
            }));
        }
        for (Aside<Exception> sender : senders) {
            assertThat(sender.result()).isNull();
        }
    }
}
