package org.readpast.jms;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** That a link from one page of the project to another leads somewhere, with its anchor. */
class LinksTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern OUTPUT = Pattern.compile("(^|/)(target|\\.git)/");
    private static final Pattern CODE = Pattern.compile("(?ms)^ *```.*?^ *```");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
    private static final Pattern LINK_IN_HEADING = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");

    @Test
    void links_between_pages_lead_somewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            for (String link : linksOf(page)) {
                String problem = problemOf(page, link);
                if (!problem.isEmpty()) {
                    broken.add(ROOT.relativize(page) + ": " + link + ": " + problem);
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .filter(file ->
                            !OUTPUT.matcher(ROOT.relativize(file).toString()).find())
                    .toList();
        }
    }

    private static List<String> linksOf(Path page) throws IOException {
        return LINK.matcher(textOf(page))
                .results()
                .map(link -> link.group(1))
                .filter(link -> !ELSEWHERE.matcher(link).matches())
                .toList();
    }

    /** Empty if there is none. */
    private static String problemOf(Path page, String link) throws IOException {
        int hash = link.indexOf('#');
        String file = hash < 0 ? link : link.substring(0, hash);
        Path target = file.isEmpty() ? page : page.resolveSibling(file).normalize();
        if (!Files.exists(target)) {
            return "no such file";
        }
        boolean anchored = hash >= 0 && target.toString().endsWith(".md");
        return anchored && !anchorsOf(target).contains(link.substring(hash + 1)) ? "no such heading" : "";
    }

    /** As GitHub makes them of headings. */
    private static Set<String> anchorsOf(Path page) throws IOException {
        return HEADING.matcher(textOf(page))
                .results()
                .map(MatchResult::group)
                .map(heading -> heading.replaceFirst("^#+ ", ""))
                .map(heading -> LINK_IN_HEADING.matcher(heading).replaceAll("$1"))
                .map(heading -> heading.strip()
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    private static String textOf(Path page) throws IOException {
        return CODE.matcher(Files.readString(page)).replaceAll("");
    }
}
