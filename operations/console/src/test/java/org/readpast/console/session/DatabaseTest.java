package org.readpast.console.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.readpast.console.Stage;

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

    @Test
    void sql_servers_driver_does_not_connect_again_by_itself() {
        assertThat(new Database("jdbc:sqlserver://db", "readpast").login("a", "b"))
                .containsEntry("connectRetryCount", "0");
    }
}
