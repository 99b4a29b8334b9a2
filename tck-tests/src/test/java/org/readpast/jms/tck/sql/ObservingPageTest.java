package org.readpast.jms.tck.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.tck.rig.TestDatabase;

/** That the queries of docs/observing.md can be pasted. */
class ObservingPageTest {

    private static final Path PAGE = Path.of("../docs/observing.md");
    private static final Pattern QUERIES = Pattern.compile("(?s)```sql\\n(.*?)```");
    private static final Pattern QUESTIONS = Pattern.compile("(?sm)^\\*\\*[^*]+\\?\\*\\*(.*?)(?=^\\*\\*|^## )");

    static Stream<TestDatabase> servers() {
        return TestDatabase.servers();
    }

    @Test
    void each_question_has_one_query() throws Exception {
        List<String> answers = QUESTIONS
                .matcher(Files.readString(PAGE))
                .results()
                .map(question -> question.group(1))
                .toList();

        assertThat(answers).hasSizeGreaterThan(3);
        assertThat(answers)
                .allSatisfy(
                        answer -> assertThat(QUERIES.matcher(answer).results().count())
                                .as(answer)
                                .isOne());
    }

    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("servers")
    @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void each_query_runs(TestDatabase database) throws Exception {
        SqlQueue procedures = new SqlQueue(database);
        procedures.install();
        List<String> queries = QUERIES.matcher(Files.readString(PAGE))
                .results()
                .map(block -> block.group(1))
                .toList();

        assertThat(queries).hasSizeGreaterThan(3);
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (String query : queries) {
                String text = procedures.isTransactSql() ? query : query.replace("[readpast]", "readpast");
                assertThatCode(() -> SqlRow.all(statement.executeQuery(text)))
                        .as(text)
                        .doesNotThrowAnyException();
            }
        }
    }
}
