package org.readpast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The pages of the manual, as they are shipped. */
class ManPagesTest {

    private static final Path PAGES = Path.of("target", "readpast", "man", "man1");

    @TempDir
    Path folder;

    @Test
    void each_command_has_a_page_with_each_of_its_options() throws IOException {
        List<CommandLine> commands = ManPages.all(Readpast.commandLine());
        assertThat(commands)
                .extracting(ManPages::name)
                .contains("readpast", "readpast-doctor", "readpast-schema-check");
        try (Stream<Path> files = Files.list(PAGES)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(commands.stream()
                            .map(command -> ManPages.name(command) + ".1")
                            .toList());
        }
        for (CommandLine command : commands) {
            String page = Files.readString(PAGES.resolve(ManPages.name(command) + ".1"));
            for (OptionSpec option : command.getCommandSpec().options()) {
                assertThat(page).contains(option.longestName().replace("-", "\\-"));
            }
        }
    }

    private String groff(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("groff", "-man", "-Tascii", "-ww"));
        command.addAll(List.of(arguments));
        try (Stream<Path> files = Files.list(PAGES)) {
            files.sorted().map(Path::toString).forEach(command::add);
        }
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        assertThat(process.waitFor()).isZero();
        assertThat(err).isEmptyFile();
        return Files.readString(out, StandardCharsets.US_ASCII).replaceAll("\\s+", " ");
    }

    @Test
    void pages_are_set_without_a_warning() throws Exception {
        assumeThat(Stream.of(System.getenv("PATH").split(":", -1)))
                .as("groff is not installed: nobody has set the pages")
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, "groff")));
        assertThat(groff("-P-cbou"))
                .contains("readpast-doctor - Says what is wrong and why")
                .contains("-c, --config")
                .contains("JDBC URL of the database, without a password.");
    }
}
