package org.readpast.jms.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What errors and log lines call an option: {@code option 'poolSize'}, by a name that there is. */
class OptionWordsTest {

    /** Maven runs the tests of a module in its folder. */
    private static final Path SOURCES = Path.of("src", "main", "java");

    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\\\n]|\\\\.)*)\"");
    private static final Pattern CALLED = Pattern.compile("[Oo]ptions? '([\\w.]+)'");
    private static final Pattern UNQUOTED = Pattern.compile("\\b[Oo]ption ([a-z]\\w*)");

    /** What options mean is written for a table, with signs of its own; and names of other providers are not ours. */
    private static final List<String> NO_MESSAGES = List.of("Option.java", "ForeignOptions.java");

    /** The sentences, or parts of them, by the file that they are in. */
    private static Map<String, List<String>> messages() throws IOException {
        Map<String, List<String>> found = new TreeMap<>();
        try (Stream<Path> files = Files.walk(SOURCES)) {
            files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !NO_MESSAGES.contains(file.getFileName().toString()))
                    .forEach(file -> found.put(file.toString(), sentences(file)));
        }
        return found;
    }

    private static List<String> sentences(Path file) {
        try {
            return LITERAL.matcher(Files.readString(file))
                    .results()
                    .map(literal -> literal.group(1))
                    .filter(text -> text.contains(" "))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void each_option_that_is_named_exists() throws IOException {
        List<String> named = messages().values().stream()
                .flatMap(List::stream)
                .flatMap(text -> CALLED.matcher(text).results())
                .map(match -> match.group(1))
                .toList();

        assertThat(named).contains("join", "closeTimeoutMillis", "maxBodyBytes", "consumer.leaseSeconds");
        assertThat(named)
                .allSatisfy(name -> assertThat(Option.of(name)).as(name).isPresent());
    }

    @Test
    void each_name_of_an_option_is_in_quotes() throws IOException {
        Pattern names = Pattern.compile("(?<![\\w.'$])("
                + String.join(
                        "|",
                        Stream.of(Option.values())
                                .map(Option::key)
                                .filter(key -> !key.equals(key.toLowerCase(java.util.Locale.ROOT)) || key.contains("."))
                                .map(Pattern::quote)
                                .toList())
                + ")(?![\\w])");
        messages().forEach((file, texts) -> {
            assertThat(texts).as(file).allSatisfy(text -> {
                assertThat(found(names, text)).as(text).isEmpty();
                assertThat(found(UNQUOTED, text).stream()
                                .filter(name -> Option.of(name).isPresent()))
                        .as(text)
                        .isEmpty();
            });
        });
    }

    private static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }
}
