package org.readpast.jms.store.jdbc.tsql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.jdbc.TestDatabase;
import org.readpast.jms.store.jdbc.sql.SqlFilesTest;

/** The T-SQL of {@code sql/sqlserver} against the table in {@code docs/sqlserver-constructs.md}, without a server. */
class SqlServerConstructsTest {

    static Constructs constructs() {
        return new Constructs(read(Path.of("..", "docs", "sqlserver-constructs.md")));
    }

    /** Every file by its name; but not verify.sql, which runs in a database of its own and says itself what a server refuses. */
    static Map<String, String> files() {
        Map<String, String> texts = SqlFilesTest.texts(TestDatabase.SQL_SERVER);
        texts.remove("schema/verify.sql");
        add("operations", "operations/", texts);
        add("bridge", "bridge/", texts);
        texts.put("schema/bridge/tables.sql", texts.remove("bridge/tables.sql"));
        return texts;
    }

    private static void add(String folder, String names, Map<String, String> texts) {
        try (Stream<Path> files = Files.list(Path.of("..", "sql", "sqlserver", folder))) {
            files.forEach(file -> texts.put(names + file.getFileName(), read(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void each_statement_has_only_forms_that_sql_server_is_known_to_accept() {
        Map<String, String> files = files();

        assertThat(files).hasSizeGreaterThan(100);
        assertThat(new Linter(constructs(), files).findings()).isEmpty();
    }

    /** A caller's TEXTSIZE, 4,096 bytes where his driver sets none, cuts what a SELECT returns and says nothing of it. */
    @Test
    void procedures_that_return_bodies_return_them_whole() {
        List<String> procedures = files().values().stream()
                .flatMap(text -> Stream.of(text.split("(?m)^GO$")))
                .filter(batch -> batch.contains("\nALTER PROCEDURE ") && batch.contains("AS binary_body"))
                .toList();

        assertThat(procedures).isNotEmpty().allMatch(batch -> batch.contains("\n    SET TEXTSIZE 2147483647;"));
    }

    @Test
    void each_row_of_the_table_is_used() {
        assertThat(constructs().unused(new Linter(constructs(), files()).uses()))
                .isEmpty();
    }

    @Test
    void no_row_allows_what_another_refuses() {
        assertThat(constructs().contradictions()).isEmpty();
    }
}
