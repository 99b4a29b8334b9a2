package org.readpast.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The results in one table and one picture, for a page that is read rather than looked things up in. */
final class Summary {

    /** What is told for those who look closer: variants of other workloads, and the conditions that a run adds to them. */
    private static final Pattern DETAILS = Pattern.compile(
            "by listener|asynchronously|by polling alone|, max$|CPU|waiting|network|idle|in a heap|selector");

    /** What of the machine decides how to read the figures. */
    private static final List<String> FACTS =
            List.of("processors", "Java", "4 KiB to the disk, flushed", "database server_version", "began", "took");

    private Summary() {}

    static List<Row> rowsOf(List<Row> all) {
        Predicate<String> isDetail = DETAILS.asPredicate();
        return all.stream().filter(row -> !isDetail.test(row.workload())).toList();
    }

    static void write(List<Row> all, Map<String, String> machine, String picture, Path file) throws IOException {
        List<String> page = new ArrayList<>(List.of("# Summary", ""));
        String facts = FACTS.stream()
                .filter(machine::containsKey)
                .map(fact -> fact + ": " + machine.get(fact))
                .collect(Collectors.joining("; "));
        page.addAll(List.of("Medians; in parentheses, how many times the floor's value they are. " + facts + ".", ""));
        Page.addTable(rowsOf(all), page);
        if (!picture.isEmpty()) {
            page.addAll(List.of("", "![How many times as good Readpast is as the others](" + picture + ")"));
        }
        Files.write(file, page);
    }
}
