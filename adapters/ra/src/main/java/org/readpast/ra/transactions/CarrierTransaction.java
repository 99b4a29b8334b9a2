package org.readpast.ra.transactions;

import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.LocalTransaction;
import jakarta.resource.spi.LocalTransactionException;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.session.ContainerTransactions;
import org.readpast.jms.session.SqlSession;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * The local transaction of a managed connection: that of one transacted session, on whose SQL connection the sessions of all handles work
 * meanwhile. Thread-safe, as servers roll back on threads of their own what has timed out.
 */
public final class CarrierTransaction implements LocalTransaction, ContainerTransactions {

    private static final Logger LOG = Loggers.of(CarrierTransaction.class);

    private final ReadpastConnectionFactory factory;
    private final TransactionSynchronizationRegistry registry;
    private volatile boolean active;

    /** Null until the first transaction begins. */
    private volatile jakarta.jms.Connection connection;

    /** Guarded by this, as all below. */
    private Session session;

    private final List<Runnable> afterCommit = new ArrayList<>();
    private boolean rollbackOnly;

    /**
     * A transaction that has not begun.
     *
     * @param factory makes its connection
     * @param registry tells of transactions of the container's that it was not begun for
     */
    public CarrierTransaction(ReadpastConnectionFactory factory, TransactionSynchronizationRegistry registry) {
        this.factory = factory;
        this.registry = registry;
    }

    @Override
    public synchronized void begin() throws ResourceException {
        if (active) {
            throw new LocalTransactionException("A transaction has begun already, and is not over");
        }
        try {
            if (session == null) {
                // The connection of a handle may have the client id.
                connection = factory.createConnectionWithoutClientId();
                session = connection.createSession(Session.SESSION_TRANSACTED);
            }
            rollbackOnly = false;
            active = true;
        } catch (JMSException e) {
            throw new LocalTransactionException("Beginning a transaction failed: " + e.getMessage(), e);
        }
    }

    @Override
    public synchronized void commit() throws ResourceException {
        if (rollbackOnly) {
            rollback();
            throw new LocalTransactionException(
                    "The transaction was rolled back, since an operation in it had failed by halves");
        }
        end("Commit", session -> {
            session.commit();
            afterCommit.forEach(Runnable::run);
        });
    }

    @Override
    public synchronized void rollback() throws ResourceException {
        end("Rollback", Session::rollback);
    }

    @FunctionalInterface
    private interface End {
        void of(Session session) throws JMSException;
    }

    private void end(String what, End end) throws ResourceException {
        active = false;
        try {
            if (session != null) {
                end.of(session);
            }
        } catch (JMSException e) {
            throw new LocalTransactionException(what + " failed: " + e.getMessage(), e);
        } finally {
            afterCommit.clear();
        }
    }

    /** Also in a transaction of the container's that the server has not begun here, so that it is not left out silently. */
    @Override
    public boolean isActive() {
        return active || RegistryTransactions.isActive(registry);
    }

    @Override
    public synchronized void setRollbackOnly() {
        rollbackOnly = true;
    }

    @Override
    public synchronized boolean afterCommit(Runnable task) {
        return afterCommit.add(task);
    }

    @Override
    public synchronized Connection getConnection() throws SQLException {
        if (!active) {
            throw leftOut();
        }
        try {
            return ((SqlSession) session).sqlConnection();
        } catch (JMSException e) {
            throw new SQLException(e.getMessage(), e);
        }
    }

    /** What is done in a transaction that a managed connection has no part in, or none any more. */
    static SQLException leftOut() {
        return new SQLException(
                "A transaction runs, and this connection is no part of it, or not any more: the server has not begun"
                        + " it here, or it has timed out. Get a connection after the transaction has begun");
    }

    /** It is the session's, until the transaction is over. */
    @Override
    public void giveBack(Connection borrowed) {}

    /** Rolls back what has not ended, and waits for a commit or rollback that is under way no longer than the connection does. */
    public void close() {
        active = false;
        jakarta.jms.Connection open = connection;
        if (open != null) {
            try {
                open.close();
            } catch (JMSException e) {
                LOG.warn("A connection did not close as it should: {}", e.getMessage());
            }
        }
    }
}
