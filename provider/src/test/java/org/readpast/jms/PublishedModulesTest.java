package org.readpast.jms;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** That a release publishes what the BOM names, and no module of tests or examples. */
class PublishedModulesTest {

    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
    private static final Pattern NAME = Pattern.compile("(?m)^  <artifactId>([^<]+)</artifactId>");
    private static final Pattern IN_BOM =
            Pattern.compile("<groupId>org\\.readpast</groupId>\\s*<artifactId>([^<]+)</artifactId>");

    @Test
    void modules_that_are_deployed_are_those_of_the_bom_with_itself_and_its_parent() throws IOException {
        Stream<String> bom = IN_BOM.matcher(read("bom")).results().map(name -> name.group(1));
        List<String> modules = Stream.concat(
                        Stream.of("."), MODULE.matcher(read(".")).results().map(module -> module.group(1)))
                .toList();
        assertThat(modules).contains("provider", "clients/servers");
        List<String> deployed = new ArrayList<>();
        for (String module : modules) {
            String pom = read(module);
            if (!pom.contains("<maven.deploy.skip>true</maven.deploy.skip>")) {
                Matcher name = NAME.matcher(pom);
                assertThat(name.find()).isTrue();
                deployed.add(name.group(1));
            }
        }
        assertThat(deployed)
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(Stream.of("readpast-bom"), bom).toList());
    }

    private static String read(String module) throws IOException {
        return Files.readString(Path.of("..", module, "pom.xml"));
    }
}
