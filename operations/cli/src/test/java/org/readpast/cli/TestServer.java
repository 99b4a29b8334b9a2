package org.readpast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.ReadpastConnectionFactory;

/** What the tests of this JVM make once: a PostgreSQL, which ends with the JVM, and what processes start sooner with. */
public final class TestServer {

    /** A database to copy, with the message tables in it: to make one takes longer. */
    private static final String TEMPLATE = "cli_template";

    private static EmbeddedPostgres server;
    private static Path classes;

    private TestServer() {}

    /** The server, for what is not of one database. */
    static synchronized EmbeddedPostgres get() throws Exception {
        if (server == null) {
            // As databases are of whose settings nothing is to be said.
            EmbeddedPostgres started = EmbeddedPostgres.builder()
                    .setPGStartupWait(Duration.ofMinutes(2))
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .start();
            try (Connection connection = started.getPostgresDatabase().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE DATABASE " + TEMPLATE);
                try (ReadpastConnectionFactory factory =
                        new ReadpastConnectionFactory(started.getJdbcUrl("postgres", TEMPLATE))) {
                    factory.setProperty("createSchema", "true");
                    factory.setProperty("idleCloseMillis", "0");
                    factory.createContext().close();
                }
                // What somebody is connected to cannot be copied.
                await().atMost(Duration.ofSeconds(60)).until(() -> {
                    try (ResultSet row = statement.executeQuery(
                            "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = '" + TEMPLATE + "'")) {
                        row.next();
                        return row.getLong(1) == 0;
                    }
                });
            }
            server = started;
        }
        return server;
    }

    /** The URL of a new database with the message tables, which are empty. */
    public static String newDatabase() throws Exception {
        String name = "cli_" + Long.toString(System.nanoTime(), 36);
        execute("CREATE DATABASE " + name + " TEMPLATE " + TEMPLATE);
        return get().getJdbcUrl("postgres", name);
    }

    /** Drops a database, if it is still there, and the connections to it. */
    public static void drop(String url) throws Exception {
        execute("DROP DATABASE IF EXISTS " + url.replaceAll(".*/(cli_[a-z0-9]+).*", "$1") + " WITH (FORCE)");
    }

    static void execute(String sql) throws Exception {
        try (Connection connection = get().getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /**
     * The JVM options by which a process takes the classes that a command needs as another one had them in memory, and gives a look up as late
     * as this JVM.
     */
    public static synchronized String sharedClasses() throws Exception {
        if (classes == null) {
            Path file = Files.createTempDirectory("readpast-cli-").resolve("classes.jsa");
            file.getParent().toFile().deleteOnExit();
            file.toFile().deleteOnExit();
            ProcessBuilder builder = new ProcessBuilder(
                            Commands.LAUNCHER.toString(), "queues", "--url", "jdbc:h2:mem:none")
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD);
            builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
            builder.environment().put("READPAST_JAVA_OPTIONS", "-XX:ArchiveClassesAtExit=" + file);
            assertThat(builder.start().waitFor(5, TimeUnit.MINUTES)).isTrue();
            classes = file;
        }
        return "-XX:SharedArchiveFile=" + classes + " -Dreadpast.look.seconds="
                + System.getProperty("readpast.look.seconds", "2");
    }
}
