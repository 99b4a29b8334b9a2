package org.readpast.operations;

import static org.awaitility.Awaitility.await;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
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

    private static EmbeddedPostgres server;

    public final String url;
    public final String schema = "rp_" + UUID.randomUUID().toString().substring(0, 8);

    public Databases(String product) {
        this.url = product.equals(H2)
                ? "jdbc:h2:mem:" + schema + ";DB_CLOSE_DELAY=-1"
                : postgres().getJdbcUrl("postgres", schema);
        if (!isH2()) {
            onServer("CREATE DATABASE " + schema);
        }
        factory().createContext().close();
    }

    private static void onServer(String sql) {
        try (Connection connection = postgres().getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private static synchronized EmbeddedPostgres postgres() {
        try {
            if (server == null) {
                server = EmbeddedPostgres.builder()
                        .setServerConfig("max_prepared_transactions", "5")
                        // As a server is that nothing is to be said of.
                        .setServerConfig("fsync", "on")
                        .setServerConfig("synchronous_commit", "on")
                        .start();
            }
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public boolean isH2() {
        return url.startsWith("jdbc:h2");
    }

    public ReadpastConnectionFactory factory() {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(url);
        factory.setSchema(schema);
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

    public String named(String sql) {
        return sql.replaceAll("\\breadpast\\.", schema + ".");
    }

    public Snapshot look() throws SQLException {
        try (Connection connection = connect();
                Look look = new Look(connection, schema)) {
            return Snapshot.take(look);
        }
    }

    /** Until no JMS client is connected any more: what one does last comes behind its close. */
    public void awaitNobody() {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> look().clients().rows().stream().noneMatch(client -> client.missingSince() == null));
    }

    @Override
    public void close() throws SQLException {
        awaitNobody();
        if (isH2()) {
            run("SHUTDOWN");
        } else {
            onServer("DROP DATABASE " + schema + " WITH (FORCE)");
        }
    }
}
