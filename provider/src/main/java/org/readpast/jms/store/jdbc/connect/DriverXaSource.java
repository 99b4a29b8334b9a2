package org.readpast.jms.store.jdbc.connect;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import javax.sql.XAConnection;
import javax.sql.XADataSource;
import org.readpast.jms.store.MessageStore;

/**
 * XA connections of a JDBC URL: its driver's own, set up as those of the pool are. What makes them is looked for as {@link DriverSource} looks
 * for drivers. Text forms of it have no secrets. Thread-safe.
 */
public final class DriverXaSource implements MessageStore.XaSource {

    /** By the beginning of a URL, what the driver calls its XADataSource; each of them has {@code setURL}. */
    private static final Map<String, String> CLASSES = Map.of(
            "jdbc:sqlserver:", "com.microsoft.sqlserver.jdbc.SQLServerXADataSource",
            "jdbc:postgresql:", "org.postgresql.xa.PGXADataSource",
            "jdbc:h2:", "org.h2.jdbcx.JdbcDataSource");

    private final String url;
    private final String user;
    private final String password;
    private final String initialSql;
    private final int boundMillis;
    private final Greeting greeting;

    /** @param greeting what is done with a new connection, with autocommit off */
    public DriverXaSource(Connections.Url database, StoreOptions options, PoolSettings settings, Greeting greeting) {
        this.url = with(settings.driverProperties(database.url()), database.url());
        this.user = database.user();
        this.password = database.password();
        this.initialSql = settings.initialSql();
        this.boundMillis = NetworkBound.question(options);
        this.greeting = greeting;
    }

    private static String with(Properties properties, String url) {
        String separator = url.startsWith("jdbc:postgresql:") ? "&" : ";";
        StringBuilder all = new StringBuilder(url);
        properties.forEach((name, value) -> all.append(separator.equals("&") && all.indexOf("?") < 0 ? "?" : separator)
                .append(name)
                .append('=')
                .append(value));
        return all.toString();
    }

    @Override
    public void prepare(Connection handle) throws SQLException {
        DriverSource.initialize(handle, initialSql, boundMillis);
        boolean autoCommit = handle.getAutoCommit();
        handle.setAutoCommit(false);
        greeting.on(handle);
        handle.setAutoCommit(autoCommit);
    }

    /**
     * A new connection.
     *
     * @throws SQLException also if the driver is not there; no text in it has the URL or the password
     */
    @Override
    public XAConnection open() throws SQLException {
        try {
            XADataSource source = source();
            return user == null ? source.getXAConnection() : source.getXAConnection(user, password);
        } catch (SQLException e) {
            throw DriverSource.withoutSecrets(e, url, password);
        }
    }

    private XADataSource source() throws SQLException {
        String name = CLASSES.entrySet().stream()
                .filter(known -> url.startsWith(known.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow(() ->
                        new SQLException("XA is there with the drivers of SQL Server, PostgreSQL and H2 only, not for '"
                                + DriverSource.place(url) + "'"));
        try {
            XADataSource source = DriverSource.find(url, name, XADataSource.class);
            source.getClass().getMethod("setURL", String.class).invoke(source, url);
            return source;
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new SQLException("The XADataSource of the JDBC driver, " + name + ", cannot be used: " + e, e);
        }
    }
}
