package org.readpast.jms.tck.rig;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.readpast.jms.strict.StrictDriver;
import org.readpast.jms.tck.harness.TargetId;
import org.readpast.jms.tck.harness.Targets;

/** The databases that tests beyond the contract suite run on; which of them follows what the run asked for. */
public enum TestDatabase {
    H2(TargetId.H2),
    POSTGRESQL(TargetId.POSTGRESQL),
    SQLSERVER(TargetId.SQLSERVER);

    private static final Pattern HOST_AND_PORT = Pattern.compile("//([^:/;]+):(\\d+)");

    private final TargetId target;

    TestDatabase(TargetId target) {
        this.target = target;
    }

    /** All that this run asks for. */
    public static Stream<TestDatabase> requested() {
        return Stream.of(values()).filter(database -> Targets.requested().contains(database.target));
    }

    /** Whether what is the same on every database is tried on this one: the first of the run, or all if the run asks for that. */
    public boolean hasMatrices() {
        return Targets.hasAllMatrices() || target == Targets.requested().get(0);
    }

    /** Those that other processes can connect to. */
    public static Stream<TestDatabase> servers() {
        return requested().filter(database -> database != H2);
    }

    /** A URL with credentials in it. */
    public String jdbcUrl() {
        return switch (this) {
            case H2 -> "jdbc:h2:mem:processes;DB_CLOSE_DELAY=-1;USER=sa;PASSWORD=sa";
            case POSTGRESQL -> {
                String citus = System.getProperty(Targets.CITUS_URL_PROPERTY, "");
                yield citus.isBlank() ? SharedPostgres.get().jdbcUrl() : citus;
            }
            case SQLSERVER -> {
                String url = System.getProperty(Targets.SQLSERVER_URL_PROPERTY, "");
                if (url.isBlank()) {
                    throw new IllegalStateException("SQL Server was asked for and no -D"
                            + Targets.SQLSERVER_URL_PROPERTY + "=jdbc:sqlserver://... was given");
                }
                yield url;
            }
        };
    }

    /** The port of the server on this machine or another one; none for H2 in memory. */
    public int port() {
        Matcher address = HOST_AND_PORT.matcher(jdbcUrl());
        if (!address.find()) {
            throw new IllegalStateException(this + " has no port in its URL");
        }
        return Integer.parseInt(address.group(2));
    }

    /** The URL by way of a port of this machine, such as that of a {@link TcpProxy}. */
    public String urlThrough(int port) {
        return urlThrough("localhost", port);
    }

    /** The same by way of an address that other hosts reach. */
    public String urlThrough(InetAddress address, int port) {
        String literal = address.getHostAddress();
        return urlThrough(address instanceof Inet6Address ? "[" + literal + "]" : literal, port);
    }

    private String urlThrough(String host, int port) {
        return HOST_AND_PORT.matcher(jdbcUrl()).replaceFirst("//" + host + ":" + port);
    }

    /** The same where the round trips on that way are counted: without those of the strict driver. */
    public String urlCountedAt(int port) {
        return urlThrough(port) + (this == SQLSERVER ? StrictDriver.OFF : "");
    }

    /** A URL for a connection factory. */
    public String readpastUrl(String... options) {
        return readpastUrlOf(jdbcUrl(), options);
    }

    /** A URL for a connection factory, which makes the schema where there is none. */
    public static String readpastUrlOf(String jdbcUrl, String... options) {
        return "readpast:" + jdbcUrl + "#createSchema=true"
                + Stream.of(options).map(option -> "&" + option).reduce("", String::concat);
    }

    /** The schema as SQL has to write it: its name is a word of T-SQL. */
    public String schema() {
        return this == SQLSERVER ? "[readpast]" : "readpast";
    }

    /** The same of the schema that there is by default. */
    public void numberInOrder() throws SQLException {
        numberInOrder(schema());
    }

    /**
     * Babelfish keeps a sequence's cache per connection, SQL Server one for the whole server (its documentation on CREATE SEQUENCE).
     * With a cache, messages that two connections send one after the other would be numbered out of order there.
     */
    public void numberInOrder(String schema) throws SQLException {
        if (this != SQLSERVER) {
            return;
        }
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT SERVERPROPERTY('Babelfish')")) {
            if (row.next() && row.getInt(1) == 1) {
                statement.execute("ALTER SEQUENCE " + schema + ".message_seq CACHE 1");
            }
        }
    }

    /** A connection in autocommit. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl());
    }

    /** A pool such as an application has one. */
    public HikariDataSource pool(int size) {
        return pool(jdbcUrl(), size);
    }

    /** A pool such as an application has one. */
    public static HikariDataSource pool(String jdbcUrl, int size) {
        return pool(jdbcUrl, size, true);
    }

    /** A pool such as an application has one, with autocommit as Boot makes it or off as Hibernate's users do. */
    public static HikariDataSource pool(String jdbcUrl, int size, boolean autoCommit) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(jdbcUrl);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(10_000);
        config.setAutoCommit(autoCommit);
        return new HikariDataSource(config);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
