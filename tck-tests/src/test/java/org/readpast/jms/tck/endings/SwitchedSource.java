package org.readpast.jms.tck.endings;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.readpast.jms.tck.rig.TestDatabase;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** A DataSource whose database can be taken away: connections break, and new ones are refused or waited for. Thread-safe. */
final class SwitchedSource extends AbstractDataSource {

    /** More than are ever asked for. */
    private static final int PLENTY = 1_000_000;

    private final TestDatabase database;
    private final Set<Connection> open = ConcurrentHashMap.newKeySet();
    private final Semaphore mayConnect = new Semaphore(PLENTY);
    private final AtomicInteger attempts = new AtomicInteger();
    private volatile boolean refusing;

    SwitchedSource(TestDatabase database) {
        this.database = database;
    }

    @Override
    public Connection getConnection() throws SQLException {
        attempts.incrementAndGet();
        mayConnect.acquireUninterruptibly();
        if (refusing) {
            throw new SQLTransientConnectionException("The test has taken the database away", "08001");
        }
        Connection connection = database.connect();
        open.add(connection);
        return connection;
    }

    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        return getConnection();
    }

    /** From now on only so many connections are made; others are waited for. */
    void holdAfter(int connections) {
        mayConnect.drainPermits();
        mayConnect.release(connections);
    }

    /** Breaks what is open, and refuses what is waited for and what comes. */
    void refuse() throws SQLException {
        refusing = true;
        for (Connection connection : open) {
            connection.abort(Runnable::run);
        }
        mayConnect.release(PLENTY);
    }

    /** The database is there. */
    void allow() {
        refusing = false;
        mayConnect.release(PLENTY);
    }

    /** How many connections were asked for. */
    int attempts() {
        return attempts.get();
    }

    /** Whether somebody waits for a connection. */
    boolean isWaitedFor() {
        return mayConnect.hasQueuedThreads();
    }

    /** How many connections are open. */
    long inUse() throws SQLException {
        long count = 0;
        for (Connection connection : open) {
            count += connection.isClosed() ? 0 : 1;
        }
        return count;
    }
}
