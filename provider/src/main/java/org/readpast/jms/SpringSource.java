package org.readpast.jms;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.readpast.jms.store.ConnectionSource;

/**
 * The connection that Spring's transaction of the calling thread has of a DataSource, or else what the DataSource hands out. Spring is
 * used where the application has it, and is no dependency. Thread-safe.
 */
final class SpringSource implements ConnectionSource {

    private static final String SYNCHRONIZATIONS =
            "org.springframework.transaction.support.TransactionSynchronizationManager";
    private static final String UTILS = "org.springframework.jdbc.datasource.DataSourceUtils";
    private static final String DELEGATING = "org.springframework.jdbc.datasource.DelegatingDataSource";

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

    private SpringSource(DataSource source, boolean autoCommit, ClassLoader loader)
            throws ReflectiveOperationException {
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
    }

    /**
     * A source that knows Spring's transactions, where the application or the DataSource sees Spring's classes.
     *
     * @param autoCommit whether the DataSource's connections commit by themselves where no transaction is active
     * @param otherwise what is returned where they do not see them
     */
    static ConnectionSource of(DataSource source, boolean autoCommit, ConnectionSource otherwise) {
        return Stream.of(
                        Thread.currentThread().getContextClassLoader(),
                        source.getClass().getClassLoader())
                .filter(Objects::nonNull)
                .map(loader -> of(source, autoCommit, loader, otherwise))
                .filter(found -> found != otherwise)
                .findFirst()
                .orElse(otherwise);
    }

    private static ConnectionSource of(
            DataSource source, boolean autoCommit, ClassLoader loader, ConnectionSource otherwise) {
        try {
            return new SpringSource(source, autoCommit, loader);
        } catch (ReflectiveOperationException | LinkageError e) {
            return otherwise;
        }
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
        DataSource bound = isTransactionElsewhere() ? bound() : null;
        return bound != null && !synchronizations.isOnlyKept(bound);
    }

    @Override
    public Connection get() throws SQLException {
        // Spring would bind a connection to a transaction of another resource, and keep it until that ends.
        DataSource bound = bound();
        return bound == null ? source.getConnection() : call(() -> (Connection) getConnection.invoke(bound));
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

    @Override
    public boolean keepTo(String transaction, Identity atCommit) throws SQLException {
        return synchronizations.keepTo(source, transaction, atCommit);
    }

    @Override
    public boolean isTransactionElsewhere() throws SQLException {
        return call(() -> (boolean) isTransactionActive.invoke());
    }
}
