package org.readpast.jms.tck.sql;

import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.readpast.jms.tck.rig.PostgresServer;
import org.readpast.jms.tck.rig.SharedPostgres;
import org.readpast.jms.tck.rig.TestDatabase;

/** A schema of its own, installed by its scripts, with a user in each of its roles. */
record RoleUsers(TestDatabase database, String schema) {

    static final List<String> ROLES = List.of("send", "receive", "manage", "observe");

    private static final String PASSWORD = "Open_sesame_1";

    boolean isTransactSql() {
        return database == TestDatabase.SQLSERVER;
    }

    void install() throws Exception {
        InstallScriptsTest.run(database, schema, "install.sql", "no");
        for (String role : ROLES) {
            if (isTransactSql()) {
                execute("CREATE LOGIN " + user(role) + " WITH PASSWORD = '" + PASSWORD + "'");
                execute("CREATE USER " + user(role) + " FOR LOGIN " + user(role));
                execute("ALTER ROLE readpast_" + role + " ADD MEMBER " + user(role));
            } else {
                execute("CREATE ROLE " + user(role) + " LOGIN PASSWORD '" + PASSWORD + "' IN ROLE readpast_" + role);
            }
        }
    }

    void uninstall() throws Exception {
        for (String role : ROLES) {
            if (isTransactSql()) {
                execute("ALTER ROLE readpast_" + role + " DROP MEMBER " + user(role));
                execute("DROP USER " + user(role));
                // Its last session may end a little behind the close of its connection; until then the login is in use.
                await().ignoreExceptions().untilAsserted(() -> execute("DROP LOGIN " + user(role)));
            } else {
                execute("DROP ROLE " + user(role));
            }
        }
        InstallScriptsTest.run(database, schema, "uninstall.sql", "yes");
    }

    private void execute(String statement) throws SQLException {
        try (Connection sql = database.connect();
                Statement execution = sql.createStatement()) {
            execution.execute(statement);
        }
    }

    private String user(String role) {
        return schema + "_" + role;
    }

    String jdbcUrl(String role) {
        return isTransactSql()
                ? database.jdbcUrl()
                        .replaceAll("(?i);\\s*user=[^;]*", ";user=" + user(role))
                        .replaceAll("(?i);\\s*password=[^;]*", ";password=" + PASSWORD)
                : PostgresServer.urlThrough(SharedPostgres.get().port(), user(role), PASSWORD);
    }

    Connection connect(String role) throws SQLException {
        return DriverManager.getConnection(jdbcUrl(role));
    }
}
