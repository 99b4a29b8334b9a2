package org.readpast.operations.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.readpast.operations.database.Product;
import org.readpast.operations.database.StatementFile;

/** The statement about sessions on rows as Microsoft describes those of SQL Server's management views, which a stand-in does not have. */
@EnabledIfSystemProperty(named = "readpast.test.sqlserver.url", matches = ".+")
class SqlServerSessionsTest {

    private static final List<String> VIEWS = List.of(
            "dm_exec_sessions (session_id int, login_name nvarchar(128), program_name nvarchar(128), host_name nvarchar(128),"
                    + " login_time datetime, last_request_end_time datetime, status nvarchar(30), is_user_process bit)",
            "dm_exec_requests (session_id int, blocking_session_id int, command nvarchar(32), status nvarchar(30))",
            "dm_tran_session_transactions (session_id int, transaction_id bigint)",
            "dm_tran_database_transactions (transaction_id bigint, database_id int)",
            "dm_tran_active_transactions (transaction_id bigint, transaction_begin_time datetime)",
            "databases (name nvarchar(128), is_read_committed_snapshot_on bit, snapshot_isolation_state tinyint)");

    private Connection connection;

    @BeforeEach
    void record() throws SQLException {
        connection = DriverManager.getConnection(System.getProperty("readpast.test.sqlserver.url"));
        drop();
        run("CREATE SCHEMA recorded");
        for (String view : VIEWS) {
            run("CREATE TABLE recorded." + view);
        }
        run("INSERT INTO recorded.databases VALUES (DB_NAME(), 0, 0)");
    }

    @AfterEach
    void forget() throws SQLException {
        drop();
        connection.close();
    }

    private void drop() throws SQLException {
        for (String view : VIEWS) {
            run("DROP TABLE IF EXISTS recorded." + view.substring(0, view.indexOf(' ')));
        }
        run("DROP SCHEMA IF EXISTS recorded");
    }

    private void run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void session(int id, String request) throws SQLException {
        run("INSERT INTO recorded.dm_exec_sessions VALUES (" + id
                + ", N'shop', N'readpast orders', N'app-3', GETDATE(), GETDATE(), N'running', 1)");
        run("INSERT INTO recorded.dm_exec_requests VALUES (" + id + ", " + request + ")");
    }

    /** Begun a quarter of an hour ago, in this database. */
    private void transaction(int session) throws SQLException {
        run("INSERT INTO recorded.dm_tran_session_transactions VALUES (" + session + ", " + session + ")");
        run("INSERT INTO recorded.dm_tran_database_transactions VALUES (" + session + ", DB_ID())");
        run("INSERT INTO recorded.dm_tran_active_transactions VALUES (" + session
                + ", DATEADD(minute, -15, GETDATE()))");
    }

    private List<Tuple> ask(String column) throws SQLException {
        String text = StatementFile.find(Product.SQL_SERVER, "readpast", "sessions")
                .orElseThrow()
                .text()
                .replace(" sys.", " recorded.");
        List<Tuple> found = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(text)) {
            while (rows.next()) {
                found.add(tuple(rows.getInt("session_id"), rows.getString(column)));
            }
        }
        return found;
    }

    /** Only its request says so. */
    @Test
    void session_that_was_ended_is_rolling_back() throws SQLException {
        session(7001, "0, N'KILLED/ROLLBACK', N'suspended'");
        transaction(7001);
        session(7002, "7001, N'UPDATE', N'suspended'");
        assertThat(ask("state")).containsExactlyInAnyOrder(tuple(7001, "rollback"), tuple(7002, "running"));
    }

    /** Latches are waited for all the time, and for moments. */
    @Test
    void transaction_without_a_session_blocks_and_a_latch_does_not() throws SQLException {
        session(7001, "-2, N'UPDATE', N'suspended'");
        session(7002, "-3, N'UPDATE', N'suspended'");
        session(7003, "-4, N'UPDATE', N'suspended'");
        session(7004, "-5, N'UPDATE', N'suspended'");
        session(7005, "7001, N'UPDATE', N'suspended'");
        session(7006, "0, N'UPDATE', N'running'");
        assertThat(ask("blockers")).containsExactlyInAnyOrder(tuple(7001, "0"), tuple(7002, "-3"), tuple(7005, "7001"));
    }

    @Test
    void transaction_keeps_deleted_rows_where_the_database_has_versions_of_them() throws SQLException {
        session(7001, "0, N'AWAITING COMMAND', N'sleeping'");
        transaction(7001);
        assertThat(ask("keeps_rows")).containsExactly(tuple(7001, "0"));
        run("UPDATE recorded.databases SET snapshot_isolation_state = 1");
        assertThat(ask("keeps_rows")).containsExactly(tuple(7001, "1"));
        run("UPDATE recorded.databases SET snapshot_isolation_state = 0, is_read_committed_snapshot_on = 1");
        assertThat(ask("keeps_rows")).containsExactly(tuple(7001, "1"));
    }
}
