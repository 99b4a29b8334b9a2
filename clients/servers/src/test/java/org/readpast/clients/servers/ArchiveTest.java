package org.readpast.clients.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is in the adapters' archives. */
class ArchiveTest {

    private static Path archive(String prefix) throws IOException {
        try (Stream<Path> files = Files.list(Server.FILES)) {
            return files.filter(file -> file.getFileName().toString().matches(prefix + "-[0-9].*[.]rar"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @ParameterizedTest
    @CsvSource({"readpast-ra", "readpast-ra-javax"})
    void archive_has_neither_the_API_nor_a_driver(String name) throws IOException {
        try (ZipFile archive = new ZipFile(archive(name).toFile())) {
            List<String> jars = archive.stream()
                    .map(entry -> entry.getName())
                    .filter(entry -> entry.endsWith(".jar"))
                    .toList();
            assertThat(jars)
                    .hasSize(5)
                    .noneMatch(jar -> jar.contains("jakarta.")
                            || jar.contains("javax.")
                            || jar.contains("-api-2.0.1")
                            || jar.contains("postgresql"));
        }
    }

    @ParameterizedTest
    @CsvSource({"readpast-ra, jakarta, javax, 2.1", "readpast-ra-javax, javax, jakarta, 1.7"})
    void descriptor_is_of_the_edition(String name, String ours, String others, String version) throws IOException {
        try (ZipFile archive = new ZipFile(archive(name).toFile())) {
            String xml = new String(
                    archive.getInputStream(archive.getEntry("META-INF/ra.xml")).readAllBytes(), StandardCharsets.UTF_8);
            assertThat(xml)
                    .contains(ours + ".jms.MessageListener", "version=\"" + version + "\"")
                    .doesNotContain(others + ".", "${");
        }
    }
}
