package org.readpast.jms.tck.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.ResourceAllocationRuntimeException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** An administrator pauses queues while JVMs are connected. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Execution(ExecutionMode.CONCURRENT)
class PauseTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final AtomicInteger TESTS = new AtomicInteger();

    private final int number = TESTS.incrementAndGet();

    /** Of its own, so that one JVM alone says what it keeps to. */
    private final String schema = "pause_" + number + "_" + Long.toString(System.nanoTime(), 36);

    private final String queue = "orders " + number;
    private final String other = "invoices " + number;
    private final TestDatabase database;
    private ReadpastConnectionFactory factory;
    private JMSContext context;

    PauseTest(TestDatabase database) {
        this.database = database;
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.requested();
    }

    @BeforeEach
    void connect() throws JMSException, SQLException {
        factory = new ReadpastConnectionFactory(database.readpastUrl("schema=" + schema));
        context = factory.createContext();
        database.numberInOrder(schema);
        send(queue, "first");
        send(other, "other");
    }

    @AfterEach
    void disconnect() throws Exception {
        context.close();
        factory.close();
        resume(queue);
    }

    private void send(String queue, String text) {
        context.createProducer().send(context.createQueue(queue), text);
    }

    private JMSConsumer consumer(String queue) {
        return context.createConsumer(context.createQueue(queue));
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private List<String> texts(String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> texts = new ArrayList<>();
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
            return texts;
        }
    }

    private void pause(String queue, String what) throws SQLException {
        switch (database) {
            case SQLSERVER ->
                execute("EXECUTE " + schema + ".pause @queue = N'" + queue + "', @what = N'" + what
                        + "', @claimed_user = N'ada'");
            case POSTGRESQL ->
                execute("SELECT " + schema + ".pause('" + queue + "', '" + what + "', claimed_user => 'ada')");
            case H2 ->
                execute("UPDATE " + schema + ".destination SET paused = '" + what + "', paused_at = CURRENT_TIMESTAMP"
                        + " WHERE kind = 'Q' AND name = '" + queue + "'");
        }
    }

    private void resume(String queue) throws SQLException {
        switch (database) {
            case SQLSERVER -> execute("EXECUTE " + schema + ".resume N'" + queue + "'");
            case POSTGRESQL -> execute("SELECT " + schema + ".resume('" + queue + "')");
            case H2 ->
                execute("UPDATE " + schema + ".destination SET paused = NULL, paused_at = NULL WHERE name = '" + queue
                        + "'");
        }
    }

    /** On H2, where nobody says that he knows, what is found out: nothing can be sent. */
    private void pauseAndAwait(String what) throws SQLException {
        pause(queue, database == TestDatabase.H2 ? "both" : what);
        if (database == TestDatabase.H2) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThatThrownBy(() -> send(queue, "while it is paused"))
                            .isInstanceOf(ResourceAllocationRuntimeException.class));
        } else {
            await().atMost(PATIENCE).until(() -> what.equals(told()));
        }
    }

    /** What the only JVM says that it keeps to of the queue's pauses; null if it knows of none. */
    private String told() throws SQLException {
        String id = texts("SELECT destination_id FROM " + schema + ".destination WHERE kind = 'Q' AND name = '" + queue
                        + "'")
                .get(0);
        String told = texts("SELECT paused_queues FROM " + schema + ".presence").get(0);
        return Stream.of(("" + told).split(" "))
                .filter(pause -> pause.startsWith(id + ":"))
                .map(pause -> pause.substring(pause.indexOf(':') + 1))
                .findAny()
                .orElse(null);
    }

    @Test
    void nothing_of_a_paused_queue_is_received_until_it_is_resumed() throws Exception {
        pauseAndAwait("receive");
        Queue<String> received = new ConcurrentLinkedQueue<>();
        try (JMSContext listening = context.createContext(JMSContext.AUTO_ACKNOWLEDGE)) {
            for (String queue : List.of(queue, other)) {
                listening.createConsumer(listening.createQueue(queue)).setMessageListener(message -> {
                    try {
                        received.add(message.getBody(String.class));
                    } catch (JMSException e) {
                        received.add(e.toString());
                    }
                });
            }
            await().atMost(PATIENCE).until(() -> received.contains("other"));
            send(other, "other again");
            await().atMost(PATIENCE).until(() -> received.contains("other again"));
            assertThat(received).containsExactly("other", "other again");
            assertThat(context.createBrowser(context.createQueue(queue))
                            .getEnumeration()
                            .hasMoreElements())
                    .isTrue();

            resume(queue);
            await().atMost(PATIENCE).until(() -> received.contains("first"));
        }
        if (database != TestDatabase.H2) {
            await().atMost(PATIENCE).until(() -> told() == null);
        }
    }

    @Test
    void no_kind_of_consumer_receives_what_is_paused() throws Exception {
        pauseAndAwait("receive");
        for (String options : List.of("", "?consumer.leaseSeconds=60", "?consumer.exclusive=true")) {
            for (String selector : new String[] {null, "JMSPriority = 4"}) {
                try (JMSConsumer consumer = context.createConsumer(context.createQueue(queue + options), selector)) {
                    assertThat(consumer.receiveNoWait())
                            .as(options + " " + selector)
                            .isNull();
                }
            }
        }
    }

    @Test
    void transaction_of_the_application_finds_nothing_and_sends_nothing() throws Exception {
        pauseAndAwait("both");
        try (HikariDataSource source = database.pool(8)) {
            ReadpastConnectionFactory joining = new ReadpastConnectionFactory(source);
            joining.setSchema(schema);
            JmsTemplate template = new JmsTemplate(joining);
            template.setSessionTransacted(true);
            template.setReceiveTimeout(JmsTemplate.RECEIVE_TIMEOUT_NO_WAIT);
            TransactionTemplate transaction = new TransactionTemplate(new DataSourceTransactionManager(source));
            Object received = transaction.execute(status -> template.receiveAndConvert(queue));
            assertThat(received).isNull();
            assertThatThrownBy(() -> transaction.executeWithoutResult(status -> template.convertAndSend(queue, "more")))
                    .hasMessageContaining("an administrator has paused it");
            joining.close();
        }
    }

    @Test
    void what_was_received_before_is_finished_and_what_is_rolled_back_waits() throws Exception {
        send(queue, "second");
        try (JMSContext done = context.createContext(JMSContext.SESSION_TRANSACTED);
                JMSContext undone = context.createContext(JMSContext.SESSION_TRANSACTED)) {
            JMSConsumer first = done.createConsumer(done.createQueue(queue));
            assertThat(first.receiveBody(String.class, PATIENCE.toMillis())).isEqualTo("first");
            JMSConsumer second = undone.createConsumer(undone.createQueue(queue));
            assertThat(second.receiveBody(String.class, PATIENCE.toMillis())).isEqualTo("second");
            pause(queue, "receive");
            if (database != TestDatabase.H2) {
                await().atMost(PATIENCE).until(() -> "receive".equals(told()));
            }
            done.commit();
            undone.rollback();
            if (database != TestDatabase.H2) {
                assertThat(first.receiveNoWait()).isNull();
                assertThat(second.receiveNoWait()).isNull();
            }
            resume(queue);
            assertThat(second.receiveBody(String.class, PATIENCE.toMillis())).isEqualTo("second");
            undone.commit();
            assertThat(first.receiveNoWait()).isNull();
        }
    }

    @Test
    void sends_are_refused_and_what_is_there_is_received() throws Exception {
        pause(queue, "send");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThatThrownBy(() -> send(queue, "refused"))
                        .isInstanceOf(ResourceAllocationRuntimeException.class)
                        .hasMessageContaining("queue://" + queue)
                        .hasMessageContaining("an administrator has paused it"));
        try (JMSContext transacted = context.createContext(JMSContext.SESSION_TRANSACTED)) {
            assertThatThrownBy(() ->
                            transacted.createProducer().send(transacted.createQueue(other + "," + queue), "to both"))
                    .isInstanceOf(ResourceAllocationRuntimeException.class);
            transacted.commit();
        }
        context.createProducer().send(context.createTopic(queue), "a topic of the same name");
        assertThat(consumer(queue).receiveBody(String.class, PATIENCE.toMillis()))
                .isEqualTo("first");
        assertThat(consumer(other).receiveBody(String.class, PATIENCE.toMillis()))
                .isEqualTo("other");
        assertThat(consumer(other).receiveNoWait()).isNull();
        resume(queue);
        await().atMost(PATIENCE).ignoreExceptions().until(() -> {
            send(queue, "sent");
            return true;
        });
    }

    /** What it does first is to find out. */
    @Test
    void jvm_that_appears_later_keeps_to_it_from_the_beginning() throws Exception {
        pause(queue, "both");
        ReadpastConnectionFactory later =
                new ReadpastConnectionFactory(database.readpastUrl("schema=" + schema, "poolSize=3"));
        try (JMSContext another = later.createContext()) {
            assertThat(another.createConsumer(another.createQueue(queue)).receiveNoWait())
                    .isNull();
            assertThatThrownBy(() -> another.createProducer().send(another.createQueue(queue), "more"))
                    .isInstanceOf(ResourceAllocationRuntimeException.class);
        } finally {
            later.close();
        }
    }

    @Test
    void programs_in_sql_keep_to_it_at_once_and_the_audit_has_it() throws Exception {
        assumeThat(database).isNotEqualTo(TestDatabase.H2);
        boolean isSqlServer = database == TestDatabase.SQLSERVER;
        String receive = isSqlServer
                ? "EXECUTE " + schema + ".receive_batch N'" + queue + "'"
                : "SELECT message_id FROM " + schema + ".receive_batch('" + queue + "')";
        String claim = isSqlServer
                ? "EXECUTE " + schema + ".claim N'" + queue + "'"
                : "SELECT message_id FROM " + schema + ".claim('" + queue + "')";
        String send = isSqlServer
                ? "EXECUTE " + schema + ".send N'" + queue + "', N'more'"
                : "SELECT " + schema + ".send('" + queue + "', 'more')";
        pause(queue, "receive");
        assertThat(texts(receive)).isEmpty();
        assertThat(texts(claim)).isEmpty();
        execute(send);
        pause(queue, "both");
        assertThat(texts(receive)).isEmpty();
        assertThatThrownBy(() -> execute(send)).isInstanceOf(SQLException.class).hasMessageContaining("is paused");
        assertThatThrownBy(() -> pause("none", "both")).hasMessageContaining("There is no queue");
        assertThatThrownBy(() -> pause(queue, "sometimes")).hasMessageContaining("receive, send or both");
        resume(queue);
        resume(queue);
        assertThat(texts(receive)).hasSize(1);
        assertThat(texts("SELECT action FROM " + schema + ".audit WHERE queue = '" + queue + "' ORDER BY audit_id"))
                .containsExactly("pause", "pause", "resume");
        assertThat(texts("SELECT claimed_user FROM " + schema + ".audit WHERE target = 'both' AND queue = '" + queue
                        + "'"))
                .containsExactly("ada");
    }
}
