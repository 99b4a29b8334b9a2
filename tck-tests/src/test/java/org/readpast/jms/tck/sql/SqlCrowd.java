package org.readpast.jms.tck.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Many readers and writers in SQL on one queue. Used once. */
final class SqlCrowd {

    private static final int WRITERS = 20;
    private static final int READERS = 20;
    private static final int MESSAGES = 2_000;

    private final SqlQueue procedures;
    private final String queue;
    private final AtomicInteger left = new AtomicInteger(MESSAGES);
    private final List<String> received = Collections.synchronizedList(new ArrayList<>());

    SqlCrowd(SqlQueue procedures, String queue) {
        this.procedures = procedures;
        this.queue = queue;
    }

    /** What a reader does again and again. */
    @FunctionalInterface
    interface Turn {

        /** Takes some messages and returns those that it has taken for good. */
        List<SqlRow> take(Connection connection, int batch) throws SQLException;
    }

    /** Sends all messages while readers take turns; each must arrive once, and no error may reach anybody. */
    void run(boolean autocommit, Turn turn) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS + READERS);
        try {
            List<Callable<Void>> work = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                int writer = i;
                work.add(() -> write(writer));
            }
            for (int i = 0; i < READERS; i++) {
                int batch = 1 + i % 10;
                work.add(() -> read(autocommit, turn, batch));
            }
            for (Future<Void> done : threads.invokeAll(work)) {
                done.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(received)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, MESSAGES).mapToObj(i -> "m" + i).toList());
    }

    private Void write(int writer) throws SQLException {
        try (Connection connection = procedures.database().connect()) {
            for (int i = writer; i < MESSAGES; i += WRITERS) {
                procedures.send(connection, SqlQueue.with("queue", queue, "body", "m" + i, "priority", i % 10));
            }
            return null;
        } catch (SQLException e) {
            left.set(0);
            throw e;
        }
    }

    private Void read(boolean autocommit, Turn turn, int batch) throws SQLException {
        try (Connection connection = procedures.database().connect()) {
            connection.setAutoCommit(autocommit);
            while (left.get() > 0) {
                List<SqlRow> rows = turn.take(connection, batch);
                rows.forEach(row -> received.add(row.body()));
                left.addAndGet(-rows.size());
            }
            return null;
        } catch (SQLException | AssertionError e) {
            left.set(0);
            throw e;
        }
    }
}
