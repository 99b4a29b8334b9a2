package org.readpast.jms.tck.joined;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Aside;
import org.readpast.jms.tck.rig.BusinessTable;
import org.readpast.jms.tck.rig.TestDatabase;
import org.readpast.jms.tck.rig.Warnings;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring's transaction manager, for plain JDBC, carries business rows and messages in one transaction. */
@ParameterizedClass(name = "{0}, sessionTransacted={1}, plain DataSource={2}")
@MethodSource("variants")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SpringTransactionTest {

    private static final long RECEIVE = 20_000;

    private final TestDatabase database;
    private final boolean sessionTransacted;

    /** Whether the factory gets the pool itself, as Spring Boot makes it, and not a proxy that knows of transactions. */
    private final boolean plain;

    private final String queue = "spring." + UUID.randomUUID();
    private BusinessTable business;
    private HikariDataSource pool;
    private TransactionTemplate transaction;
    private JdbcTemplate jdbc;

    SpringTransactionTest(TestDatabase database, boolean sessionTransacted, boolean plain) {
        this.database = database;
        this.sessionTransacted = sessionTransacted;
        this.plain = plain;
    }

    /** The first as Spring Boot has it; the others say nothing of a database. */
    static Stream<Arguments> variants() {
        return TestDatabase.requested()
                .flatMap(database -> Stream.of(
                                Arguments.of(database, false, true),
                                Arguments.of(database, true, true),
                                Arguments.of(database, false, false),
                                Arguments.of(database, true, false))
                        .limit(database.hasMatrices() ? 4 : 1));
    }

    @BeforeEach
    void open() throws SQLException {
        business = new BusinessTable(database);
        pool = database.pool(10);
        transaction = new TransactionTemplate(new DataSourceTransactionManager(pool));
        jdbc = new JdbcTemplate(pool);
    }

    @AfterEach
    void close() throws SQLException {
        try (HikariDataSource last = pool;
                BusinessTable table = business) {
            await("all SQL connections to be given back")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> last.getHikariPoolMXBean().getActiveConnections() == 0);
            assertThat(table).isNotNull();
        }
    }

    private ReadpastConnectionFactory factory() {
        ReadpastConnectionFactory factory =
                new ReadpastConnectionFactory(plain ? pool : new TransactionAwareDataSourceProxy(pool));
        factory.setCreateSchema("true");
        factory.setIdleCloseMillis("0");
        return factory;
    }

    private JmsTemplate jms(ConnectionFactory factory) {
        JmsTemplate jms = new JmsTemplate(factory);
        jms.setSessionTransacted(sessionTransacted);
        jms.setReceiveTimeout(RECEIVE);
        return jms;
    }

    private void insert(String id) {
        jdbc.update(business.insertStatement(), id);
    }

    @Test
    void row_and_sent_message_commit_together() throws Exception {
        JmsTemplate jms = jms(factory());
        transaction.executeWithoutResult(status -> {
            insert("order");
            jms.convertAndSend(queue, "order");
        });
        assertThat(business.has("order")).isTrue();
        assertThat(takeOne()).isEqualTo("order");
    }

    @Test
    void row_and_sent_message_vanish_together() throws Exception {
        JmsTemplate jms = jms(factory());
        transaction.executeWithoutResult(status -> {
            insert("order");
            jms.convertAndSend(queue, "order");
            status.setRollbackOnly();
        });
        assertThat(business.has("order")).isFalse();
        assertThat(takeOne()).isNull();
    }

    /** The receive before it saw that the queue was empty, and what the transaction sends nobody else can tell. */
    @Test
    void message_sent_in_the_transaction_is_received_in_it_right_after_one_outside() throws Exception {
        ReadpastConnectionFactory factory = factory();
        factory.setPollFloorMillis("3600000");
        factory.setPollCeilingMillis("3600000");
        try (JMSContext context = factory.createContext(JMSContext.AUTO_ACKNOWLEDGE)) {
            Queue orders = context.createQueue(queue);
            JMSConsumer consumer = context.createConsumer(orders);
            // Uses up what the start has signalled.
            assertThat(consumer.receive(1)).isNull();
            context.createProducer().send(orders, "outside");
            assertThat(consumer.receiveBody(String.class, RECEIVE)).isEqualTo("outside");
            transaction.executeWithoutResult(status -> {
                context.createProducer().send(orders, "inside");
                assertThat(consumer.receiveBody(String.class, RECEIVE)).isEqualTo("inside");
            });
        }
    }

    /** As a bean does that sends in transactions of Spring's and outside of them, and keeps its session. */
    @Test
    void session_commits_what_it_sent_outside_of_the_transaction() {
        try (JMSContext context = factory().createContext(JMSContext.SESSION_TRANSACTED)) {
            Queue orders = context.createQueue(queue);
            context.createProducer().send(orders, "before");
            transaction.executeWithoutResult(status -> context.createProducer().send(orders, "inside"));
            context.createProducer().send(orders, "after");
            context.commit();
        }
        assertThat(Stream.generate(this::takeOne).limit(4))
                .containsExactlyInAnyOrder("before", "inside", "after", null);
    }

    @Test
    void session_rolls_back_what_it_sent_outside_of_the_transaction() {
        try (JMSContext context = factory().createContext(JMSContext.SESSION_TRANSACTED)) {
            Queue orders = context.createQueue(queue);
            transaction.executeWithoutResult(status -> context.createProducer().send(orders, "inside"));
            context.createProducer().send(orders, "undone");
            context.rollback();
            context.createProducer().send(orders, "after");
            context.commit();
        }
        assertThat(Stream.generate(this::takeOne).limit(3)).containsExactlyInAnyOrder("inside", "after", null);
    }

    @Test
    void row_and_received_message_belong_together() throws Exception {
        JmsTemplate jms = jms(factory());
        jms.convertAndSend(queue, "order");
        transaction.executeWithoutResult(status -> {
            insert("order");
            assertThat(jms.receiveAndConvert(queue)).isEqualTo("order");
            status.setRollbackOnly();
        });
        assertThat(business.has("order")).isFalse();
        transaction.executeWithoutResult(status -> {
            insert("order");
            assertThat(jms.receiveAndConvert(queue)).isEqualTo("order");
        });
        assertThat(business.has("order")).isTrue();
        assertThat(takeOne()).isNull();
    }

    @Test
    void message_passed_on_is_moved_or_not() {
        JmsTemplate jms = jms(factory());
        jms.convertAndSend(queue, "order");
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    jms.convertAndSend(queue + ".next", jms.receiveAndConvert(queue));
                    throw new IllegalArgumentException("on purpose");
                }))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(take(queue + ".next")).isNull();
        transaction.executeWithoutResult(status -> jms.convertAndSend(queue + ".next", jms.receiveAndConvert(queue)));
        assertThat(take(queue)).isNull();
        assertThat(take(queue + ".next")).isEqualTo("order");
    }

    @Test
    void outside_of_a_transaction_each_call_stands_for_itself() {
        JmsTemplate jms = jms(factory());
        jms.convertAndSend(queue, "order");
        assertThat(jms.receiveAndConvert(queue)).isEqualTo("order");
        assertThat(takeOne()).isNull();
    }

    @Test
    void cached_session_joins_whatever_transaction_is_there() throws Exception {
        CachingConnectionFactory caching = new CachingConnectionFactory(factory());
        try {
            JmsTemplate jms = jms(caching);
            jms.convertAndSend(queue, "before");
            transaction.executeWithoutResult(status -> {
                insert("first");
                jms.convertAndSend(queue, "first");
            });
            transaction.executeWithoutResult(status -> {
                insert("second");
                jms.convertAndSend(queue, "second");
                status.setRollbackOnly();
            });
            jms.convertAndSend(queue, "after");
            transaction.executeWithoutResult(
                    status -> assertThat(jms.receiveAndConvert(queue)).isEqualTo("before"));
            assertThat(jms.receiveAndConvert(queue)).isEqualTo("first");
            assertThat(jms.receiveAndConvert(queue)).isEqualTo("after");
        } finally {
            caching.destroy();
        }
        assertThat(business.has("first")).isTrue();
        assertThat(business.has("second")).isFalse();
        assertThat(takeOne()).isNull();
    }

    @Test
    void waiting_within_a_transaction_is_woken_by_what_others_commit() throws Exception {
        JmsTemplate jms = jms(factory());
        Aside<Object> waiting = Aside.call(() -> transaction.execute(status -> {
            insert("order");
            return jms.receiveAndConvert(queue);
        }));
        await().atMost(Duration.ofSeconds(60)).until(() -> waiting.restsIn("await"));
        jms.convertAndSend(queue, "order");
        assertThat(waiting.result()).isEqualTo("order");
        assertThat(business.has("order")).isTrue();
        assertThat(takeOne()).isNull();
    }

    @Test
    void waiting_outside_of_a_transaction_holds_no_connection() throws Exception {
        JmsTemplate jms = jms(factory());
        Aside<Object> waiting = Aside.call(() -> jms.receiveAndConvert(queue));
        await().atMost(Duration.ofSeconds(60)).until(() -> waiting.restsIn("await"));
        // What is out belongs to the watcher and to the sign of life, on H2 is kept to be lent, and now and then
        // belongs to housekeeping.
        int others = database == TestDatabase.H2 ? 3 : 2;
        await().atMost(Duration.ofSeconds(60))
                .until(() -> pool.getHikariPoolMXBean().getActiveConnections() <= others);
        jms.convertAndSend(queue, "order");
        assertThat(waiting.result()).isEqualTo("order");
    }

    @Test
    void transaction_on_another_DataSource_is_told_of_once_and_gets_no_connection_of_ours() throws Exception {
        ReadpastConnectionFactory factory = factory();
        JmsTemplate jms = jms(factory);
        jms.setSessionTransacted(false);
        try (HikariDataSource other = database.pool(2);
                jakarta.jms.Connection kept = factory.createConnection();
                Warnings warnings = new Warnings()) {
            TransactionTemplate elsewhere = new TransactionTemplate(new DataSourceTransactionManager(other));
            for (int i = 0; i < 2; i++) {
                elsewhere.executeWithoutResult(status -> {
                    jms.convertAndSend(queue, "on its own");
                    // Spring's proxy binds one to whatever transaction there is.
                    assertThat(TransactionSynchronizationManager.hasResource(pool))
                            .isEqualTo(!plain);
                    status.setRollbackOnly();
                });
                assertThat(takeOne()).isEqualTo("on its own");
            }
            assertThat(warnings.with("transaction is active that is not on this connection factory's DataSource"))
                    .hasSize(1);
            assertThat(kept).isNotNull();
        }
    }

    @Test
    void join_NEVER_keeps_messages_out_of_the_transaction() throws Exception {
        ReadpastConnectionFactory factory = factory();
        factory.setJoin("NEVER");
        JmsTemplate jms = new JmsTemplate(factory);
        transaction.executeWithoutResult(status -> {
            insert("order");
            jms.convertAndSend(queue, "order");
            status.setRollbackOnly();
        });
        assertThat(business.has("order")).isFalse();
        assertThat(takeOne()).isEqualTo("order");
    }

    @Test
    void join_ALWAYS_makes_the_absence_of_a_transaction_an_error() throws Exception {
        ReadpastConnectionFactory factory = factory();
        factory.setJoin("ALWAYS");
        try (jakarta.jms.Connection connection = factory.createConnection();
                Session session = connection.createSession(sessionTransacted, Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            assertThatThrownBy(() ->
                            session.createProducer(session.createQueue(queue)).send(session.createTextMessage("order")))
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("transaction");
            assertThatThrownBy(() ->
                            session.createConsumer(session.createQueue(queue)).receiveNoWait())
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("transaction");
        }
        JmsTemplate jms = jms(factory);
        transaction.executeWithoutResult(status -> {
            insert("order");
            jms.convertAndSend(queue, "order");
        });
        assertThat(business.has("order")).isTrue();
        assertThat(takeOne()).isEqualTo("order");
    }

    private String takeOne() {
        return take(queue);
    }

    /** Takes a queue's next message as any other client would; null if there is none. */
    private String take(String from) {
        try (JMSContext context = new ReadpastConnectionFactory(database.readpastUrl()).createContext()) {
            return context.createConsumer(context.createQueue(from)).receiveBodyNoWait(String.class);
        }
    }
}
