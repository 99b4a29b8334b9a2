package org.readpast.jms.store.jdbc.connect;

import java.sql.SQLException;
import java.util.Map;
import javax.sql.XAConnection;
import javax.sql.XADataSource;

/**
 * XA connections of a JDBC URL: its driver's own. What makes them is looked for as {@link DriverSource} looks for drivers. Text forms of it
 * have no secrets. Thread-safe.
 */
public final class DriverXaSource {

    /** By the beginning of a URL, what the driver calls its XADataSource; each of them has {@code setURL}. */
    private static final Map<String, String> CLASSES = Map.of(
            "jdbc:sqlserver:", "com.microsoft.sqlserver.jdbc.SQLServerXADataSource",
            "jdbc:postgresql:", "org.postgresql.xa.PGXADataSource",
            "jdbc:h2:", "org.h2.jdbcx.JdbcDataSource");

    private final String url;
    private final String user;
    private final String password;

    /**
     * @param url for the driver
     * @param user null for none
     * @param password null for none
     */
    public DriverXaSource(String url, String user, String password) {
        this.url = url;
        this.user = user;
        this.password = password;
    }

    /**
     * A new connection.
     *
     * @throws SQLException also if the driver is not there; no text in it has the URL or the password
     */
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
