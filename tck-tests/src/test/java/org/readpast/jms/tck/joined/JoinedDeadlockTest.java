package org.readpast.jms.tck.joined;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Queue;
import jakarta.jms.TransactionRolledBackRuntimeException;
import java.sql.SQLException;
import java.sql.Statement;
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
import org.readpast.jms.tck.rig.BusinessTable;
import org.readpast.jms.tck.rig.TestDatabase;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * In Spring's transaction an error of the application's own SQL ends the SQL transaction, as a deadlock does, and the application goes on
 * as if nothing had been: what it sent and received before is gone, and its commit must not succeed without it.
 */
@ParameterizedClass(name = "{0}, plain DataSource={1}")
@MethodSource("variants")
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JoinedDeadlockTest {

    private static final long RECEIVE = 20_000;

    private final TestDatabase database;
    private final boolean plain;
    private final String queueName = "joined.deadlock." + UUID.randomUUID();
    private BusinessTable business;
    private HikariDataSource pool;
    private TransactionTemplate transaction;
    private JdbcTemplate jdbc;
    private JMSContext context;
    private Queue queue;

    JoinedDeadlockTest(TestDatabase database, boolean plain) {
        this.database = database;
        this.plain = plain;
    }

    static Stream<Arguments> variants() {
        return TestDatabase.requested()
                .flatMap(database -> Stream.of(Arguments.of(database, false), Arguments.of(database, true)));
    }

    @BeforeEach
    void open() throws SQLException {
        business = new BusinessTable(database);
        pool = database.pool(10);
        transaction = new TransactionTemplate(new DataSourceTransactionManager(pool));
        jdbc = new JdbcTemplate(pool);
        ReadpastConnectionFactory factory =
                new ReadpastConnectionFactory(plain ? pool : new TransactionAwareDataSourceProxy(pool));
        factory.setCreateSchema("true");
        factory.setIdleCloseMillis("0");
        context = factory.createContext(JMSContext.AUTO_ACKNOWLEDGE);
        queue = context.createQueue(queueName);
    }

    @AfterEach
    void close() throws SQLException {
        context.close();
        pool.close();
        business.close();
    }

    @Test
    void commit_is_refused_where_what_was_sent_is_gone() throws Exception {
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    context.createProducer().send(queue, "order");
                    loseTransaction();
                    goOn();
                }))
                .isInstanceOf(TransactionRolledBackRuntimeException.class);

        assertAllUndone(null);
    }

    @Test
    void commit_is_refused_where_what_was_received_is_there_again() throws Exception {
        context.createProducer().send(queue, "order");
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    assertThat(take(RECEIVE)).isEqualTo("order");
                    loseTransaction();
                    goOn();
                }))
                .isInstanceOf(TransactionRolledBackRuntimeException.class);

        assertAllUndone("order");
    }

    @Test
    void next_operation_tells_it_and_the_commit_is_refused_all_the_same() throws Exception {
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    context.createProducer().send(queue, "first");
                    loseTransaction();
                    assertThatThrownBy(() -> context.createProducer().send(queue, "second"))
                            .isInstanceOf(JMSRuntimeException.class);
                    goOn();
                }))
                .isInstanceOf(TransactionRolledBackRuntimeException.class);

        assertAllUndone(null);
    }

    /** There was no operation before it by which the transaction was known. */
    @Test
    void commit_is_refused_where_the_first_send_has_failed() throws Exception {
        context.createProducer().send(queue, "order");
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    jdbc.update(business.insertStatement(), "early");
                    // Within the transaction, so that nobody else in this JVM notices, and makes it anew.
                    jdbc.update("DELETE FROM " + database.schema() + ".destination WHERE name = ?", queueName);
                    assertThatThrownBy(() -> context.createProducer().send(queue, "order"))
                            .isInstanceOf(JMSRuntimeException.class);
                    goOn();
                }))
                .isInstanceOf(RuntimeException.class);

        assertThat(business.has("early")).isFalse();
        assertThat(business.has("late")).isFalse();
    }

    @Test
    void transaction_that_stays_the_same_is_committed() throws Exception {
        transaction.executeWithoutResult(status -> {
            context.createProducer().send(queue, "first");
            goOn();
            context.createProducer().send(queue, "second");
        });
        assertThat(business.has("late")).isTrue();
        assertThat(take(RECEIVE)).isEqualTo("first");
        transaction.executeWithoutResult(status -> assertThat(take(RECEIVE)).isEqualTo("second"));
        assertThat(take(1)).isNull();
    }

    @Test
    void nested_part_may_be_rolled_back() throws Exception {
        TransactionTemplate nested = new TransactionTemplate(
                transaction.getTransactionManager(),
                new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_NESTED));
        transaction.executeWithoutResult(status -> {
            nested.executeWithoutResult(part -> {
                context.createProducer().send(queue, "undone");
                part.setRollbackOnly();
            });
            goOn();
            context.createProducer().send(queue, "order");
        });
        assertThat(business.has("late")).isTrue();
        assertThat(take(RECEIVE)).isEqualTo("order");
        assertThat(take(1)).isNull();
    }

    /** An error that ends the transaction on SQL Server; on H2 what it does for a deadlock's victim, behind Spring's back. */
    private void loseTransaction() {
        jdbc.execute((ConnectionCallback<Void>) connection -> {
            if (database == TestDatabase.H2) {
                connection.rollback();
                return null;
            }
            try (Statement statement = connection.createStatement()) {
                if (database == TestDatabase.SQLSERVER) {
                    statement.execute("SET XACT_ABORT ON");
                }
                assertThatThrownBy(() -> statement.execute("INSERT INTO no_such_table VALUES (1)"))
                        .isInstanceOf(SQLException.class);
                if (database == TestDatabase.SQLSERVER) {
                    statement.execute("SET XACT_ABORT OFF");
                }
            }
            return null;
        });
    }

    /** Refused by PostgreSQL, which the application swallows as well. */
    private void goOn() {
        try {
            jdbc.update(business.insertStatement(), "late");
        } catch (org.springframework.dao.DataAccessException e) {
            assertThat(database).isEqualTo(TestDatabase.POSTGRESQL);
        }
    }

    private String take(long millis) {
        try (var consumer = context.createConsumer(queue)) {
            return consumer.receiveBody(String.class, millis);
        }
    }

    private void assertAllUndone(String left) throws SQLException, JMSException {
        assertThat(business.has("late")).isFalse();
        assertThat(take(left == null ? 1 : RECEIVE)).isEqualTo(left);
        assertThat(take(1)).isNull();
    }
}
