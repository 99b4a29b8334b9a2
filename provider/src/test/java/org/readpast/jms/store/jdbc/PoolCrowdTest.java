package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.jdbc.connect.ConnectionPool;

/** More threads than connections, which are given back, retired, discarded and distrusted at random: the pool stays what it was. */
class PoolCrowdTest {

    private static final long SEED = Long.getLong("readpast.test.seed", 20_261_123);
    private static final int ROUNDS = Integer.getInteger("readpast.test.pool.rounds", 50);
    private static final int THREADS = 6;
    private static final int SIZE = 4;

    /** One is kept for short work. */
    private static final int FOR_TRANSACTIONS = SIZE - 1;

    private static final long PATIENCE_MILLIS = 60_000;

    private final Set<Connection> lent = ConcurrentHashMap.newKeySet();
    private final Set<Connection> gone = ConcurrentHashMap.newKeySet();

    @Test
    void none_is_lent_twice_or_after_its_end_and_all_come_back() throws Exception {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:mem:crowd");
        config.setAutoCommit(false);
        config.setMaximumPoolSize(SIZE);
        config.setConnectionTimeout(PATIENCE_MILLIS);
        try (HikariDataSource source = new HikariDataSource(config)) {
            ConnectionPool pool =
                    new ConnectionPool.ForTransactions(new ConnectionPool.Own(source, null), SIZE, PATIENCE_MILLIS);
            crowd(pool);
            List<Connection> all = new ArrayList<>();
            for (int i = 0; i < FOR_TRANSACTIONS; i++) {
                all.add(pool.borrow());
            }
            assertThat(pool.isAnyToSpare()).isFalse();
            assertThat(all).doesNotHaveDuplicates().doesNotContainAnyElementsOf(gone);
            for (Connection each : all) {
                pool.giveBack(each);
            }
            assertThat(pool.isAnyToSpare()).isTrue();
            assertThat(source.getHikariPoolMXBean().getActiveConnections()).isZero();
        }
    }

    private void crowd(ConnectionPool pool) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Callable<Void>> work = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                Random random = new Random(SEED + thread);
                work.add(() -> {
                    for (int i = 0; i < ROUNDS; i++) {
                        use(pool, random.nextInt(20));
                    }
                    return null;
                });
            }
            for (Future<Void> done : threads.invokeAll(work)) {
                done.get();
            }
        } finally {
            threads.shutdown();
        }
    }

    private void use(ConnectionPool pool, int choice) throws SQLException {
        Connection connection = pool.borrow();
        assertThat(lent.add(connection)).as("nobody else has it").isTrue();
        assertThat(gone).as("seed " + SEED).doesNotContain(connection);
        assertThat(connection.isClosed()).isFalse();
        if (choice < 5) {
            gone.add(connection);
        }
        lent.remove(connection);
        switch (choice) {
            case 0 -> pool.discard(connection);
            case 1, 2, 3, 4 -> {
                pool.retire(connection);
                pool.giveBack(connection);
            }
            case 5 -> {
                pool.distrust();
                pool.giveBack(connection);
            }
            default -> pool.giveBack(connection);
        }
    }
}
