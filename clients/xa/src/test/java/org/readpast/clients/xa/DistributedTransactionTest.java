package org.readpast.clients.xa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

import com.arjuna.ats.arjuna.coordinator.TxControl;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.TransactionInProgressRuntimeException;
import jakarta.jms.XAConnection;
import jakarta.jms.XAJMSContext;
import jakarta.jms.XASession;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.xa.PGXADataSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.ReadpastXAConnectionFactory;
import org.readpast.jms.session.SqlSession;

/** XA sessions in transactions of Narayana's, with a second database in them. */
class DistributedTransactionTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long PATIENCE_MILLIS = PATIENCE.toMillis();

    @TempDir
    private static Path log;

    private static EmbeddedPostgres server;
    private static TransactionManager manager;

    private TwoDatabases databases;
    private ReadpastXAConnectionFactory factory;
    private XAConnection connection;

    @BeforeAll
    static void start() throws Exception {
        manager = Coordinator.Product.NARAYANA.start(log, "shop", List.of()).manager();
        server = TwoDatabases.startServer();
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    @BeforeEach
    void connect() throws Exception {
        databases = TwoDatabases.emptyOn(server);
        connect(databases.factoryUrl());
    }

    private void connect(String url) throws JMSException {
        factory = new ReadpastXAConnectionFactory(url);
        connection = factory.createXAConnection();
        connection.start();
    }

    @AfterEach
    void nothing_is_left_behind() throws Exception {
        if (manager.getTransaction() != null) {
            manager.suspend().rollback();
        }
        factory.close();
        assertThat(databases.inDoubt()).isZero();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(databases.connections()).isZero());
        databases.close();
    }

    /** Puts what the factory has in memory in place of PostgreSQL. */
    private void connectTo(String database) throws JMSException {
        if (database.equals("H2")) {
            factory.close();
            connect("readpast:jdbc:h2:mem:" + UUID.randomUUID());
        }
    }

    @FunctionalInterface
    private interface Work {
        void run() throws Exception;
    }

    private void inTransaction(XASession session, Work work) throws Exception {
        manager.begin();
        try {
            manager.getTransaction().enlistResource(session.getXAResource());
            work.run();
        } catch (Exception | Error e) {
            manager.rollback();
            throw e;
        }
        manager.commit();
    }

    private static void send(Session session, String queue, String text) throws JMSException {
        try (MessageProducer producer = session.createProducer(session.createQueue(queue))) {
            producer.send(session.createTextMessage(text));
        }
    }

    /** What warns of it, by the JVM's transaction manager. */
    private List<String> warningsOf(String node) throws Exception {
        String before = TxControl.getXANodeName();
        TxControl.setXANodeName(node);
        try (Warnings warnings = new Warnings();
                XASession session = connection.createXASession()) {
            for (int i = 0; i < 2; i++) {
                inTransaction(session, () -> send(session, "a", "coffee"));
            }
            return warnings.texts();
        } finally {
            TxControl.setXANodeName(before);
        }
    }

    @Test
    void node_identifier_that_another_node_may_have_too_is_warned_of_once() throws Exception {
        assertThat(warningsOf("1"))
                .singleElement(STRING)
                .contains("node identifier is '1'", "node-identifier", "CoreEnvironmentBean.nodeIdentifier");
        assertThat(warningsOf("1")).isEmpty();
    }

    @Test
    void node_identifier_of_its_own_is_not_warned_of() throws Exception {
        assertThat(warningsOf("12")).isEmpty();
    }

    /** Waits for it, on a session with transactions of its own. */
    private Message received(String queue) throws JMSException {
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                MessageConsumer consumer = session.createConsumer(session.createQueue(queue))) {
            return consumer.receive(PATIENCE_MILLIS);
        }
    }

    private Message receivedAtOnce(String queue) throws JMSException {
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                MessageConsumer consumer = session.createConsumer(session.createQueue(queue))) {
            return consumer.receiveNoWait();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"H2", "PostgreSQL"})
    void what_is_received_and_sent_on_is_committed_together(String database) throws Exception {
        connectTo(database);
        XASession session = connection.createXASession();
        inTransaction(session, () -> {
            send(session, "in", "coffee");
            assertThat(receivedAtOnce("in")).as("seen before the commit").isNull();
        });
        try (MessageConsumer consumer = session.createConsumer(session.createQueue("in"))) {
            inTransaction(session, () -> {
                TextMessage message = (TextMessage) consumer.receive(PATIENCE_MILLIS);
                send(session, "out", message.getText());
            });
        }
        assertThat(((TextMessage) received("out")).getText()).isEqualTo("coffee");
        assertThat(receivedAtOnce("in")).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"H2", "PostgreSQL"})
    void rollback_brings_back_what_was_received_and_takes_away_what_was_sent(String database) throws Exception {
        connectTo(database);
        XASession session = connection.createXASession();
        inTransaction(session, () -> send(session, "in", "coffee"));
        manager.begin();
        manager.getTransaction().enlistResource(session.getXAResource());
        try (MessageConsumer consumer = session.createConsumer(session.createQueue("in"))) {
            assertThat(consumer.receive(PATIENCE_MILLIS)).isNotNull();
        }
        send(session, "out", "coffee");
        manager.rollback();
        assertThat(receivedAtOnce("out")).isNull();
        assertThat(received("in")).isNotNull();
    }

    @Test
    void row_in_another_database_commits_with_the_messages() throws Exception {
        XASession session = connection.createXASession();
        javax.sql.XAConnection rows = rows().getXAConnection();
        inTransaction(session, () -> {
            manager.getTransaction().enlistResource(rows.getXAResource());
            insert(rows.getConnection());
            send(session, "out", "coffee");
        });
        assertThat(databases.orders()).isEqualTo(1);
        assertThat(received("out")).isNotNull();

        manager.begin();
        Transaction transaction = manager.getTransaction();
        transaction.enlistResource(session.getXAResource());
        transaction.enlistResource(rows.getXAResource());
        insert(rows.getConnection());
        send(session, "out", "tea");
        manager.rollback();
        assertThat(databases.orders()).isEqualTo(1);
        assertThat(receivedAtOnce("out")).isNull();
        rows.close();
    }

    private PGXADataSource rows() {
        PGXADataSource source = new PGXADataSource();
        source.setUrl(databases.rows());
        return source;
    }

    private static void insert(java.sql.Connection sql) throws SQLException {
        try (Statement statement = sql.createStatement()) {
            statement.executeUpdate("INSERT INTO shop_order VALUES ('coffee')");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"H2", "PostgreSQL"})
    void row_on_the_session_s_connection_is_in_its_branch(String database) throws Exception {
        connectTo(database);
        XASession session = connection.createXASession();
        inTransaction(session, () -> {
            java.sql.Connection sql = ((SqlSession) session).sqlConnection();
            assertThat(sql.getAutoCommit()).isFalse();
            try (Statement statement = sql.createStatement()) {
                statement.execute("CREATE TABLE IF NOT EXISTS row_with_message (item VARCHAR(20))");
                statement.execute("INSERT INTO row_with_message VALUES ('coffee')");
                assertThatExceptionOfType(SQLException.class).isThrownBy(sql::commit);
            }
            sql.close();
            send(session, "out", "coffee");
        });
        assertThat(received("out")).isNotNull();
        inTransaction(session, () -> {
            try (Statement statement = ((SqlSession) session).sqlConnection().createStatement()) {
                assertThat(statement.executeUpdate("DELETE FROM row_with_message"))
                        .isEqualTo(1);
                statement.execute("DROP TABLE row_with_message");
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"H2", "PostgreSQL"})
    void nothing_is_done_outside_of_a_branch_and_only_the_manager_ends_one(String database) throws Exception {
        connectTo(database);
        XASession session = connection.createXASession();
        assertThat(session.getTransacted()).isTrue();
        assertThat(session.getAcknowledgeMode()).isEqualTo(Session.SESSION_TRANSACTED);
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> send(session, "out", "coffee"))
                .withMessageContaining("no branch");
        try (MessageConsumer consumer = session.createConsumer(session.createQueue("out"))) {
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(consumer::receiveNoWait)
                    .withMessageContaining("no branch");
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> consumer.setMessageListener(message -> {}));
        }
        assertThatExceptionOfType(TransactionInProgressException.class).isThrownBy(session::commit);
        assertThatExceptionOfType(TransactionInProgressException.class).isThrownBy(session::rollback);
        inTransaction(session, () -> {
            send(session, "out", "coffee");
            assertThatExceptionOfType(TransactionInProgressException.class).isThrownBy(session::commit);
        });
        assertThat(received("out")).isNotNull();
    }

    @Test
    void thread_that_goes_on_after_its_transaction_was_rolled_back_sends_nothing() throws Exception {
        XASession session = connection.createXASession();
        manager.begin();
        Transaction late = manager.getTransaction();
        late.enlistResource(session.getXAResource());
        send(session, "out", "coffee");
        // As the transaction manager's own thread does when the time of a transaction is up.
        CompletableFuture.runAsync(() -> rollBack(late)).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(late.getStatus()).isEqualTo(Status.STATUS_ROLLEDBACK);
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> send(session, "out", "tea"));
        manager.suspend();
        assertThat(receivedAtOnce("out")).isNull();
    }

    private static void rollBack(Transaction transaction) {
        try {
            transaction.rollback();
        } catch (SystemException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"H2", "PostgreSQL"})
    void session_may_be_closed_before_its_transaction_ends(String database) throws Exception {
        connectTo(database);
        XASession session = connection.createXASession();
        inTransaction(session, () -> {
            send(session, "out", "coffee");
            session.close();
        });
        assertThat(received("out")).isNotNull();
    }

    /** Nobody asks for the branch any more, which has been rolled back instead. That its connection is closed is seen as the test ends. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nothing_is_left_of_a_session_whose_commit_the_database_refuses(boolean onePhase) throws Exception {
        XASession session = connection.createXASession();
        javax.sql.XAConnection rows = rows().getXAConnection();
        assertThatExceptionOfType(RollbackException.class)
                .isThrownBy(() -> inTransaction(session, () -> {
                    if (!onePhase) {
                        manager.getTransaction().enlistResource(rows.getXAResource());
                        insert(rows.getConnection());
                    }
                    try (Statement statement =
                            ((SqlSession) session).sqlConnection().createStatement()) {
                        statement.execute("CREATE TABLE late (item INTEGER UNIQUE DEFERRABLE INITIALLY DEFERRED)");
                        statement.execute("INSERT INTO late VALUES (1), (1)");
                    }
                    send(session, "out", "coffee");
                    session.close();
                }));
        assertThat(receivedAtOnce("out")).isNull();
        rows.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"H2", "PostgreSQL"})
    void context_is_a_session_of_that_kind(String database) throws Exception {
        connectTo(database);
        try (XAJMSContext context = factory.createXAContext()) {
            Queue queue = context.createQueue("out");
            JMSProducer producer = context.getContext().createProducer();
            assertThat(context.getTransacted()).isTrue();
            assertThatExceptionOfType(TransactionInProgressRuntimeException.class)
                    .isThrownBy(context::commit);
            manager.begin();
            manager.getTransaction().enlistResource(context.getXAResource());
            producer.send(queue, "coffee");
            manager.commit();
            assertThat(received("out")).isNotNull();
        }
    }

    @Test
    void session_goes_on_after_its_connection_has_broken() throws Exception {
        XASession session = connection.createXASession();
        inTransaction(session, () -> send(session, "out", "coffee"));
        manager.begin();
        manager.getTransaction().enlistResource(session.getXAResource());
        send(session, "out", "lost");
        breakOff();
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> send(session, "out", "lost too"));
        // Transaction managers ask the first resource whether it is that of the second, and it has a new connection
        // then.
        manager.getTransaction().enlistResource(connection.createXASession().getXAResource());
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> send(session, "out", "in no branch"));
        manager.rollback();
        inTransaction(session, () -> send(session, "out", "tea"));
        assertThat(((TextMessage) received("out")).getText()).isEqualTo("coffee");
        assertThat(((TextMessage) received("out")).getText()).isEqualTo("tea");
        assertThat(receivedAtOnce("out")).isNull();
    }

    /** The connection that has sent, and none that housekeeping reads with at this moment. */
    private void breakOff() throws SQLException {
        databases.number(
                databases.messages(),
                "SELECT count(pg_terminate_backend(pid, 60000)) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                        + " AND state LIKE 'idle in transaction%' AND backend_xid IS NOT NULL");
    }

    /** The driver knows it then, and has closed the connection. */
    @Test
    void session_goes_on_a_while_after_its_connection_has_broken_before_a_commit_in_one_phase() throws Exception {
        XASession session = connection.createXASession();
        assertThatExceptionOfType(Exception.class)
                .isThrownBy(() -> inTransaction(session, () -> {
                    send(session, "out", "lost");
                    breakOff();
                }));
        long since = System.nanoTime();
        // Whether one that was used a moment ago still lives is not asked.
        await().atMost(PATIENCE)
                .until(() -> System.nanoTime() - since > Duration.ofSeconds(1).toNanos());
        inTransaction(session, () -> send(session, "out", "tea"));
        assertThat(((TextMessage) received("out")).getText()).isEqualTo("tea");
        assertThat(receivedAtOnce("out")).isNull();
    }

    /** As those of the pool: the value may be a message's. */
    @Test
    void error_in_a_branch_does_not_quote_the_value() throws Exception {
        XASession session = connection.createXASession();
        manager.begin();
        manager.getTransaction().enlistResource(session.getXAResource());
        try (Statement statement = ((SqlSession) session).sqlConnection().createStatement()) {
            statement.execute("CREATE TABLE guest (name text UNIQUE)");
            assertThatExceptionOfType(SQLException.class)
                    .isThrownBy(() -> statement.execute("INSERT INTO guest VALUES ('Ada'), ('Ada')"))
                    .withMessageContaining("guest_name_key")
                    .satisfies(e -> assertThat(e.getMessage()).doesNotContain("Ada"));
        }
        manager.rollback();
    }

    @Test
    void PostgreSQL_that_cannot_prepare_is_refused_with_the_setting() throws Exception {
        try (EmbeddedPostgres careless = EmbeddedPostgres.builder()
                        .setPGStartupWait(Duration.ofMinutes(2))
                        .start();
                ReadpastXAConnectionFactory refused = new ReadpastXAConnectionFactory(
                        "readpast:" + careless.getJdbcUrl("postgres", "postgres") + "#createSchema=true")) {
            assertThatExceptionOfType(JMSException.class)
                    .isThrownBy(refused::createXAConnection)
                    .withMessageContaining("max_prepared_transactions is 0");
            refused.createConnection().close();
        }
    }

    @Test
    void factory_over_a_DataSource_is_refused_with_the_reason() throws Exception {
        try (ReadpastXAConnectionFactory refused = new ReadpastXAConnectionFactory()) {
            refused.setDataSource(server.getPostgresDatabase());
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(refused::createXAConnection)
                    .withMessageContaining("JDBC URL");
        }
    }

    @Test
    void body_is_not_kept_in_memory_once_it_is_sent() throws Exception {
        XASession session = connection.createXASession();
        // Longer than a failing test waits.
        manager.setTransactionTimeout(600);
        inTransaction(session, () -> {
            manager.setTransactionTimeout(0);
            WeakReference<String> body = sendOnce(session);
            await().atMost(PATIENCE).untilAsserted(() -> {
                System.gc();
                assertThat(body.get()).isNull();
            });
        });
        assertThat(received("out")).isNotNull();
    }

    private static WeakReference<String> sendOnce(Session session) throws JMSException {
        String body = "coffee".repeat(1_000);
        send(session, "out", body);
        return new WeakReference<>(body);
    }

    /** They do not look by themselves, and the database tells them nothing. */
    @Test
    void others_are_woken_by_the_commit_of_a_distributed_transaction() throws Exception {
        XASession session = connection.createXASession();
        String silent = "&poolSize=4&notification=false&pollFloorMillis=3600000&pollCeilingMillis=3600000";
        try (ReadpastConnectionFactory other = new ReadpastConnectionFactory(databases.factoryUrl() + silent);
                jakarta.jms.Connection elsewhere = other.createConnection();
                Session waiting = elsewhere.createSession(Session.AUTO_ACKNOWLEDGE);
                MessageConsumer consumer = waiting.createConsumer(waiting.createQueue("out"))) {
            elsewhere.start();
            assertThat(consumer.receiveNoWait()).isNull();
            CompletableFuture<Message> received = new CompletableFuture<>();
            Thread waits = new Thread(() -> {
                try {
                    received.complete(consumer.receive(PATIENCE_MILLIS));
                } catch (JMSException e) {
                    received.completeExceptionally(e);
                }
            });
            waits.start();
            await().atMost(PATIENCE).until(() -> waits.getState() == Thread.State.TIMED_WAITING);
            inTransaction(session, () -> send(session, "out", "coffee"));
            assertThat(received.get()).isNotNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"H2", "PostgreSQL"})
    void transaction_in_which_a_send_has_failed_is_rolled_back(String database) throws Exception {
        connectTo(database);
        String schema = database.equals("H2") ? "readpast" : databases.schema();
        XASession session = connection.createXASession();
        inTransaction(session, () -> send(session, "out", "coffee"));
        assertThatExceptionOfType(RollbackException.class)
                .isThrownBy(() -> inTransaction(session, () -> {
                    send(session, "kept", "tea");
                    // Within the transaction, so that nobody else in this JVM notices, and forgets what is gone, before
                    // the send.
                    try (Statement statement =
                            ((SqlSession) session).sqlConnection().createStatement()) {
                        statement.execute("DELETE FROM " + schema + ".destination WHERE name = 'out'");
                    }
                    assertThatExceptionOfType(JMSException.class).isThrownBy(() -> send(session, "out", "tea"));
                }));
        assertThat(receivedAtOnce("kept")).isNull();
    }
}
