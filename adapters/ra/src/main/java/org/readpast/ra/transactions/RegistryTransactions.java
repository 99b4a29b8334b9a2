package org.readpast.ra.transactions;

import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.readpast.jms.session.ContainerTransactions;
import org.readpast.ra.database.SqlConnections;

/** The transactions of the container, on SQL connections that take part in them. Thread-safe. */
public final class RegistryTransactions implements ContainerTransactions {

    private final SqlConnections connections;
    private final TransactionSynchronizationRegistry registry;
    private final boolean countsDeliveries;
    private final String dataSource;

    /**
     * @param connections those that take part
     * @param dataSource the JNDI name of what they are of, or null
     */
    public RegistryTransactions(
            SqlConnections connections,
            String dataSource,
            TransactionSynchronizationRegistry registry,
            boolean countsDeliveries) {
        this.connections = connections;
        this.registry = registry;
        this.countsDeliveries = countsDeliveries;
        this.dataSource = dataSource;
    }

    @Override
    public boolean isActive() {
        return isActive(registry);
    }

    /** Also in one that was rolled back already: some servers do so when it times out, and its thread goes on. */
    static boolean isActive(TransactionSynchronizationRegistry registry) {
        return switch (registry.getTransactionStatus()) {
            case Status.STATUS_NO_TRANSACTION, Status.STATUS_COMMITTED, Status.STATUS_UNKNOWN -> false;
            default -> true;
        };
    }

    @Override
    public void setRollbackOnly() {
        registry.setRollbackOnly();
    }

    @Override
    public boolean afterCommit(Runnable task) {
        if (registry.getTransactionStatus() != Status.STATUS_ACTIVE) {
            return false;
        }
        Tasks tasks = (Tasks) registry.getResource(this);
        if (tasks == null) {
            tasks = new Tasks();
            // Interposed, since that may be registered while others are being called before the commit.
            registry.registerInterposedSynchronization(tasks);
            registry.putResource(this, tasks);
        }
        tasks.all.add(task);
        return true;
    }

    /** What is done after the commit of one transaction. */
    private static final class Tasks implements Synchronization {

        private final Queue<Runnable> all = new ConcurrentLinkedQueue<>();

        @Override
        public void beforeCompletion() {}

        @Override
        public void afterCompletion(int status) {
            if (status == Status.STATUS_COMMITTED) {
                all.forEach(Runnable::run);
            }
        }
    }

    @Override
    public Connection getConnection() throws SQLException {
        return connections.get();
    }

    @Override
    public Object origin() {
        return dataSource;
    }

    @Override
    public void giveBack(Connection connection) throws SQLException {
        connection.close();
    }

    @Override
    public boolean countsDeliveries() {
        return countsDeliveries;
    }
}
