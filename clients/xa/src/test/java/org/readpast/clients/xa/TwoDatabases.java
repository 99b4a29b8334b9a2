package org.readpast.clients.xa;

import static org.awaitility.Awaitility.await;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.readpast.jms.ReadpastConnectionFactory;

/** A PostgreSQL that takes part in distributed transactions: a database for messages, and another one for rows of the application's. */
final class TwoDatabases implements AutoCloseable {

    private static final String CONNECTED =
            "SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'";
    private static final String SCHEMA = "shop";

    /** A database to copy, with the schema in it: to make one takes longer. */
    private static final String TEMPLATE = "messages_template";

    private static final AtomicInteger MADE = new AtomicInteger();

    private final EmbeddedPostgres server;
    private final String messages = "messages_" + MADE.incrementAndGet();

    private TwoDatabases(EmbeddedPostgres server) {
        this.server = server;
    }

    static EmbeddedPostgres startServer() throws IOException, SQLException {
        EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setServerConfig("max_prepared_transactions", "20")
                .setPGStartupWait(Duration.ofMinutes(2))
                .start();
        execute(server.getJdbcUrl("postgres", "postgres"), "CREATE DATABASE " + TEMPLATE);
        new ReadpastConnectionFactory(factoryUrl(server.getJdbcUrl("postgres", TEMPLATE)) + "&idleCloseMillis=0")
                .createContext()
                .close();
        return server;
    }

    /** Without messages, and without rows. */
    static TwoDatabases emptyOn(EmbeddedPostgres server) throws SQLException {
        TwoDatabases databases = new TwoDatabases(server);
        // What somebody is connected to cannot be copied.
        await().atMost(Duration.ofSeconds(60)).until(() -> databases.number(databases.admin(), CONNECTED) == 0);
        execute(
                databases.admin(),
                "DROP DATABASE IF EXISTS rows",
                "CREATE DATABASE rows",
                "CREATE DATABASE " + databases.messages + " TEMPLATE " + TEMPLATE);
        execute(databases.rows(), "CREATE TABLE shop_order (item text)");
        return databases;
    }

    private String admin() {
        return server.getJdbcUrl("postgres", "postgres");
    }

    /** The database of the messages, for a driver. */
    String messages() {
        return server.getJdbcUrl("postgres", messages);
    }

    String schema() {
        return SCHEMA;
    }

    /** The same for a factory. */
    String factoryUrl() {
        return factoryUrl(messages());
    }

    private static String factoryUrl(String jdbcUrl) {
        return "readpast:" + jdbcUrl + "#createSchema=true&schema=" + SCHEMA;
    }

    /** The database of the rows. */
    String rows() {
        return server.getJdbcUrl("postgres", "rows");
    }

    long orders() throws SQLException {
        return number(rows(), "SELECT count(*) FROM shop_order");
    }

    /** Branches that are prepared and not ended, in both databases. */
    long inDoubt() throws SQLException {
        return number(admin(), "SELECT count(*) FROM pg_prepared_xacts");
    }

    /** Connections of clients. */
    long connections() throws SQLException {
        return number(admin(), CONNECTED);
    }

    long number(String url, String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static void execute(String url, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    @Override
    public void close() throws SQLException {
        execute(admin(), "DROP DATABASE " + messages + " WITH (FORCE)");
    }
}
