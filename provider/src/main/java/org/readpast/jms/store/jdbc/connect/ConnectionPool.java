package org.readpast.jms.store.jdbc.connect;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.jdbc.failure.Failures;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/** Lends connections with autocommit off, at READ COMMITTED. Thread-safe. */
public sealed interface ConnectionPool extends AutoCloseable permits ConnectionPool.Lending, DelegatingPool {

    /** Waits for a connection. */
    Connection borrow() throws SQLException;

    /** Gives one back that was borrowed here, with no transaction open. */
    void giveBack(Connection connection) throws SQLException;

    /** Closes one for good, whatever state it is in; the database rolls back what was open on it. */
    void discard(Connection connection);

    /** Closes this one, which is lent, instead of lending it again: somebody has changed it. Nothing on an application's pool. */
    void retire(Connection connection);

    /** Lends none of those any more that it has now: what broke one connection may have broken them all. */
    void distrust();

    /** Says what is done from now on with each connection that may lead to another server or to a database that was restored. */
    void greet(Greeting with);

    /** Lends nothing from now on, for this reason; null ends that. */
    void refuse(String reason);

    /** Throws where nothing is to be lent. */
    void checkLends() throws SQLException;

    /** What the errors of its connections mean. */
    Failures failures();

    /** How it is used; null where it is an application's. */
    MessageStore.PoolUse use();

    /** Whether a connection may be kept for longer than it has to be, and others are likely to find one all the same. */
    boolean isAnyToSpare();

    @Override
    void close();

    /** A pool that can be told not to lend, and what to do before it does. Thread-safe. */
    abstract sealed class Lending implements ConnectionPool permits Own, Borrowed {

        private volatile Greeting greeting = connection -> {};

        /** Null while it lends. */
        private volatile String refusal;

        @Override
        public final void greet(Greeting with) {
            greeting = with;
        }

        /** What is done with each connection that may lead elsewhere, also with one that is not lent from here. */
        public final Greeting greeting() {
            return greeting;
        }

        @Override
        public final void refuse(String reason) {
            refusal = reason;
        }

        @Override
        public final void checkLends() throws SQLException {
            String reason = refusal;
            if (reason != null) {
                throw new SQLException(reason, Failures.UNFIT);
            }
        }
    }

    /**
     * A HikariCP pool, whose connections are set up as they are wanted. What is lent is the driver's own connection: behind its own
     * handle HikariCP would take every statement for an open transaction and, where a statement has committed by itself, roll back
     * nothing when it is given back, which is a round trip on SQL Server.
     */
    final class Own extends Lending {

        private final HikariDataSource source;
        private final Failures failures;

        /** HikariCP's handles of what is lent. */
        private final Map<Connection, Connection> handles = new ConcurrentHashMap<>();

        private final Set<Connection> retired = ConcurrentHashMap.newKeySet();

        /** What has been lent before, and so was greeted. */
        private final Set<Connection> known =
                Collections.newSetFromMap(Collections.synchronizedMap(new WeakHashMap<>()));

        public Own(HikariDataSource source, Failures failures) {
            this.source = source;
            this.failures = failures;
        }

        @Override
        public Failures failures() {
            return failures;
        }

        public HikariDataSource source() {
            return source;
        }

        @Override
        public Connection borrow() throws SQLException {
            checkLends();
            Connection handle = source.getConnection();
            Connection lent = handle.unwrap(Connection.class);
            handles.put(lent, handle);
            if (known.add(lent)) {
                try {
                    greeting().on(lent);
                } catch (SQLException | RuntimeException | Error e) {
                    discard(lent);
                    throw e;
                }
            }
            return lent;
        }

        @Override
        public void giveBack(Connection connection) throws SQLException {
            Connection handle = handles.remove(connection);
            if (retired.remove(connection)) {
                source.evictConnection(handle);
            } else {
                handle.close();
            }
        }

        @Override
        public void retire(Connection connection) {
            if (handles.containsKey(connection)) {
                retired.add(connection);
            }
        }

        @Override
        public MessageStore.PoolUse use() {
            HikariPoolMXBean pool = source.getHikariPoolMXBean();
            return new MessageStore.PoolUse(
                    pool.getTotalConnections(), pool.getActiveConnections(), pool.getThreadsAwaitingConnection());
        }

        @Override
        public boolean isAnyToSpare() {
            return source.getHikariPoolMXBean().getThreadsAwaitingConnection() == 0;
        }

        @Override
        public void distrust() {
            source.getHikariPoolMXBean().softEvictConnections();
        }

        @Override
        public void discard(Connection connection) {
            Connection handle = handles.remove(connection);
            retired.remove(connection);
            if (handle != null) {
                source.evictConnection(handle);
            }
            distrust();
        }

        @Override
        public void close() {
            source.close();
        }
    }

    /**
     * The share of a pool that the sessions' transactions may hold. They hold connections for as long as the application takes,
     * and a listener among them may send by another session: what is not theirs is kept for such short work, which would
     * otherwise wait for connections that wait for it.
     */
    final class ForTransactions extends DelegatingPool {

        private final int size;
        private final long timeoutMillis;
        private final Semaphore free;

        /**
         * @param size how many connections the whole pool has
         */
        public ForTransactions(ConnectionPool pool, int size, long timeoutMillis) {
            super(pool);
            this.size = size;
            this.timeoutMillis = timeoutMillis;
            this.free = new Semaphore(Math.max(1, size - Math.max(1, size / 8)), true);
        }

