package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.readpast.jms.config.JdbcUrl;
import org.readpast.jms.store.jdbc.sql.SqlFiles;
import org.readpast.jms.store.jdbc.sql.SqlFilesTest;

/** SQL Server's driver prepares a statement anew for each combination of types: all of ours fit into what it keeps on a connection. */
class StatementVariantsTest {

    /** Maven runs the tests of a module in its folder. */
    private static final Path PAGE = Path.of("..", "docs", "sqlserver.md");

    /** Texts that may be nvarchar(4000) or nvarchar(max), and bytes that may be varbinary(8000) or varbinary(max). */
    private static final Set<String> LONG = Set.of(
            "body", "shared_body", "properties", "keys", "tokens", "ids", "destination_ids", "groups", "deliveries");

    private static final SqlFiles FILES = new SqlFiles("sqlserver", "readpast");

    /** The names of all statements. */
    static List<String> names() {
        return SqlFilesTest.statements(TestDatabase.SQL_SERVER);
    }

    /** In how many combinations of types a statement may be prepared. */
    static int variants(String name) {
        return 1 << longOf(name).size();
    }

    private static Set<String> longOf(String name) {
        Set<String> found = new TreeSet<>(FILES.statement(name).parameters());
        found.retainAll(LONG);
        if (found.contains("shared_body")) {
            // It is null there.
            found.remove("body");
        }
        return found;
    }

    @Test
    void all_statements_in_all_their_types_fit_into_the_drivers_cache() throws IOException {
        int all = names().stream().mapToInt(StatementVariantsTest::variants).sum();
        Matcher size = Pattern.compile("statementPoolingCacheSize=(\\d+)")
                .matcher(JdbcUrl.parse("jdbc:sqlserver://h;databaseName=a").withDefaults("test"));

        assertThat(size.find()).isTrue();
        assertThat(all).isBetween(names().size() + 1, Integer.parseInt(size.group(1)));
        assertThat(Files.readString(PAGE))
                .contains(names().size() + " statements")
                .contains(all + " with");
    }

    /** Else the count says nothing. */
    @Test
    void each_long_parameter_is_one() {
        Set<String> used = new HashSet<>();
        names().forEach(name -> used.addAll(longOf(name)));
        assertThat(used).isEqualTo(LONG);
    }
}
