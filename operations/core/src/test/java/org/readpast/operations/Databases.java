package org.readpast.operations;

import static org.awaitility.Awaitility.await;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.operations.database.Look;
import org.readpast.operations.snapshot.Snapshot;

/** A schema in a database of its own, for a test: what a server tells of sessions it tells of a database. */
public final class Databases implements AutoCloseable {

    public static final String H2 = "H2";
    public static final String POSTGRESQL = "PostgreSQL";

    private static final String SCHEMA = "operations";

    /** A database to copy, with the schema in it: to make one takes longer. */
    private static final String TEMPLATE = "template_of_operations";

    private static EmbeddedPostgres server;

    public final String name = "db_" + UUID.randomUUID().toString().substring(0, 8);
    public final String url;
    public final String schema = SCHEMA;

    public Databases(String product) {
        if (product.equals(H2)) {
            url = "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1";
            factory().createContext().close();
        } else {
            url = postgres().getJdbcUrl("postgres", name);
            onServer(server, "CREATE DATABASE " + name + " TEMPLATE " + TEMPLATE);
        }
    }

    private static void onServer(EmbeddedPostgres started, String sql) {
        try (Connection connection = started.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private static synchronized EmbeddedPostgres postgres() {
        try {
            if (server == null) {
                EmbeddedPostgres started = EmbeddedPostgres.builder()
                        .setPGStartupWait(Duration.ofMinutes(2))
                        .setServerConfig("max_prepared_transactions", "5")
                        .setServerConfig("wal_level", "logical")
                        // As a server is that nothing is to be said of.
                        .setServerConfig("fsync", "on")
                        .setServerConfig("synchronous_commit", "on")
                        .start();
                installTemplate(started);
                server = started;
            }
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void installTemplate(EmbeddedPostgres started) {
        onServer(started, "CREATE DATABASE " + TEMPLATE);
        factory(started.getJdbcUrl("postgres", TEMPLATE)).createContext().close();
        // What somebody is connected to cannot be copied.
        await().atMost(Duration.ofSeconds(60))
                .until(() -> count(
                                started.getJdbcUrl("postgres", "postgres"),
                                "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = '" + TEMPLATE + "'")
                        == 0);
    }

    public boolean isH2() {
        return url.startsWith("jdbc:h2");
    }

    public ReadpastConnectionFactory factory() {
        return factory(url);
    }

    private static ReadpastConnectionFactory factory(String url) {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(url);
        factory.setSchema(SCHEMA);
        factory.setProperty("createSchema", "true");
        factory.setProperty("idleCloseMillis", "0");
        return factory;
    }

    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    /** Runs a statement in which {@code readpast} stands for the schema. */
    public void run(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(named(sql));
        }
    }

    private static long count(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    public String named(String sql) {
        return sql.replaceAll("\\breadpast\\.", schema + ".");
    }

    /** Until nothing of it was given up, as on a busy machine. */
    public Snapshot look() {
        return await().atMost(Duration.ofSeconds(60))
                .pollDelay(Duration.ZERO)
                .until(this::lookOnce, seen -> !seen.toString().contains(Look.GIVEN_UP));
    }

    public Snapshot lookOnce() throws SQLException {
        try (Connection connection = connect();
                Look look = new Look(connection, schema)) {
            return Snapshot.take(look);
        }
    }

    /** Until no JMS client is connected any more: what one does last comes behind its close. */
    public void awaitNobody() {
        await().atMost(Duration.ofSeconds(60))
                .until(() ->
                        count(url, named("SELECT COUNT(*) FROM readpast.presence WHERE missing_since IS NULL")) == 0);
    }

    @Override
    public void close() throws SQLException {
        awaitNobody();
        if (isH2()) {
            run("SHUTDOWN");
        } else {
            onServer(server, "DROP DATABASE " + name + " WITH (FORCE)");
        }
    }
}
