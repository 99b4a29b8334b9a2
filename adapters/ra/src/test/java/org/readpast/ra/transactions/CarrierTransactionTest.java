package org.readpast.ra.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.ReadpastConnectionFactory;

/** What a local transaction leaves behind in a managed connection that the server keeps in its pool. */
class CarrierTransactionTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void what_was_to_be_done_after_the_commit_is_not_kept_longer(boolean commits) throws Exception {
        try (ReadpastConnectionFactory factory =
                new ReadpastConnectionFactory("readpast:jdbc:h2:mem:carrier#user=sa")) {
            CarrierTransaction transaction = new CarrierTransaction(factory, null);
            List<String> done = new ArrayList<>();
            transaction.begin();
            WeakReference<Runnable> task = afterCommit(transaction, done);
            if (commits) {
                transaction.commit();
            } else {
                transaction.rollback();
            }
            await().atMost(PATIENCE).untilAsserted(() -> {
                System.gc();
                assertThat(task.get()).isNull();
            });
            assertThat(done).isEqualTo(commits ? List.of("told") : List.of());
            transaction.close();
        }
    }

    /** Also a transaction that timed out, and that the server rolls back, or closes, on a thread of its own. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void statement_comes_before_the_end_of_the_transaction_or_is_refused(boolean closes) throws Exception {
        JdbcDataSource database = new JdbcDataSource();
        database.setUrl("jdbc:h2:mem:late" + closes);
        AtomicReference<Runnable> afterRollback = new AtomicReference<>();
        try (Connection other = database.getConnection();
                Statement sql = other.createStatement();
                ReadpastConnectionFactory factory = new ReadpastConnectionFactory(pausing(database, afterRollback))) {
            sql.execute("CREATE TABLE shipment (item VARCHAR(20))");
            factory.setCreateSchema("true");
            CarrierTransaction transaction = new CarrierTransaction(factory, null);
            transaction.begin();
            PreparedStatement insert =
                    transaction.getConnection().prepareStatement("INSERT INTO shipment VALUES ('coffee')");
            FutureTask<Integer> work = new FutureTask<>(insert::executeUpdate);
            Thread late = new Thread(work);
            afterRollback.set(() -> {
                late.start();
                await().atMost(PATIENCE).until(() -> !late.isAlive() || late.getState() == Thread.State.WAITING);
            });
            if (closes) {
                transaction.close();
            } else {
                transaction.rollback();
            }
            assertThatThrownBy(() -> work.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .hasCauseInstanceOf(SQLException.class)
                    .hasMessageContaining("has ended");
            try (ResultSet rows = sql.executeQuery("SELECT * FROM shipment")) {
                assertThat(rows.next()).isFalse();
            }
            transaction.close();
        }
    }

    /** @param afterRollback is done once, after the next rollback on any of its connections */
    private static DataSource pausing(DataSource real, AtomicReference<Runnable> afterRollback) {
        return around(
                DataSource.class,
                real,
                (method, made) -> method.equals("getConnection")
                        ? around(Connection.class, (Connection) made, (call, result) -> {
                            if (call.equals("rollback")) {
                                Optional.ofNullable(afterRollback.getAndSet(null))
                                        .ifPresent(Runnable::run);
                            }
                            return result;
                        })
                        : made);
    }

    private static <T> T around(Class<T> type, T real, BiFunction<String, Object, Object> after) {
        return type.cast(Proxy.newProxyInstance(
                CarrierTransactionTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        return after.apply(method.getName(), method.invoke(real, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private static WeakReference<Runnable> afterCommit(CarrierTransaction transaction, List<String> done) {
        Runnable task = () -> done.add("told");
        transaction.afterCommit(task);
        return new WeakReference<>(task);
    }
}
