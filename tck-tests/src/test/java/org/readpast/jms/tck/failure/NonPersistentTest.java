package org.readpast.jms.tck.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
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
import java.util.concurrent.ConcurrentHashMap;
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

    /** Of how many messages of a sender one is PERSISTENT. */
    private static final List<Integer> PERSISTENCE = List.of(1, 10, Integer.MAX_VALUE);

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
            // Not where the connection is a new one: then it is read anew whom the message reaches, and that one waits.
            await("a send to a topic that does not wait").atMost(PATIENCE).until(() -> {
                send(session, topic, DeliveryMode.NON_PERSISTENT, "to a topic");
                return noted().get("to a topic").contains("off");
            });
            send(session, session.createQueue("ticks,tocks"), DeliveryMode.NON_PERSISTENT, "to two queues");
            sendTogether(connection, queue);
            send(session, queue, DeliveryMode.PERSISTENT, "persistent");
            sendWithoutId(session, queue);
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
            for (String kind : List.of("to a queue", "to two queues", "together")) {
                expected.put(kind, Set.of("off"));
            }
            for (String kind : List.of(
                    "persistent",
                    "beside what is persistent",
                    "beside what is not",
                    "beside rows",
                    "without id",
                    "gone")) {
                expected.put(kind, Set.of("on"));
            }
            Map<String, Set<String>> noted = noted();
            noted.remove("to a topic");
            assertThat(noted).isEqualTo(expected);
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

    /**
     * The server loses its memory three times while messages of both kinds are sent, and consumed beside rows of one queue, and by two who
     * acknowledge a few at a time of the other. Ids of messages that are lost are given out again meanwhile.
     */
    @Test
    void crash_of_the_server_loses_some_of_them_and_brings_none_twice_or_out_of_order() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            keepInMemory(server);
            server.execute(
                    "CREATE TABLE done (position int GENERATED ALWAYS AS IDENTITY, sender int NOT NULL, id int NOT NULL)");
            try (ReadpastConnectionFactory factory = factory(server);
                    Connection connection = factory.createConnection()) {
                connection.start();
                Ledger beside = new Ledger("beside rows");
                Ledger alone = new Ledger("alone");
                List<Aside<Exception>> work = new ArrayList<>();
                for (Ledger ledger : List.of(beside, alone)) {
                    for (int persistence : PERSISTENCE) {
                        work.add(Aside.attempt(() -> ledger.send(connection, persistence)));
                    }
                }
                List<Aside<Exception>> receivers = List.of(
                        Aside.attempt(() -> beside.receiveBesideRows(connection)),
                        Aside.attempt(() -> alone.receiveFew(connection)),
                        Aside.attempt(() -> alone.receiveFew(connection)));
                for (int crash = 0; crash < 3; crash++) {
                    int before = beside.told();
                    await("messages to be sent").atMost(PATIENCE).until(() -> beside.told() > before + 40);
                    server.crashAndRecover();
                    await("messages to be sent again").atMost(PATIENCE).until(() -> beside.told() > before + 80);
                }
                beside.sending = false;
                alone.sending = false;
                for (Aside<Exception> sender : work) {
                    assertThat(sender.result()).isNull();
                }
                await("what is left to be consumed").atMost(PATIENCE).until(() -> {
                    try {
                        return server.number("SELECT count(*) FROM readpast.message") == 0;
                    } catch (SQLException e) {
                        return false;
                    }
                });
                beside.receiving = false;
                alone.receiving = false;
                for (Aside<Exception> receiver : receivers) {
                    assertThat(receiver.result()).isNull();
                }

                Map<Integer, List<Integer>> done = new HashMap<>();
                try (var sql = server.connect();
                        ResultSet rows =
                                sql.createStatement().executeQuery("SELECT sender, id FROM done ORDER BY position")) {
                    while (rows.next()) {
                        done.computeIfAbsent(rows.getInt(1), sender -> new ArrayList<>())
                                .add(rows.getInt(2));
                    }
                }
                for (int sender : PERSISTENCE) {
                    assertThat(done.get(sender)).doesNotHaveDuplicates().isSorted();
                    assertThat(done.get(sender)).containsAll(beside.lasting(sender));
                    assertThat(alone.received).containsAll(alone.texts(sender));
                }
            }
        }
    }

    /** Who has received messages that are lost acknowledges them when others have their ids, and gives them back. */
    @Test
    void message_that_gets_the_id_of_a_lost_one_is_neither_acknowledged_nor_counted_in_its_place() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            keepInMemory(server);
            try (ReadpastConnectionFactory factory = factory(server);
                    Connection connection = factory.createConnection();
                    Session sender = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
                connection.start();
                Queue queue = sender.createQueue("ids");
                boolean givenOutAgain = false;
                for (int attempt = 1; !givenOutAgain; attempt++) {
                    assertThat(attempt).isLessThan(10);
                    try (Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
                            MessageConsumer consumer = session.createConsumer(queue)) {
                        Message received = null;
                        for (int i = 0; i < SENDERS; i++) {
                            send(sender, queue, DeliveryMode.NON_PERSISTENT, "lost");
                            received = consumer.receive(PATIENCE.toMillis());
                            assertThat(received).isNotNull();
                        }
                        long last = server.number("SELECT max(message_id) FROM readpast.message");
                        server.crashAndRecover();
                        sendThroughCrash(sender, queue);
                        givenOutAgain = server.number(
                                        "SELECT count(*) FROM readpast.message WHERE jms_type = 'later' AND message_id <= "
                                                + last)
                                > 0;
                        Message acknowledged = received;
                        assertThatThrownBy(acknowledged::acknowledge).isInstanceOf(JMSException.class);
                        session.recover();
                    }
                    try (MessageConsumer consumer = sender.createConsumer(queue, "JMSType = 'later'")) {
                        for (int i = 0; i < SENDERS; i++) {
                            Message later = consumer.receive(PATIENCE.toMillis());
                            assertThat(later).isNotNull();
                            assertThat(later.getIntProperty("JMSXDeliveryCount"))
                                    .isEqualTo(1);
                        }
                    }
                }
            }
        }
    }

    private static void sendThroughCrash(Session sender, Queue queue) {
        for (int i = 0; i < SENDERS; i++) {
            await("the server to be back").atMost(PATIENCE).until(() -> {
                try {
                    send(sender, queue, DeliveryMode.PERSISTENT, "later");
                    return true;
                } catch (JMSException e) {
                    return false;
                }
            });
        }
    }

    /** What may be lost is not on the disk a moment later. */
    private static void keepInMemory(PostgresServer server) throws SQLException {
        server.execute(
                "ALTER SYSTEM SET wal_writer_delay = '10s'",
                "ALTER SYSTEM SET wal_writer_flush_after = '1GB'",
                "SELECT pg_reload_conf()");
    }

    private static ReadpastConnectionFactory factory(PostgresServer server) {
        return new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(
                server.jdbcUrl(),
                "recoveryDelayMillis=50",
                "recoveryCeilingMillis=500",
                "idleCloseMillis=0",
                "redelivery.maximumDeliveries=0"));
    }

    /** What sessions sent to one queue, numbered by each, and others receive. A sender is known by how many of its messages one is PERSISTENT. */
    private static final class Ledger {

        private final String queue;
        private final Map<Integer, List<Integer>> lasting = new HashMap<>();
        private final Set<String> received = ConcurrentHashMap.newKeySet();
        private int told;
        private volatile boolean sending = true;
        private volatile boolean receiving = true;

        Ledger(String queue) {
            this.queue = queue;
        }

        synchronized int told() {
            return told;
        }

        synchronized List<Integer> lasting(int sender) {
            return List.copyOf(lasting.getOrDefault(sender, List.of()));
        }

        List<String> texts(int sender) {
            return lasting(sender).stream().map(id -> sender + ":" + id).toList();
        }

        private synchronized void tell(int sender, int id, boolean isLasting) {
            told++;
            if (isLasting) {
                lasting.computeIfAbsent(sender, first -> new ArrayList<>()).add(id);
            }
        }

        void send(Connection connection, int sender) throws JMSException {
            try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                    MessageProducer producer = session.createProducer(session.createQueue(queue))) {
                for (int id = 1; sending; id++) {
                    boolean isLasting = id % sender == 0;
                    producer.setDeliveryMode(isLasting ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
                    try {
                        producer.send(session.createTextMessage(sender + ":" + id));
                        tell(sender, id, isLasting);
                    } catch (JMSException e) {
                        // The server is away, and the message may be stored or not.
                    }
                }
            }
        }

        /** With a row for each message in the transaction that receives it. */
        void receiveBesideRows(Connection connection) throws JMSException {
            try (Session session = connection.createSession(Session.SESSION_TRANSACTED);
                    MessageConsumer consumer = session.createConsumer(session.createQueue(queue))) {
                while (receiving) {
                    try {
                        Message message = consumer.receive(200);
                        if (message != null) {
                            note((TextMessage) message, ((SqlSession) session).sqlConnection());
                            session.commit();
                        }
                    } catch (JMSException | SQLException e) {
                        again(session::rollback);
                    }
                }
            }
        }

        void receiveFew(Connection connection) throws JMSException {
            try (Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
                    MessageConsumer consumer = session.createConsumer(session.createQueue(queue))) {
                Message last = null;
                int unacknowledged = 0;
                while (receiving) {
                    try {
                        Message message = consumer.receive(200);
                        if (message != null) {
                            received.add(((TextMessage) message).getText());
                            last = message;
                            unacknowledged++;
                        }
                        if (last != null && (message == null || unacknowledged == 5)) {
                            unacknowledged = 0;
                            last.acknowledge();
                            last = null;
                        }
                    } catch (JMSException e) {
                        again(session::recover);
                    }
                }
            }
        }

        private static void note(TextMessage message, java.sql.Connection sql) throws JMSException, SQLException {
            String[] parts = message.getText().split(":", -1);
            try (PreparedStatement insert = sql.prepareStatement("INSERT INTO done (sender, id) VALUES (?, ?)")) {
                insert.setInt(1, Integer.parseInt(parts[0]));
                insert.setInt(2, Integer.parseInt(parts[1]));
                insert.executeUpdate();
            }
        }

        private interface Undoing {
            void run() throws JMSException;
        }

        private static void again(Undoing undoing) {
            try {
                undoing.run();
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

    private static void sendWithoutId(Session session, Queue queue) throws JMSException {
        Message message = session.createMessage();
        message.setJMSType("without id");
        try (MessageProducer producer = session.createProducer(queue)) {
            producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            producer.setDisableMessageID(true);
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
