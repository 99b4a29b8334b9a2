package org.readpast.jms;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import org.readpast.jms.session.ContainerTransactions;
import org.readpast.jms.store.ConnectionSource;

/** The connections of a container's transactions, as the container tells of them, and not by their autocommit. Thread-safe. */
final class ContainerSource implements ConnectionSource {

    private final ContainerTransactions transactions;

    /** Whether connections that take part say all the same that they commit by themselves, as those of Open Liberty do. */
    private volatile boolean autoCommitMeansNothing;

    /** Of which DataSources that is known. */
    private final Set<Object> origins;

    /**
     * @param origins of whose connections it is known that their autocommit means nothing; what is found out is added
     */
    ContainerSource(ContainerTransactions transactions, Set<Object> origins) {
        this.transactions = transactions;
        this.origins = origins;
    }

    @Override
    public boolean isInTransaction() {
        return transactions.isActive();
    }

    @Override
    public boolean commitsByItself(Connection connection) throws SQLException {
        return connection.getAutoCommit() && !transactions.isActive();
    }

    @Override
    public boolean takesPart(Connection connection, Identity identity) throws SQLException {
        if (autoCommitMeansNothing || !connection.getAutoCommit() || !transactions.isActive()) {
            return true;
        }
        Object origin = transactions.origin();
        if (origin != null && origins.contains(origin)) {
            autoCommitMeansNothing = true;
            return true;
        }
        String transaction = identity.read();
        if (!connection.getAutoCommit()) {
            // It began with its first statement, as in some containers.
            return true;
        }
        autoCommitMeansNothing = transaction != null && transaction.equals(identity.read());
        if (autoCommitMeansNothing && origin != null) {
            origins.add(origin);
        }
        return autoCommitMeansNothing;
    }

    /** Where it is a container's, that refuses a rollback on its connection. */
    @Override
    public void setRollbackOnly(Connection connection, boolean goesOn) throws SQLException {
        if (transactions.isActive()) {
            transactions.setRollbackOnly();
        } else {
            ConnectionSource.super.setRollbackOnly(connection, goesOn);
        }
    }

    @Override
    public boolean afterCommit(Runnable task) {
        return transactions.isActive() && transactions.afterCommit(task);
    }

    @Override
    public Connection get() throws SQLException {
        return transactions.getConnection();
    }

    @Override
    public void giveBack(Connection connection) throws SQLException {
        transactions.giveBack(connection);
    }

    @Override
    public boolean countsDeliveries() {
        return transactions.countsDeliveries();
    }
}
