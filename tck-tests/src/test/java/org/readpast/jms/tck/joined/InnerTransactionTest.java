package org.readpast.jms.tck.joined;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.BusinessTable;
import org.readpast.jms.tck.rig.TestDatabase;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A transaction of its own within another one of Spring's (REQUIRES_NEW): what a session sends and is closed in there stands or falls with
 * the inner one, leaves the outer one as it was, and keeps no SQL connection. More of it: {@code -Dreadpast.test.inner.rounds=10000}.
 */
@ParameterizedClass(name = "{0}, plain DataSource={1}")
@MethodSource("variants")
@Timeout(value = 2, unit = TimeUnit.HOURS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InnerTransactionTest {

    private static final int ROUNDS = Integer.getInteger("readpast.test.inner.rounds", 24);
    private static final long RECEIVE = 20_000;

    /** So few that what is not given back is soon missed. */
    private static final int POOL = 6;

    private final TestDatabase database;
    private final boolean plain;
    private final String queueName = "inner." + UUID.randomUUID();
    private BusinessTable business;
    private HikariDataSource pool;
    private JdbcTemplate jdbc;
    private TransactionTemplate outer;
    private TransactionTemplate inner;

    InnerTransactionTest(TestDatabase database, boolean plain) {
        this.database = database;
        this.plain = plain;
    }

    static Stream<Arguments> variants() {
        return TestDatabase.requested()
                .flatMap(database -> Stream.of(Arguments.of(database, true), Arguments.of(database, false)));
    }

    @BeforeEach
    void open() throws SQLException {
        business = new BusinessTable(database);
        pool = database.pool(POOL);
        jdbc = new JdbcTemplate(pool);
        DataSourceTransactionManager manager = new DataSourceTransactionManager(pool);
        outer = new TransactionTemplate(manager);
        inner = new TransactionTemplate(manager);
        inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    }

    @AfterEach
    void close() throws SQLException {
        pool.close();
        business.close();
    }

    /** With what the inner transaction sends, and what is closed in it. */
    enum Sender {
        SESSION {
            @Override
            void send(ReadpastConnectionFactory factory, Connection shared, HikariDataSource pool, Text text)
                    throws Exception {
                sendOn(shared, Session.AUTO_ACKNOWLEDGE, text);
            }
        },
        TRANSACTED_SESSION {
            @Override
            void send(ReadpastConnectionFactory factory, Connection shared, HikariDataSource pool, Text text)
                    throws Exception {
                sendOn(shared, Session.SESSION_TRANSACTED, text);
            }
        },
        CONNECTION {
            @Override
            void send(ReadpastConnectionFactory factory, Connection shared, HikariDataSource pool, Text text)
                    throws Exception {
                try (Connection own = factory.createConnection()) {
                    sendOn(own, Session.AUTO_ACKNOWLEDGE, text);
                }
            }
        },
        CONNECTION_ON_A_BORROWED_ONE {
            @Override
            void send(ReadpastConnectionFactory factory, Connection shared, HikariDataSource pool, Text text)
                    throws Exception {
                java.sql.Connection sql = DataSourceUtils.getConnection(pool);
                try (Connection own = factory.createConnection(sql)) {
                    sendOn(own, Session.SESSION_TRANSACTED, text);
                } finally {
                    DataSourceUtils.releaseConnection(sql, pool);
                }
            }
        };

        /** What is sent where. */
        record Text(String queue, String body) {}

        abstract void send(ReadpastConnectionFactory factory, Connection shared, HikariDataSource pool, Text text)
                throws Exception;

        static void sendOn(Connection connection, int mode, Text text) throws JMSException {
            try (Session session = connection.createSession(mode)) {
                session.createProducer(session.createQueue(text.queue)).send(session.createTextMessage(text.body));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Sender.class)
    void inner_send_leaves_the_outer_transaction_as_it_was_and_the_pool_level(Sender sender) throws Exception {
        ReadpastConnectionFactory factory =
                new ReadpastConnectionFactory(plain ? pool : new TransactionAwareDataSourceProxy(pool));
        factory.setCreateSchema("true");
        factory.setIdleCloseMillis("0");
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            Queue queue = session.createQueue(queueName);
            MessageConsumer consumer = session.createConsumer(queue);
            for (int i = 0; i < ROUNDS; i++) {
                boolean innerCommits = i % 2 == 0;
                boolean outerCommits = i / 2 % 2 == 0;
                String id = "r" + i;
                outer.executeWithoutResult(status -> {
                    Seen before = seen();
                    jdbc.update(business.insertStatement(), id);
                    send(Sender.SESSION, factory, connection, id + " before");
                    inner.executeWithoutResult(innerStatus -> {
                        jdbc.update(business.insertStatement(), id + " inner");
                        send(sender, factory, connection, id + " inner");
                        if (!innerCommits) {
                            innerStatus.setRollbackOnly();
                        }
                    });
                    assertThat(seen()).isEqualTo(before);
                    assertThat(isVisible(id)).isTrue();
                    send(Sender.SESSION, factory, connection, id + " after");
                    assertThat(status.isRollbackOnly()).isFalse();
                    if (!outerCommits) {
                        status.setRollbackOnly();
                    }
                });
                List<String> expected = new ArrayList<>();
                if (outerCommits) {
                    expected.addAll(List.of(id + " before", id + " after"));
                }
                if (innerCommits) {
                    expected.add(id + " inner");
                }
                assertThat(receive(consumer, expected.size()))
                        .as("after round " + i)
                        .containsExactlyInAnyOrderElementsOf(expected);
                assertThat(isVisible(id)).isEqualTo(outerCommits);
                assertThat(isVisible(id + " inner")).isEqualTo(innerCommits);
            }
            assertThat(consumer.receiveNoWait()).isNull();
        }
        await().atMost(Duration.ofSeconds(60))
                .until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
        assertThat(pool.getHikariPoolMXBean().getThreadsAwaitingConnection()).isZero();
        takeAll();
    }

    /** The connection of the calling thread's transaction, and its settings. */
    private record Seen(java.sql.Connection connection, boolean autoCommit, int isolation) {}

    private Seen seen() {
        java.sql.Connection own = DataSourceUtils.getConnection(pool);
        try {
            return new Seen(own, own.getAutoCommit(), own.getTransactionIsolation());
        } catch (SQLException e) {
            throw new AssertionError(e);
        } finally {
            DataSourceUtils.releaseConnection(own, pool);
        }
    }

    private boolean isVisible(String id) {
        return Boolean.TRUE.equals(
                jdbc.execute((ConnectionCallback<Boolean>) connection -> business.has(connection, id)));
    }

    private void send(Sender sender, ReadpastConnectionFactory factory, Connection shared, String body) {
        try {
            sender.send(factory, shared, pool, new Sender.Text(queueName, body));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> receive(MessageConsumer consumer, int messages) throws JMSException {
        List<String> bodies = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            bodies.add(consumer.receive(RECEIVE).getBody(String.class));
        }
        return bodies;
    }

    /** The pool lends all that it has. */
    private void takeAll() throws SQLException {
        List<java.sql.Connection> all = new ArrayList<>();
        try {
            for (int i : IntStream.range(0, POOL).toArray()) {
                all.add(pool.getConnection());
                assertThat(all.get(i).getAutoCommit()).isTrue();
            }
        } finally {
            for (java.sql.Connection connection : all) {
                connection.close();
            }
        }
    }
}
