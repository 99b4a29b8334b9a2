package org.readpast.jms.strict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.BatchUpdateException;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is raised on a connection, in front of a server that raises nothing. */
class StrictConnectionTest {

    /** Two statements as they once were in sql/sqlserver, entered in the transaction of a claim. */
    private static final String ACKNOWLEDGE_AND_COMMIT = """
            DELETE m
            FROM OPENJSON(?) WITH (d int '$.d', p smallint '$.p', i bigint '$.i') AS k
            INNER LOOP JOIN [readpast].message AS m WITH (ROWLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
                ON m.destination_id = k.d AND m.priority_order = k.p AND m.message_id = k.i;
            IF @@ROWCOUNT <> ?
            BEGIN
                ROLLBACK TRANSACTION;
                THROW 50001, N'Claimed messages are not there any more', 1;
            END;
            COMMIT TRANSACTION""";

    private static final String ACKNOWLEDGE_AND_LOOK = ACKNOWLEDGE_AND_COMMIT.replace("COMMIT TRANSACTION", """
            SELECT w.id
            FROM OPENJSON(?) WITH (id int '$') AS w
            WHERE EXISTS (
                SELECT 1
                FROM [readpast].message AS m WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_key (destination_id)))
                WHERE m.destination_id = w.id
                  AND (m.expires_at IS NULL OR m.expires_at > SYSUTCDATETIME()));
            COMMIT TRANSACTION""");

    private final ServerOfOneConnection server =
            new ServerOfOneConnection("jdbc:sqlserver://db;lastUpdateCount=true;encrypt=false");

    @ParameterizedTest
    @ValueSource(strings = {ACKNOWLEDGE_AND_COMMIT, "DELETE FROM t WHERE id = ?; COMMIT"})
    void commit_of_the_callers_transaction_in_a_call_with_parameters_is_266(String sql) throws SQLException {
        try (PreparedStatement call = strict().prepareStatement(sql)) {
            server.next(1, 0, 1);
            assertRaises266(call::executeUpdate, 1, 0);
        }
    }

    @Test
    void error_266_stands_behind_all_results() throws SQLException {
        try (PreparedStatement call = strict().prepareStatement(ACKNOWLEDGE_AND_LOOK)) {
            server.next(1, 0, 1, 5);
            assertThat(call.execute()).isFalse();
            assertThat(call.getUpdateCount()).isOne();
            assertThat(call.getMoreResults()).isFalse();
            assertThat(call.getUpdateCount()).isEqualTo(5);
            assertRaises266(call::getMoreResults, 1, 0);
            assertThat(call.getMoreResults()).as("raised once").isFalse();
        }
    }

    @Test
    void without_results_it_is_raised_at_once() throws SQLException {
        try (PreparedStatement call = strict().prepareStatement(ACKNOWLEDGE_AND_COMMIT)) {
            server.next(1, 0);
            assertRaises266(call::execute, 1, 0);
        }
    }

    @Test
    void driver_that_stops_at_the_first_count_never_sees_it() throws SQLException {
        ServerOfOneConnection first = new ServerOfOneConnection("jdbc:sqlserver://db;lastUpdateCount=false");
        try (PreparedStatement call = strict(first, "").prepareStatement(ACKNOWLEDGE_AND_COMMIT)) {
            first.next(1, 0, 1);
            assertThat(call.executeUpdate()).isOne();
            first.next(1, 0);
            assertRaises266(call::executeUpdate, 1, 0);
        }
    }

