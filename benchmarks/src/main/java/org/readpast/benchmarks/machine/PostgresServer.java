package org.readpast.benchmarks.machine;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** A PostgreSQL server process of the run's own, with every durable setting on. Thread-safe. */
public final class PostgresServer implements AutoCloseable {

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
     * @throws IllegalStateException if it does not run with durable settings
     */
    public static PostgresServer start(Path data) throws IOException, SQLException {
        EmbeddedPostgres process = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                // The library switches these two off, for speed.
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("max_connections", "400")
                .setServerConfig("shared_buffers", "512MB")
                .setServerConfig("max_wal_size", "8GB")
                .start();
        PostgresServer server = new PostgresServer(process, data);
        for (String durable : List.of("fsync", "synchronous_commit", "full_page_writes")) {
            if (!"on".equals(server.settings.get(durable))) {
                server.close();
                throw new IllegalStateException("PostgreSQL runs with " + durable + " " + server.settings.get(durable));
            }
        }
        return server;
    }

    public int port() {
        return process.getPort();
    }

    /** What it runs with, as it says itself. */
    public Map<String, String> settings() {
        return settings;
    }

    /** The URL of a database for the superuser, by way of a port: the server's own or a proxy's. */
    public static String url(int port, String database) {
        return "jdbc:postgresql://localhost:" + port + "/" + database + "?user=postgres";
    }

    public void createDatabase(String name) throws SQLException {
        execute("postgres", "CREATE DATABASE " + name);
    }

    /** Clears away what was before, so that each measurement begins alike: dead rows, stale statistics, unwritten pages. */
    public void settle(String database) throws SQLException {
        execute(database, "VACUUM ANALYZE", "CHECKPOINT");
    }

    /** How many transactions a database has ended; PostgreSQL updates this figure about once a second. */
    public long transactions(String database) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url(port(), "postgres"));
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = '" + database
                                + "'")) {
            row.next();
            return row.getLong(1);
        }
    }

    /** The processor time of all of its processes so far, in seconds; empty where the system does not tell. */
    public OptionalDouble processorSeconds() {
        try {
            long pid = Long.parseLong(
                    Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip());
            return ProcessorTime.ofFamily(pid);
        } catch (IOException e) {
            return OptionalDouble.empty();
        }
    }

    private Map<String, String> readSettings() throws SQLException {
        Map<String, String> read = new LinkedHashMap<>();
        try (Connection connection = DriverManager.getConnection(url(port(), "postgres"));
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
        try (Connection connection = DriverManager.getConnection(url(port(), database));
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
