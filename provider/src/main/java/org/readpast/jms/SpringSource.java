package org.readpast.jms;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.sql.Connection;
import java.sql.SQLException;
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

    private final DataSource source;
    private final MethodHandle getResource;
    private final MethodHandle isTransactionActive;
    private final MethodHandle getConnection;
    private final MethodHandle releaseConnection;
    private final SpringCommits commits;

    private SpringSource(DataSource source, ClassLoader loader) throws ReflectiveOperationException {
        this.source = source;
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        Class<?> synchronizations = loader.loadClass(SYNCHRONIZATIONS);
        Class<?> utils = loader.loadClass(UTILS);
        getResource =
                lookup.findStatic(synchronizations, "getResource", MethodType.methodType(Object.class, Object.class));
        isTransactionActive =
                lookup.findStatic(synchronizations, "isActualTransactionActive", MethodType.methodType(boolean.class));
        getConnection =
                lookup.findStatic(utils, "doGetConnection", MethodType.methodType(Connection.class, DataSource.class));
        releaseConnection = lookup.findStatic(
                utils, "doReleaseConnection", MethodType.methodType(void.class, Connection.class, DataSource.class));
        commits = new SpringCommits(loader, synchronizations);
    }

    /**
     * A source that knows Spring's transactions, where the application or the DataSource sees Spring's classes.
     *
     * @param otherwise what is returned where they do not
     */
    static ConnectionSource of(DataSource source, ConnectionSource otherwise) {
        return Stream.of(
                        Thread.currentThread().getContextClassLoader(),
                        source.getClass().getClassLoader())
                .filter(Objects::nonNull)
                .map(loader -> of(source, loader, otherwise))
                .filter(found -> found != otherwise)
                .findFirst()
                .orElse(otherwise);
    }

    private static ConnectionSource of(DataSource source, ClassLoader loader, ConnectionSource otherwise) {
        try {
            return new SpringSource(source, loader);
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

    /** Whether Spring has bound a connection of the DataSource to the calling thread. */
    private boolean isBound() throws SQLException {
        return call(() -> (Object) getResource.invoke(source)) != null;
    }

    @Override
    public Connection get() throws SQLException {
        // Spring would bind a connection to a transaction of another resource, and keep it until that ends.
        return isBound() ? call(() -> (Connection) getConnection.invoke(source)) : source.getConnection();
    }

    @Override
    public void giveBack(Connection connection) throws SQLException {
        call(() -> {
            releaseConnection.invoke(connection, source);
            return null;
        });
    }

    @Override
    public boolean canRefuseCommit() throws SQLException {
        return commits.areAskedBefore();
    }

    @Override
    public boolean keepTo(String transaction, Identity atCommit) throws SQLException {
        return commits.keepTo(source, transaction, atCommit);
    }

    @Override
    public boolean isTransactionElsewhere() throws SQLException {
        return call(() -> (boolean) isTransactionActive.invoke());
    }
}
