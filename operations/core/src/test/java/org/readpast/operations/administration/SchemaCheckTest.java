package org.readpast.operations.administration;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.operations.Databases;
import org.readpast.operations.database.Look;
import org.readpast.operations.snapshot.Client;
import org.readpast.operations.snapshot.Facts;

/** Who is too old for what would be installed. */
class SchemaCheckTest {

    private static SchemaCheck check(Databases database) throws SQLException {
        try (Connection connection = database.connect();
                Look look = new Look(connection, database.schema)) {
            return SchemaCheck.of(
                    look.product(),
                    Facts.scripts(look).rows(),
                    Facts.clients(look).rows());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {Databases.H2, Databases.POSTGRESQL})
    void clients_that_were_made_for_an_older_version_are_named(String product) throws Exception {
        try (Databases database = new Databases(product)) {
            // Nobody who lives, since he would find out that these do not.
            database.awaitNobody();
            int newest = check(database).newest();
            register(database, "older.example", null);
            register(database, "old.example", 1);
            register(database, "new.example", newest);
            assertThat(check(database)).isEqualTo(new SchemaCheck(newest, newest, 0, List.of()));

            database.run("DELETE FROM readpast.schema_version WHERE version = " + newest);
            SchemaCheck check = check(database);
            assertThat(check).isEqualTo(new SchemaCheck(newest - 1, newest, newest, check.tooOld()));
            assertThat(check.tooOld()).hasSize(2).allSatisfy(client -> {
                assertThat(client.who()).contains("pid 7");
                assertThat(client.release()).isEqualTo("0.0.9");
            });
            assertThat(check.tooOld().toString()).contains("old.example").contains("older.example");
            assertThat(check.tooOld().stream().map(Client::schemaVersion)).containsExactlyInAnyOrder(1, null);
            database.run("DELETE FROM readpast.presence");
        }
    }

    private static void register(Databases database, String host, Integer version) throws SQLException {
        database.run(
                "INSERT INTO readpast.presence (instance, host, process, provider_version, schema_version) VALUES ('"
                        + UUID.randomUUID() + "', '" + host + "', 'pid 7', '0.0.9', " + version + ")");
    }
}
