package org.readpast.jms.store.jdbc.tsql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The T-SQL of {@code sql/sqlserver} against the table in {@code docs/sqlserver-constructs.md}, without a server. */
class SqlServerConstructsTest {

    private static final Path SQL = Path.of("..", "sql", "sqlserver");

    static Constructs constructs() {
        return new Constructs(read(Path.of("..", "docs", "sqlserver-constructs.md")));
    }

    /** Every file by its name; but not verify.sql, which runs in a database of its own and says itself what a server refuses. */
    static Map<String, String> files() {
        try (Stream<Path> files = Files.walk(SQL)) {
            Map<String, String> texts = new TreeMap<>();
            files.filter(file -> file.toString().endsWith(".sql") && !file.endsWith("verify.sql"))
                    .forEach(file -> texts.put(SQL.relativize(file).toString().replace('\\', '/'), read(file)));
            return texts;
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
