package org.readpast.jms.store.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.store.jdbc.TestDatabase;

/**
 * What a script behind the first one may do to a table that is there, while others send and receive: add a column that may be null and has no
 * default, which is metadata alone on every database and edition. All else reads or writes the whole table under a lock, or, as an
 * index that is made ONLINE or CONCURRENTLY, is not to be had on each edition or in a transaction.
 */
class SchemaStepsTest {

    private static final Pattern COMMENT = Pattern.compile("(?m)--.*$");

    private static final Pattern CHANGE = Pattern.compile(
            "(?i)\\b(?:(?:ALTER|DROP|TRUNCATE|RENAME)\\s+TABLE|(?:CREATE|ALTER|DROP)\\s+(?:(?:UNIQUE|CLUSTERED|NONCLUSTERED)\\s+)*INDEX)\\b[^;]*");

    /** What stands in functions and procedures is done by who calls them. */
    private static final Pattern BODY = Pattern.compile(
            "(?is)\\$\\$.*?\\$\\$|^(?:CREATE|ALTER)\\s+(?:PROCEDURE|FUNCTION)\\b.*?^GO$", Pattern.MULTILINE);

    private static final Pattern WRITE = Pattern.compile(
            "(?i)\\b(?:UPDATE|DELETE|MERGE(?!\\s+INTO\\s+readpast\\.schema_version\\b)|LOCK\\s+TABLE|REINDEX|CLUSTER|VACUUM|(?:CREATE|ALTER|DROP|DISABLE)\\s+(?:CONSTRAINT\\s+)?TRIGGER"
                    + "|ALTER\\s+(?:DOMAIN|TYPE))\\b[^;]*");

    private static final Pattern NULLABLE_COLUMN = Pattern.compile(
            "(?i)ALTER\\s+TABLE\\s+(?:IF\\s+EXISTS\\s+)?[\\w\\[\\].]+\\s+ADD\\s+(?:COLUMN\\s+)?(?:IF\\s+NOT\\s+EXISTS\\s+)?\\w+\\s+\\w+(?:\\s*\\(\\w+\\))?"
                    + "(?:\\s+COLLATE\\s+\\w+)?(?:\\s+NULL)?\\s*");

    /** The scripts of the first release, in which there are no older clients. */
    private static final Map<TestDatabase, Integer> FIRST_RELEASE =
            Map.of(TestDatabase.H2, 3, TestDatabase.POSTGRESQL, 7, TestDatabase.SQL_SERVER, 6);

    private static final Pattern REFUSAL =
            Pattern.compile("\\s*(?:SELECT|EXECUTE)\\s+\\[?readpast\\]?\\.refuse_older_clients\\W(?s:.*)");

