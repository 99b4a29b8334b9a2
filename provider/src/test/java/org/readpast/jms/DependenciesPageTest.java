package org.readpast.jms;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** That docs/dependencies.md has the licence of what the root POM names, and of what goes with the adapters. */
class DependenciesPageTest {

    private static final Pattern DEPENDENCY = Pattern.compile(
            "<dependency>\\s*(?:<!--[^>]*-->\\s*)?<groupId>([^<]+)</groupId>\\s*<artifactId>([^<]+)</artifactId>"
                    + "(?:(?!</dependency>)[\\s\\S])*");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\| [^|]+ \\|");

    @Test
    void page_names_what_the_poms_name() throws IOException {
        Set<String> page = ROW.matcher(Files.readString(Path.of("../docs/dependencies.md")))
                .results()
                .map(row -> row.group(1))
                .collect(Collectors.toSet());
        Set<String> poms = new TreeSet<>(dependencies(Path.of("../pom.xml")).toList());
        try (Stream<Path> adapters = Files.list(Path.of("../adapters"))) {
            for (Path adapter : adapters.toList()) {
                poms.addAll(dependencies(adapter.resolve("pom.xml")).toList());
            }
        }
        assertThat(page).containsExactlyInAnyOrderElementsOf(poms);
    }

    private static Stream<String> dependencies(Path pom) throws IOException {
        return DEPENDENCY
                .matcher(Files.readString(pom))
                .results()
                .filter(dependency -> !dependency.group().contains("<scope>test</scope>"))
                .map(dependency -> dependency.group(1) + ":" + dependency.group(2))
                .filter(name -> !name.startsWith("org.readpast:"));
    }
}
