package org.readpast.jms.store.jdbc.connect;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import javax.sql.DataSource;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.jdbc.failure.Failures;
import org.readpast.jms.threads.Threads;

/**
 * Where a store's own transactions find SQL connections: a pool of ours for a URL, or a DataSource of the application.
 * Thread-safe.
 */
public sealed interface Connections {

    /** A database by its JDBC URL; the password may be null. */
    static Connections ofUrl(String url, String user, String password) {
        return new Url(url, user, password);
    }

    /** A DataSource that knows its user. */
    static Connections ofDataSource(DataSource source) {
        return new Source(source, null, null);
    }

    /** A DataSource, asked for connections of this user. */
    static Connections ofDataSource(DataSource source, String user, String password) {
        return new Source(source, user, password);
    }

    /** A connection outside of any pool of ours, for as long as it is wanted. */
    Connection dedicated() throws SQLException;

    /** For an error of the first connection. */
    StoreException firstLoginFailure(SQLException error);

    /** The pool to borrow short-lived connections from; the caller closes it. */
    ConnectionPool pool(StoreOptions options, PoolSettings settings) throws SQLException;

    /** A pool of our own. */
    @SuppressWarnings("ArrayRecordComponent")
    record Url(String url, String user, String password) implements Connections {

        @Override
        public Connection dedicated() throws SQLException {
            return DriverSource.connect(url, properties(new Properties()));
        }

        @Override
        public StoreException firstLoginFailure(SQLException error) {
            return Failures.ofFirstLogin(url, error, toString(), "connecting");
        }

        @Override
        public ConnectionPool pool(StoreOptions options, PoolSettings settings) {
            HikariConfig config = new HikariConfig();
            config.setPoolName("readpast-" + options.schema());
            config.setDataSource(new DriverSource(
                    url,
                    properties(settings.driverProperties(url)),
                    settings.initialSql(),
                    NetworkBound.question(options)));
            config.setAutoCommit(false);
            // Otherwise what the pool itself runs would leave a transaction open on connections that nobody uses.
            config.setIsolateInternalQueries(settings.probeBeginsTransaction());
            config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
            config.setMaximumPoolSize(options.poolSize());
            config.setMinimumIdle(Math.min(2, options.poolSize()));
            config.setConnectionTimeout(Math.max(250, options.poolTimeoutMillis()));
            config.setInitializationFailTimeout(-1);
            config.setThreadFactory(Threads.shared("pool-" + options.schema()));
            return new ConnectionPool.Own(new HikariDataSource(config), settings.failures());
        }

        /** The driver's properties with user and password. */
        Properties properties(Properties properties) {
            if (user != null) {
                properties.setProperty("user", user);
            }
            if (password != null) {
                properties.setProperty("password", password);
            }
            return properties;
        }

        /** Without what may hold a password. */
        @Override
        public String toString() {
            return "Url[" + DriverSource.place(url) + "]";
        }
    }

    /** The application's. */
    record Source(DataSource source, String user, String password) implements Connections {

        @Override
        public Connection dedicated() throws SQLException {
            return user == null ? source.getConnection() : source.getConnection(user, password);
        }

        @Override
        public StoreException firstLoginFailure(SQLException error) {
            if (user != null
                    && (error instanceof SQLFeatureNotSupportedException
                            || error.getCause() instanceof UnsupportedOperationException)) {
                return new StoreException(
                        Failure.AUTHENTICATION,
                        "the DataSource has a login of its own and takes no other; leave user and password out, in the call and among"
                                + " the options",
                        error);
            }
            return Failures.ofFirstLogin(error, toString(), "connecting");
        }

        @Override
        public ConnectionPool pool(StoreOptions options, PoolSettings settings) throws SQLException {
            return new ConnectionPool.Borrowed(this, settings);
        }

        @Override
        public String toString() {
            return "DataSource";
        }
    }
}
