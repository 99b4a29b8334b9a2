package org.readpast.jms.tck.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSRuntimeException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;

/** The scripts with which an administrator installs, upgrades and uninstalls, in a schema of their own. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InstallScriptsTest {

    private static final List<String> ROLES =
            List.of("readpast_send", "readpast_receive", "readpast_manage", "readpast_observe");

    private final TestDatabase database;
    private final String schema = "install_" + Long.toString(System.nanoTime(), 36);
    private Connection sql;

    InstallScriptsTest(TestDatabase database) {
        this.database = database;
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.servers();
    }

    @BeforeEach
    void connect() throws SQLException {
        sql = database.connect();
    }

    @AfterEach
    void leaveNothing() throws Exception {
        sql.close();
        sql = database.connect();
        run("uninstall.sql", "yes");
        sql.close();
    }

    private boolean isTransactSql() {
        return database == TestDatabase.SQLSERVER;
    }

    private void run(String script) throws Exception {
        run(script, "no");
    }

    private void run(String script, String force) throws Exception {
        run(database, schema, script, force);
    }

    /** Runs a script on a connection of its own, which ends with it as that of sqlcmd and psql does. */
    static void run(TestDatabase database, String schema, String script, String force) throws Exception {
        try (Connection own = database.connect()) {
            ScriptRunner runner = new ScriptRunner(own, schema, Map.of("force", force));
            if (database == TestDatabase.SQLSERVER) {
                runner.runAsSqlcmd(Path.of("..", "sql", "sqlserver", "schema", script));
            } else {
                runner.runAsPsql(Path.of("..", "sql", "postgresql", "schema", script));
            }
        }
    }

    private String query(String query) throws SQLException {
        try (Statement statement = sql.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            return row.next() ? row.getString(1) : null;
        }
    }

    private void execute(String statement) throws SQLException {
        try (Statement execution = sql.createStatement()) {
            execution.execute(statement);
        }
    }

    /** What was run when. */
    private String history() throws SQLException {
        return query("SELECT COUNT(*) FROM " + schema + ".schema_version") + " scripts, the last at "
                + query("SELECT MAX(applied_at) FROM " + schema + ".schema_version");
    }

    private boolean isInstalled() throws SQLException {
        return !"0"
                .equals(query("SELECT COUNT(*) FROM INFORMATION_SCHEMA.SCHEMATA WHERE SCHEMA_NAME = '" + schema + "'"));
    }

    private boolean hasRole(String role) throws SQLException {
        return !"0"
                .equals(query(
                        isTransactSql()
                                ? "SELECT COUNT(*) FROM sys.database_principals WHERE name = '" + role + "'"
                                : "SELECT COUNT(*) FROM pg_roles WHERE rolname = '" + role + "'"));
    }

    private ReadpastConnectionFactory factory(String createSchema) {
        return new ReadpastConnectionFactory(database.readpastUrl("schema=" + schema, "idleCloseMillis=0")
                .replace("createSchema=true", "createSchema=" + createSchema));
    }

    /** Returns when its JVM has let the schema go, which removes what is removed in an order of its own. */
    private void sendAndReceive(String createSchema) {
        try (JMSContext context = factory(createSchema).createContext()) {
            context.createProducer().send(context.createQueue("q"), "hello");
            assertThat(context.createConsumer(context.createQueue("q")).receiveBody(String.class, 20_000))
                    .isEqualTo("hello");
        }
        await().atMost(Duration.ofSeconds(60))
                .until(() -> "0".equals(query("SELECT COUNT(*) FROM " + schema + ".presence")));
    }

    /** SET NOEXEC is how scripts that have been run are left out. */
    private void assumeNoexec() throws SQLException {
        if (isTransactSql()) {
            try (Connection other = database.connect();
                    Statement statement = other.createStatement()) {
                statement.execute("SET NOEXEC ON");
                assumeTrue(!statement.execute("SELECT 1"), "this server ignores SET NOEXEC");
            }
        }
    }

    @Test
    void installed_schema_is_the_one_that_jms_clients_want() throws Exception {
        run("install.sql");

        String before = history();
        sendAndReceive("false");
        sendAndReceive("true");
        assertThat(history()).isEqualTo(before);
        for (String role : ROLES) {
            assertThat(hasRole(role)).as(role).isTrue();
        }
    }

    @Test
    void install_and_upgrade_leave_out_what_was_run() throws Exception {
        assumeNoexec();
        run("install.sql");
        String before = history();
        sendAndReceive("false");

        run("install.sql");
        run("upgrade.sql");

        assertThat(history()).isEqualTo(before);
        assertThat(query("SELECT COUNT(*) FROM " + schema + ".queue_overview")).isEqualTo("1");
    }

    @Test
    void upgrade_runs_what_is_missing() throws Exception {
        assumeNoexec();
        run("install.sql");
        String before = query("SELECT MAX(version) FROM " + schema + ".schema_version");
        execute("DELETE FROM " + schema + ".schema_version WHERE script LIKE '%repair%'");
        execute("DROP " + (isTransactSql() ? "PROCEDURE " : "FUNCTION ") + schema + ".purge");

        run("upgrade.sql");

        assertThat(query("SELECT MAX(version) FROM " + schema + ".schema_version"))
                .isEqualTo(before);
        assertThat(query("SELECT COUNT(*) FROM INFORMATION_SCHEMA.ROUTINES WHERE ROUTINE_SCHEMA = '" + schema
                        + "' AND ROUTINE_NAME = 'purge'"))
                .isEqualTo("1");
    }

    @Test
    void schema_that_a_jms_client_created_is_left_as_it_is() throws Exception {
        assumeNoexec();
        sendAndReceive("true");
        String before = history();

        run("install.sql");

        assertThat(history()).isEqualTo(before);
        sendAndReceive("false");
    }

    @Test
    void upgrade_is_refused_where_nothing_is_installed() throws Exception {
        assertThatThrownBy(() -> run("upgrade.sql"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("install.sql");
        assertThat(isInstalled()).isFalse();
    }

    @Test
    void uninstall_removes_schema_and_roles_and_may_be_run_again() throws Exception {
        run("install.sql");
        assertThat(isInstalled()).isTrue();

        run("uninstall.sql");
        run("uninstall.sql");

        assertThat(isInstalled()).isFalse();
        for (String role : ROLES) {
            assertThat(hasRole(role)).as(role).isFalse();
        }
        run("install.sql");
        sendAndReceive("false");
    }

    @Test
    void uninstall_is_refused_while_jms_clients_are_connected_or_messages_wait() throws Exception {
        run("install.sql");
        try (JMSContext context = factory("false").createContext()) {
            assertThatThrownBy(() -> run("uninstall.sql"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("JMS clients are connected");
            context.createProducer().send(context.createQueue("q"), "hello");
        }
        String presence = "SELECT COUNT(*) FROM " + schema + ".presence";
        await().atMost(Duration.ofSeconds(60)).until(() -> query(presence).equals("0"));
        assertThatThrownBy(() -> run("uninstall.sql"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("Messages wait");
        assertThat(isInstalled()).isTrue();

        run("uninstall.sql", "yes");
        assertThat(isInstalled()).isFalse();
    }

    @Test
    void uninstall_takes_what_others_have_built_in_the_schema_and_their_foreign_keys_to_it() throws Exception {
        run("install.sql");
        String own = schema + "_own";
        execute("CREATE TABLE " + own + " (id int NOT NULL REFERENCES " + schema + ".destination (destination_id))");
        try {
            execute("CREATE TABLE " + schema + ".dba_table (id int NOT NULL PRIMARY KEY REFERENCES " + schema
                    + ".destination (destination_id))");
            execute("CREATE VIEW " + schema + ".dba_view AS SELECT id FROM " + schema + ".dba_table");
            execute("CREATE TYPE " + schema + ".dba_type AS " + (isTransactSql() ? "TABLE " : "") + "(id int)");

            run("uninstall.sql");

            assertThat(isInstalled()).isFalse();
            assertThat(query("SELECT COUNT(*) FROM " + own)).isEqualTo("0");
        } finally {
            execute("DROP TABLE " + own);
        }
    }

    /** The roles belong to the whole server, and to whoever made them first: since PostgreSQL 16 other users with CREATEROLE cannot grant them. */
    @Test
    void another_owner_installs_and_uninstalls_beside_the_roles_of_the_first() throws Exception {
        assumeTrue(!isTransactSql(), "there the roles belong to the database");
        run("install.sql");
        String owner = schema + "_owner";
        String second = schema + "_second";
        execute("CREATE ROLE " + owner + " CREATEROLE");
        try (Connection own = database.connect();
                Statement statement = own.createStatement()) {
            execute("GRANT CREATE ON DATABASE " + query("SELECT quote_ident(current_database())") + " TO " + owner);
            statement.execute("SET ROLE " + owner);
            ScriptRunner runner = new ScriptRunner(own, second, Map.of("force", "no"));
            Path scripts = Path.of("..", "sql", "postgresql", "schema");

            runner.runAsPsql(scripts.resolve("install.sql"));
            runner.runAsPsql(scripts.resolve("upgrade.sql"));
            for (String role : ROLES) {
                assertThat(query("SELECT has_schema_privilege('" + role + "', '" + second + "', 'USAGE')"))
                        .as(role)
                        .isEqualTo("t");
            }

            runner.runAsPsql(scripts.resolve("uninstall.sql"));
            assertThat(query("SELECT to_regnamespace('" + second + "')")).isNull();
            assertThat(hasRole("readpast_send")).isTrue();
        } finally {
            execute("DROP OWNED BY " + owner + " CASCADE");
            execute("DROP ROLE " + owner);
        }
    }

    private ScriptRunner onItsOwn(Connection connection) {
        return new ScriptRunner(connection, schema, Map.of("force", "no"));
    }

    /** An administrator of PostgreSQL gives ON_ERROR_STOP, or runs install.sql, which does. */
    @Test
    void script_that_failed_in_its_middle_records_no_version_until_it_is_all_there() throws Exception {
        assumeTrue(isTransactSql(), "psql stops at an error where a script says so");
        Path tables = Path.of("..", "sql", "sqlserver", "schema", "001-tables.sql");
        Path views = tables.resolveSibling("002-views.sql");
        execute("CREATE SCHEMA " + schema);
        execute("CREATE VIEW " + schema + ".message AS SELECT 1 AS x");

        assertThat(onItsOwn(sql).runAsSqlcmdToTheEnd(tables))
                .last()
                .asString()
                .contains("001-tables.sql is not complete");
        assertThat(query("SELECT COUNT(*) FROM " + schema + ".schema_version")).isEqualTo("0");
        execute("DROP VIEW " + schema + ".message");
        assertThat(onItsOwn(sql).runAsSqlcmdToTheEnd(tables)).noneMatch(error -> error.contains("not complete"));
        assertThat(query("SELECT MAX(version) FROM " + schema + ".schema_version"))
                .isEqualTo("1");

        execute("CREATE TABLE " + schema + ".message_text (x int)");
        assertThat(onItsOwn(sql).runAsSqlcmdToTheEnd(views))
                .last()
                .asString()
                .contains("002-views.sql is not complete");
        assertThat(query("SELECT MAX(version) FROM " + schema + ".schema_version"))
                .isEqualTo("1");
    }

    @Test
    void database_of_the_server_itself_is_refused() throws Exception {
        assumeTrue(isTransactSql(), "PostgreSQL's own database is one for users");
        execute("USE master");
        assertThatThrownBy(() -> onItsOwn(sql).runAsSqlcmd(Path.of("..", "sql", "sqlserver", "schema", "install.sql")))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("-d");
        assertThat(isInstalled()).isFalse();

        String url =
                database.readpastUrl("schema=" + schema).replaceFirst("databaseName=[^;#]+", "databaseName=master");
        assertThat(url).contains("databaseName=master");
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(url);
        assertThatThrownBy(() -> factory.createContext().close())
                .isInstanceOf(JMSRuntimeException.class)
                .hasMessageContaining("databaseName=");
        assertThat(isInstalled()).isFalse();
    }

    @Test
    void install_ends_what_an_earlier_run_left_open_in_its_connection() throws Exception {
        assumeTrue(isTransactSql(), "psql ends with its script");
        execute("BEGIN TRANSACTION");
        execute("CREATE TABLE dbo." + schema + "_left (x int)");

        onItsOwn(sql).runAsSqlcmd(Path.of("..", "sql", "sqlserver", "schema", "install.sql"));

        assertThat(query("SELECT @@TRANCOUNT")).isEqualTo("0");
        assertThat(query("SELECT OBJECT_ID('dbo." + schema + "_left')")).isNull();
        assertThat(query("SELECT MAX(version) FROM " + schema + ".schema_version"))
                .isEqualTo("6");
    }
}
