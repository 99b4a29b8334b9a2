package org.readpast.benchmarks.machine;

import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A SQL Server that runs already, somewhere, with a database for this run: its URL names it. What is measured leaves its tables
 * there. Thread-safe.
 */
public final class SqlServer implements DatabaseServer {

    private static final Pattern URL = Pattern.compile("jdbc:sqlserver://([^:;\\\\]+)(?::(\\d+))?(;.*)?");
    private static final Pattern DATABASE = Pattern.compile("(?i);\\s*database(Name)?\\s*=\\s*[^;\\s]");
    private static final int DEFAULT_PORT = 1433;

    private final InetSocketAddress address;
    private final String parameters;
    private final Map<String, String> settings;

    private SqlServer(InetSocketAddress address, String parameters) throws SQLException {
        this.address = address;
        this.parameters = parameters;
        this.settings = readSettings();
    }

    /**
     * Connects.
     *
     * @param url {@code jdbc:sqlserver://host:port;databaseName=...;user=...;password=...}
     * @throws IllegalArgumentException if it is no such URL, or names no database
     * @throws IllegalStateException if its database may delay its commits
     */
    public static SqlServer at(String url) throws SQLException {
        Matcher parts = URL.matcher(url);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "The URL must begin with jdbc:sqlserver://host or jdbc:sqlserver://host:port");
        }
        if (!DATABASE.matcher(url).find()) {
            throw new IllegalArgumentException(
                    "The URL must name a database for this run: ;databaseName=...; otherwise it would be master");
        }
        int port = parts.group(2) == null ? DEFAULT_PORT : Integer.parseInt(parts.group(2));
        SqlServer server = new SqlServer(
                new InetSocketAddress(parts.group(1), port), parts.group(3) == null ? "" : parts.group(3));
        if ("FORCED".equals(server.settings.get("delayed durability"))) {
            throw new IllegalStateException("The database runs with DELAYED_DURABILITY = FORCED");
        }
        return server;
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    /** The database is the one that the URL names, whatever name is asked for. */
    @Override
    public String url(InetSocketAddress by, String database) {
        return "jdbc:sqlserver://" + by.getHostString() + ":" + by.getPort() + parameters;
    }

    @Override
    public void createDatabase(String name) {}

    @Override
    public DatabaseServer another() {
        throw new UnsupportedOperationException("the run has no further server to start");
    }

    /** The server's own affair. */
    @Override
    public void settle(String database) {}

    @Override
    public OptionalDouble processorSeconds() {
        return OptionalDouble.empty();
    }

    @Override
    public OptionalLong logBytes() {
        return OptionalLong.empty();
    }

    @Override
    public Map<String, String> settings() {
        return settings;
    }

    private Map<String, String> readSettings() throws SQLException {
        Map<String, String> read = new LinkedHashMap<>();
        try (Connection connection = DriverManager.getConnection(url(address, ""));
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT @@VERSION, CAST(SERVERPROPERTY('Edition') AS nvarchar(100)), compatibility_level,"
                                + " is_read_committed_snapshot_on, delayed_durability_desc"
                                + " FROM sys.databases WHERE name = DB_NAME()")) {
            row.next();
            read.put("version", row.getString(1).lines().findFirst().orElse(""));
            read.put("edition", String.valueOf(row.getString(2)));
            read.put("compatibility level", row.getString(3));
            read.put("read committed snapshot", row.getString(4));
            read.put("delayed durability", String.valueOf(row.getString(5)));
        }
        return read;
    }

    @Override
    public void close() {}
}
