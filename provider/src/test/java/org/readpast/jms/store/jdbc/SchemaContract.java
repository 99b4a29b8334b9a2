package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;

/** What every database must do about its schema, and how its failures are told. */
abstract class SchemaContract extends StoreFixture {

    SchemaContract(TestDatabase database) {
        super(database);
    }

    private static void assertFailure(Failure expected, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StoreException.class,
                        e -> assertThat(e.failure()).as(e.getMessage()).isEqualTo(expected));
    }

    private void open(Connections connections, StoreOptions with) throws StoreException {
        try (JdbcMessageStore other = new JdbcMessageStore(connections, with)) {
            other.open();
        }
    }

    @Test
    void missing_schema_is_told_with_the_scripts_to_run() {
        StoreOptions elsewhere = options.withSchema(database.newSchema()).withCreateSchema(false);

        assertThatThrownBy(() -> open(database.connections(), elsewhere))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.failure()).isEqualTo(Failure.SCHEMA_MISSING))
                .hasMessageContaining("sql/" + database.folder() + "/schema/001-tables.sql")
                .hasMessageContaining(elsewhere.schema());
    }

    @Test
    void schema_of_another_version_is_told() throws Exception {
        sql("INSERT INTO readpast.schema_version (version, script) VALUES (99, 'from the future')");
        try {
            assertFailure(Failure.SCHEMA_VERSION, () -> open(database.connections(), options));
        } finally {
            sql("DELETE FROM readpast.schema_version WHERE version = 99");
        }
        sql("DELETE FROM readpast.schema_version WHERE version = 2");
        try {
            assertThatThrownBy(() -> open(database.connections(), options.withCreateSchema(false)))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.failure()).isEqualTo(Failure.SCHEMA_VERSION))
                    .hasMessageContaining("002-views.sql");
        } finally {
            sql("INSERT INTO readpast.schema_version (version, script) VALUES (2, '002-views.sql')");
        }
    }

    @Test
    void several_stores_that_start_at_once_create_the_schema_once() throws Exception {
        StoreOptions fresh = options.withSchema(database.newSchema()).withPool(2, 30_000);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            Callable<Void> start = () -> {
                open(database.connections(), fresh);
                return null;
            };
            for (Future<Void> started : threads.invokeAll(Collections.nCopies(4, start))) {
                started.get();
            }
        } finally {
            threads.shutdown();
            database.dropSchema(fresh.schema());
        }
    }

    @Test
    void every_statement_can_be_prepared() throws SQLException, StoreException {
        List<String> failed = new ArrayList<>();
        try (java.sql.Connection connection = database.connect()) {
            for (String name : SqlFilesTest.statements(database)) {
                try {
                    prepare(connection, store.opened().dialect().files().statement(name));
                } catch (SQLException e) {
                    failed.add(name + ": " + e.getMessage());
                }
            }
        }
        assertThat(failed).isEmpty();
    }

    /** Has the server compile a statement. */
    void prepare(java.sql.Connection connection, SqlScript script) throws SQLException {
        try (Query query = new Query(connection, script)) {
            query.statement().getParameterMetaData().getParameterCount();
            query.statement().getMetaData();
        }
    }

    @Test
    void wrong_password_is_told_when_the_store_is_opened() {
        assertFailure(Failure.AUTHENTICATION, () -> open(wrongPassword(), options));
    }

    /** The same database with credentials that it refuses. */
    abstract Connections wrongPassword();

    @Test
    void unreachable_database_is_told_when_the_store_is_opened() {
        assertFailure(Failure.CONNECTION_LOST, () -> open(unreachable(), options));
    }

    /** An address of this kind of database where there is none. */
    abstract Connections unreachable();

    @Test
    void exhausted_pool_is_told() throws StoreException {
        try (JdbcMessageStore small = new JdbcMessageStore(database.connections(), options.withPool(1, 300))) {
            small.open();
            StoreTransaction holder = transaction(small);
            send("a");
            holder.claim(head(1));

            assertFailure(Failure.POOL_EXHAUSTED, () -> small.transaction().claim(head(1)));
            holder.close();
        }
    }

    @Test
    void killed_connection_is_told_and_the_next_transaction_works() throws Exception {
        send("a");
        StoreTransaction transaction = transaction();
        List<StoredMessage> claimed = transaction.claim(head(1));
        killConnectionOf(transaction);

        assertFailure(Failure.CONNECTION_LOST, () -> transaction.commit(acknowledging(claimed), null));

        assertThat(transaction.isOpen()).isFalse();
        assertThat(texts(drain())).containsExactly("a");
    }

    /** Ends the database session behind a transaction. */
    abstract void killConnectionOf(StoreTransaction transaction) throws Exception;

    @Test
    void deadlock_victim_is_told() throws Exception {
        int other = store.destination(DestinationKind.QUEUE, "other " + queueName);
        List<Failure> failures = Collections.synchronizedList(new ArrayList<>());
        java.util.concurrent.CyclicBarrier bothHaveOne = new java.util.concurrent.CyclicBarrier(2);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<Callable<Void>> both = List.of(
                    () -> crossUpdate(queue, other, bothHaveOne, failures),
                    () -> crossUpdate(other, queue, bothHaveOne, failures));
            for (Future<Void> done : threads.invokeAll(both)) {
                done.get();
            }
        } finally {
            threads.shutdown();
        }
        assertThat(failures).containsExactly(Failure.DEADLOCK);
    }

    private Void crossUpdate(int first, int second, java.util.concurrent.CyclicBarrier barrier, List<Failure> failures)
            throws Exception {
        try (java.sql.Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            sql(connection, "UPDATE readpast.destination SET owner = 'x' WHERE destination_id = ?", first);
            barrier.await();
            try {
                sql(connection, "UPDATE readpast.destination SET owner = 'x' WHERE destination_id = ?", second);
            } catch (SQLException e) {
                failures.add(Failures.classify(e));
            }
            connection.rollback();
        }
        return null;
    }

    @Test
    void duplicate_key_and_missing_table_are_told() {
        assertThatThrownBy(() -> sql(
                        "INSERT INTO readpast.destination (kind, name) SELECT kind, name FROM readpast.destination"))
                .isInstanceOfSatisfying(
                        SQLException.class,
                        e -> assertThat(Failures.classify(e)).isEqualTo(Failure.DUPLICATE_KEY));
        assertThatThrownBy(() -> sql("SELECT x FROM readpast.no_such_table"))
                .isInstanceOfSatisfying(
                        SQLException.class,
                        e -> assertThat(Failures.classify(e)).isEqualTo(Failure.SCHEMA_MISSING));
    }
}
