package org.readpast.jms.store.jdbc.connect;

import java.sql.Connection;
import java.sql.SQLException;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.jdbc.failure.Failures;

/** A pool over another one, which is closed by itself. As thread-safe as that. */
abstract sealed class DelegatingPool implements ConnectionPool
        permits ConnectionPool.ForTransactions, ConnectionPool.Bounded, SpareConnection {

    private final ConnectionPool pool;

    DelegatingPool(ConnectionPool pool) {
        this.pool = pool;
    }

    @Override
    public void greet(Greeting with) {
        pool.greet(with);
    }

    @Override
    public void refuse(String reason) {
        pool.refuse(reason);
    }

    @Override
    public void checkLends() throws SQLException {
        pool.checkLends();
    }

    @Override
    public Failures failures() {
        return pool.failures();
    }

    @Override
    public Connection borrow() throws SQLException {
        return pool.borrow();
    }

    @Override
    public void giveBack(Connection connection) throws SQLException {
        pool.giveBack(connection);
    }

    @Override
    public void retire(Connection connection) {
        pool.retire(connection);
    }

    @Override
    public void distrust() {
        pool.distrust();
    }

    @Override
    public void discard(Connection connection) {
        pool.discard(connection);
    }

    @Override
    public MessageStore.PoolUse use() {
        return pool.use();
    }

    @Override
    public boolean isAnyToSpare() {
        return pool.isAnyToSpare();
    }

    @Override
    public final void close() {}
}
