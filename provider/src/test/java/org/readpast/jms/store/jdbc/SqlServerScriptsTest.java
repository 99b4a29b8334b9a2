package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.store.jdbc.connect.StoreOptions;
import org.readpast.jms.store.jdbc.sql.SqlFiles;
import org.readpast.jms.store.jdbc.upkeep.SchemaScripts;

/** The scripts that install on SQL Server, for what no server that tests can have here shows. */
class SqlServerScriptsTest {

    private static final Pattern BATCH_END = Pattern.compile("(?m)^GO$");
    private static final Pattern MADE =
            Pattern.compile("(?m)^(?:CREATE (?:TABLE|VIEW)|ALTER (?:PROCEDURE|FUNCTION)) \\[readpast]\\.(\\w+)");
    private static final Pattern INDEX_MADE =
            Pattern.compile("(?m)^CREATE (?:UNIQUE |CLUSTERED )?INDEX (\\w+)\\s+ON \\[readpast]\\.(\\w+)");

    private static final String SETTINGS = """
                SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, CONCAT_NULL_YIELDS_NULL ON;
                SET NUMERIC_ROUNDABORT OFF;
                SET ROWCOUNT 0;
                SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
            """;

    /** Whose rows come and go all the time. */
    private static final Set<String> TURNING_OVER =
            Set.of("message", "delayed_message", "shared_body", "duplicate_id", "commit_marker", "message_group");

    static List<String> scripts() {
        return new SqlServerDialect(StoreOptions.DEFAULTS)
                .parts().schemaScripts().all().stream()
                        .map(SchemaScripts.Script::name)
                        .toList();
    }

    private static String text(String script) {
        return new SqlFiles("sqlserver", "readpast").schemaScript(script);
    }

    private static Stream<String> batches(String script) {
        return Stream.of(BATCH_END.split(text(script)))
                .map(batch -> batch.replaceAll("(?m)--.*$", "").strip())
                .filter(batch -> !batch.isEmpty());
    }

