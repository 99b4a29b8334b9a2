package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.readpast.jms.races.Replaced;
import org.readpast.jms.store.jdbc.connect.ConnectionPool;
import org.readpast.jms.store.jdbc.connect.Connections;
import org.readpast.jms.store.jdbc.connect.StoreOptions;

/** What SQL Server's driver is told with each connection of a pool. */
class DriverPropertiesTest {

    private static final String URL = "jdbc:recorded:a";

    private final Queue<Properties> told = new ConcurrentLinkedQueue<>();
    private final SqlServerDialect dialect = new SqlServerDialect(StoreOptions.DEFAULTS);

    /** What it makes anew by itself may lead to another server, and the pool does not hear of it. */
    @Test
    void driver_makes_no_broken_connection_anew_behind_the_pool() throws SQLException {
        Driver recording = Replaced.by(Driver.class, (method, arguments) -> switch (method.getName()) {
            case "acceptsURL" -> URL.equals(arguments[0]);
            case "connect" -> {
                told.add((Properties) arguments[1]);
                throw new SQLException("as the test wants it", "08001");
            }
            case "hashCode" -> System.identityHashCode(told);
            case "equals" -> arguments[0] instanceof Driver other && other.hashCode() == System.identityHashCode(told);
            default -> "in front of SQL Server";
        });
        DriverManager.registerDriver(recording);
        try (ConnectionPool pool =
                Connections.ofUrl(URL, "me", null).pool(StoreOptions.DEFAULTS.withPool(1, 5_000), dialect)) {
            assertThatThrownBy(pool::borrow).hasStackTraceContaining("as the test wants it");
            assertThat(told)
                    .isNotEmpty()
                    .allSatisfy(properties -> assertThat(properties)
                            .containsEntry("connectRetryCount", "0")
                            .containsEntry("user", "me"));
        } finally {
            DriverManager.deregisterDriver(recording);
        }
    }

    @Test
    void what_the_url_says_holds() {
        assertThat(dialect.driverProperties("jdbc:sqlserver://h;ConnectRetryCount=3"))
                .isEmpty();
    }
}
