package org.readpast.jms.tck.joined;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.session.SqlSession;
import org.readpast.jms.tck.rig.Aside;
import org.readpast.jms.tck.rig.BusinessTable;
import org.readpast.jms.tck.rig.TestDatabase;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Whoever receives a message finds the row that was written with it, however soon it comes: the producers of all three ways to share a
 * transaction store the message first and the row last, and consumers are waiting. More of it: {@code -Dreadpast.test.pairs=100000}.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("databases")
@Timeout(value = 12, unit = TimeUnit.HOURS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RowWithMessageTest {

    private static final int PAIRS = Integer.getInteger("readpast.test.pairs", 300);

    /** Of each kind. */
    private static final int CONSUMERS = 2;

    private static final Duration PATIENCE = Duration.ofSeconds(60).plusMillis(100L * PAIRS);

    private final TestDatabase database;
    private final String queueName = "pairs." + UUID.randomUUID();
    private final AtomicInteger numbers = new AtomicInteger();
    private final ConcurrentLinkedQueue<String> received = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<String> withoutRow = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Exception> problems = new ConcurrentLinkedQueue<>();

    private BusinessTable business;
    private HikariDataSource pool;
    private JdbcTemplate jdbc;
    private TransactionTemplate transaction;

    RowWithMessageTest(TestDatabase database) {
        this.database = database;
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.requested();
    }

    @BeforeEach
    void open() throws SQLException {
        business = new BusinessTable(database);
        pool = database.pool(20);
        jdbc = new JdbcTemplate(pool);
        transaction = new TransactionTemplate(new DataSourceTransactionManager(pool));
    }

    @AfterEach
    void close() throws SQLException {
        pool.close();
        business.close();
    }

    /** Stores a message with a row. */
    @FunctionalInterface
    private interface Producer {
        void store(String id) throws Exception;
    }

    @Test
    void whoever_receives_a_message_finds_its_row() throws Exception {
        ReadpastConnectionFactory joining = new ReadpastConnectionFactory(pool);
        joining.setCreateSchema("true");
        joining.setIdleCloseMillis("0");
        ReadpastConnectionFactory own = new ReadpastConnectionFactory(database.readpastUrl("idleCloseMillis=0"));
        try (Connection ofTheSource = joining.createConnection();
                Connection ofItsOwn = own.createConnection();
                Session transacted = ofItsOwn.createSession(Session.SESSION_TRANSACTED);
                Session joined = ofTheSource.createSession(Session.AUTO_ACKNOWLEDGE)) {
            List<Aside<?>> work = new ArrayList<>();
            for (int i = 0; i < CONSUMERS; i++) {
                listen(ofItsOwn.createSession(Session.AUTO_ACKNOWLEDGE));
                MessageConsumer consumer = consumer(ofTheSource.createSession(Session.AUTO_ACKNOWLEDGE));
                work.add(Aside.call(() -> receiveInTransactions(consumer)));
            }
            ofItsOwn.start();
            ofTheSource.start();
            work.add(Aside.call(() -> produce(id -> {
                send(transacted, id);
                business.insert(((SqlSession) transacted).sqlConnection(), id);
                transacted.commit();
            })));
            work.add(Aside.call(() -> produce(id -> transaction.executeWithoutResult(status -> {
                try {
                    send(joined, id);
                } catch (JMSException e) {
                    throw new AssertionError(e);
                }
                jdbc.update(business.insertStatement(), id);
            }))));
            work.add(Aside.call(() -> produce(id -> {
                try (java.sql.Connection lent = pool.getConnection()) {
                    lent.setAutoCommit(false);
                    try (JMSContext context = own.createContext(lent)) {
                        context.createProducer().send(context.createQueue(queueName), id);
                    }
                    business.insert(lent, id);
                    lent.commit();
                }
            })));
            await().atMost(PATIENCE).until(() -> received.size() >= PAIRS || !problems.isEmpty());
            for (Aside<?> each : work) {
                each.result();
            }
        }
        assertThat(problems).isEmpty();
        assertThat(withoutRow).as("messages that came without their row").isEmpty();
        assertThat(received).hasSize(PAIRS).doesNotHaveDuplicates();
        await().atMost(PATIENCE).until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
    }

    private boolean isOver() {
        return received.size() >= PAIRS || !problems.isEmpty();
    }

    private Void produce(Producer producer) {
        for (int number = numbers.incrementAndGet();
                number <= PAIRS && problems.isEmpty();
                number = numbers.incrementAndGet()) {
            try {
                producer.store("pair " + number);
            } catch (Exception e) {
                problems.add(e);
            }
        }
        return null;
    }

    private void send(Session session, String id) throws JMSException {
        session.createProducer(session.createQueue(queueName)).send(session.createTextMessage(id));
    }

    private MessageConsumer consumer(Session session) throws JMSException {
        Queue queue = session.createQueue(queueName);
        return session.createConsumer(queue);
    }

    /** Looks on another connection than the one that holds the message. */
    private void listen(Session session) throws JMSException {
        consumer(session).setMessageListener(message -> {
            try {
                check(message);
            } catch (JMSException e) {
                problems.add(e);
            }
        });
    }

    /** Looks in the transaction in which it receives. */
    private Void receiveInTransactions(MessageConsumer consumer) {
        while (!isOver()) {
            transaction.executeWithoutResult(status -> {
                try {
                    Message message = consumer.receive(200);
                    if (message != null) {
                        check(message);
                    }
                } catch (JMSException e) {
                    problems.add(e);
                }
            });
        }
        return null;
    }

    private void check(Message message) throws JMSException {
        String id = message.getBody(String.class);
        if (!Boolean.TRUE.equals(
                jdbc.execute((ConnectionCallback<Boolean>) connection -> business.has(connection, id)))) {
            withoutRow.add(id);
        }
        received.add(id);
    }
}
