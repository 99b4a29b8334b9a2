package org.readpast.jms.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ConfigurationPageTest {

    /** Maven runs the tests of a module in its folder. */
    private static final Path PAGE = Path.of("..", "docs", "configuration.md");

    @Test
    void page_has_the_row_of_each_option_and_no_other() throws IOException {
        List<String> rows = Files.readAllLines(PAGE).stream()
                .dropWhile(line -> !line.startsWith("| option "))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .toList();

        assertThat(rows).isEqualTo(Stream.of(Option.values()).map(Option::row).toList());
    }

    @Test
    void each_setter_says_what_its_option_means() throws IOException {
        String setters = Files.readString(Path.of("src/main/java/org/readpast/jms/OptionSetters.java"))
                .replaceAll("\\s+\\*\\s+", " ")
                .replaceAll("\\{@code ([^}]*)}", "`$1`");

        assertThat(Option.values())
                .allSatisfy(option -> assertThat(setters)
                        .containsIgnoringCase("Sets the option `" + option.key() + "`: " + option.meaning()));
    }

    @Test
    void page_has_each_familiar_name() throws IOException {
        assertThat(Files.readString(PAGE)).contains(ForeignOptions.names());
    }
}
