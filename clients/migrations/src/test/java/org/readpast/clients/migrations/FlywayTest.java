package org.readpast.clients.migrations;

import java.nio.file.Files;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Flyway: the scripts are copied, and what was run by hand is its baseline. */
@ParameterizedClass(name = "{0}")
@MethodSource("databases")
class FlywayTest extends MigrationsContract {

    FlywayTest(String database) {
        super(database);
    }

    @Override
    int migrate() throws Exception {
        for (String script : scripts()) {
            Files.writeString(folder.resolve("V" + script.substring(0, 3) + "__readpast.sql"), text(script));
        }
        Flyway flyway = Flyway.configure()
                .dataSource(url, null, null)
                .locations("filesystem:" + folder)
                .baselineVersion(Integer.toString(installed()))
                .load();
        if (installed() > 0 && flyway.info().applied().length == 0) {
            flyway.baseline();
        }
        return flyway.migrate().migrationsExecuted;
    }
}