        @Override
        public Connection borrow() throws SQLException {
            try {
                if (!free.tryAcquire(timeoutMillis, TimeUnit.MILLISECONDS)) {
                    throw new SQLTransientConnectionException("No connection became free within " + timeoutMillis
                            + " ms: sessions' transactions hold all of the pool of " + size + " that they may");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new SQLException("Interrupted while waiting for a connection", e);
            }
            boolean lent = false;
            try {
                Connection connection = super.borrow();
                lent = true;
                return connection;
            } finally {
                if (!lent) {
                    free.release();
                }
            }
        }

        @Override
        public void giveBack(Connection connection) throws SQLException {
            super.giveBack(connection);
            free.release();
        }

        @Override
        public void discard(Connection connection) {
            super.discard(connection);
            free.release();
        }

        /** Those who wait here have not come to the pool yet. */
        @Override
        public MessageStore.PoolUse use() {
            MessageStore.PoolUse all = super.use();
            return new MessageStore.PoolUse(all.open(), all.used(), all.waiting() + free.getQueueLength());
        }

        @Override
        public boolean isAnyToSpare() {
            return free.availablePermits() > 0;
        }
    }

    /** Another pool, whose connections wait for the server's answer no longer than so. */
    final class Bounded extends DelegatingPool {

        private final int millis;

        /** What was set before, of what is lent. */
        private final Map<Connection, Integer> before = new ConcurrentHashMap<>();

        public Bounded(ConnectionPool pool, int millis) {
            super(pool);
            this.millis = millis;
        }

        @Override
        public Connection borrow() throws SQLException {
            Connection connection = super.borrow();
            before.put(connection, NetworkBound.set(connection, millis));
            return connection;
        }

        @Override
        public void giveBack(Connection connection) throws SQLException {
            NetworkBound.reset(connection, before.get(connection));
            before.remove(connection);
            super.giveBack(connection);
        }

        @Override
        public void discard(Connection connection) {
            before.remove(connection);
            super.discard(connection);
        }
    }

    /**
     * The application's connections, which get their settings back: autocommit as they had it, and READ COMMITTED, without
     * which READPAST is an error and every claim fails.
     */
    final class Borrowed extends Lending {

        private static final Logger LOG = Loggers.of(Borrowed.class);

        private final Connections.Source source;
        private final PoolSettings settings;
        private final boolean autoCommit;
        private final int isolation;

        /** How often a connection has broken: who borrows behind that is greeted. Which of the application's are new is not known. */
        private final AtomicInteger broken = new AtomicInteger();

        /** How often one had broken when a connection was greeted. */
        private volatile int greeted;

        Borrowed(Connections.Source source, PoolSettings settings) throws SQLException {
            this.source = source;
            this.settings = settings;
            try (Connection first = source.dedicated()) {
                this.autoCommit = first.getAutoCommit();
                this.isolation = first.getTransactionIsolation();
            }
        }

        @Override
        public Failures failures() {
            return settings.failures();
        }

        @Override
        public MessageStore.PoolUse use() {
            return null;
        }

        @Override
        public Connection borrow() throws SQLException {
            checkLends();
            Connection connection = source.dedicated();
            try {
                if (isolationOf(connection) != Connection.TRANSACTION_READ_COMMITTED) {
                    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
                }
                if (connection.getAutoCommit()) {
                    connection.setAutoCommit(false);
                }
            } catch (SQLException | RuntimeException | Error e) {
                giveBackUnused(connection, e);
                throw e;
            }
            int brokenNow = broken.get();
            if (brokenNow != greeted) {
                try {
                    settings.checkServer(connection);
                    greeting().on(connection);
                } catch (SQLException | RuntimeException | Error e) {
                    // The pool would lend it again and again, although others may lead elsewhere by now.
                    discard(connection);
                    throw e;
                }
                greeted = brokenNow;
            }
            return connection;
        }

        /** A pool may lend it as it is. */
        private void giveBackUnused(Connection connection, Throwable why) {
            try (connection) {
                if (!connection.getAutoCommit()) {
                    connection.rollback();
                }
                restore(connection);
            } catch (SQLException | RuntimeException e) {
                why.addSuppressed(e);
            }
        }

        /** How many there are is not known, and who keeps one while he waits for another may wait for himself. */
        @Override
        public boolean isAnyToSpare() {
            return false;
        }

        @Override
        public void giveBack(Connection connection) throws SQLException {
            try (connection) {
                restore(connection);
            }
        }

        private void restore(Connection connection) throws SQLException {
            connection.setAutoCommit(autoCommit);
            if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
                connection.setTransactionIsolation(isolation);
            }
        }

        @Override
        public void retire(Connection connection) {}

        /** The pool is the application's. */
        @Override
        public void distrust() {
            broken.incrementAndGet();
        }

        /** Closes the pool's handle only if the connection itself cannot be aborted. */
        @Override
        public void discard(Connection connection) {
            distrust();
            try (connection) {
                connection.abort(Runnable::run);
            } catch (SQLException | RuntimeException | Error e) {
                LOG.debug("Closing a broken connection of the application's DataSource failed", e);
            }
        }

        /** Drivers that ask the server for the level would cost a round trip each time; there the first answer counts. */
        private int isolationOf(Connection connection) throws SQLException {
            return settings.knowsIsolationLocally() ? connection.getTransactionIsolation() : isolation;
        }

        /** The DataSource is the application's to close. */
        @Override
        public void close() {}
    }
}
