package org.readpast.jms.tck.joined;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.microsoft.sqlserver.jdbc.SQLServerConnection;
import com.zaxxer.hikari.HikariDataSource;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;

/** What is refused on a connection of the application's, because what came of it would not be what the caller is told. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JoinedLimitsTest {

    private static final long RECEIVE = 20_000;

    private final String name = "limits." + UUID.randomUUID();

    static Stream<TestDatabase> databases() {
        return TestDatabase.requested();
    }

    /** Those above the highest at which a transaction sees what others commit. */
    static Stream<Arguments> snapshots() {
        return TestDatabase.requested()
                .flatMap(database -> (database == TestDatabase.SQLSERVER
                                ? IntStream.of(SQLServerConnection.TRANSACTION_SNAPSHOT)
                                : IntStream.of(
                                        java.sql.Connection.TRANSACTION_REPEATABLE_READ,
                                        java.sql.Connection.TRANSACTION_SERIALIZABLE))
                        .mapToObj(level -> Arguments.of(database, level)));
    }

    /** One of its messages would be stored, and the next one not. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void send_to_several_destinations_needs_a_transaction(TestDatabase database) throws Exception {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(database.readpastUrl());
        try (java.sql.Connection sql = database.connect();
                Connection connection = factory.createConnection(sql);
                Session session = connection.createSession();
                Connection other = factory.createConnection();
                Session observer = other.createSession()) {
            other.start();
            MessageConsumer subscriber = observer.createConsumer(observer.createTopic(name));
            var composite = session.createQueue(name + ",topic://" + name);

            assertThatThrownBy(() -> session.createProducer(composite).send(session.createTextMessage("half")))
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("autocommit");

            sql.setAutoCommit(false);
            session.createProducer(composite).send(session.createTextMessage("whole"));
            sql.commit();
            assertThat(text(subscriber.receive(RECEIVE))).isEqualTo("whole");
            MessageConsumer receiver = observer.createConsumer(observer.createQueue(name));
            assertThat(text(receiver.receive(RECEIVE))).isEqualTo("whole");
            assertThat(receiver.receiveNoWait()).isNull();
        }
    }

    /** It would miss subscriptions that exist. */
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("snapshots")
    void publish_in_an_old_snapshot_is_refused(TestDatabase database, int level) throws Exception {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(database.readpastUrl());
        try (java.sql.Connection sql = inSnapshot(database, level);
                Connection connection = factory.createConnection(sql);
                Session session = connection.createSession();
                Connection other = factory.createConnection();
                Session observer = other.createSession()) {
            other.start();
            MessageConsumer subscriber = observer.createConsumer(observer.createTopic(name));

            assertThatThrownBy(() ->
                            session.createProducer(session.createTopic(name)).send(session.createTextMessage("missed")))
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("READ COMMITTED");

            sql.rollback();
            sql.setTransactionIsolation(java.sql.Connection.TRANSACTION_READ_COMMITTED);
            session.createProducer(session.createTopic(name)).send(session.createTextMessage("reached"));
            sql.commit();
            assertThat(text(subscriber.receive(RECEIVE))).isEqualTo("reached");
            assertThat(subscriber.receiveNoWait()).isNull();
        }
    }

    /** It would wait for ever for what came after the snapshot. */
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("snapshots")
    void receive_in_an_old_snapshot_is_refused_and_does_not_wait(TestDatabase database, int level) throws Exception {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(database.readpastUrl());
        try (java.sql.Connection sql = inSnapshot(database, level);
                Connection connection = factory.createConnection(sql);
                Session session = connection.createSession();
                Connection other = factory.createConnection();
                Session observer = other.createSession()) {
            connection.start();
            MessageConsumer consumer = session.createConsumer(session.createQueue(name));
            observer.createProducer(observer.createQueue(name)).send(observer.createTextMessage("later"));

            assertThatThrownBy(() -> consumer.receive(500))
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("READ COMMITTED");

            sql.rollback();
            sql.setTransactionIsolation(java.sql.Connection.TRANSACTION_READ_COMMITTED);
            assertThat(text(consumer.receive(RECEIVE))).isEqualTo("later");
            sql.commit();
        }
    }

    static Stream<Arguments> snapshotsOfQueues() {
        return snapshots().filter(each -> each.get()[0] != TestDatabase.SQLSERVER);
    }

    /** It cannot be helped: the transaction does not see the queue. On SQL Server it does, by a hint. */
    @ParameterizedTest(name = "{0} {1}", allowZeroInvocations = true)
    @MethodSource("snapshotsOfQueues")
    void send_in_an_old_snapshot_to_a_queue_that_is_new_says_what_is_in_its_way(TestDatabase database, int level)
            throws Exception {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(database.readpastUrl());
        try (java.sql.Connection sql = inSnapshot(database, level);
                Connection connection = factory.createConnection(sql);
                Session session = connection.createSession();
                Connection other = factory.createConnection();
                Session observer = other.createSession()) {
            other.start();
            observer.createConsumer(observer.createQueue(name)).close();
            sql.rollback();
            session.createProducer(session.createQueue(name)).send(session.createTextMessage("rolled back"));

            assertThatThrownBy(() -> session.createProducer(session.createQueue(name + ".new"))
                            .send(session.createTextMessage("refused")))
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("READ COMMITTED");

            sql.rollback();
            session.createProducer(session.createQueue(name + ".new")).send(session.createTextMessage("sent"));
            sql.commit();
            MessageConsumer consumer = observer.createConsumer(observer.createQueue(name + ".new"));
            assertThat(text(consumer.receive(RECEIVE))).isEqualTo("sent");
        }
    }

    /** The connection of the JVM's presence, on which it looks for the queue, is neither kept from others nor lost. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void queue_that_somebody_is_making_is_waited_for_as_long_as_the_JVM_can_spare(TestDatabase database)
            throws Exception {
        try (HikariDataSource pool = database.pool(4);
                java.sql.Connection program = database.connect();
                java.sql.Statement statement = program.createStatement()) {
            ReadpastConnectionFactory factory = new ReadpastConnectionFactory(pool);
            factory.setCreateSchema("true");
            factory.setIdleCloseMillis("0");
            factory.setPoolTimeoutMillis("5000");
            try (factory;
                    Connection connection = factory.createConnection();
                    Session session = connection.createSession()) {
                program.setAutoCommit(false);
                statement.executeUpdate(
                        "INSERT INTO " + database.schema() + ".destination (kind, name) VALUES ('Q', '" + name + "')");

                assertThatThrownBy(() -> session.createProducer(session.createQueue(name))
                                .send(session.createTextMessage("held up")))
                        .isInstanceOf(JMSException.class)
                        .hasMessageContaining("a lock or the statement timed out");

                program.rollback();
                session.createProducer(session.createQueue(name)).send(session.createTextMessage("sent"));
                connection.start();
                MessageConsumer consumer = session.createConsumer(session.createQueue(name));
                assertThat(text(consumer.receive(RECEIVE))).isEqualTo("sent");
            }
        }
    }

    /** A connection with a transaction that has read something. */
    private static java.sql.Connection inSnapshot(TestDatabase database, int level) throws SQLException {
        java.sql.Connection sql = database.connect();
        sql.setAutoCommit(false);
        sql.setTransactionIsolation(level);
        try (java.sql.Statement statement = sql.createStatement()) {
            statement.executeQuery("SELECT 1").close();
        }
        return sql;
    }

    private static String text(Message message) throws JMSException {
        assertThat(message).isNotNull();
        return ((TextMessage) message).getText();
    }
}
