package org.readpast.benchmarks.machine;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** A PostgreSQL server process of the run's own, with every durable setting on. Thread-safe. */
public final class PostgresServer implements DatabaseServer {

    /** What the measured figures are about. */
    private static final String VERSION = "18";

    private static final List<String> SHOWN = List.of(
            "server_version",
            "fsync",
            "synchronous_commit",
            "full_page_writes",
            "wal_sync_method",
            "shared_buffers",
            "max_wal_size",
            "max_connections");

    private final EmbeddedPostgres process;
    private final Path data;
    private final Map<String, String> settings;

    private PostgresServer(EmbeddedPostgres process, Path data) throws SQLException {
        this.process = process;
        this.data = data;
        this.settings = readSettings();
    }

    /**
     * Starts it.
     *
     * @param data an empty directory on a disk (in memory, durable settings would mean nothing)
     * @throws IllegalStateException if it is another version, or does not run with durable settings
     */
    public static PostgresServer start(Path data) throws IOException, SQLException {
        EmbeddedPostgres process = EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(2))
                .setDataDirectory(data)
                // The library switches these two off, for speed.
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("max_connections", "800")
                .setServerConfig("shared_buffers", "512MB")
                .setServerConfig("max_wal_size", "8GB")
                .start();
        PostgresServer server = new PostgresServer(process, data);
        try {
            server.check();
        } catch (IllegalStateException e) {
            server.close();
            throw e;
        }
        return server;
    }

    private void check() {
        if (!settings.get("server_version").startsWith(VERSION + ".")) {
            throw new IllegalStateException("PostgreSQL is version " + settings.get("server_version"));
        }
        for (String durable : List.of("fsync", "synchronous_commit", "full_page_writes")) {
            if (!"on".equals(settings.get(durable))) {
                throw new IllegalStateException("PostgreSQL runs with " + durable + " " + settings.get(durable));
            }
        }
    }

    @Override
    public InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), process.getPort());
    }

    @Override
    public Map<String, String> settings() {
        return settings;
    }

    /** For the superuser. */
    @Override
    public String url(InetSocketAddress by, String database) {
        return "jdbc:postgresql://" + by.getHostString() + ":" + by.getPort() + "/" + database + "?user=postgres";
    }

    @Override
    public void createDatabase(String name) throws SQLException {
        execute("postgres", "CREATE DATABASE " + name);
    }

    @Override
    public DatabaseServer another() throws IOException, SQLException {
        return start(Files.createTempDirectory(data.getParent(), data.getFileName() + "-"));
    }

    @Override
    public void settle(String database) throws SQLException {
        execute(database, "VACUUM ANALYZE", "CHECKPOINT");
    }

    @Override
    public OptionalDouble processorSeconds() {
        try {
            long pid = Long.parseLong(
                    Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip());
            return ProcessorTime.ofFamily(pid);
        } catch (IOException e) {
            return OptionalDouble.empty();
        }
    }

    @Override
    public OptionalLong logBytes() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url(address(), "postgres"));
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn")) {
            row.next();
            return OptionalLong.of(row.getLong(1));
        }
    }

    private Map<String, String> readSettings() throws SQLException {
        Map<String, String> read = new LinkedHashMap<>();
        try (Connection connection = DriverManager.getConnection(url(address(), "postgres"));
                Statement statement = connection.createStatement()) {
            for (String setting : SHOWN) {
                try (ResultSet row = statement.executeQuery("SHOW " + setting)) {
                    row.next();
                    read.put(setting, row.getString(1));
                }
            }
        }
        return read;
    }

    private void execute(String database, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url(address(), database));
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    @Override
    public void close() {
        try {
            process.close();
        } catch (IOException e) {
            throw new IllegalStateException("PostgreSQL cannot be stopped", e);
        }
    }
}
