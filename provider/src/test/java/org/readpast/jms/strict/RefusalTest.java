package org.readpast.jms.strict;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.sqlserver.jdbc.SQLServerException;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.store.jdbc.TestDatabase;
import org.readpast.jms.store.jdbc.sql.SqlFilesTest;

/** Which texts are refused, with the number that SQL Server gives. */
class RefusalTest {

    private static final Pattern BATCH_END = Pattern.compile("(?m)^GO\\s*$");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DELETE FROM s.t WITH (ROWLOCK, FORCESEEK) WHERE id = ? | 10724",
                "DELETE TOP (?) FROM [s].[t] WITH (FORCESEEK (t_key (id))) WHERE id = ? | 10724",
                "UPDATE t WITH (FORCESEEK) SET a = 1 WHERE id = ? | 10724",
                "UPDATE t WITH /* key */ (ROWLOCK, FORCESCAN) SET a = 1 | 10745",
                "INSERT INTO t WITH (FORCESEEK) (a) VALUES (1) | 10724",
                "SET NOCOUNT ON; IF @a = 1 BEGIN DELETE t WITH (INDEX (i)) WHERE id = 1 END | 1069",
                "UPDATE t WITH (INDEX = 1) SET a = 1 | 1069",
                "MERGE t WITH (INDEX (i)) AS x USING s ON s.id = x.id WHEN MATCHED THEN DELETE | 1069",
                "DELETE t WITH (NOLOCK) FROM t JOIN s ON s.id = t.id | 1065",
                "MERGE INTO t WITH (READUNCOMMITTED) AS x USING s ON s.id = x.id WHEN MATCHED THEN DELETE | 1065",
                "INSERT INTO t WITH (READPAST) (a) SELECT a FROM s | 4102",
                "INSERT INTO @t WITH (TABLOCK) (a) VALUES (1) | 156",
                "SELECT a FROM t AS m WITH (UPDLOCK, READPAST, HOLDLOCK) | 650",
                "SELECT a FROM t m WITH (READPAST, SERIALIZABLE) | 650",
                "SELECT a FROM t WITH (READPAST, NOLOCK) | 650",
                "SELECT 1 WHERE EXISTS (SELECT 1 FROM s, t WITH (READPAST, HOLDLOCK)) | 650",
                "SELECT a FROM t WITH (NOLOCK, UPDLOCK) | 1047",
                "SELECT a FROM t WITH (ROWLOK) | 321",
                "EXECUTE (N'UPDATE t WITH (INDEX (i)) SET a = ''x''') | 1069",
                "CREATE PROCEDURE p AS BEGIN DELETE FROM t WITH (FORCESEEK) WHERE id = 1 END | 10724",
                "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE; SELECT a FROM t WITH (UPDLOCK, READPAST) | 650",
                "SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED; SELECT a FROM t WITH (READPAST) | 650",
            })
    void refused(String sql, int number) {
        assertThat(refusal(sql, "READ COMMITTED", "")).isEqualTo(number);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE e FROM t e WITH (FORCESEEK (pk (a, b, c))) INNER JOIN @rows d ON d.a = e.a",
                "DELETE FROM b FROM @ids a INNER LOOP JOIN t b WITH (INDEX = 1, FORCESEEK, PAGLOCK) ON a.id = b.id",
                "UPDATE TOP (1) q SET a = 1 OUTPUT inserted.a FROM t q WITH (FORCESEEK, READPAST, UPDLOCK, ROWLOCK)",
                "DELETE TOP (?) t FROM x t WITH (FORCESEEK)",
                "UPDATE TOP (1) t WITH (READPAST) SET a = 1 FROM t WITH (INDEX (pk))",
                "WITH m AS (SELECT TOP (?) * FROM q WITH (UPDLOCK, READPAST, ROWLOCK) ORDER BY a) DELETE FROM m OUTPUT deleted.a",
                "MERGE t WITH (FORCESEEK, HOLDLOCK) AS x USING (VALUES (1)) AS s (id) ON s.id = x.id WHEN MATCHED THEN UPDATE SET a = 1",
                "INSERT INTO t (a) SELECT a FROM s WITH (READPAST, UPDLOCK, INDEX (i))",
                "SELECT v.a FROM OPENJSON(?) WITH (a nvarchar(10) '$.a') AS v JOIN t j WITH (XLOCK, READPAST, ROWLOCK, FORCESEEK) ON j.a = v.a",
                "CREATE TABLE t (id int PRIMARY KEY WITH (ALLOW_PAGE_LOCKS = OFF)); CREATE INDEX i ON t (id) WITH (ONLINE = ON)",
                "SELECT 'DELETE FROM t WITH (FORCESEEK)' -- UPDATE t WITH (INDEX (i))\n FROM t /* WITH (NONE) */",
                "SELECT a FROM t AS [with] WITH (NOLOCK) WHERE b IN (SELECT b FROM s WITH (READCOMMITTEDLOCK, READPAST))",
            })
    void accepted(String sql) {
        assertThat(refusal(sql, "READ COMMITTED", "")).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SERIALIZABLE | SELECT a FROM t WITH (UPDLOCK, READPAST) | 650",
                "SNAPSHOT | SELECT a FROM t WITH (UPDLOCK, READPAST) | 650",
                "SNAPSHOT | DELETE FROM t WITH (READPAST) WHERE a = 1 | 650",
                "SNAPSHOT | DELETE m FROM t AS m WITH (READPAST) WHERE a = 1 | 650",
                "READ UNCOMMITTED | SELECT a FROM t WITH (READPAST) | 650",
                "READ UNCOMMITTED | DELETE m FROM t AS m WITH (READPAST) WHERE a = 1 | 0",
                "REPEATABLE READ | SELECT a FROM t WITH (UPDLOCK, READPAST) | 0",
                "SNAPSHOT | SELECT a FROM t WITH (READCOMMITTEDLOCK, READPAST) | 0",
                "SERIALIZABLE | SELECT a FROM t WITH (UPDLOCK) | 0",
                "SERIALIZABLE | SET TRANSACTION ISOLATION LEVEL READ COMMITTED; SELECT a FROM t WITH (UPDLOCK, READPAST) | 0",
                "SERIALIZABLE | CREATE PROCEDURE p AS SELECT a FROM t WITH (UPDLOCK, READPAST) | 0",
            })
    void readpast_depends_on_the_isolation_level(String level, String sql, int number) {
        assertThat(refusal(sql, level, "")).isEqualTo(number);
    }

    @Test
    void statement_may_have_several_lines_and_comments() {
        assertThat(refusal("UPDATE t\n  WITH\n(ROWLOCK, -- )\n FORCESEEK)\nSET a = 1", "READ COMMITTED", ""))
                .isEqualTo(10724);
    }

    @Test
    void openjson_needs_compatibility_level_130() {
        String sql = "SELECT a FROM OPENJSON(?) WITH (a int '$.a') AS j";
        assertThat(refusal(sql, "READ COMMITTED", "COMPATIBILITY_LEVEL=120")).isEqualTo(208);
        assertThat(refusal(sql, "READ COMMITTED", "COMPATIBILITY_LEVEL=130")).isZero();
        assertThat(refusal("CREATE PROCEDURE p AS " + sql, "READ COMMITTED", "COMPATIBILITY_LEVEL=120"))
                .isZero();
    }

    @Test
    void select_that_takes_no_lock_steps_over_nothing_where_it_reads_versions() {
        String sql = "SELECT a FROM t AS m WITH (READPAST, FORCESEEK) WHERE a = 1";
        Optional<Refusal> refusal = Refusal.of(Batch.of(sql), "READ COMMITTED", Mode.parse("RCSI"));
        assertThat(refusal)
                .get()
                .extracting(Refusal::text)
                .asString()
                .contains("READPAST on t", "READ_COMMITTED_SNAPSHOT");
        assertThat(refusal(sql, "READ COMMITTED", "")).isZero();
        assertThat(refusal("DELETE m FROM t AS m WITH (READPAST)", "READ COMMITTED", "RCSI"))
                .isZero();
        assertThat(refusal("SELECT a FROM t WITH (READPAST, READCOMMITTEDLOCK)", "READ COMMITTED", "RCSI"))
                .isZero();
    }

    @Test
    void nothing_that_ships_is_refused() {
        Map<String, Refusal> refused = new TreeMap<>();
        Map<String, String> files = SqlFilesTest.texts(TestDatabase.SQL_SERVER);
        files.forEach((file, text) -> {
            for (String batch : BATCH_END.split(text, -1)) {
                Refusal.of(Batch.of(batch), "READ COMMITTED", Mode.parse("RCSI"))
                        .ifPresent(refusal -> refused.put(file, refusal));
            }
        });
        assertThat(files).hasSizeGreaterThan(100);
        assertThat(refused).isEmpty();
    }

    @Test
    void errors_are_of_the_drivers_kind() {
        Throwable error = Refusal.count(1, 0).exception();
        assertThat(error)
                .isInstanceOf(SQLServerException.class)
                .hasMessage(
                        "Transaction count after EXECUTE indicates a mismatching number of BEGIN and COMMIT statements. Previous count = 1,"
                                + " current count = 0.");
        assertThat(((SQLException) error).getErrorCode()).isEqualTo(266);
    }

    /** The number of the refusal; 0 where there is none. */
    private static int refusal(String sql, String level, String mode) {
        return Refusal.of(Batch.of(sql), level, Mode.parse(mode))
                .map(Refusal::number)
                .orElse(0);
    }
}
