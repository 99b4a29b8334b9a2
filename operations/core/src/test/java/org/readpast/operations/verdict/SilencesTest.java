package org.readpast.operations.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which findings the lines of a file silence. */
class SilencesTest {

    private static final Instant NOW = Instant.parse("2026-11-25T20:00:00Z");

    @TempDir
    Path folder;

    private Silences read(String... lines) throws IOException {
        return Silences.read(Files.write(folder.resolve("silenced"), List.of(lines)));
    }

    private static Finding finding(Cause cause, String subject) {
        return new Finding(Severity.WARNING, cause, subject, null, "", List.of(), "");
    }

    @ParameterizedTest
    @CsvSource({
        "DLQ, DLQ, true",
        "DLQ, DLQ.orders, false",
        "DLQ*, DLQ.orders, true",
        "*.orders, DLQ.orders, true",
        "*, anything at all, true",
        "a.c, abc, false",
        "a\\E*, a\\Eb, true",
        "\"billing on host *\", billing on host app3, true",
        "D*, 'DLQ\nof two lines', true"
    })
    void a_subject_is_a_name_in_which_a_star_stands_for_anything(String pattern, String subject, boolean isSilenced)
            throws IOException {
        Silences silences = read("dead-letters " + pattern + " 2026-11-25T20:00:01Z known");
        assertThat(silences.of(finding(Cause.DEAD_LETTERS, subject), NOW).isPresent())
                .isEqualTo(isSilenced);
        assertThat(silences.of(finding(Cause.POISON, subject), NOW)).isEmpty();
    }

    @Test
    void a_silence_ends_when_it_says() throws IOException {
        Silences silences =
                read("# as of Monday", "", "  poison\torders  2026-11-25T20:00:00Z   ticket 4711: they know  ");
        Finding poison = finding(Cause.POISON, "orders");
        Silence silence = new Silence(Cause.POISON, "orders", NOW, "ticket 4711: they know");
        assertThat(silences.of(poison, NOW.minusMillis(1))).contains(silence);
        assertThat(silences.over(NOW.minusMillis(1))).isEmpty();
        assertThat(silences.of(poison, NOW)).isEmpty();
        assertThat(silences.over(NOW)).containsExactly(silence);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "poison orders 2026-11-25T20:00:00Z | FINDING SUBJECT UNTIL WHY",
                "poisson orders 2026-11-25T20:00:00Z why | no finding 'poisson'",
                "poison orders tomorrow why | 'tomorrow' is no time in UTC",
                "poison orders 2026-11-25T20:00:00 why | is no time in UTC"
            })
    void a_line_that_is_not_understood_is_named(String line, String message) {
        assertThatThrownBy(() -> read("# first", line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("silenced, line 2: ")
                .hasMessageContaining(message);
    }

    @Test
    void a_file_that_is_not_there_is_an_error_and_none_silences_nothing() {
        assertThatThrownBy(() -> Silences.read(folder.resolve("nowhere")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nowhere");
        assertThat(Silences.read(null).of(finding(Cause.POISON, "orders"), NOW)).isEmpty();
    }

    @Test
    void the_example_of_the_page_is_understood() throws IOException {
        String page = Files.readString(Path.of("..", "..", "docs", "verdict.md"));
        String example = Pattern.compile("(?s)## Silencing.*?```\\n(.*?)```")
                .matcher(page)
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
        assertThat(read(example).over(Instant.MAX)).hasSize(2);
    }
}
