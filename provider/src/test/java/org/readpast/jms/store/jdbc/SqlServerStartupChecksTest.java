package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.jdbc.upkeep.StartupWarning;

/** Start-up checks on SQL Server. A server may be one that ignores the options of locks, and then says so in its catalogue. */
@OnSqlServer
class SqlServerStartupChecksTest extends StartupChecksContract {

    SqlServerStartupChecksTest() {
        super(TestDatabase.SQL_SERVER);
    }

    @Test
    void settings_of_the_driver_are_told() {
        String url = database.url();

        assertThat(warnings(url + ";disableStatementPooling=true;socketTimeout=5000", NEVER))
                .contains(
                        StartupWarning.STATEMENT_POOLING.warning("disableStatementPooling=true"),
                        StartupWarning.SOCKET_TIMEOUT.warning("5000 ms (socketTimeout)"));
        assertThat(warnings(url + ";disableStatementPooling=false;statementPoolingCacheSize=256", NEVER))
                .noneMatch(warning -> warning.startsWith(words(StartupWarning.STATEMENT_POOLING))
                        || warning.startsWith(words(StartupWarning.SOCKET_TIMEOUT)));
    }

    @Test
    void indexes_with_page_locks_are_told() throws SQLException {
        try (Connection connection = database.connect()) {
            List<String> told = new java.util.ArrayList<>();
            for (String index : sql(
                    connection,
                    "SELECT CONCAT(name, N' of ', OBJECT_NAME(object_id)) FROM sys.indexes WHERE allow_page_locks = 1"
                            + " AND index_id > 0 AND object_id IN (OBJECT_ID(N'readpast.message'),"
                            + " OBJECT_ID(N'readpast.delayed_message'), OBJECT_ID(N'readpast.shared_body'))")) {
                told.add(StartupWarning.LOCK_GRANULARITY.warning("index " + index));
            }
            assertThat(warnings(database.url(), NEVER).stream()
                            .filter(warning -> warning.startsWith(words(StartupWarning.LOCK_GRANULARITY))))
                    .containsExactlyInAnyOrderElementsOf(told);
        }
    }
}
