package org.readpast.ra;

import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;
import org.readpast.jms.session.ContainerTransactions;

/**
 * The transactions of the container, on the connections of a DataSource that takes part in them. The DataSource is looked for when it is
 * needed, since it may come later than what uses it. Thread-safe.
 */
final class DataSourceTransactions implements ContainerTransactions {

    private final String name;
    private final TransactionSynchronizationRegistry registry;
    private final boolean countsDeliveries;
    private volatile DataSource dataSource;

    /** @param name the JNDI name of the DataSource */
    DataSourceTransactions(String name, TransactionSynchronizationRegistry registry, boolean countsDeliveries) {
        this.name = name;
        this.registry = registry;
        this.countsDeliveries = countsDeliveries;
    }

    @Override
    public boolean isActive() {
        return isActive(registry);
    }

    static boolean isActive(TransactionSynchronizationRegistry registry) {
        return switch (registry.getTransactionStatus()) {
            case Status.STATUS_NO_TRANSACTION,
                    Status.STATUS_COMMITTED,
                    Status.STATUS_ROLLEDBACK,
                    Status.STATUS_UNKNOWN -> false;
            default -> true;
        };
    }

    @Override
    public void setRollbackOnly() {
        registry.setRollbackOnly();
    }

    /** Interposed, since that may be registered while others are being called before the commit. */
    @Override
    public boolean afterCommit(Runnable task) {
        if (registry.getTransactionStatus() != Status.STATUS_ACTIVE) {
            return false;
        }
        registry.registerInterposedSynchronization(new Synchronization() {
            @Override
            public void beforeCompletion() {}

            @Override
            public void afterCompletion(int status) {
                if (status == Status.STATUS_COMMITTED) {
                    task.run();
                }
            }
        });
        return true;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return dataSource().getConnection();
    }

    private DataSource dataSource() throws SQLException {
        DataSource found = dataSource;
        if (found == null) {
            try {
                found = (DataSource) new InitialContext().lookup(name);
                dataSource = found;
            } catch (NamingException | ClassCastException e) {
                throw new SQLException("JNDI has no DataSource '" + name + "': " + e.getMessage(), e);
            }
        }
        return found;
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
