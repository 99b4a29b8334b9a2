package org.readpast.jms;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** That docs/dependencies.md has the licence of what the POM names. */
class DependenciesPageTest {

    private static final Pattern MANAGED =
            Pattern.compile("<dependency>\\s*<groupId>([^<]+)</groupId>\\s*<artifactId>([^<]+)</artifactId>");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\| [^|]+ \\|");

    @Test
    void page_names_what_the_pom_names() throws IOException {
        List<String> page = ROW.matcher(Files.readString(Path.of("../docs/dependencies.md")))
                .results()
                .map(row -> row.group(1))
                .toList();
        List<String> pom = MANAGED.matcher(Files.readString(Path.of("../pom.xml")))
                .results()
                .map(dependency -> dependency.group(1) + ":" + dependency.group(2))
                .filter(name -> !name.startsWith("org.readpast:"))
                .distinct()
                .toList();
        assertThat(page).containsExactlyInAnyOrderElementsOf(pom);
    }
}
