package org.readpast.jms.tck.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.tck.rig.TestDatabase;

/** The script with which somebody who has a SQL Server and sqlcmd shows what holds there. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
class VerifyScriptTest {

    private final TestDatabase database;

    VerifyScriptTest(TestDatabase database) {
        this.database = database;
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.servers().filter(server -> server == TestDatabase.SQLSERVER);
    }

    @Test
    void it_runs_to_its_end_and_leaves_no_database() throws Exception {
        try (Connection own = database.connect()) {
            new ScriptRunner(own, "readpast", Map.of())
                    .runAsSqlcmd(Path.of("..", "sql", "sqlserver", "schema", "verify.sql"));
        }
        assertThat(databasesOfTheScript()).isZero();
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
