package org.readpast.jms.tck.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.tck.rig.TestDatabase;

/** The examples of sql/README.md answer what the page says. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SqlExamplesTest {

    private static final Path PAGE = Path.of("..", "sql", "README.md");
    private static final Pattern ANSWER = Pattern.compile("(?m)^-->(.*)$");
    private static final Pattern STATEMENT_END = Pattern.compile("(?m)(?<=;)$");

    static Stream<TestDatabase> databases() {
        return TestDatabase.servers();
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("databases")
    void example_answers_what_the_page_says(TestDatabase database) throws Exception {
        boolean isTransactSql = database == TestDatabase.SQLSERVER;
        String schema = "examples_" + Long.toString(System.nanoTime(), 36);
        String example = example(isTransactSql ? "SQL Server" : "PostgreSQL").replaceAll("\\breadpast\\b", schema);
        List<String> expected = ANSWER.matcher(example)
                .results()
                .map(found -> found.group(1).strip())
                .toList();

        InstallScriptsTest.run(database, schema, "install.sql", "no");
        try (Connection sql = database.connect()) {
            List<List<SqlRow>> answers = new ArrayList<>();
            for (String pasted : isTransactSql ? List.of(example) : statements(example)) {
                answers.addAll(answers(sql, pasted));
            }

            assertThat(answers).hasSameSizeAs(expected).hasSizeGreaterThan(10);
            for (int i = 0; i < expected.size(); i++) {
                String answer = expected.get(i);
                assertThat(answers.get(i)).as("answer %d", i + 1).isNotEmpty();
                assertThat(answers.get(i).get(0).columns().values())
                        .as("answer %d", i + 1)
                        .anyMatch(value -> says(value, answer));
            }
        }
        // Nothing waits any more, so that this is not refused.
        InstallScriptsTest.run(database, schema, "uninstall.sql", "no");
    }

    /** A number or a flag is the whole value, anything else a part of it. */
    private static boolean says(Object value, String answer) {
        String text = value instanceof Boolean flag ? (flag ? "t" : "f") : String.valueOf(value);
        return answer.length() == 1 ? text.equals(answer) : text.contains(answer);
    }

    private static String example(String server) throws IOException {
        Matcher block =
                Pattern.compile("(?s)\n" + server + ":\n```sql\n(.*?)```").matcher(Files.readString(PAGE));
        assertThat(block.find()).as("example for %s in %s", server, PAGE).isTrue();
        return block.group(1);
    }

    private static List<String> statements(String example) {
        return Stream.of(STATEMENT_END.split(example))
                .filter(statement -> statement.contains(";"))
                .toList();
    }

    private static List<List<SqlRow>> answers(Connection sql, String pasted) throws SQLException {
        List<List<SqlRow>> answers = new ArrayList<>();
        try (Statement statement = sql.createStatement()) {
            boolean isResult = statement.execute(pasted);
            while (isResult || statement.getUpdateCount() != -1) {
                if (isResult) {
                    answers.add(SqlRow.all(statement.getResultSet()));
                }
                isResult = statement.getMoreResults();
            }
        }
        return answers;
    }
}
