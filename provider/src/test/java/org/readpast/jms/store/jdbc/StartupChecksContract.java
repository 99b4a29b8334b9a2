package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.jdbc.connect.Connections;
import org.readpast.jms.store.jdbc.connect.StoreOptions;
import org.readpast.jms.store.jdbc.upkeep.StartupChecks;
import org.readpast.jms.store.jdbc.upkeep.StartupWarning;

/** What start-up checks find on a database, and what they make of it. */
abstract class StartupChecksContract extends StoreFixture {

    /** Nothing is as old as this. */
    static final long NEVER = 1_000_000_000_000L;

    StartupChecksContract(TestDatabase database) {
        super(database);
    }

    List<String> warnings(String jdbcUrl, long oldMillis) {
        return new StartupChecks(
                        Connections.ofUrl(jdbcUrl, database.user(), database.password()),
                        opened().statements(),
                        opened().dialect().startupChecks(),
                        oldMillis)
                .warnings();
    }

    /** The beginning of a warning, up to the value that it is about. */
    static String words(StartupWarning finding) {
        String warning = finding.warning("\0");
        return warning.substring(0, warning.indexOf('\0'));
    }

    @Test
    void every_finding_of_the_statements_has_its_words() {
        Dialect dialect = opened().dialect();
        for (String check : dialect.startupChecks()) {
            Matcher finding = Pattern.compile("SELECT (?:DISTINCT )?N?'([A-Z_]+)'")
                    .matcher(dialect.statements().files().statement(check).text());
            int found = 0;
            while (finding.find()) {
                assertThat(StartupWarning.valueOf(finding.group(1)).warning("5 of it"))
                        .contains("5 of it");
                found++;
            }
            assertThat(found).as(check).isPositive();
        }
    }

    @Test
    void database_that_cannot_be_reached_is_no_error_of_the_checks() {
        Dialect dialect = opened().dialect();

        assertThat(new StartupChecks(
                                Connections.ofUrl("jdbc:h2:tcp://localhost:1/none", "sa", ""),
                                dialect.statements(),
                                dialect.startupChecks(),
                                NEVER)
                        .warnings())
                .isEmpty();
    }

    @Test
    void schema_that_is_not_there_is_no_error_of_the_checks() throws Exception {
        StoreOptions elsewhere = options.withSchema(database.newSchema());
        try (java.sql.Connection connection = database.connect()) {
            Dialect dialect = Dialects.of(connection, elsewhere);
            assertThat(new StartupChecks(database.connections(), dialect.statements(), dialect.startupChecks(), NEVER)
                            .warnings())
                    .noneMatch(warning -> warning.contains("message"));
        }
    }
}
