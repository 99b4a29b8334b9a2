package org.readpast.bridge;

import static org.awaitility.Awaitility.await;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.readpast.jms.ReadpastConnectionFactory;

/** A schema of its own: on PostgreSQL in a database that is copied from one which has it, since to make one takes longer. */
final class TestDatabase {

    static final String H2 = "H2";
    static final String POSTGRESQL = "PostgreSQL";
    static final String SQL_SERVER = "SQL Server";

    private static final String SQL_SERVER_URL = System.getProperty("readpast.test.sqlserver.url");

    private static final String TEMPLATE = "bridge_template";

    private static EmbeddedPostgres server;

    final String product;
    final String url;
    final String schema;

    TestDatabase(String product) {
        this.product = product;
        String name = "rp_" + UUID.randomUUID().toString().substring(0, 8);
        if (product.equals(POSTGRESQL)) {
            schema = TEMPLATE;
            url = copy(name);
            return;
        }
        schema = name;
        url = product.equals(H2) ? "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1" : SQL_SERVER_URL;
        factory().createContext().close();
    }

    /** The databases that the build is told to test on. */
    static List<String> products() {
        List<String> products = new ArrayList<>(List.of(H2, POSTGRESQL));
        if (SQL_SERVER_URL != null) {
            products.add(SQL_SERVER);
        }
        String targets = System.getProperty("readpast.test.targets");
        if (targets != null) {
            products.removeIf(product -> !List.of(targets.split(",", -1))
                    .contains(product.toLowerCase(java.util.Locale.ROOT).replace(" ", "")));
        }
        return products;
    }

    /** A new database with the schema, of which it says the URL. */
    private static synchronized String copy(String name) {
        try {
            if (server == null) {
                EmbeddedPostgres started = EmbeddedPostgres.builder()
                        .setPGStartupWait(Duration.ofMinutes(2))
                        .start();
                execute(started, "CREATE DATABASE " + TEMPLATE);
                factory(started.getJdbcUrl("postgres", TEMPLATE), TEMPLATE)
                        .createContext()
                        .close();
                server = started;
            }
            // What somebody is connected to cannot be copied.
            await().atMost(Duration.ofSeconds(60))
                    .ignoreExceptions()
                    .until(() -> execute(server, "CREATE DATABASE " + name + " TEMPLATE " + TEMPLATE));
            return server.getJdbcUrl("postgres", name);
        } catch (IOException | SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean execute(EmbeddedPostgres started, String sql) throws SQLException {
        try (Connection connection = started.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
            return true;
        }
    }

    ReadpastConnectionFactory factory() {
        return factory(url, schema);
    }

    static ReadpastConnectionFactory factory(String url, String schema) {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(url);
        factory.setSchema(schema);
        factory.setProperty("createSchema", "true");
        factory.setProperty("idleCloseMillis", "0");
        return factory;
    }

    void run(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql.replace("readpast.", schema + "."));
        }
    }

    long number(String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query.replace("readpast.", schema + "."))) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Cuts every connection to PostgreSQL. */
    void cutConnections() {
        try {
            run(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
