package org.readpast.jms;

import jakarta.jms.JMSException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.store.ConnectionSource;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * The connection that Spring's transaction of the calling thread has of a DataSource, or else what the DataSource hands out. Spring is
 * used where the application has it, and is no dependency. Thread-safe.
 */
final class SpringSource implements ConnectionSource {

    private static final Logger LOG = Loggers.of(SpringSource.class);

    private static final String SYNCHRONIZATIONS =
            "org.springframework.transaction.support.TransactionSynchronizationManager";
    private static final String UTILS = "org.springframework.jdbc.datasource.DataSourceUtils";
    private static final String DELEGATING = "org.springframework.jdbc.datasource.DelegatingDataSource";
    private static final String ROUTING = "org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource";

    private final DataSource source;
    private final boolean autoCommit;
    private final MethodHandle getResource;
    private final MethodHandle getResourceMap;
    private final MethodHandle isTransactionActive;
    private final MethodHandle isReadOnly;
    private final MethodHandle getConnection;
    private final MethodHandle releaseConnection;
    private final Class<?> delegating;
    private final MethodHandle getTarget;
    private final SpringSynchronizations synchronizations;

    /** The URL of the database that has the messages, where the DataSource chooses among several; null where it has only one. */
    private final String routedTo;

    private SpringSource(DataSource source, boolean autoCommit, String url, ClassLoader loader)
            throws ReflectiveOperationException, SQLException {
        this.source = source;
        this.autoCommit = autoCommit;
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        Class<?> manager = loader.loadClass(SYNCHRONIZATIONS);
        Class<?> utils = loader.loadClass(UTILS);
        delegating = loader.loadClass(DELEGATING);
        getResource = lookup.findStatic(manager, "getResource", MethodType.methodType(Object.class, Object.class));
        getResourceMap = lookup.findStatic(manager, "getResourceMap", MethodType.methodType(Map.class));
        isTransactionActive =
                lookup.findStatic(manager, "isActualTransactionActive", MethodType.methodType(boolean.class));
        isReadOnly = lookup.findStatic(manager, "isCurrentTransactionReadOnly", MethodType.methodType(boolean.class));
        getTarget = lookup.findVirtual(delegating, "getTargetDataSource", MethodType.methodType(DataSource.class));
        getConnection =
                lookup.findStatic(utils, "doGetConnection", MethodType.methodType(Connection.class, DataSource.class));
        releaseConnection = lookup.findStatic(
                utils, "doReleaseConnection", MethodType.methodType(void.class, Connection.class, DataSource.class));
        synchronizations = new SpringSynchronizations(loader, manager);
        routedTo = loader.loadClass(ROUTING).isInstance(innermost(source)) ? url : null;
        if (routedTo != null) {
            LOG.info(
                    "The DataSource chooses among databases. The messages are in the one that it gives to a thread that says nothing:"
                            + " nothing can be sent or received in a transaction on another one.");
        }
    }

    /**
     * A source that knows Spring's transactions, where the application or the DataSource sees Spring's classes.
     *
     * @param autoCommit whether the DataSource's connections commit by themselves where no transaction is active
     * @param url of the database that has the messages
     * @param otherwise what is returned where they do not see them
     */
    static ConnectionSource of(DataSource source, boolean autoCommit, String url, ConnectionSource otherwise)
            throws SQLException {
        for (ClassLoader loader : Arrays.asList(
                Thread.currentThread().getContextClassLoader(),
                source.getClass().getClassLoader())) {
            if (loader != null) {
                try {
                    return new SpringSource(source, autoCommit, url, loader);
                } catch (ReflectiveOperationException | LinkageError e) {
                    LOG.trace("No Spring is seen by {}", loader, e);
                }
            }
        }
        return otherwise;
    }

