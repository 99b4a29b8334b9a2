package org.readpast.jms.store.jdbc.tsql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the linter refuses, and what beside it is accepted: against the table of constructs as it is, and a small schema. */
class LinterTest {

    private static final String SETTINGS = "SET ANSI_NULLS, QUOTED_IDENTIFIER ON;\nGO\n";

    private static final String SCHEMA = SETTINGS + """
            CREATE TABLE [readpast].t (
                a  int            NOT NULL,
                b  bigint         NOT NULL,
                c  nvarchar(100)  NULL,
                n  nvarchar(100)  COLLATE Latin1_General_100_BIN2  NULL,
                f  int            NULL,
                CONSTRAINT pk PRIMARY KEY CLUSTERED (a, b) WITH (ALLOW_PAGE_LOCKS = OFF));
            CREATE TABLE [readpast].checked (
                a  int            NOT NULL,
                CONSTRAINT one CHECK (a = 1 OR a = 2));
            CREATE INDEX filtered ON [readpast].t (f) WHERE f IS NOT NULL;
            GO
            CREATE VIEW [readpast].v AS SELECT a, n AS name FROM [readpast].t;
            """;

    private static List<String> lint(String file, String sql) {
        return new Linter(SqlServerConstructsTest.constructs(), Map.of("schema/001-tables.sql", SCHEMA, file, sql))
                .findings();
    }

    private static List<String> lint(String sql) {
        return lint("claim.sql", sql);
    }

    private static String in(String entered, String sql) {
        return "-- Entered: " + entered + "\nSELECT a FROM [readpast].t WHERE a = :one;\n" + sql;
    }

