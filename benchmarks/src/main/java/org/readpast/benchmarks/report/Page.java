package org.readpast.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The results as a Markdown page: the machine, a table, the pictures. */
final class Page {

    private Page() {}

    /** A line of the table. */
    private record Line(String workload, int threads, String unit) {}

    static void write(Results results, Map<String, String> machine, Map<String, String> pictures, Path file)
            throws IOException {
        List<String> page = new ArrayList<>(List.of(
                "# Results",
                "",
                "Medians; in parentheses, by how much the floor's value they are. How to read them: docs/benchmarks.md.",
                ""));
        machine.forEach((name, value) -> page.add("- " + name + ": " + value));
        page.add("");
        addTable(results.rows(), page);
        addNotes(results, page);
        pictures.forEach((workload, name) -> page.addAll(List.of("", "![" + workload + "](" + name + ")")));
        Files.write(file, page);
    }

    private static void addTable(List<Row> rows, List<String> page) {
        List<String> systems = rows.stream().map(Row::system).distinct().toList();
        page.add("| workload | threads | unit | " + String.join(" | ", systems) + " |");
        page.add("|---|---|---|" + "---|".repeat(systems.size()));
        Map<Line, List<Row>> lines = rows.stream()
                .collect(Collectors.groupingBy(
                        row -> new Line(
                                row.workload(), row.threads(), row.unit().label()),
                        LinkedHashMap::new,
                        Collectors.toList()));
        lines.forEach((line, cells) -> page.add("| " + line.workload() + " | " + line.threads() + " | " + line.unit()
                + " | "
                + systems.stream().map(system -> cell(system, cells)).collect(Collectors.joining(" | ")) + " |"));
    }

    private static String cell(String system, List<Row> cells) {
        return cells.stream()
                .filter(row -> row.system().equals(system))
                .findFirst()
                .map(row -> Numbers.grouped(row.value())
                        + (row.ratioToFloor().isPresent()
                                ? " (" + Numbers.ratio(row.ratioToFloor().getAsDouble()) + ")"
                                : ""))
                .orElse("");
    }

    private static void addNotes(Results results, List<String> page) {
        if (!results.notes().isEmpty()) {
            page.addAll(List.of("", "Without a figure (threads in parentheses):", ""));
            results.notes()
                    .forEach((cell, text) -> page.add(
                            "- " + cell.workload() + " (" + cell.threads() + "), " + cell.system() + ": " + text));
        }
        page.addAll(List.of("", "Least and most of the repetitions:", ""));
        page.add("| workload | threads | system | least | median | most |");
        page.add("|---|---|---|---|---|---|");
        results.rows()
                .forEach(row -> page.add("| " + row.workload() + " | " + row.threads() + " | " + row.system() + " | "
                        + Numbers.grouped(row.least()) + " | " + Numbers.grouped(row.value()) + " | "
                        + Numbers.grouped(row.most()) + " |"));
    }
}
