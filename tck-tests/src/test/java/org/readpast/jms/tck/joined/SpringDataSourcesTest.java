package org.readpast.jms.tck.joined;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.jms.JMSContext;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.sql.DataSource;
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
import org.readpast.jms.tck.rig.Warnings;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Pools whose connections come with autocommit on or off, and the DataSources that Spring's users put around them, each in the hands of
 * the transaction manager, the application's SQL and the connection factory, or of some of them only.
 */
@ParameterizedClass(name = "{0}, autocommit={1}, {2}")
@MethodSource("variants")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SpringDataSourcesTest {

    /**
     * Who is given what.
     *
     * @param ofManager makes what the transaction manager and the application's SQL get, of the pool
     * @param ofFactory makes what the connection factory gets, of that
     */
    record Wiring(String name, UnaryOperator<DataSource> ofManager, UnaryOperator<DataSource> ofFactory) {

        private static DataSource target(DataSource proxy) {
            return ((DelegatingDataSource) proxy).getTargetDataSource();
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static final List<Wiring> WIRINGS = List.of(
            new Wiring("the pool for both", pool -> pool, pool -> pool),
            new Wiring("one lazy proxy for both", LazyConnectionDataSourceProxy::new, lazy -> lazy),
            new Wiring("lazy manager, plain factory", LazyConnectionDataSourceProxy::new, Wiring::target),
            new Wiring("plain manager, lazy factory", pool -> pool, LazyConnectionDataSourceProxy::new),
            new Wiring(
                    "plain manager, factory aware of transactions", pool -> pool, TransactionAwareDataSourceProxy::new),
            new Wiring(
                    "wrapped, and wrapped again",
                    DelegatingDataSource::new,
                    wrapped -> new DelegatingDataSource(new DelegatingDataSource(wrapped))));

    private final TestDatabase database;
    private final boolean autoCommit;
    private final Wiring wiring;
    private final String queue = "sources." + UUID.randomUUID();
    private BusinessTable business;
    private HikariDataSource pool;
    private DataSourceTransactionManager manager;
    private TransactionTemplate transaction;
    private JdbcTemplate jdbc;
    private ReadpastConnectionFactory factory;
    private JmsTemplate jms;

    SpringDataSourcesTest(TestDatabase database, boolean autoCommit, Wiring wiring) {
        this.database = database;
        this.autoCommit = autoCommit;
        this.wiring = wiring;
    }

    /** What a pool is wrapped in says nothing of a database: on others than the first it is not. */
    static Stream<Arguments> variants() {
        return TestDatabase.requested()
                .flatMap(database -> Stream.of(true, false)
                        .flatMap(autoCommit -> WIRINGS.stream()
                                .limit(database.hasMatrices() ? WIRINGS.size() : 1)
                                .map(wiring -> Arguments.of(database, autoCommit, wiring))));
    }

    @BeforeEach
    void open() throws SQLException {
        business = new BusinessTable(database);
        pool = pool();
        DataSource source = wiring.ofManager.apply(pool);
        manager = new DataSourceTransactionManager(source);
        transaction = new TransactionTemplate(manager);
        jdbc = new JdbcTemplate(source);
        factory = new ReadpastConnectionFactory(wiring.ofFactory.apply(source));
        factory.setCreateSchema("true");
        factory.setIdleCloseMillis("0");
        jms = new JmsTemplate(factory);
        jms.setReceiveTimeout(20_000);
    }

    private HikariDataSource pool() {
        return TestDatabase.pool(database.jdbcUrl(), 10, autoCommit);
    }

    @AfterEach
    void close() throws Exception {
        try (HikariDataSource last = pool;
                BusinessTable table = business) {
            factory.close();
            await("all SQL connections to be given back")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> last.getHikariPoolMXBean().getActiveConnections() == 0);
            assertThat(table).isNotNull();
        }
    }

    private void insert(String id) {
        jdbc.update(business.insertStatement(), id);
    }

    @Test
    void row_and_messages_commit_or_vanish_together() throws Exception {
        jms.convertAndSend(queue, "on its own");
        transaction.executeWithoutResult(status -> {
            insert("undone");
            jms.convertAndSend(queue, "undone");
            assertThat(jms.receiveAndConvert(queue)).isEqualTo("on its own");
            status.setRollbackOnly();
        });
        assertThat(business.has("undone")).isFalse();
        transaction.executeWithoutResult(status -> {
            insert("done");
            jms.convertAndSend(queue, "done");
            assertThat(jms.receiveAndConvert(queue)).isEqualTo("on its own");
        });
        assertThat(business.has("done")).isTrue();
        assertThat(take()).isEqualTo("done");
        assertThat(take()).isNull();
    }

    @Test
    void what_an_inner_transaction_of_its_own_sends_outlives_the_outer_one() throws Exception {
        TransactionTemplate inner = new TransactionTemplate(manager);
        inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        transaction.executeWithoutResult(outer -> {
            jms.convertAndSend(queue, "outer");
            inner.executeWithoutResult(status -> {
                insert("inner");
                jms.convertAndSend(queue, "inner");
            });
            outer.setRollbackOnly();
        });
        assertThat(business.has("inner")).isTrue();
        assertThat(take()).isEqualTo("inner");
        assertThat(take()).isNull();
    }

    @Test
    void what_a_nested_transaction_sends_is_undone_with_it_alone() {
        TransactionTemplate nested = new TransactionTemplate(manager);
        nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
        transaction.executeWithoutResult(outer -> {
            jms.convertAndSend(queue, "outer");
            nested.executeWithoutResult(status -> {
                jms.convertAndSend(queue, "nested");
                status.setRollbackOnly();
            });
        });
        assertThat(take()).isEqualTo("outer");
        assertThat(take()).isNull();
    }

    @Test
    void read_only_transaction_sends_and_receives_nothing() {
        jms.convertAndSend(queue, "stays");
        TransactionTemplate readOnly = new TransactionTemplate(manager);
        readOnly.setReadOnly(true);
        assertThatThrownBy(() -> readOnly.executeWithoutResult(status -> jms.convertAndSend(queue, "refused")))
                .isInstanceOf(org.springframework.jms.IllegalStateException.class)
                .hasMessageContaining("read-only");
        assertThatThrownBy(() -> readOnly.executeWithoutResult(status -> jms.receiveAndConvert(queue)))
                .isInstanceOf(org.springframework.jms.IllegalStateException.class)
                .hasMessageContaining("read-only");
        assertThat(take()).isEqualTo("stays");
        assertThat(take()).isNull();
    }

    /** Spring binds a connection of this pool to a transaction on another one, and never commits it. */
    @Test
    void connection_that_is_only_kept_for_another_transaction_is_not_joined() throws Exception {
        try (HikariDataSource other = pool();
                Warnings warnings = new Warnings()) {
            new TransactionTemplate(new DataSourceTransactionManager(other)).executeWithoutResult(status -> {
                jdbc.queryForObject("SELECT 1", Integer.class);
                jms.convertAndSend(queue, "on its own");
                status.setRollbackOnly();
            });
            assertThat(warnings.with("transaction is active that is not on this connection factory's DataSource"))
                    .hasSize(1);
        }
        assertThat(take()).isEqualTo("on its own");
    }

    /** Takes the queue's next message as any other client would; null if there is none. */
    private String take() {
        try (JMSContext context = new ReadpastConnectionFactory(database.readpastUrl()).createContext()) {
            return context.createConsumer(context.createQueue(queue)).receiveBodyNoWait(String.class);
        }
    }
}