    private static Set<String> found(Pattern pattern, String in) {
        return pattern.matcher(in)
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** sqlcmd without -I and SQL Agent begin with QUOTED_IDENTIFIER OFF, and old programs with more of them. */
    @ParameterizedTest
    @MethodSource("scripts")
    void script_sets_what_its_indexes_and_procedures_need_in_its_first_batch(String script) {
        assertThat(batches(script).findFirst())
                .hasValue(
                        "SET ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, CONCAT_NULL_YIELDS_NULL, QUOTED_IDENTIFIER ON;\n"
                                + "SET NUMERIC_ROUNDABORT OFF;");
    }

    /** SET NOEXEC compiles what it leaves out, and a statement on a column that a later version dropped would end an upgrade. */
    @ParameterizedTest
    @MethodSource("scripts")
    void no_batch_changes_rows_but_those_of_schema_version_and_in_a_text_that_it_executes(String script) {
        List<String> changing = batches(script)
                .filter(batch -> !batch.startsWith("CREATE ") && !batch.startsWith("ALTER PROCEDURE "))
                .map(batch -> batch.replaceAll("N'(?:[^']++|'')*+'", "N''"))
                .filter(batch -> batch.replace("INSERT INTO [readpast].schema_version", "")
                        .matches("(?s).*\\b(INSERT|UPDATE|DELETE|MERGE|IDENTITY_INSERT)\\b.*"))
                .toList();
        assertThat(changing).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void version_is_recorded_where_all_that_the_script_makes_is_there(String script) {
        String last = batches(script).reduce((before, batch) -> batch).orElseThrow();
        Set<String> made = found(MADE, text(script));
        if (script.equals("006-observe.sql")) {
            made.add("locked_message");
        }
        Set<String> needed = found(Pattern.compile("N'(\\w+)'"), last.replace("N'readpast'", ""));
        assertThat(needed).isEqualTo(made);
        assertThat(last).contains(")) < " + made.size());
        assertThat(last).contains("VALUES (" + Integer.parseInt(script.substring(0, 3)) + ", N'" + script + "'");
    }

    /** By number: their names are not to be had on every server that tests run on. */
    @Test
    void version_of_the_tables_is_recorded_where_all_indexes_are_there() {
        String tables = text("001-tables.sql");
        long keys = Pattern.compile("\\bPRIMARY KEY\\b|\\bUNIQUE \\(")
                .matcher(tables)
                .results()
                .count();
        long indexes = INDEX_MADE.matcher(tables).results().count();

        assertThat(tables).contains("i.index_id > 0) < " + (keys + indexes) + "\n");
    }

    /** Whatever a caller has, old settings, a row count or SNAPSHOT, the procedures have their own. */
    @Test
    void procedures_that_are_called_set_what_they_rely_upon_first() {
        Set<String> called = found(Pattern.compile("GRANT EXECUTE ON \\[readpast]\\.(\\w+)"), text("roles.sql"));
        // By the schema's owner alone.
        called.add("restored");
        Set<String> setting = new TreeSet<>();
        Pattern first =
                Pattern.compile("^ALTER PROCEDURE \\[readpast]\\.(\\w+)[^;]*\nAS\nBEGIN\n" + Pattern.quote(SETTINGS));
        for (String script : scripts()) {
            batches(script).forEach(batch -> setting.addAll(found(first, batch)));
        }
        assertThat(called).hasSizeGreaterThan(10);
        assertThat(setting).isEqualTo(called);
    }

    /**
     * A DBA who looks must not wait for whoever makes a queue or sends, and nobody for long for him. Those that rows go in or out by cannot
     * have the hints.
     */
    @Test
    void views_wait_for_nobody() {
        Set<String> tables = found(Pattern.compile("CREATE TABLE \\[readpast]\\.(\\w+)"), text("001-tables.sql"));
        Pattern reference = Pattern.compile("\\b(?:FROM|JOIN) \\[readpast]\\.(\\w+)(?: AS)?(?: \\w)?\\b\\s*"
                + "(WITH \\((?:NOLOCK|READPAST, READCOMMITTEDLOCK)\\b)?");
        List<MatchResult> references = scripts().stream()
                .flatMap(SqlServerScriptsTest::batches)
                .filter(batch -> batch.contains("CREATE VIEW ") || batch.contains("RETURNS TABLE"))
                .filter(batch -> !batch.matches("(?s)CREATE VIEW \\[readpast]\\.(new|removable)_.*"))
                .map(batch -> batch.replace(
                        "(SELECT %%lockres%% COLLATE DATABASE_DEFAULT AS resource FROM [readpast].message)", ""))
                .flatMap(batch -> reference.matcher(batch).results())
                .filter(found -> tables.contains(found.group(1)))
                .toList();
        assertThat(references).hasSizeGreaterThan(25);
        assertThat(references).allMatch(found -> found.group(2) != null);
    }

    /** Statistics of a table that fills and empties are never right, and hot statements would wait for each update of them. */
    @Test
    void tables_that_turn_over_have_statistics_that_nobody_recomputes() {
        List<String> batches = batches("001-tables.sql").toList();
        List<String> without = batches.stream()
                .filter(batch -> Stream.of(MADE, INDEX_MADE)
                        .flatMap(pattern -> pattern.matcher(batch).results())
                        .map(SqlServerScriptsTest::table)
                        .anyMatch(TURNING_OVER::contains))
                .filter(batch -> !batch.contains("WITH (ALLOW_PAGE_LOCKS = OFF, STATISTICS_NORECOMPUTE = ON)"))
                .toList();
        assertThat(without).isEmpty();
    }

    private static String table(MatchResult made) {
        return made.group(made.groupCount());
    }

    /** SSMS keeps its connection, and with it what a run that failed left behind. */
    @ParameterizedTest
    @MethodSource("runnable")
    void install_and_uninstall_begin_anew(String script) {
        List<String> batches = Stream.of(BATCH_END.split(text(script)))
                .map(batch -> batch.replaceAll("(?m)(--|:).*$", "").strip())
                .toList();
        assertThat(batches.get(0)).isEqualTo("SET NOEXEC OFF;");
        assertThat(batches.get(1)).startsWith("IF @@TRANCOUNT > 0\n    ROLLBACK TRANSACTION;");
    }

    static List<String> runnable() {
        return List.of("install.sql", "uninstall.sql");
    }
}
