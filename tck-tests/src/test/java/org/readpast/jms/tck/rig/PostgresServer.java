package org.readpast.jms.tck.rig;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** A PostgreSQL server process that can be stopped and started again on the same port with the same data. */
public final class PostgresServer implements AutoCloseable {

    /** What the superuser is called; it needs no password. */
    public static final String USER = "postgres";

    private static final String MAJOR_VERSION = "18.";

    /** Those that nobody has closed are closed with the JVM. */
    private static final Set<PostgresServer> OPEN = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(PostgresServer::closeAll, "postgres-servers-close"));
    }

    private final Path dataDirectory;
    private final int port;

    /** Connections of the superuser's that nobody uses: tests ask a thousand times, and to make one takes longer than to ask. */
    private final Deque<Connection> asking = new ConcurrentLinkedDeque<>();

    private EmbeddedPostgres process;

    private PostgresServer(Path dataDirectory, int port) {
        this.dataDirectory = dataDirectory;
        this.port = port;
        OPEN.add(this);
    }

    /** A running server with empty databases. */
    public static PostgresServer start() throws IOException, SQLException {
        PostgresServer server = new PostgresServer(Files.createTempDirectory("readpast-postgres-"), freePort());
        server.startProcess();
        server.expect("server_version", MAJOR_VERSION);
        // The library switches these off, for speed; tests of crashes want the real thing.
        server.expect("fsync", "on");
        server.expect("synchronous_commit", "on");
        return server;
    }

    private static void closeAll() {
        for (PostgresServer server : OPEN) {
            try {
                server.close();
            } catch (IOException | RuntimeException e) {
                // The JVM is ending and the loggers may be gone with it.
                System.err.println("A PostgreSQL server could not be stopped: " + e);
            }
        }
    }

    /** Without a checkpoint; it takes its shared memory along, which a server that is killed leaves behind. */
    private void stopAtOnce() throws IOException {
        Optional<ProcessHandle> running = running();
        if (running.isPresent()) {
            new ProcessBuilder("kill", "-QUIT", String.valueOf(running.get().pid())).start();
            running.get().onExit().join();
        }
        process = null;
    }

    /** Starts the process, after {@link #stopProcess}; returns when it accepts connections. */
    public synchronized void startProcess() throws IOException {
        process = EmbeddedPostgres.builder()
                .setDataDirectory(dataDirectory)
                .setCleanDataDirectory(false)
                .setPort(port)
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                // Crowds of 400, beside what pools of the tests before them still keep.
                .setServerConfig("max_connections", "1000")
                .setRegisterShutdownHook(false)
                // On a machine that is busy, or whose disk is.
                .setPGStartupWait(Duration.ofMinutes(2))
                .start();
    }

    /** Stops the process as an administrator would who does not wait for clients: their transactions are rolled back. */
    public synchronized void stopProcess() throws IOException {
        ProcessHandle first = postmaster();
        // The library waits for five seconds, in which a checkpoint need not have ended.
        process.close();
        first.onExit().join();
        process = null;
    }

    public int port() {
        return port;
    }

    /**
     * A second server that follows this one, which is stopped for a moment to copy its data. From then on commits here wait until
     * the other one has them too.
     */
    public PostgresServer startStandby() throws IOException, SQLException {
        stopProcess();
        Path copy = Files.createTempDirectory("readpast-standby-");
        try (Stream<Path> files = Files.walk(dataDirectory)) {
            for (Path file : files.toList()) {
                Path to = copy.resolve(dataDirectory.relativize(file));
                if (!to.equals(copy) && !file.endsWith("epg-lock")) {
                    Files.copy(file, to, StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }
        Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwx------"));
        startProcess();
        Files.writeString(copy.resolve("standby.signal"), "");
        Files.writeString(
                copy.resolve("postgresql.auto.conf"),
                "primary_conninfo = 'host=localhost port=" + port + " user=" + USER + "'\n");
        PostgresServer standby = new PostgresServer(copy, freePort());
        standby.startProcess();
        execute("ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()");
        return standby;
    }

    /** Makes a server out of a standby that accepts writes. */
    public void promote() throws SQLException {
        execute("SELECT pg_promote()");
    }

    /** Kills the process and all that it started, as a power failure would. */
    public synchronized void crash() throws IOException {
        ProcessHandle postmaster = postmaster();
        kill(Stream.concat(Stream.of(postmaster), postmaster.descendants()));
        process = null;
    }

    /** Kills all of the server's processes but the first, which recovers by itself then; returns when they are gone. */
    public void crashAndRecover() throws IOException {
        kill(postmaster().descendants());
    }

    private ProcessHandle postmaster() throws IOException {
        return running().orElseThrow();
    }

    /** The first process, if the server has not ended by itself. */
    private Optional<ProcessHandle> running() throws IOException {
        Path pid = dataDirectory.resolve("postmaster.pid");
        return Files.exists(pid)
                ? ProcessHandle.of(Long.parseLong(Files.readAllLines(pid).get(0)))
                : Optional.empty();
    }

    private static void kill(Stream<ProcessHandle> processes) {
        List<ProcessHandle> all = processes.toList();
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(dead -> dead.onExit().join());
    }

    /** The URL for the superuser. */
    public String jdbcUrl() {
        return urlThrough(port);
    }

    /** The URL for the superuser in another database. */
    public String jdbcUrlOf(String database) {
        return jdbcUrl().replace("/postgres?", "/" + database + "?");
    }

    /** The URL for the superuser by way of another port, such as that of a {@link TcpProxy}. */
    public static String urlThrough(int port) {
        return urlThrough(port, USER, "");
    }

    /** The URL for a user by way of a port. */
    public static String urlThrough(int port, String user, String password) {
        return "jdbc:postgresql://localhost:" + port + "/postgres?user=" + user
                + (password.isEmpty() ? "" : "&password=" + password);
    }

    /** A connection of the superuser's, in autocommit. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl());
    }

    /** Runs statements as the superuser. */
    public void execute(String... statements) throws SQLException {
        Connection connection = asking();
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
            asking.push(connection);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** The first column of the first row. */
    public long number(String query) throws SQLException {
        Connection connection = asking();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            long number = row.getLong(1);
            asking.push(connection);
            return number;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** One that was kept and still lives, or a new one. */
    private Connection asking() throws SQLException {
        for (Connection kept = asking.poll(); kept != null; kept = asking.poll()) {
            if (kept.isValid(30)) {
                return kept;
            }
            kept.close();
        }
        Connection connection = connect();
        try (Statement statement = connection.createStatement()) {
            // What a failed test left locked is to be an error, not a hang.
            statement.execute("SET lock_timeout = '30s'");
        }
        return connection;
    }

    /** Lets these users in over TCP only with their password; the library trusts everybody. */
    public void requirePasswordOf(String... users) throws IOException, SQLException {
        Path rules = dataDirectory.resolve("pg_hba.conf");
        List<String> asked = Stream.concat(
                        Stream.of(users).map(user -> "host all " + user + " all scram-sha-256"),
                        Files.readAllLines(rules).stream())
                .toList();
        Files.write(rules, asked);
        execute("SELECT pg_reload_conf()");
    }

    private void expect(String setting, String start) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW " + setting)) {
            row.next();
            if (!row.getString(1).startsWith(start)) {
                throw new IllegalStateException(
                        "PostgreSQL runs with " + setting + " " + row.getString(1) + ", wanted is " + start);
            }
        }
    }

    /** One that is free, below those that a system gives to outgoing connections: it is free again when the process is restarted. */
    private static int freePort() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(10_000, 30_000);
            try (ServerSocket socket = new ServerSocket(port)) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                // Another one, then.
            }
        }
    }

    /** Ends the process, if it still runs, and deletes its data, which nobody needs to have written to the disk before that. */
    @Override
    public synchronized void close() throws IOException {
        OPEN.remove(this);
        if (process != null) {
            stopAtOnce();
        }
        try (Stream<Path> files = Files.walk(dataDirectory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
