package org.readpast.jms.tck.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Many readers and writers in SQL on one queue, each with a connection of its own. Used once. */
final class SqlCrowd {

    /** Enough to meet each other. */
    static final Size SMALL = new Size(20, 20, 2_000, 1);

    private final SqlQueue procedures;
    private final String queue;
    private final Size size;
    private final AtomicInteger left;

    /** As many permits as there are messages that are committed and in nobody's hands. */
    private final Semaphore available = new Semaphore(0);

    private final Set<String> received = ConcurrentHashMap.newKeySet();

    SqlCrowd(SqlQueue procedures, String queue, Size size) {
        this.procedures = procedures;
        this.queue = queue;
        this.size = size;
        this.left = new AtomicInteger(size.messages());
    }

    /**
     * How many there are.
     *
     * @param perTransaction how many messages a writer sends in each transaction
     */
    record Size(int writers, int readers, int messages, int perTransaction) {}

    /** What a reader does again and again. */
    @FunctionalInterface
    interface SessionLock {

        /**
         * Takes messages and returns those that it has taken for good.
         *
         * @param number of this reader's turns, from 1
         */
        List<SqlRow> take(Connection connection, int most, int number) throws SQLException;
    }

    /** Sends all messages while readers take turns; each must arrive once, and no error may reach anybody. */
    void run(boolean autocommit, SessionLock turn) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(size.writers() + size.readers());
        try {
            List<Callable<Void>> work = new ArrayList<>();
            for (int i = 0; i < size.readers(); i++) {
                int most = 1 + i % (10 * size.perTransaction());
                work.add(() -> read(autocommit, turn, most));
            }
            for (int i = 0; i < size.writers(); i++) {
                int writer = i;
                work.add(() -> write(writer));
            }
            for (Future<Void> done : threads.invokeAll(work)) {
                done.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(left).hasValue(0);
        Set<String> sent =
                IntStream.range(0, size.messages()).mapToObj(i -> "m" + i).collect(Collectors.toSet());
        assertThat(received.equals(sent))
                .as("what was sent is what was received")
                .isTrue();
    }

    private Void write(int writer) throws SQLException {
        try (Connection connection = procedures.database().connect()) {
            connection.setAutoCommit(false);
            int stride = size.writers() * size.perTransaction();
            for (int from = writer; from < size.messages(); from += stride) {
                int below = Math.min(size.messages(), from + stride);
                int sent = procedures.sendSeries(connection, queue, new SqlQueue.Series(from, below, size.writers()));
                connection.commit();
                available.release(sent);
            }
            return null;
        } catch (SQLException e) {
            left.set(0);
            throw e;
        }
    }

    private Void read(boolean autocommit, SessionLock turn, int most) throws Exception {
        try (Connection connection = procedures.database().connect()) {
            connection.setAutoCommit(autocommit);
            int turns = 0;
            while (left.get() > 0) {
                int permits = acquire(most);
                if (permits > 0) {
                    List<SqlRow> rows = turn.take(connection, permits, ++turns);
                    rows.forEach(row ->
                            assertThat(received.add(row.body())).as(row.body()).isTrue());
                    left.addAndGet(-rows.size());
                    available.release(permits - rows.size());
                }
            }
            return null;
        } catch (SQLException | AssertionError e) {
            left.set(0);
            throw e;
        }
    }

    /** One permit and as many more as there are; 0 where there was none for a while. */
    private int acquire(int most) throws InterruptedException {
        if (!available.tryAcquire(100, TimeUnit.MILLISECONDS)) {
            return 0;
        }
        int permits = 1;
        while (permits < most && available.tryAcquire()) {
            permits++;
        }
        return permits;
    }
}
