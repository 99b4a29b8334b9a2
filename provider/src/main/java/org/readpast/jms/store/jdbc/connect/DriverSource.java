package org.readpast.jms.store.jdbc.connect;

import java.io.PrintWriter;
import java.net.URL;
import java.security.CodeSource;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.logging.Logger;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * Connections of a JDBC URL. Its driver is looked for where the application is, and then where we are: DriverManager sees only those
 * of the caller's own class loader, which in a container is often another one. A pool that has this in place of the URL has no
 * secrets to log. Thread-safe.
 */
public final class DriverSource implements DataSource {

    /** SQLState: the connection could not be made. */
    private static final String NO_CONNECTION = "08001";

    /** What is shorter is found in any text. */
    private static final int SHORTEST_SECRET = 4;

    private final String url;
    private final Properties properties;
    private final String initialSql;
    private final int boundMillis;

    /** Whose URLs begin so, what their driver is called, and in which jar it is. */
    private enum Kind {
        SQL_SERVER(
                "jdbc:sqlserver:",
                "com.microsoft.sqlserver.jdbc.SQLServerDriver",
                "com.microsoft.sqlserver:mssql-jdbc"),
        POSTGRESQL("jdbc:postgresql:", "org.postgresql.Driver", "org.postgresql:postgresql"),
        H2("jdbc:h2:", "org.h2.Driver", "com.h2database:h2");

        private final String prefix;
        private final String driver;
        private final String jar;

        Kind(String prefix, String driver, String jar) {
            this.prefix = prefix;
            this.driver = driver;
            this.jar = jar;
        }

        static boolean isDriver(Driver known) {
            String name = known.getClass().getName();
            return Stream.of(values()).anyMatch(kind -> kind.driver.equals(name));
        }
    }

    /**
     * @param properties for the driver, user and password among them
     * @param initialSql what is run on each connection before it is used; null for nothing. Where that fails there is no connection: HikariCP,
     *     if it ran this itself, would not say why
     * @param boundMillis for how long the answer to that is waited for
     */
    DriverSource(String url, Properties properties, String initialSql, int boundMillis) {
        this.url = url;
        this.properties = properties;
        this.initialSql = initialSql;
        this.boundMillis = boundMillis;
    }

    /**
     * A new connection.
     *
     * @throws SQLException saying which jar is missing, where one is; no text in it has the URL or the password
     */
    static Connection connect(String url, Properties properties) throws SQLException {
        try {
            Connection connection = throughOneInFront(url, properties);
            if (connection == null) {
                connection = driver(url).connect(url, properties);
            }
            if (connection == null) {
                throw new SQLException("The driver does not take this URL", NO_CONNECTION);
            }
            return connection;
        } catch (SQLException e) {
            throw withoutSecrets(e, url, properties.getProperty("password"));
        }
    }

    /** Through a driver that has been registered for the URLs of another one, to watch it or to test with, or null where none has been. */
    private static Connection throughOneInFront(String url, Properties properties) throws SQLException {
        Connection connection = null;
        for (Driver registered : DriverManager.drivers().toList()) {
            if (connection == null && !Kind.isDriver(registered) && registered.acceptsURL(url)) {
                connection = registered.connect(url, properties);
            }
        }
        return connection;
    }

    private static Driver driver(String url) throws SQLException {
        for (Kind kind : Kind.values()) {
            if (url.startsWith(kind.prefix)) {
                return find(url, kind.driver, Driver.class);
            }
        }
        return other(url, Thread.currentThread().getContextClassLoader());
    }

    /**
     * A new one of what the driver of a URL has.
     *
     * @throws SQLException if that is not there, or cannot be used
     */
    static <T> T find(String url, String name, Class<T> type) throws SQLException {
        for (ClassLoader loader :
                Arrays.asList(Thread.currentThread().getContextClassLoader(), DriverSource.class.getClassLoader())) {
            T found = loader == null ? null : load(name, type, loader);
            if (found != null) {
                return found;
            }
        }
        String missing = Stream.of(Kind.values())
                .filter(kind -> url.startsWith(kind.prefix))
                .map(kind ->
                        "The JDBC driver of '" + kind.prefix + "' is not there: add " + kind.jar + " to the class path")
                .findFirst()
                .orElse(name + " is not there");
        throw new SQLException(missing, NO_CONNECTION);
    }

