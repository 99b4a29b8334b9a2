package org.readpast.jms.tck.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.tck.rig.TestDatabase;

/** The script with which somebody who has a SQL Server and sqlcmd shows what holds there. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
class VerifyScriptTest {

    private static final Path SCRIPTS = Path.of("..", "sql", "sqlserver", "schema");

    private final TestDatabase database;

    VerifyScriptTest(TestDatabase database) {
        this.database = database;
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.servers().filter(server -> server == TestDatabase.SQLSERVER);
    }

    private void run(Path folder) throws IOException, SQLException {
        try (Connection own = database.connect()) {
            new ScriptRunner(own, "readpast", Map.of()).runAsSqlcmd(folder.resolve("verify.sql"));
        }
    }

    @Test
    void it_runs_to_its_end_and_leaves_no_database() throws Exception {
        run(SCRIPTS);

        assertThat(databasesOfTheScript()).isZero();
    }

    @Test
    void it_ends_with_an_error_where_something_did_not_hold_and_leaves_no_database(@TempDir Path folder)
            throws Exception {
        try (Stream<Path> scripts = Files.list(SCRIPTS).filter(Files::isRegularFile)) {
            for (Path script : scripts.toList()) {
                Files.writeString(
                        folder.resolve(script.getFileName()),
                        Files.readString(script).replace("@left = 11990", "@left = -1"));
            }
        }

        assertThatThrownBy(() -> run(folder))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("Not all of it holds");
        assertThat(databasesOfTheScript()).isZero();
    }

    /** There USE is refused, so that the database would be left, and paid for. */
    @Test
    void it_makes_no_database_on_azure_sql_database() throws IOException {
        String script = Files.readString(SCRIPTS.resolve("verify.sql"));

        assertThat(script.substring(0, script.indexOf("\nCREATE DATABASE")))
                .contains("IF CAST(SERVERPROPERTY('EngineEdition') AS int) = 5\n    THROW")
                .endsWith("\nGO");
    }

    private int databasesOfTheScript() throws SQLException {
        try (Connection own = database.connect();
                Statement statement = own.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT COUNT(*) FROM sys.databases WHERE name = N'readpast_verify'")) {
            row.next();
            return row.getInt(1);
        }
    }
}
