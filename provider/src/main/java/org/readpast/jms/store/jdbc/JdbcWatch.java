package org.readpast.jms.store.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.Watch;
import org.readpast.jms.store.jdbc.acknowledge.QueueSettings;
import org.readpast.jms.store.jdbc.connect.DedicatedConnection;
import org.readpast.jms.store.jdbc.connect.Gone;
import org.readpast.jms.store.jdbc.failure.Failures;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/** Watches on a connection of its own, which it keeps. */
final class JdbcWatch implements Watch {

    private static final Logger LOG = Loggers.of(JdbcWatch.class);

    /** The driver's wait for a notification cannot be ended early, so it is cut into slices. */
    private static final int SLICE_MILLIS = 100;

    private final Statements statements;
    private final Failures failures;
    private final QueueSettings queueSettings;
    private final DedicatedConnection dedicated;
    private final Connection connection;

    /** Null where the database has no bell. */
    private final PostgresBell bell;

    /** A permit is a wake-up that has not been noticed. */
    private final Semaphore wakeUps = new Semaphore(0);

    private JdbcWatch(
            Statements statements,
            Failures failures,
            QueueSettings queueSettings,
            DedicatedConnection dedicated,
            PostgresBell bell) {
        this.statements = statements;
        this.failures = failures;
        this.queueSettings = queueSettings;
        this.dedicated = dedicated;
        this.connection = dedicated.connection();
        this.bell = bell;
    }

    static JdbcWatch open(OpenStore store, boolean useBell, String signature) throws StoreException {
        try {
            DedicatedConnection dedicated = DedicatedConnection.take(store.connections(), store.options());
            Connection connection = dedicated.connection();
            try {
                PostgresBell bell = useBell ? PostgresBell.listen(store.statements(), connection, signature) : null;
                return new JdbcWatch(store.statements(), store.failures(), store.queueSettings(), dedicated, bell);
            } catch (SQLException | RuntimeException | Error e) {
                connection.close();
                throw e;
            }
        } catch (SQLException e) {
            throw store.failures().ofLogin(e, "Arrivals", "watching");
        }
    }

    @Override
    public Set<Integer> available(Collection<Integer> destinationIds) throws StoreException {
        List<Integer> claimable = destinationIds.stream()
                .filter(id -> !queueSettings.isReceivePaused(id))
                .toList();
        if (claimable.isEmpty()) {
            return Set.of();
        }
        try {
            return holding(claimable);
        } catch (SQLException e) {
            throw failures.of(e, connection, "Arrivals", "look-up");
        }
    }

    private Set<Integer> holding(Collection<Integer> destinationIds) throws SQLException {
        try (Query available = statements.query(connection, "available")) {
            statements.bindIds(available, destinationIds);
            return new TreeSet<>(available.values(ResultSet::getInt));
        }
    }

    @Override
    public Set<Integer> await(long timeoutMillis) throws StoreException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        if (bell == null) {
            if (wakeUps.tryAcquire(timeoutMillis, TimeUnit.MILLISECONDS)) {
                wakeUps.drainPermits();
            }
            return Set.of();
        }
        try {
            while (true) {
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                Set<Integer> rung = bell.await((int) Math.max(1, Math.min(left, SLICE_MILLIS)));
                if (!rung.isEmpty() || wakeUps.drainPermits() > 0 || left <= SLICE_MILLIS) {
                    return rung;
                }
                if (Thread.interrupted()) {
                    throw new InterruptedException("Interrupted while waiting for arrivals");
                }
            }
        } catch (SQLException e) {
            throw failures.of(e, connection, "Arrivals", "waiting");
        }
    }

    @Override
    public boolean isTold() {
        return bell != null;
    }

    @Override
    public void wakeUp() {
        wakeUps.release();
    }

    @Override
    public void close() {
        try (connection) {
            if (Gone.is(connection)) {
                return;
            }
            if (bell != null) {
                try (Query stop = statements.query(connection, "unlisten")) {
                    stop.statement().execute();
                }
            }
            dedicated.reset();
        } catch (SQLException e) {
            LOG.debug("Closing the connection that watched for arrivals failed", e);
        }
    }
}