    /** Where the classes of a URL's driver are, or null if that is not known. */
    public static URL placeOfDriver(String url) {
        try {
            CodeSource source = driver(url).getClass().getProtectionDomain().getCodeSource();
            return source == null ? null : source.getLocation();
        } catch (SQLException noneOfOurs) {
            return null;
        }
    }

    private static <T> T load(String name, Class<T> type, ClassLoader loader) throws SQLException {
        try {
            return Class.forName(name, true, loader)
                    .asSubclass(type)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ClassNotFoundException notThere) {
            return null;
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new SQLException("The JDBC driver " + name + " cannot be used: " + e, NO_CONNECTION, e);
        }
    }

    /** Perhaps one that wraps another. */
    private static Driver other(String url, ClassLoader application) throws SQLException {
        for (Driver driver : ServiceLoader.load(Driver.class, application)) {
            if (driver.acceptsURL(url)) {
                return driver;
            }
        }
        try {
            return DriverManager.getDriver(url);
        } catch (SQLException e) {
            throw new SQLException(
                    "There is no JDBC driver for '" + place(url) + "': add its jar to the class path",
                    NO_CONNECTION,
                    e);
        }
    }

    /** What may be shown of a URL: where the database is, if it is one of ours, and otherwise whose URL it is. */
    static String place(String url) {
        for (Kind kind : Kind.values()) {
            if (url.startsWith(kind.prefix)) {
                return url.split("[;?]", 2)[0];
            }
        }
        int end = url.indexOf(':', "jdbc:".length());
        return url.substring(0, end < 0 ? "jdbc:".length() : end + 1) + "...";
    }

    /** Some drivers quote the URL that they cannot read. */
    static SQLException withoutSecrets(SQLException error, String url, String password) {
        boolean quotes = false;
        for (Throwable each = error; each != null && !quotes; each = each.getCause()) {
            String message = String.valueOf(each);
            quotes = message.contains(url)
                    || (password != null && password.length() >= SHORTEST_SECRET && message.contains(password));
        }
        if (!quotes) {
            return error;
        }
        String message = String.valueOf(error.getMessage()).replace(url, "(the URL)");
        if (password != null && password.length() >= SHORTEST_SECRET) {
            message = message.replace(password, "(hidden)");
        }
        SQLException shown = new SQLException(message, error.getSQLState(), error.getErrorCode());
        shown.setStackTrace(error.getStackTrace());
        return shown;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Properties each = new Properties();
        each.putAll(properties);
        Connection connection = connect(url, each);
        try {
            initialize(connection, initialSql, boundMillis);
        } catch (SQLException | RuntimeException | Error e) {
            closeUnused(connection, e);
            throw e;
        }
        return connection;
    }

    static void initialize(Connection connection, String initialSql, int boundMillis) throws SQLException {
        if (initialSql != null) {
            try (Statement statement = connection.createStatement()) {
                // The pool, which sets this otherwise, has not got it yet.
                int before = NetworkBound.set(connection, boundMillis);
                statement.execute(initialSql);
                NetworkBound.reset(connection, before);
            }
        }
    }

    private static void closeUnused(Connection connection, Throwable why) {
        try {
            connection.close();
        } catch (SQLException e) {
            why.addSuppressed(e);
        }
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("The user is the factory's");
    }

    @Override
    public PrintWriter getLogWriter() {
        return DriverManager.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) {
        DriverManager.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) {
        DriverManager.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() {
        return DriverManager.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("Drivers have loggers of their own");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        throw new SQLException("Wraps no " + type.getName());
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }

    /** Without the URL, which may hold secrets. */
    @Override
    public String toString() {
        return "DriverSource";
    }
}
