package org.readpast.clients.migrations;

import java.nio.file.Files;
import java.nio.file.Path;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** An application has migrations by Flyway already: the scripts have another one, with a history table of its own. */
@ParameterizedClass(name = "{0}")
@MethodSource("databases")
class SecondFlywayTest extends MigrationsContract {

    SecondFlywayTest(String database) {
        super(database);
    }

    @Override
    int migrate() throws Exception {
        Path own = Files.createDirectories(folder.resolve("own"));
        Files.writeString(own.resolve("V1__shop.sql"), "CREATE TABLE item (id int NOT NULL PRIMARY KEY)");
        Flyway.configure()
                .dataSource(url, null, null)
                .locations("filesystem:" + own)
                .load()
                .migrate();

        Path scripts = Files.createDirectories(folder.resolve("readpast"));
        for (String script : scripts()) {
            Files.writeString(scripts.resolve("V" + script.substring(0, 3) + "__readpast.sql"), text(script));
        }
        return Flyway.configure()
                .dataSource(url, null, null)
                .locations("filesystem:" + scripts)
                .table("readpast_flyway_history")
                .baselineOnMigrate(true)
                .baselineVersion(Integer.toString(installed()))
                .load()
                .migrate()
                .migrationsExecuted;
    }
}
