package org.readpast.jms.tck.harness;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/** Readpast on a real PostgreSQL server, started by the tests as a process of its own. */
final class PostgresTarget extends ReadpastTarget {
    private static final String MAJOR_VERSION = "18.";

    private final EmbeddedPostgres server;

    private PostgresTarget(EmbeddedPostgres server) {
        super(TargetId.POSTGRESQL, server.getJdbcUrl("postgres", "postgres"));
        this.server = server;
    }

    static PostgresTarget start() throws IOException, SQLException {
        // The library switches these two off, for speed; a suite that speaks of durability wants them on.
        EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .start();
        try (Connection connection = server.getPostgresDatabase().getConnection()) {
            expect(connection, "server_version", MAJOR_VERSION);
            expect(connection, "fsync", "on");
            expect(connection, "synchronous_commit", "on");
        }
        return new PostgresTarget(server);
    }

    private static void expect(Connection connection, String setting, String start) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW " + setting)) {
            row.next();
            if (!row.getString(1).startsWith(start)) {
                throw new IllegalStateException(
                        "PostgreSQL runs with " + setting + " " + row.getString(1) + ", wanted is " + start);
            }
        }
    }

    @Override
    Optional<String> openTransactionsQuery() {
        return Optional.of("SELECT state || ' after ' || query FROM pg_stat_activity"
                + " WHERE state LIKE 'idle in transaction%' AND pid <> pg_backend_pid()");
    }

    @Override
    public String user() {
        return "postgres";
    }

    @Override
    public String password() {
        return "postgres";
    }

    @Override
    public void stop() throws IOException {
        server.close();
    }
}
