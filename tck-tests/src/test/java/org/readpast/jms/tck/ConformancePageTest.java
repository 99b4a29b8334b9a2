package org.readpast.jms.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.TargetId;

/** docs/conformance.md names tests that exist, all classes of the contract suite, and every deviation of the reference. */
class ConformancePageTest {

    /** Maven runs the tests of a module in its folder. */
    private static final Path ROOT = Path.of("..");

    private static final Path SUITE = Path.of("src", "test", "java");

    /** A class of tests, and maybe a method of it. */
    private static final Pattern NAMED = Pattern.compile("`(\\w+(?:Test|Contract))(?:#(\\w+))?`");

    private final String page = text(ROOT.resolve(Path.of("docs", "conformance.md")));

    @Test
    void tests_that_are_named_exist() {
        Map<String, Path> classes = new TreeMap<>();
        for (String module : List.of("provider", "tck-tests")) {
            javaFiles(ROOT.resolve(module).resolve(SUITE)).forEach(file -> classes.put(className(file), file));
        }
        List<MatchResult> named = NAMED.matcher(page).results().toList();
        assertThat(named).hasSizeGreaterThan(100);
        for (MatchResult match : named) {
            assertThat(classes).as("%s of the page", match.group()).containsKey(match.group(1));
            if (match.group(2) != null) {
                assertThat(text(classes.get(match.group(1))))
                        .as("%s of the page", match.group())
                        .contains("void " + match.group(2) + "(");
            }
        }
    }

    /** By itself, or with its package. */
    @Test
    void classes_of_each_chapter_are_named() {
        List<Path> chapters = javaFiles(SUITE)
                .filter(file -> className(file).matches("Ch\\d\\d.*Test"))
                .toList();
        assertThat(chapters).hasSizeGreaterThan(30);
        assertThat(chapters)
                .allSatisfy(file -> assertThat(page)
                        .as("a row that names %s, or its package", className(file))
                        .containsAnyOf(
                                "`" + className(file) + "`",
                                "package `" + file.getParent().getFileName() + "`"));
    }

    @Test
    void deviations_of_the_reference_are_listed() {
        List<Deviation> deviations = javaFiles(SUITE)
                .filter(file -> className(file).endsWith("Test"))
                .flatMap(file -> Arrays.stream(loaded(file).getDeclaredMethods()))
                .flatMap(ConformancePageTest::deviations)
                .toList();
        assertThat(deviations).hasSizeGreaterThan(50);
        assertThat(deviations)
                .allSatisfy(deviation ->
                        assertThat(page).contains("| " + deviation.clause() + " | " + deviation.why() + " |"));
    }

    private static Stream<Deviation> deviations(Method method) {
        return Arrays.stream(method.getAnnotationsByType(Deviation.class))
                .filter(deviation -> deviation.target() == TargetId.ARTEMIS);
    }

    private static Class<?> loaded(Path file) {
        String path = SUITE.relativize(file).toString();
        try {
            return Class.forName(
                    path.substring(0, path.length() - ".java".length())
                            .replace(file.getFileSystem().getSeparator(), "."),
                    false,
                    ConformancePageTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static String className(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }

    private static Stream<Path> javaFiles(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
