package org.readpast.clients.xa;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** A PostgreSQL that takes part in distributed transactions: a database for messages, and another one for rows of the application's. */
final class TwoDatabases implements AutoCloseable {

    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    private final EmbeddedPostgres server;
    private final String schema = "readpast_" + SCHEMAS.incrementAndGet();

    private TwoDatabases(EmbeddedPostgres server) {
        this.server = server;
    }

    static EmbeddedPostgres startServer() throws IOException {
        return EmbeddedPostgres.builder()
                .setServerConfig("max_prepared_transactions", "20")
                .start();
    }

    /** Without messages, and without rows. */
    static TwoDatabases emptyOn(EmbeddedPostgres server) throws SQLException {
        TwoDatabases databases = new TwoDatabases(server);
        databases.execute(databases.messages(), "DROP DATABASE IF EXISTS rows", "CREATE DATABASE rows");
        databases.execute(databases.rows(), "CREATE TABLE shop_order (item text)");
        return databases;
    }

    /** The database of the messages, for a driver. */
    String messages() {
        return server.getJdbcUrl("postgres", "postgres");
    }

    String schema() {
        return schema;
    }

    /** The same for a factory, with a schema of its own. */
    String factoryUrl() {
        return "readpast:" + messages() + "#createSchema=true&schema=" + schema;
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
        return number(messages(), "SELECT count(*) FROM pg_prepared_xacts");
    }

    /** Connections of clients. */
    long connections() throws SQLException {
        return number(
                messages(),
                "SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'");
    }

    long number(String url, String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    private void execute(String url, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    @Override
    public void close() throws SQLException {
        execute(messages(), "DROP SCHEMA IF EXISTS " + schema + " CASCADE");
    }
}
