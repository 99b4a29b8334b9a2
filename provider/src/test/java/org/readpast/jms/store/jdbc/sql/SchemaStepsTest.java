package org.readpast.jms.store.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
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

    private static final Pattern NULLABLE_COLUMN = Pattern.compile(
            "(?i)ALTER\\s+TABLE\\s+(?:IF\\s+EXISTS\\s+)?[\\w\\[\\].]+\\s+ADD\\s+(?:COLUMN\\s+)?(?:IF\\s+NOT\\s+EXISTS\\s+)?\\w+\\s+\\w+(?:\\s*\\(\\w+\\))?"
                    + "(?:\\s+COLLATE\\s+\\w+)?(?:\\s+NULL)?\\s*");

    /** What a script does to tables that it should not. */
    private static List<String> wrong(String script) {
        return CHANGE.matcher(COMMENT.matcher(script).replaceAll(""))
                .results()
                .map(MatchResult::group)
                .filter(change -> !NULLABLE_COLUMN.matcher(change).matches())
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
                "CREATE TABLE #matching (id int NOT NULL);"
            })
    void nullable_columns_and_new_tables_pass(String step) {
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
                "TRUNCATE TABLE readpast.duplicate_id;"
            })
    void whatever_else_is_found(String step) {
        assertThat(wrong(step)).hasSize(1);
    }

    @Test
    void comments_are_no_steps() {
        assertThat(wrong("-- ALTER TABLE readpast.message ADD x int NOT NULL;\nSELECT 1;"))
                .isEmpty();
    }
}
