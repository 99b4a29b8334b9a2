package org.readpast.clients.migrations;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import liquibase.Liquibase;
import liquibase.change.Change;
import liquibase.changelog.ChangeSet;
import liquibase.database.Database;
import liquibase.database.DatabaseFactory;
import liquibase.resource.ClassLoaderResourceAccessor;
import liquibase.statement.SqlStatement;
import org.junit.jupiter.api.Test;

/** What Liquibase would send a SQL Server: the batches of each script, as sqlcmd sends them. */
class SqlServerChangelogTest {

    private static Stream<String> batches(String script) throws Exception {
        try (InputStream in = SqlServerChangelogTest.class
                .getClassLoader()
                .getResourceAsStream("org/readpast/jms/sql/sqlserver/schema/" + script)) {
            return MigrationsContract.batches(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void each_script_is_sent_batch_by_batch() throws Exception {
        ClassLoaderResourceAccessor files = new ClassLoaderResourceAccessor();
        Database offline = DatabaseFactory.getInstance().openDatabase("offline:mssql", null, null, null, files);
        List<ChangeSet> scripts;
        try (Liquibase liquibase = new Liquibase("sqlserver.yaml", files, offline)) {
            scripts = liquibase.getDatabaseChangeLog().getChangeSets();
        }
        assertThat(scripts).hasSize(6);
        for (ChangeSet script : scripts) {
            List<String> sent = new ArrayList<>();
            for (Change change : script.getChanges()) {
                for (SqlStatement statement : change.generateStatements(offline)) {
                    // Its lines end as on Windows.
                    sent.add(statement.toString().replace("\r\n", "\n").strip());
                }
            }
            assertThat(sent)
                    .as(script.getId())
                    .containsExactlyElementsOf(
                            batches(names().get(scripts.indexOf(script))).toList());
        }
    }

    private static List<String> names() throws Exception {
        return batches("scripts.txt")
                .flatMap(String::lines)
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.substring(0, line.indexOf(' ')))
                .toList();
    }
}
