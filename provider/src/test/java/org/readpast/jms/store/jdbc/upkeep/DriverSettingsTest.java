package org.readpast.jms.store.jdbc.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.store.jdbc.connect.DriverSource;

/** What start-up checks read in a driver's settings. */
class DriverSettingsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:sqlserver://db;disableStatementPooling=false;statementPoolingCacheSize=256;socketTimeout=60000",
                "jdbc:sqlserver://db;statementPoolingCacheSize=128;selectMethod=direct;socketTimeout=30000;",
                "jdbc:postgresql://db/shop?socketTimeout=60",
                "jdbc:postgresql://db/shop?prepareThreshold=5&socketTimeout=30",
                "jdbc:h2:mem:shop"
            })
    void good_settings_are_no_reason_to_warn(String url) {
        assertThat(new DriverSettings(url, null).warnings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:sqlserver://db;disableStatementPooling=TRUE;statementPoolingCacheSize=64;socketTimeout=60000, disableStatementPooling=true",
        "jdbc:sqlserver://db;disableStatementPooling=false;statementPoolingCacheSize=0;socketTimeout=60000, statementPoolingCacheSize=0",
        "jdbc:sqlserver://db;socketTimeout=5000;statementPoolingCacheSize=64, 5000 ms (socketTimeout)",
        "jdbc:postgresql://db/shop?prepareThreshold=0&socketTimeout=60, prepareThreshold=0",
        "jdbc:postgresql://db/shop?ssl=true&preparedStatementCacheQueries=0&socketTimeout=60, preparedStatementCacheQueries=0",
        "jdbc:sqlserver://db;socketTimeout=0, socketTimeout is 0",
        "jdbc:sqlserver://db;databaseName=shop, socketTimeout is 0",
        "jdbc:sqlserver://db;socketTimeout=60000;retryExec={1205:3}, retryExec={1205:3}",
        "jdbc:sqlserver://db;socketTimeout=60000;selectMethod=Cursor, selectMethod=cursor",
        "jdbc:postgresql://db/shop?socketTimeout=29, 29000 ms (socketTimeout)"
    })
    void bad_setting_is_named_in_the_warning(String url, String named) {
        assertThat(new DriverSettings(url, null).warnings())
                .singleElement()
                .asString()
                .contains(named);
    }

    @Test
    void statements_that_a_file_beside_the_driver_has_repeated_are_warned_of(@TempDir Path place) throws Exception {
        Path jar = place.resolve("mssql-jdbc 13.jar");
        Path file = place.resolve("mssql-jdbc 13.jarmssql-jdbc.properties");
        Files.writeString(file, "retryConn=4060\nretryExec=1205:3\n");

        assertThat(new DriverSettings(
                                "jdbc:sqlserver://db;socketTimeout=60000;retryExec=",
                                jar.toUri().toURL())
                        .warnings())
                .singleElement()
                .asString()
                .contains("1205:3", file.toString());
    }

    /** What the driver itself takes for the place of its file. */
    @Test
    void the_file_is_looked_for_where_the_driver_looks_for_it() throws Exception {
        Method place = Class.forName("com.microsoft.sqlserver.jdbc.ConfigurableRetryLogic")
                .getDeclaredMethod("getCurrentClassPath");
        place.setAccessible(true);

        assertThat(DriverSettings.retryFile(DriverSource.placeOfDriver("jdbc:sqlserver://db")))
                .isEqualTo(Path.of((String) place.invoke(null)));
    }

    @Test
    void isolation_levels_have_their_names_in_sql() {
        assertThat(DriverSettings.nameOfIsolation(Connection.TRANSACTION_SERIALIZABLE))
                .isEqualTo("SERIALIZABLE");
        assertThat(DriverSettings.nameOfIsolation(Connection.TRANSACTION_REPEATABLE_READ))
                .isEqualTo("REPEATABLE READ");
        // As Microsoft's driver numbers it.
        assertThat(DriverSettings.nameOfIsolation(4096)).isEqualTo("SNAPSHOT");
    }
}