    /**
     * Tells whether Spring's transaction of the calling thread has a connection of this DataSource, and gets none; where no Spring is seen there
     * is no such transaction.
     */
    static Callable<Boolean> transactionsOn(DataSource source) throws JMSException {
        try {
            return of(source, true, null, null) instanceof SpringSource spring ? spring::hasTransaction : () -> false;
        } catch (SQLException e) {
            throw JmsErrors.unexpected("Looking for Spring's transactions failed", e);
        }
    }

    private boolean hasTransaction() throws SQLException {
        DataSource bound = isTransactionElsewhere() ? bound() : null;
        return bound != null && !synchronizations.isOnlyKept(bound);
    }

    /** Something of Spring's. */
    @FunctionalInterface
    interface Call<T> {
        @SuppressWarnings("java:S112") // As MethodHandle declares it.
        T make() throws Throwable;
    }

    static <T> T call(Call<T> call) throws SQLException {
        try {
            return call.make();
        } catch (SQLException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new SQLException("Spring's transaction: " + e, e);
        }
    }

    /**
     * What Spring has bound a connection for to the calling thread: this DataSource, or one around it or within it, as the transaction
     * manager and the connection factory may have been given different ones. Null if there is none.
     */
    private DataSource bound() throws SQLException {
        if (call(() -> (Object) getResource.invoke(source)) != null) {
            return source;
        }
        DataSource innermost = innermost(source);
        for (Object key : call(() -> (Map<?, ?>) getResourceMap.invoke()).keySet()) {
            if (key instanceof DataSource other && innermost(other) == innermost) {
                return other;
            }
        }
        return null;
    }

    private DataSource innermost(DataSource outer) throws SQLException {
        DataSource inner = outer;
        while (delegating.isInstance(inner)) {
            DataSource wrapper = inner;
            DataSource target = call(() -> (DataSource) getTarget.invoke(wrapper));
            if (target == null) {
                return inner;
            }
            inner = target;
        }
        return inner;
    }

    /** Where connections commit by themselves otherwise, the connection tells; it may be in a transaction that is not Spring's. */
    @Override
    public boolean isInTransaction() throws SQLException {
        if (autoCommit) {
            return ConnectionSource.super.isInTransaction();
        }
        return hasTransaction();
    }

    @Override
    public Connection get() throws SQLException {
        // Spring would bind a connection to a transaction of another resource, and keep it until that ends.
        DataSource bound = bound();
        if (bound == null) {
            return source.getConnection();
        }
        Connection connection = call(() -> (Connection) getConnection.invoke(bound));
        if (routedTo != null && !routedTo.equals(connection.getMetaData().getURL())) {
            giveBack(connection);
            throw new SQLException(
                    "The transaction is in another database than the messages: the DataSource has chosen one for it. Send"
                            + " and receive outside of it, in one of the messages' database, or with a connection factory for each database");
        }
        return connection;
    }

    @Override
    public void giveBack(Connection connection) throws SQLException {
        DataSource bound = bound();
        call(() -> {
            releaseConnection.invoke(connection, bound == null ? source : bound);
            return null;
        });
    }

    @Override
    public boolean isReadOnly() throws SQLException {
        return call(() -> (boolean) isReadOnly.invoke());
    }

    @Override
    public boolean canRefuseCommit() throws SQLException {
        return synchronizations.areActive();
    }

    /** Who has caught the error may go on in another transaction, and in one of a container's that refuses a rollback on its connection. */
    @Override
    public void setRollbackOnly(Connection connection, boolean goesOn) throws SQLException {
        if (goesOn && synchronizations.areActive()) {
            synchronizations.refuse(source);
        }
        ConnectionSource.super.setRollbackOnly(connection, goesOn);
    }

    @Override
    public boolean keepTo(String transaction, Identity atCommit) throws SQLException {
        return synchronizations.keepTo(source, transaction, atCommit);
    }

    @Override
    public boolean afterCommit(Runnable task) throws SQLException {
        return synchronizations.afterCommit(source, task);
    }

    @Override
    public boolean isTransactionElsewhere() throws SQLException {
        return call(() -> (boolean) isTransactionActive.invoke());
    }
}
