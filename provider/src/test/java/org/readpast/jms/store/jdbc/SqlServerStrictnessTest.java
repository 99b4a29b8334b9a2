package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every other test on SQL Server relies on: that the server, or the strict driver in front of it, does what SQL Server is
 * known to do. On a real server this tells whether it is known rightly.
 */
@OnSqlServer
class SqlServerStrictnessTest {

    private final String table = TestDatabase.SQL_SERVER.newSchema();
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        // Whatever the mode of the run is, this is about the driver's own settings.
        connection = DriverManager.getConnection(
                TestDatabase.SQL_SERVER.url() + ";lastUpdateCount=true;sendStringParametersAsUnicode=true");
        run("SET NOCOUNT OFF; SET XACT_ABORT OFF");
        run("CREATE TABLE " + table + " (id int NOT NULL PRIMARY KEY, name nvarchar(20) NULL)");
        run("INSERT INTO " + table + " (id, name) VALUES (1, N'one')");
        connection.setAutoCommit(false);
    }

    @AfterEach
    void drop() throws SQLException {
        connection.rollback();
        connection.setAutoCommit(true);
        run("DROP TABLE " + table);
        connection.close();
    }

    @Test
    void call_that_commits_its_callers_transaction_has_committed_and_fails() throws SQLException {
        update("INSERT INTO " + table + " (id) VALUES (?)", 2);
        assertNumber(() -> update("DELETE FROM " + table + " WHERE id = ?; COMMIT", 1), 266);
        connection.rollback();
        assertThat(number("SELECT COUNT(*) FROM " + table + " WHERE id = 2")).isOne();
        assertThat(number("SELECT COUNT(*) FROM " + table + " WHERE id = 1")).isZero();
    }

    @Test
    void call_that_begins_implicitly_and_commits_is_balanced() throws SQLException {
        assertThat(number("SELECT @@TRANCOUNT")).isZero();
        assertThat(update("DELETE FROM " + table + " WHERE id = ?; COMMIT", 1)).isOne();
        assertThat(number("SELECT @@TRANCOUNT")).isZero();
        assertThat(update("INSERT INTO " + table + " (id) VALUES (?)", 1)).isOne();
        assertThat(number("SELECT @@TRANCOUNT")).isOne();
    }

    @Test
    void statement_on_a_table_behind_a_commit_begins_the_next_transaction_and_is_balanced() throws SQLException {
        update("INSERT INTO " + table + " (id) VALUES (?)", 2);
        try (PreparedStatement call = connection.prepareStatement(
                "DELETE FROM " + table + " WHERE id = ?; COMMIT; SELECT name FROM " + table + " WHERE id = 1")) {
            call.setInt(1, 2);
            assertThat(call.execute()).isFalse();
            assertThat(call.getMoreResults()).isTrue();
            assertThat(call.getMoreResults()).isFalse();
        }
        assertThat(number("SELECT @@TRANCOUNT")).isOne();
    }

    /** BEGIN TRANSACTION begins two where none is open and autocommit is off. */
    @Test
    void begin_transaction_behind_a_commit_is_one_too_many() throws SQLException {
        update("INSERT INTO " + table + " (id) VALUES (?)", 2);
        assertNumber(() -> update("DELETE FROM " + table + " WHERE id = ?; COMMIT; BEGIN TRANSACTION", 2), 266);
        assertThat(number("SELECT @@TRANCOUNT")).isEqualTo(2);
        run("ROLLBACK");
    }

    @Test
    void no_counts_where_nocount_is_on() throws SQLException {
        run("SET NOCOUNT ON");
        assertThat(update("UPDATE " + table + " SET name = N'a' WHERE id = ?", 1))
                .isEqualTo(-1);
    }

    @Test
    void what_a_call_sets_goes_back_at_its_end() throws SQLException {
        run("SET NOCOUNT ON");
        assertThat(update("SET NOCOUNT OFF; UPDATE " + table + " SET name = N'a' WHERE id = ?", 1))
                .isOne();
        assertThat(update("UPDATE " + table + " SET name = N'a' WHERE id = ?", 1))
                .isEqualTo(-1);
        update("SET XACT_ABORT ON; SET LOCK_TIMEOUT 5; UPDATE " + table + " SET name = N'a' WHERE id = ?", 1);
        assertThat(number("SELECT @@LOCK_TIMEOUT")).isEqualTo(-1);
        assertThat(number("SELECT @@OPTIONS & 16384")).isZero();
    }

    @Test
    void caught_error_dooms_the_transaction_where_xact_abort_is_on() throws SQLException {
        String fails = "BEGIN TRY INSERT INTO " + table + " (id) VALUES (?) END TRY BEGIN CATCH ";
        assertThat(firstNumber(fails + "SELECT XACT_STATE() END CATCH")).isOne();
        connection.rollback();
        run("SET XACT_ABORT ON");
        assertThat(firstNumber(fails + "SELECT XACT_STATE() END CATCH")).isEqualTo(-1);
        connection.rollback();
        assertNumber(() -> update(fails + "INSERT INTO " + table + " (id) VALUES (3) END CATCH", 1), 3930);
    }

    @Test
    void characters_beyond_the_code_page_are_lost_where_strings_are_sent_as_varchar() throws SQLException {
        connection.commit();
        try (Connection narrow = DriverManager.getConnection(
                        TestDatabase.SQL_SERVER.url() + ";sendStringParametersAsUnicode=false");
                PreparedStatement varchar = narrow.prepareStatement("UPDATE " + table + " SET name = ? WHERE id = 1");
                PreparedStatement nvarchar = narrow.prepareStatement("UPDATE " + table + " SET name = ? WHERE 1 = id");
                Statement look = narrow.createStatement()) {
            varchar.setString(1, "\u4e2d");
            varchar.execute();
            assertThat(text(look)).isEqualTo("?");
            nvarchar.setNString(1, "\u4e2d");
            nvarchar.execute();
            assertThat(text(look)).isEqualTo("\u4e2d");
        }
    }

    /** No error of the server's: each length would be compiled for itself and take its place in the plan cache. */
    @Test
    void types_that_go_by_the_value_are_refused() throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE " + table + " SET name = CAST(? AS nvarchar(20)) WHERE id = 1")) {
            for (String name : new String[] {"", null, "eight", "x".repeat(4_000), "x".repeat(4_001)}) {
                update.setNString(1, name);
                update.execute();
            }
            update.setBigDecimal(1, new BigDecimal("1.5"));
            assertThatThrownBy(update::execute).isInstanceOf(SQLException.class).hasMessageContaining("nvarchar(4000)");
        }
    }

    private String text(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT name FROM " + table + " WHERE id = 1")) {
            row.next();
            return row.getString(1);
        }
    }

    private void run(String batch) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(batch);
        }
    }

    private int number(String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getInt(1);
        }
    }

    /** Of the first result that is rows. */
    private int firstNumber(String sql) throws SQLException {
        try (PreparedStatement call = connection.prepareStatement(sql)) {
            call.setInt(1, 1);
            boolean isRows = call.execute();
            while (!isRows && call.getUpdateCount() != -1) {
                isRows = call.getMoreResults();
            }
            ResultSet row = call.getResultSet();
            row.next();
            return row.getInt(1);
        }
    }

    private int update(String sql, int id) throws SQLException {
        try (PreparedStatement call = connection.prepareStatement(sql)) {
            call.setInt(1, id);
            return call.executeUpdate();
        }
    }

    private static void assertNumber(ThrowingCallable call, int number) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        SQLException.class,
                        error -> assertThat(error.getErrorCode()).isEqualTo(number));
    }
}
