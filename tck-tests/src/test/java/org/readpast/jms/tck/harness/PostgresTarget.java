package org.readpast.jms.tck.harness;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.readpast.jms.tck.rig.PostgresServer;
import org.readpast.jms.tck.rig.SharedPostgres;

/** Readpast on a real PostgreSQL server, in a database that no other test uses. */
final class PostgresTarget extends ReadpastTarget {
    private static final String DATABASE = "contract";

    private PostgresTarget(String jdbcUrl) {
        super(TargetId.POSTGRESQL, jdbcUrl);
    }

    static PostgresTarget start() throws SQLException {
        String citus = System.getProperty(Targets.CITUS_URL_PROPERTY, "");
        if (!citus.isBlank()) {
            return new PostgresTarget(citus);
        }
        PostgresServer server = SharedPostgres.get();
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + DATABASE);
        }
        return new PostgresTarget(server.jdbcUrlOf(DATABASE));
    }

    @Override
    Optional<String> openTransactionsQuery() {
        return Optional.of(
                "SELECT state || ' after ' || query FROM pg_stat_activity"
                        + " WHERE state LIKE 'idle in transaction%' AND pid <> pg_backend_pid() AND datname = current_database()");
    }

    @Override
    public String user() {
        return PostgresServer.USER;
    }

    @Override
    public String password() {
        return "postgres";
    }

    @Override
    public void stop() {
        // The server goes with the JVM.
    }
}
