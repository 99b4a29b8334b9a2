package org.readpast.ra.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which isolation of a DataSource's connections is an error. */
class IsolationCheckTest {

    /** Of the driver's own, beside those of JDBC. */
    private static final int SNAPSHOT_OF_SQL_SERVER = 4_096;

    private static void check(SqlConnections connections) throws WrongSettingException {
        IsolationCheck.check("jdbc/Shop", connections);
    }

    private static Connection h2(int isolation) throws SQLException {
        Connection connection = DriverManager.getConnection("jdbc:h2:mem:");
        connection.setTransactionIsolation(isolation);
        return connection;
    }

    private static <T> T answering(Class<T> type, Object answer) {
        return type.cast(Proxy.newProxyInstance(
                IsolationCheckTest.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> method.getReturnType() == void.class ? null : answer));
    }

    private static Connection sqlServer(int isolation) {
        DatabaseMetaData product = answering(DatabaseMetaData.class, "Microsoft SQL Server");
        return (Connection) Proxy.newProxyInstance(
                IsolationCheckTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getTransactionIsolation" -> isolation;
                    case "getMetaData" -> product;
                    default -> null;
                });
    }

    @ParameterizedTest
    @CsvSource({
        Connection.TRANSACTION_REPEATABLE_READ + ", REPEATABLE READ",
        Connection.TRANSACTION_SERIALIZABLE + ", SERIALIZABLE"
    })
    void isolation_in_which_nothing_new_is_seen_is_named_with_the_setting_of_each_server(int isolation, String name)
            throws Exception {
        Connection[] taken = new Connection[1];
        assertThatThrownBy(() -> check(() -> taken[0] = h2(isolation)))
                .isInstanceOf(WrongSettingException.class)
                .hasMessageContaining("DataSource jdbc/Shop have the isolation " + name)
                .hasMessageContaining("WildFly: transaction-isolation=TRANSACTION_READ_COMMITTED")
                .hasMessageContaining("Open Liberty: isolationLevel=\"TRANSACTION_READ_COMMITTED\"")
                .hasMessageContaining("Payara: transaction-isolation-level=\"read-committed\"")
                .hasMessageContaining("TomEE: DefaultTransactionIsolation = 2");
        assertThat(taken[0].isClosed()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_READ_UNCOMMITTED, Connection.TRANSACTION_READ_COMMITTED})
    void isolation_in_which_messages_are_received_is_none_of_these(int isolation) {
        assertThatCode(() -> check(() -> h2(isolation))).doesNotThrowAnyException();
    }

    /** Its READPAST works in it, and it is Open Liberty's default there. */
    @Test
    void REPEATABLE_READ_of_SQL_Server_is_by_locks() {
        assertThatCode(() -> check(() -> sqlServer(Connection.TRANSACTION_REPEATABLE_READ)))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> check(() -> sqlServer(Connection.TRANSACTION_SERIALIZABLE)))
                .hasMessageContaining("SERIALIZABLE");
        assertThatThrownBy(() -> check(() -> sqlServer(SNAPSHOT_OF_SQL_SERVER))).hasMessageContaining("SNAPSHOT");
    }

    /** A name of the bean's own, such as java:comp/env/jdbc/Shop, is found in its transactions only. */
    @Test
    void DataSource_that_is_not_found_yet_is_passed_over() {
        assertThatCode(() -> check(new NamedDataSource("java:comp/env/jdbc/Shop")))
                .doesNotThrowAnyException();
    }
}
