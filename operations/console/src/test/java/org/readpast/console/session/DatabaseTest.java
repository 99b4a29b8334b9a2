package org.readpast.console.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.console.Stage;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.jdbc.failure.Failures;
import org.readpast.jms.store.jdbc.failure.Vendor;

/** What drivers are told, so that a password lets somebody in and nothing else does. */
class DatabaseTest {

    @Test
    void who_is_trusted_without_a_password_gets_no_connection() throws Exception {
        assumeThat(Stage.products()).contains(Stage.POSTGRESQL);
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.login("trusted", "readpast_manage");
            assertThatThrownBy(() -> new Database(stage.url, "readpast").connect("trusted", "anything"))
                    .isInstanceOf(SQLException.class);
        }
    }

    /** The driver's SQLState is S and the severity or the state of such an error. */
    @ParameterizedTest
    @ValueSource(
            ints = {
                921, 922, 927, 941, 976, 978, 983, 4060, 4064, 10928, 10929, 17142, 17187, 17197, 18401, 18451, 18461,
                40197, 40501, 40613, 49918, 49919, 49920
            })
    void a_sql_server_that_starts_recovers_or_is_full_is_away(int number) {
        SQLException e = new SQLException("", "S0001", number);
        assertThat(Database.isAway(e)).isTrue();
        assertThat(new Failures(Vendor.SQL_SERVER).classify(e)).isEqualTo(Failure.CONNECTION_LOST);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 18452, 18456, 18470, 18486, 18487, 18488})
    void one_that_refuses_a_login_is_not(int number) {
        assertThat(Database.isAway(new SQLException("", "S0001", number))).isFalse();
    }

    @Test
    void sql_servers_driver_does_not_connect_again_by_itself() {
        assertThat(new Database("jdbc:sqlserver://db", "readpast").login("a", "b"))
                .containsEntry("connectRetryCount", "0");
    }
}
