package org.readpast.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.readpast.benchmarks.system.SystemKind;

/** The results as a Markdown page: the machine, a table, the pictures. */
final class Page {

    private static final String READPAST = SystemKind.READPAST.label();

    private Page() {}

    /** Why there are figures missing of a workload. */
    private record Note(String workload, String text) {}

    /** A line of the table. */
    private record Line(String workload, int threads, String unit) {}

    static void write(Results results, Map<String, String> machine, Map<String, String> pictures, Path file)
            throws IOException {
        List<String> page = new ArrayList<>(List.of(
                "# Results",
                "",
                "Medians; in parentheses, how many times the floor's value they are. How to read them: docs/benchmarks.md.",
                ""));
        machine.forEach((name, value) -> page.add("- " + name + ": " + value));
        page.add("");
        addTargets(results.rows(), page);
        page.addAll(List.of("## Figures", ""));
        addTable(results.rows(), page);
        addComparison(results.rows(), page);
        addNotes(results, page);
        if (!pictures.isEmpty()) {
            page.addAll(List.of("", "## Pictures"));
        }
        pictures.forEach((workload, name) -> page.addAll(List.of("", "![" + workload + "](" + name + ")")));
        Files.write(file, page);
    }

    private static void addTargets(List<Row> rows, List<String> page) {
        List<Targets.Verdict> verdicts = Targets.of(rows);
        if (verdicts.isEmpty()) {
            return;
        }
        page.addAll(List.of("## Targets", "", "| target | measured, the worst | met |", "|---|---|---|"));
        verdicts.forEach(verdict -> page.add("| " + verdict.target() + " | " + verdict.measured() + " | "
                + (verdict.isMet() ? "yes" : "**no**") + " |"));
        page.add("");
    }

    /** Readpast beside each of the others. */
    private static void addComparison(List<Row> rows, List<String> page) {
        List<String> others = rows.stream()
                .map(Row::system)
                .filter(system -> !system.equals(READPAST))
                .distinct()
                .toList();
        List<Row> own =
                rows.stream().filter(row -> row.system().equals(READPAST)).toList();
        if (others.isEmpty() || own.isEmpty()) {
            return;
        }
        page.addAll(List.of("", "How many times as good Readpast is as the others; above 1 it is ahead:", ""));
        page.add("| workload | threads | unit | readpast | " + String.join(" | ", others) + " |");
        page.add("|---|---|---|---|" + "---|".repeat(others.size()));
        for (Row row : own) {
            page.add("| " + row.workload() + " | " + row.threads() + " | "
                    + row.unit().label() + " | " + Numbers.grouped(row.value()) + " | "
                    + others.stream()
                            .map(system -> timesAsGood(row, system, rows))
                            .collect(Collectors.joining(" | "))
                    + " |");
        }
    }

    private static String timesAsGood(Row row, String system, List<Row> rows) {
        return rows.stream()
                .filter(other ->
                        other.system().equals(system) && other.isOf(row) && other.value() > 0 && row.value() > 0)
                .findFirst()
                .map(other -> Numbers.ratio(row.timesAsGoodAs(other)))
                .orElse("");
    }

    /** A line for each figure, a column for each system. */
    static void addTable(List<Row> rows, List<String> page) {
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

    private static String distinct(Set<Cell> cells, Function<Cell, Object> part) {
        return cells.stream().map(part).distinct().map(Object::toString).collect(Collectors.joining(", "));
    }

    private static void addNotes(Results results, List<String> page) {
        if (!results.notes().isEmpty()) {
            page.addAll(List.of("", "Without a figure (threads in parentheses):", ""));
            Map<Note, Set<Cell>> cells = new LinkedHashMap<>();
            results.notes()
                    .forEach((cell, text) -> cells.computeIfAbsent(
                                    new Note(cell.workload(), text), note -> new LinkedHashSet<>())
                            .add(cell));
            cells.forEach((note, of) -> page.add("- " + note.workload() + " (" + distinct(of, Cell::threads) + "), "
                    + distinct(of, Cell::system) + ": " + note.text()));
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
