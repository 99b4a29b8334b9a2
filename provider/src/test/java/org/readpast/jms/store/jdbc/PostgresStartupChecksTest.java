package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.readpast.jms.store.jdbc.connect.Connections;
import org.readpast.jms.store.jdbc.upkeep.StartupChecks;
import org.readpast.jms.store.jdbc.upkeep.StartupWarning;

/** Start-up checks on PostgreSQL: each is given what it looks for. */
class PostgresStartupChecksTest extends StartupChecksContract {

    private static final String INSERT =
            "INSERT INTO readpast.message (destination_id, priority_order, jms_destination,"
                    + " delivery_mode, jms_timestamp, jms_expiration, jms_delivery_time, body_kind, body_format, body_length, properties)"
                    + " SELECT -1, 5, 'queue://x', 2, 1, 0, 1, 1, 0, 0, json_build_object('x', repeat('x', %d)) FROM generate_series(1, %d)";

    PostgresStartupChecksTest() {
        super(TestDatabase.POSTGRESQL);
    }

    @Test
    void database_as_it_should_be_is_no_reason_to_warn() {
        assertThat(warnings(database.url(), NEVER)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "SYNCHRONOUS_COMMIT, synchronous_commit=off",
        "ISOLATION, default_transaction_isolation=serializable",
        "STATEMENT_TIMEOUT, statement_timeout=5000",
        "STATEMENT_TIMEOUT, lock_timeout=1000",
        "TRANSACTION_TIMEOUT, idle_in_transaction_session_timeout=60000",
        "TRANSACTION_TIMEOUT, transaction_timeout=60000"
    })
    void setting_of_the_connection_is_told(StartupWarning finding, String setting) {
        assertThat(warnings(database.url() + "?options=-c%20" + setting, NEVER))
                .singleElement()
                .asString()
                .startsWith(words(finding));
    }

    @Test
    void setting_of_the_server_is_told() throws SQLException {
        server("ALTER SYSTEM SET autovacuum = off");
        try {
            awaitSetting("autovacuum", "off");
            assertThat(warnings(database.url(), NEVER)).containsExactly(StartupWarning.AUTOVACUUM.warning("off"));
        } finally {
            server("ALTER SYSTEM RESET autovacuum");
            awaitSetting("autovacuum", "on");
        }
    }

    private void awaitSetting(String setting, String value) {
        await().until(() ->
                sql("SELECT pg_reload_conf()") != null && sql("SHOW " + setting).equals(List.of(value)));
    }

    private void server(String statement) throws SQLException {
        try (Connection connection = database.connect()) {
            server(connection, statement);
        }
    }

    private static void server(Connection connection, String statement) throws SQLException {
        try (Statement plain = connection.createStatement()) {
            plain.execute(statement);
        }
    }

    /** The library's own settings: for speed it switches everything off that keeps data. */
    @Test
    void server_that_does_not_flush_is_told() throws Exception {
        try (EmbeddedPostgres careless = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "off")
                .setPGStartupWait(Duration.ofMinutes(2))
                .start()) {
            assertThat(warnings(careless.getJdbcUrl("postgres", "postgres"), NEVER))
                    .contains(StartupWarning.FSYNC.warning("off"));
        }
    }

    @Test
    void table_without_autovacuum_its_dead_rows_and_its_empty_pages_are_told() throws SQLException {
        sql("ALTER TABLE readpast.message SET (autovacuum_enabled = false)");
        try {
            sql(INSERT.formatted(400, 60_000));
            sql("DELETE FROM readpast.message WHERE destination_id = -1");
            sql("SELECT pg_stat_force_next_flush()");
            await().until(() -> warnings(database.url(), NEVER).stream()
                    .anyMatch(warning -> warning.startsWith(words(StartupWarning.DEAD_ROWS))));
            assertThat(warnings(database.url(), NEVER))
                    .anyMatch(warning -> warning.contains("message: 60000 dead rows"))
                    .anyMatch(warning -> warning.contains("table message: off"));

            // One row in the last page keeps VACUUM from cutting the empty ones off.
            sql(INSERT.formatted(400, 1));
            // Whoever looks at anything at that moment, as the server itself does to count rows, keeps the dead ones.
            await().untilAsserted(() -> {
                sql("VACUUM readpast.message");
                assertThat(warnings(database.url(), NEVER))
                        .anyMatch(warning ->
                                warning.startsWith(words(StartupWarning.BLOAT)) && warning.contains("message: "))
                        .noneMatch(warning -> warning.startsWith(words(StartupWarning.DEAD_ROWS)));
            });
        } finally {
            sql("TRUNCATE readpast.message");
            sql("ALTER TABLE readpast.message RESET (autovacuum_enabled)");
            sql("VACUUM readpast.message");
        }
    }

    @Test
    void old_transaction_is_told_and_a_young_one_is_not() throws SQLException {
        try (Connection old = database.connect()) {
            old.setAutoCommit(false);
            String pid = sql(old, "SELECT pg_backend_pid()").get(0);

            assertThat(warnings(database.url(), 60_000)).isEmpty();
            assertThat(warnings(database.url(), 0))
                    .singleElement()
                    .asString()
                    .startsWith("Transactions have been open")
                    .contains("by pid " + pid);
        }
    }

    @Test
    void branches_in_doubt_are_told_by_their_names_the_oldest_first() throws SQLException {
        for (int i = 1; i <= 6; i++) {
            try (Connection branch = database.connect()) {
                branch.setAutoCommit(false);
                sql(branch, "SELECT pg_current_xact_id()");
                server(branch, "PREPARE TRANSACTION 'branch " + i + "'");
            }
        }
        try {
            assertThat(warnings(database.url(), NEVER)).isEmpty();
            assertThat(warnings(database.url(), 0))
                    .anySatisfy(warning -> assertThat(warning)
                            .startsWith(words(StartupWarning.IN_DOUBT) + "6, the oldest since ")
                            .contains(" (branch 1, branch 2, branch 3, branch 4, branch 5, ...). Messages"));
        } finally {
            for (int i = 1; i <= 6; i++) {
                server("ROLLBACK PREPARED 'branch " + i + "'");
            }
        }
    }

    @Test
    void replication_slot_that_nobody_reads_is_told() throws SQLException {
        sql("SELECT pg_create_physical_replication_slot('left_behind', true)");
        try {
            assertThat(warnings(database.url(), NEVER))
                    .containsExactly(StartupWarning.REPLICATION_SLOT.warning("left_behind"));
        } finally {
            sql("SELECT pg_drop_replication_slot('left_behind')");
        }
    }

    @Test
    void user_without_rights_is_warned_of_what_he_may_see() throws SQLException {
        server("CREATE ROLE checks_stranger LOGIN");
        try {
            assertThat(new StartupChecks(
                                    Connections.ofUrl(
                                            database.url() + "?options=-c%20synchronous_commit=off",
                                            "checks_stranger",
                                            "any"),
                                    opened().statements(),
                                    opened().dialect().startupChecks(),
                                    NEVER)
                            .warnings())
                    .containsExactly(StartupWarning.SYNCHRONOUS_COMMIT.warning("off"));
        } finally {
            server("DROP ROLE checks_stranger");
        }
    }
}
