package org.readpast.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the quick start does to the database that it is shown: nothing that stays, and nothing to what was there. */
class QuickStartTest {

    @Test
    void h2() throws Exception {
        leavesNothingAndTouchesNothing("jdbc:h2:mem:shown;DB_CLOSE_DELAY=-1", "");
    }

    @Test
    void postgresql() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(2))
                .start()) {
            leavesNothingAndTouchesNothing(server.getJdbcUrl("postgres", "postgres"), "public.");
        }
    }

    @Test
    void anOptionThatItDoesNotKnow() {
        assertThatThrownBy(() -> QuickStart.main(new String[] {"--uri", "readpast:jdbc:h2:mem:x"}))
                .hasMessageStartingWith("Usage:");
    }

    private static void leavesNothingAndTouchesNothing(String url, String schema) throws Exception {
        String[] arguments = {"--url", "readpast:" + url};
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE " + schema + "shop_order (mine INT)");
            statement.execute("INSERT INTO " + schema + "shop_order VALUES (7)");
            List<String> before = schemas(connection);

            QuickStart.main(arguments);
            QuickStart.main(arguments);
            assertThat(schemas(connection)).isEqualTo(before);
            assertThat(only(statement, "SELECT mine FROM " + schema + "shop_order"))
                    .isEqualTo(7);

            statement.execute("CREATE SCHEMA readpast_quickstart");
            assertThatThrownBy(() -> QuickStart.main(arguments)).hasMessageContaining("--drop");
            assertThat(schemas(connection)).hasSize(before.size() + 1);

            QuickStart.main(new String[] {"--drop", arguments[0], arguments[1]});
            assertThat(schemas(connection)).isEqualTo(before);
        }
    }

    private static List<String> schemas(Connection connection) throws SQLException {
        List<String> found = new ArrayList<>();
        try (ResultSet schemas = connection.getMetaData().getSchemas()) {
            while (schemas.next()) {
                found.add(schemas.getString("TABLE_SCHEM"));
            }
        }
        return found;
    }

    private static int only(Statement statement, String query) throws SQLException {
        try (ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getInt(1);
        }
    }
}
