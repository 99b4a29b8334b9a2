package org.readpast.operations.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** That docs/verdict.md says of each finding what it means. */
class VerdictPageTest {

    @Test
    void each_cause_has_its_row() throws IOException {
        String page = Files.readString(Path.of("..", "..", "docs", "verdict.md"));
        assertThat(Pattern.compile("(?m)^\\| `([a-z-]+)`")
                        .matcher(page)
                        .results()
                        .map(row -> row.group(1)))
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(Cause.values()).map(Cause::code).toList());
    }
}
