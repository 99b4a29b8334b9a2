package org.readpast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.readpast.jms.config.Option;

/** What an editor shows of {@code readpast.*}: each option of docs/configuration.md with its meaning and its default. */
class MetadataTest {

    private static final String FILE = "/META-INF/spring-configuration-metadata.json";

    @Test
    void every_option_is_described() throws IOException {
        try (InputStream file = MetadataTest.class.getResourceAsStream(FILE)) {
            assertThat(new String(file.readAllBytes(), StandardCharsets.UTF_8))
                    .as(FILE + " as it should be")
                    .isEqualTo(expected());
        }
    }

    private static String expected() {
        Stream<String> own = Stream.of(
                property(
                        "readpast.enabled",
                        "java.lang.Boolean",
                        "Whether there is a connection factory of Readpast's. Without a value: if there is no other one."
                                + " true: beside another one, by name. false: none.",
                        ""),
                property(
                        "readpast.url",
                        "java.lang.String",
                        "Where the messages are, in place of the application's DataSource: readpast: and a JDBC URL.",
                        ""));
        Stream<String> options = Stream.of(Option.values())
                .map(option -> property(
                        "readpast." + kebab(option.key()),
                        "java.lang.String",
                        option.meaning(),
                        option.defaultValue()));
        return Stream.concat(own, options).collect(Collectors.joining(",\n", "{\n  \"properties\": [\n", "\n  ]\n}\n"));
    }

    private static String property(String name, String type, String meaning, String value) {
        return "    {\n      \"name\": \"" + name + "\",\n      \"type\": \"" + type + "\",\n      \"description\": \""
                + meaning.replace("\\", "\\\\").replace("\"", "\\\"") + "\""
                + (value.isEmpty() ? "" : ",\n      \"defaultValue\": \"" + value + "\"") + "\n    }";
    }

    private static String kebab(String key) {
        return key.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