    /** What a script does to tables that it should not. */
    private static List<String> wrong(String script) {
        String text = COMMENT.matcher(script).replaceAll("");
        return Stream.concat(
                        CHANGE.matcher(text)
                                .results()
                                .map(MatchResult::group)
                                .filter(change ->
                                        !NULLABLE_COLUMN.matcher(change).matches()),
                        WRITE.matcher(BODY.matcher(text).replaceAll(""))
                                .results()
                                .map(MatchResult::group))
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void no_script_behind_the_first_keeps_a_table_from_others(TestDatabase database) {
        Map<String, String> texts = SqlFilesTest.texts(database);
        List<String> steps = texts.keySet().stream()
                .filter(name -> name.matches("schema/\\d{3}-.*") && !name.startsWith("schema/001-"))
                .toList();
        assertThat(steps).isNotEmpty();
        assertThat(steps).allSatisfy(name -> assertThat(wrong(texts.get(name))).isEmpty());
        assertThat(wrong(texts.get("schema/001-tables.sql"))).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ALTER TABLE [readpast].message ADD sender nvarchar(40) NULL;",
                "ALTER TABLE readpast.message ADD COLUMN IF NOT EXISTS sender varchar(40);",
                "ALTER TABLE readpast.message ADD COLUMN held_at timestamptz;",
                "CREATE TABLE readpast.next (id int NOT NULL PRIMARY KEY);",
                "CREATE TABLE #matching (id int NOT NULL);",
                "CREATE OR REPLACE FUNCTION f() RETURNS void LANGUAGE sql AS $$ UPDATE readpast.message SET sender = ''; $$;",
                "ALTER PROCEDURE [readpast].p AS\nDELETE FROM [readpast].message;\nGO\n"
            })
    void what_keeps_no_table_from_others_passes(String step) {
        assertThat(wrong(step)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ALTER TABLE [readpast].message ADD sender int NOT NULL DEFAULT 0;",
                "ALTER TABLE readpast.message ADD COLUMN sender int DEFAULT 0;",
                "ALTER TABLE readpast.message ALTER COLUMN body_kind TYPE int;",
                "ALTER TABLE readpast.message ADD CONSTRAINT positive CHECK (body_kind >= 0);",
                "CREATE INDEX message_sender ON [readpast].message (sender) WITH (ONLINE = ON);",
                "CREATE UNIQUE INDEX CONCURRENTLY message_sender ON readpast.message (sender);",
                "DROP INDEX readpast.message_expiry;",
                "ALTER INDEX message_expiry ON [readpast].message REBUILD;",
                "TRUNCATE TABLE readpast.duplicate_id;",
                "UPDATE readpast.message SET sender = '';",
                "DELETE FROM [readpast].duplicate_id;",
                "LOCK TABLE readpast.message IN EXCLUSIVE MODE;",
                "REINDEX TABLE readpast.message;",
                "ALTER DOMAIN readpast.name ADD CHECK (VALUE <> '');",
                "CREATE TRIGGER t AFTER INSERT ON readpast.message FOR EACH ROW EXECUTE FUNCTION readpast.f();"
            })
    void whatever_else_is_found(String step) {
        assertThat(wrong(step)).hasSize(1);
    }

    /** By whatever tool it is run: an installation in a JMS client looks by itself. */
    private static boolean refusesOlderClients(String script) {
        return REFUSAL.matcher(COMMENT.matcher(script).replaceAll("")).matches();
    }

    /** On H2, which has no procedures, JMS clients alone run the scripts. */
    @ParameterizedTest
    @EnumSource(names = "H2", mode = EnumSource.Mode.EXCLUDE)
    void script_that_older_clients_cannot_use_begins_with_refusing_them(TestDatabase database) throws IOException {
        Map<String, String> texts = SqlFilesTest.texts(database);
        assertThat(Files.readAllLines(SqlFilesTest.folder(database).resolve("schema/scripts.txt")))
                .filteredOn(line -> !line.startsWith("#"))
                .isNotEmpty()
                .allSatisfy(line -> {
                    int version = Integer.parseInt(line.substring(0, 3));
                    boolean isForOlderClients = Integer.parseInt(line.substring(line.indexOf(' ') + 1)) < version;
                    assertThat(version <= FIRST_RELEASE.get(database)
                                    || isForOlderClients
                                    || refusesOlderClients(texts.get("schema/" + line.substring(0, line.indexOf(' ')))))
                            .as(line)
                            .isTrue();
                });
    }

    @Test
    void only_what_comes_first_refuses_in_time() {
        assertThat(refusesOlderClients("-- Eight.\nEXECUTE [readpast].refuse_older_clients 8;\nGO\nALTER TABLE"))
                .isTrue();
        assertThat(refusesOlderClients("SELECT readpast.refuse_older_clients(8);\nALTER TABLE"))
                .isTrue();
        assertThat(refusesOlderClients(
                        "ALTER TABLE readpast.message ADD COLUMN x int;\nSELECT readpast.refuse_older_clients(8);"))
                .isFalse();
    }

    @Test
    void comments_are_no_steps() {
        assertThat(wrong("-- ALTER TABLE readpast.message ADD x int NOT NULL;\nSELECT 1;"))
                .isEmpty();
    }
}