    @Test
    void a_schema_and_a_claim_are_accepted() {
        assertThat(lint("""
                                SELECT TOP (:max) m.b, CASE WHEN m.a > 1 THEN m.c END AS c
                                FROM [readpast].t AS m WITH (UPDLOCK, READPAST, ROWLOCK, FORCESEEK (pk (a, b)))
                                WHERE m.a = :one AND m.b > :two AND (m.f IS NULL OR m.f > 3)
                                ORDER BY m.b;
                                SELECT k.b, CASE WHEN EXISTS (SELECT 1 FROM [readpast].t AS s WHERE s.a = k.a) THEN 1 ELSE 0 END AS x
                                FROM (
                                    SELECT TOP (:max) m.a, m.b
                                    FROM [readpast].t AS m WITH (UPDLOCK, READPAST, ROWLOCK, FORCESEEK (pk (a, b)))
                                    WHERE m.a = :one AND m.b > :two
                                    ORDER BY m.b) AS k
                                """)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10724 | DELETE FROM [readpast].t WITH (FORCESEEK) WHERE a = 1",
                "10724 | UPDATE [readpast].t WITH (ROWLOCK, FORCESEEK (pk (a))) SET f = 1 WHERE a = 1",
                "10724 | INSERT INTO [readpast].t WITH (FORCESEEK) (a, b) VALUES (1, 2)",
                "10745 | DELETE FROM [readpast].t WITH (FORCESCAN)",
                "1069  | UPDATE [readpast].t WITH (INDEX (pk)) SET f = 1",
                "1065  | DELETE FROM [readpast].t WITH (NOLOCK) WHERE a = 1",
                "4102  | INSERT INTO [readpast].t WITH (READPAST) (a, b) SELECT 1, 2",
                "650   | SELECT a FROM [readpast].t WITH (READPAST, HOLDLOCK) WHERE a = 1",
                "650   | SELECT a FROM [readpast].t WITH (READPAST, NOLOCK) WHERE a = 1",
                "651   | SELECT a FROM [readpast].t WITH (UPDLOCK, PAGLOCK) WHERE a = 1",
                "1047  | SELECT a FROM [readpast].t WITH (ROWLOCK, NOLOCK) WHERE a = 1",
                "no source | UPDATE m SET f = 1 FROM @k AS k INNER LOOP JOIN [readpast].t AS m"
                        + " WITH (READPAST, ROWLOCK, FORCESEEK (pk (a, b))) ON m.a = k.a AND m.b = k.b",
                "333 | DELETE FROM [readpast].t OUTPUT deleted.a INTO [readpast].checked (a) WHERE a = 1",
                "reads ahead | SELECT TOP (1) m.b, CASE WHEN EXISTS (SELECT 1 FROM [readpast].t AS s WHERE s.a = m.a) THEN 1 ELSE 0 END"
                        + " AS x FROM [readpast].t AS m WITH (UPDLOCK, READPAST, ROWLOCK, FORCESEEK (pk (a))) WHERE m.a = 1 ORDER BY m.b",
                "11719 | SELECT a FROM [readpast].t WHERE b = (SELECT NEXT VALUE FOR [readpast].s)",
            })
    void what_is_known_to_be_refused_is_told_with_its_error(String error, String sql) {
        assertThat(lint("DECLARE @k TABLE (a int NULL, b bigint NULL);\n" + sql))
                .singleElement()
                .asString()
                .startsWith("claim.sql:2 ")
                .contains(error);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT a FROM [readpast].t WITH (UPDLOCK, READPAST) WHERE a = 1",
                "SELECT TOP (1) a FROM [readpast].t",
                "UPDATE TOP (1) [readpast].t SET f = 1",
                "UPDATE [readpast].t SET f = 1 OUTPUT inserted.a INTO [readpast].u (a) WHERE a = 1",
                "SELECT a FROM [readpast].t WHERE a = 1 OPTION (KEEP PLAN)",
                "SELECT a FROM [readpast].t AS x INNER HASH JOIN [readpast].t AS y ON x.a = y.a",
                "SELECT STRING_AGG(a, 1) FROM [readpast].t",
                "SELECT CAST(c AS json) FROM [readpast].t",
                "SELECT name FROM sys.dm_os_wait_stats",
                "SET NOCOUNT ON",
                "EXECUTE sp_rename N'a', N'b'",
                "EXECUTE (N'ALTER DATABASE x SET RECOVERY SIMPLE')"
            })
    void what_no_row_allows_is_to_be_added_with_a_source(String sql) {
        assertThat(lint(sql))
                .isNotEmpty()
                .allMatch(finding -> finding.startsWith("claim.sql:1 ")
                        && finding.contains("add it to the table in docs/sqlserver-constructs.md, with a source"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "MERGE [readpast].t AS x USING [readpast].t AS y ON x.a = y.a WHEN MATCHED THEN DELETE;",
                "WAITFOR DELAY '00:00:01'",
                "SELECT a FROM @k WITH (NOLOCK)",
                "SELECT a INTO #x FROM [readpast].t",
                "CREATE TABLE [readpast].u (a int NOT NULL REFERENCES [readpast].t (a))",
                "SELECT a FROM [readpast].t (NOLOCK"
            })
    void what_is_not_understood_is_told(String sql) {
        assertThat(lint("\n" + sql)).singleElement().asString().startsWith("claim.sql:2 not understood: ");
    }

    @Test
    void read_that_steps_over_rows_locks_under_row_versioning_too() {
        Constructs allowed =
                new Constructs("| `WITH (READPAST, ROWLOCK)` | read, target behind DELETE | 2005 | `claim` | x |");
        String sql = "DELETE FROM t WITH (ROWLOCK, READPAST);\nSELECT a FROM t WITH (ROWLOCK, READPAST)";

        assertThat(new Linter(allowed, Map.of("claim.sql", sql)).findings())
                .singleElement()
                .asString()
                .startsWith("claim.sql:2 READPAST with neither UPDLOCK nor READCOMMITTEDLOCK");
    }

    @Test
    void housekeeping_waits_for_nobody() {
        String sql = """
                SELECT a FROM [readpast].destination WHERE a = 1;
                DELETE FROM [readpast].t WHERE EXISTS (
                    SELECT 1 FROM [readpast].message WITH (READCOMMITTEDLOCK) WHERE a = 1);
                SELECT a FROM [readpast].message WITH (NOLOCK) WHERE a = 1;
                SELECT a FROM [readpast].t""";

        assertThat(lint("queue_settings.sql", sql))
                .satisfiesExactly(
                        finding -> assertThat(finding)
                                .startsWith("queue_settings.sql:1 housekeeping would wait")
                                .endsWith(" destination"),
                        finding -> assertThat(finding)
                                .startsWith("queue_settings.sql:3 housekeeping would wait")
                                .endsWith(" message"));
        assertThat(lint("claim.sql", sql)).isEmpty();
    }

    @Test
    void each_column_says_whether_it_may_be_null() {
        assertThat(lint("DECLARE @k TABLE (\na int,\nb bigint NULL,\nc int NOT NULL, d int PRIMARY KEY)"))
                .singleElement()
                .asString()
                .startsWith("claim.sql:2 a says neither NULL nor NOT NULL");
    }

    @Test
    void sending_keeps_no_lock_on_its_queue_or_topic() {
        String sql = "SELECT a FROM [readpast].destination WHERE a = 1;\nSELECT a FROM [readpast].subscription;\n"
                + "SELECT a FROM [readpast].t";

        assertThat(lint("insert_message.sql", sql)).hasSize(2);
        assertThat(lint("topic_subscriptions.sql", sql))
                .satisfiesExactly(
                        one -> assertThat(one)
                                .startsWith(
                                        "topic_subscriptions.sql:1 at REPEATABLE READ the row of destination stays locked"),
                        two -> assertThat(two)
                                .startsWith(
                                        "topic_subscriptions.sql:2 at REPEATABLE READ the row of subscription stays locked"));
        assertThat(lint("claim.sql", sql)).isEmpty();
    }

    @Test
    void form_in_a_file_that_its_row_does_not_name_is_refused() {
        String sql = "SELECT TOP (1) a FROM [readpast].t";

        assertThat(lint("holds_groups.sql", sql)).isEmpty();
        assertThat(lint("claim.sql", sql)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE m FROM @k AS k INNER LOOP JOIN [readpast].t AS m WITH (ROWLOCK, FORCESEEK (pk (a, b)))"
                        + " ON m.a = k.a AND m.b = k.b",
                "UPDATE m SET f = 1 FROM @k AS k INNER LOOP JOIN [readpast].t AS m"
                        + " WITH (READPAST, ROWLOCK, FORCESEEK, INDEX (pk)) ON m.a = k.a AND m.b = k.b",
                "DELETE FROM [readpast].t WITH (READPAST, ROWLOCK) WHERE a = 1",
                "SELECT a FROM [readpast].t WITH (READPAST, READCOMMITTEDLOCK) WHERE f IS NOT NULL",
                "DECLARE @n bigint = NEXT VALUE FOR [readpast].s",
                "INSERT INTO [readpast].t (a, b) SELECT d, i FROM OPENJSON(:keys) WITH (d int '$.d', i bigint '$.i') AS j"
            })
    void what_a_row_allows_is_accepted(String sql) {
        assertThat(lint("move_expired.sql", "DECLARE @k TABLE (a int NULL, b bigint NULL);\n" + sql))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "308  | FORCESEEK (nothing (a))  | m.a = 1",
                "362  | FORCESEEK (pk (b))       | m.b = 1",
                "362  | FORCESEEK (pk (b, a))    | m.a = 1 AND m.b = 1",
                "362  | FORCESEEK (pk (a, b, f)) | m.a = 1 AND m.b = 1 AND m.f = 2",
                "8622 | FORCESEEK (pk (a, b))    | m.a = 1",
                "8622 | FORCESEEK (pk (a))       | m.a <> 1",
                "8622 | FORCESEEK (filtered (f)) | m.f = 1"
            })
    void forced_index_is_there_and_is_sought(String error, String hint, String condition) {
        assertThat(lint("SELECT m.a FROM [readpast].t AS m WITH (" + hint + ") WHERE " + condition))
                .singleElement()
                .asString()
                .startsWith("claim.sql:1 " + error);
    }

    @Test
    void forced_filtered_index_needs_its_filter_in_the_statement() {
        assertThat(lint("SELECT a FROM [readpast].t WITH (FORCESEEK (filtered (f))) WHERE f = 1 AND f IS NOT NULL"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "266  | in a transaction    | COMMIT TRANSACTION",
                "266  | in a transaction    | COMMIT TRANSACTION; SELECT 1 AS committed",
                "266  | in a transaction    | COMMIT TRANSACTION; BEGIN TRANSACTION",
                "266  | in a transaction    | IF @@ROWCOUNT = 1 COMMIT TRANSACTION",
                "266  | with autocommit     | BEGIN TRANSACTION",
                "commits nothing | in no transaction | COMMIT TRANSACTION; BEGIN TRANSACTION; COMMIT TRANSACTION",
                "3902 | in no transaction   | COMMIT TRANSACTION; COMMIT TRANSACTION",
                "266  | in a transaction    | EXECUTE sp_executesql N'COMMIT TRANSACTION'; SELECT a FROM [readpast].t",
            })
    void call_that_ends_with_another_transaction_count_is_refused(String error, String entered, String sql) {
        assertThat(lint("mark_and_commit.sql", in(entered, sql))).anyMatch(finding -> finding.contains(error));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "in no transaction           | COMMIT TRANSACTION",
                "in no transaction           | SELECT b FROM [readpast].t",
                "in a transaction            | COMMIT TRANSACTION; SELECT a FROM [readpast].t",
                "in a transaction, as a batch | COMMIT TRANSACTION",
                "in a transaction            | IF @@ROWCOUNT = 0 BEGIN ROLLBACK TRANSACTION; THROW 50001, N'x', 1; END",
                "in a transaction            | BEGIN TRY SELECT 1 AS x; END TRY BEGIN CATCH"
                        + " IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION; THROW; END CATCH",
            })
    void call_that_keeps_its_transaction_count_is_accepted(String entered, String sql) {
        assertThat(lint("mark_and_commit.sql", in(entered, sql))).isEmpty();
    }

    @Test
    void savepoint_does_not_change_the_transaction_count() {
        assertThat(lint(in("in a transaction", "SAVE TRANSACTION mark; ROLLBACK TRANSACTION mark")))
                .noneMatch(finding -> finding.contains("266"));
    }

    @Test
    void call_with_a_transaction_statement_says_how_it_is_entered() {
        assertThat(lint("mark_and_commit.sql", "SELECT a FROM [readpast].t WHERE a = :one;\nCOMMIT TRANSACTION"))
                .singleElement()
                .asString()
                .contains("no line \"-- Entered:");
    }

    @Test
    void procedure_ends_the_transaction_that_it_begins_and_no_other() {
        String procedure = SETTINGS + """
                CREATE PROCEDURE [readpast].p @own bit AS
                BEGIN
                    IF @own = 1
                        BEGIN TRANSACTION;
                    UPDATE [readpast].t SET f = 1 WHERE a = 1;
                    IF @own = 1
                        COMMIT TRANSACTION;
                END
                """;

        assertThat(lint("schema/003-procedures.sql", procedure)).isEmpty();
        assertThat(lint("schema/003-procedures.sql", procedure.replace("COMMIT TRANSACTION", "PRINT N'done'")))
                .contains("schema/003-procedures.sql:1 p: 266: entered with 0 transactions, it ends with 1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "468 | SELECT x.a FROM [readpast].t AS x INNER JOIN [readpast].t AS y ON x.n = y.c",
                "468 | SELECT a FROM [readpast].t WHERE n IN (SELECT c FROM [readpast].t)",
                "468 | SELECT a FROM [readpast].t WHERE COALESCE(n, c) = :c",
                "468 | SELECT CONCAT(n, c) AS both FROM [readpast].t",
                "468 | SELECT v.a FROM [readpast].v AS v INNER JOIN [readpast].t AS t ON t.c = v.name",
                "468 | SELECT t.a FROM OPENJSON(:j) WITH (n nvarchar(10) '$.n') AS j INNER JOIN [readpast].t AS t ON t.n = j.n",
                "468 | SELECT t.a FROM [readpast].t AS t INNER JOIN sys.dm_exec_sessions AS s ON s.host_name = t.c",
                "451 | SELECT delayed_durability_desc AS x FROM sys.databases UNION ALL SELECT name FROM sys.tables",
            })
    void strings_of_two_collations_do_not_meet(String error, String sql) {
        assertThat(lint("check_settings.sql", sql))
                .singleElement()
                .asString()
                .startsWith("check_settings.sql:1 " + error);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT a FROM [readpast].t WHERE n = :n OR c LIKE N'x%'",
                "SELECT x.a FROM [readpast].t AS x INNER JOIN [readpast].t AS y ON x.n = y.c COLLATE Latin1_General_100_BIN2",
                "SELECT delayed_durability_desc COLLATE DATABASE_DEFAULT AS x FROM sys.databases UNION ALL SELECT name FROM sys.tables"
            })
    void variables_and_collate_give_way_and_decide(String sql) {
        assertThat(lint("check_settings.sql", sql)).isEmpty();
    }

    @Test
    void script_sets_what_its_first_create_needs() {
        assertThat(lint("schema/002-views.sql", "CREATE VIEW [readpast].w AS SELECT a FROM [readpast].t;"))
                .containsExactly(
                        "schema/002-views.sql:1 1934: no SET ANSI_NULLS ON before its first CREATE",
                        "schema/002-views.sql:1 1934: no SET QUOTED_IDENTIFIER ON before its first CREATE");
    }

    @Test
    void text_that_is_executed_is_read_with_the_lines_of_its_file() {
        assertThat(lint(
                        "schema/002-views.sql",
                        SETTINGS + "EXECUTE (N'\nCREATE VIEW [readpast].w AS\nSELECT TOP (1) a FROM [readpast].t')"))
                .singleElement()
                .asString()
                .startsWith("schema/002-views.sql:5 TOP (n) (SELECT) is in no row");
    }

    @Test
    void row_that_nothing_uses_and_row_that_allows_what_another_refuses_are_told() {
        Constructs constructs = new Constructs("""
                | `LEN`, `LOWER` | function | 2005 | `claim`, `gone` | x |
                | `WITH (FORCESEEK, ROWLOCK)` | target behind DELETE | 2005 | e.g. `claim` | x |
                ## Refused
                | `WITH (FORCESEEK)` | target behind DELETE | error 10724 | x |
                """);
        Linter linter = new Linter(constructs, Map.of("claim.sql", "SELECT LEN(N'x') AS x"));

        assertThat(constructs.unused(linter.uses()))
                .containsExactlyInAnyOrder(
                        "LOWER (function)",
                        "[LEN, LOWER] in gone",
                        "WITH (FORCESEEK, ROWLOCK) (target behind DELETE)",
                        "[WITH (FORCESEEK, ROWLOCK)] in claim");
        assertThat(constructs.contradictions()).containsExactly("WITH (FORCESEEK, ROWLOCK) (target behind DELETE)");
    }
}