    @Test
    void batch_of_calls_and_procedure_are_counted_too() throws SQLException {
        try (PreparedStatement call = strict().prepareStatement("INSERT INTO t (a) VALUES (?); COMMIT")) {
            server.next(1, 0, 1);
            assertThatThrownBy(call::executeBatch)
                    .isInstanceOfSatisfying(
                            BatchUpdateException.class,
                            error -> assertThat(error.getErrorCode()).isEqualTo(266));
        }
        try (CallableStatement call = strict().prepareCall("{call p}")) {
            server.next(1, 0);
            assertRaises266(call::execute, 1, 0);
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 0, false", "1, 1, false", "0, 1, false", "0, 0, true", "1, 1, true"})
    void balanced_call_is_no_error(int before, int after, boolean autoCommit) throws SQLException {
        Connection connection = strict();
        connection.setAutoCommit(autoCommit);
        try (PreparedStatement call = connection.prepareStatement("INSERT INTO t (a) VALUES (?); COMMIT")) {
            server.next(before, after, 1);
            assertThat(call.executeUpdate()).isOne();
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 1, true", "0, 2, false", "1, 2, false", "2, 1, false"})
    void begin_that_is_not_ended_is_266(int before, int after, boolean autoCommit) throws SQLException {
        Connection connection = strict();
        connection.setAutoCommit(autoCommit);
        try (PreparedStatement call = connection.prepareStatement("COMMIT; BEGIN TRANSACTION")) {
            server.next(before, after);
            assertRaises266(call::executeUpdate, before, after);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"DELETE FROM t; COMMIT", "EXECUTE p; COMMIT", "BEGIN TRANSACTION; EXECUTE p"})
    void plain_batch_may_end_a_transaction(String sql) throws SQLException {
        try (Statement batch = strict().createStatement()) {
            server.next(1, 0);
            batch.execute(sql);
        }
        assertThat(server.batches).containsExactly(sql);
    }

    @Test
    void procedure_may_not_end_its_callers_transaction() throws SQLException {
        try (Statement batch = strict().createStatement()) {
            server.next(1, 0);
            assertRaises266(() -> batch.execute("DECLARE @a int = 1; EXECUTE p @a"), 1, 0);
        }
        try (PreparedStatement call = strict().prepareStatement("EXECUTE p ?")) {
            server.next(1, 0);
            assertRaises266(call::execute, 1, 0);
        }
    }

    @Test
    void isolation_level_is_known_however_it_was_set() throws SQLException {
        Connection connection = strict();
        try (PreparedStatement claim = connection.prepareStatement("SELECT a FROM t WITH (UPDLOCK, READPAST)");
                Statement batch = connection.createStatement()) {
            claim.execute();
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            assertNumber(claim::execute, 650);
            assertThat(server.batches).containsExactly("IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION");
            batch.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
            claim.execute();
            batch.execute("SET TRANSACTION ISOLATION LEVEL SNAPSHOT");
            assertNumber(claim::execute, 650);
        }
    }

    @Test
    void what_a_call_sets_goes_back_at_its_end_and_what_a_batch_sets_stays() throws SQLException {
        Connection connection = strict(server, "NOCOUNT");
        assertThat(server.batches).containsExactly("SET NOCOUNT ON");
        try (PreparedStatement call =
                        connection.prepareStatement("SET NOCOUNT OFF; SET TRANSACTION ISOLATION LEVEL SERIALIZABLE");
                Statement batch = connection.createStatement()) {
            call.execute();
            assertThat(server.batches)
                    .contains("SET NOCOUNT ON", "SET TRANSACTION ISOLATION LEVEL READ COMMITTED")
                    .hasSize(3);
            batch.execute("SET NOCOUNT OFF");
            server.batches.clear();
            call.execute();
            assertThat(server.batches).containsExactly("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
        }
        try (PreparedStatement failing = connection.prepareStatement("SET XACT_ABORT ON; COMMIT")) {
            server.batches.clear();
            server.next(1, 0);
            assertRaises266(failing::execute, 1, 0);
            assertThat(server.batches).containsExactly("SET XACT_ABORT OFF");
        }
    }

    @Test
    void texts_are_looked_at_wherever_they_run() throws SQLException {
        String sql = "DELETE FROM t WITH (FORCESEEK)";
        try (Statement batch = strict().createStatement();
                PreparedStatement call = strict().prepareStatement(sql)) {
            assertNumber(() -> batch.execute(sql), 10724);
            assertNumber(() -> batch.executeUpdate(sql), 10724);
            assertNumber(() -> batch.addBatch(sql), 10724);
            assertNumber(call::executeUpdate, 10724);
            assertNumber(call::executeBatch, 10724);
        }
        assertThat(server.batches).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT d.compatibility_level AS compatibility_level FROM sys.databases d | SELECT 120 AS compatibility_level FROM sys.databases d",
                "IF (SELECT compatibility_level FROM sys.databases) < 130 THROW | IF (SELECT 120 FROM sys.databases) < 130 THROW"
            })
    void compatibility_level_is_that_of_the_mode(String asked, String answered) throws SQLException {
        try (Statement batch = strict(server, "COMPATIBILITY_LEVEL=120").createStatement()) {
            batch.execute(asked);
        }
        assertThat(server.batches).containsExactly(answered);
    }

    @Test
    void strings_that_are_executed_are_read_too() throws SQLException {
        try (Statement batch = strict().createStatement()) {
            assertNumber(() -> batch.execute("EXECUTE (N'EXECUTE (N''DELETE t WITH (FORCESEEK)'')')"), 10724);
        }
    }

    @Test
    void statement_leads_back_to_its_strict_connection() throws SQLException {
        Connection connection = strict();
        try (Statement statement = connection.createStatement()) {
            assertThat(statement.getConnection()).isSameAs(connection);
            assertThat(connection.unwrap(Connection.class)).isSameAs(connection);
            assertThat(connection.equals(connection)).isTrue();
            assertThat(connection).hasToString("strict " + null);
        }
    }

    @Test
    void every_connection_to_sql_server_is_strict() throws SQLException {
        assertThat(DriverManager.getDriver("jdbc:sqlserver://db")).isInstanceOf(StrictDriver.class);
        assertThat(DriverManager.drivers()
                        .filter(driver -> driver.getClass().getName().contains("SQLServerDriver")))
                .isEmpty();
        assertThat(DriverManager.getDriver("jdbc:h2:mem:other")).isNotInstanceOf(StrictDriver.class);
    }

    @Test
    void modes_change_the_url_unless_it_says_otherwise() {
        Mode mode = Mode.parse("lastUpdateCount=false, sendStringParametersAsUnicode=false,XACT_ABORT");
        assertThat(mode.url("jdbc:sqlserver://db;LastUpdateCount=true;"))
                .isEqualTo("jdbc:sqlserver://db;LastUpdateCount=true;sendStringParametersAsUnicode=false");
        assertThat(mode.options()).containsExactly("XACT_ABORT");
        assertThatThrownBy(() -> Mode.parse("NO_COUNT")).hasMessageContaining("NO_COUNT");
    }

    private Connection strict() throws SQLException {
        return strict(server, "");
    }

    private static Connection strict(ServerOfOneConnection server, String mode) throws SQLException {
        Connection connection = StrictConnection.of(server.connection(), Mode.parse(mode));
        connection.setAutoCommit(false);
        return connection;
    }

    private static void assertRaises266(ThrowingCallable call, int before, int after) {
        assertThatThrownBy(call)
                .isInstanceOf(SQLException.class)
                .hasMessageEndingWith("Previous count = %d, current count = %d.", before, after);
    }

    private static void assertNumber(ThrowingCallable call, int number) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        SQLException.class,
                        error -> assertThat(error.getErrorCode()).isEqualTo(number));
    }
}
