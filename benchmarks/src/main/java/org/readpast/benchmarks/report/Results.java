package org.readpast.benchmarks.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.readpast.benchmarks.system.SystemKind;
import org.readpast.benchmarks.workload.Figure;
import org.readpast.benchmarks.workload.Unit;

/** What was measured so far. Not thread-safe. */
public final class Results {

    private final Map<Key, List<Double>> values = new LinkedHashMap<>();
    private final Map<Cell, String> notes = new LinkedHashMap<>();

    private record Key(Cell cell, String detail, Unit unit) {

        Key of(String system) {
            return new Key(new Cell(cell.workload(), cell.threads(), system), detail, unit);
        }

        String workload() {
            return detail.isEmpty() ? cell.workload() : cell.workload() + ", " + detail;
        }
    }

    /** One repetition's figure. */
    public void add(Cell cell, Figure figure) {
        values.computeIfAbsent(new Key(cell, figure.detail(), figure.unit()), key -> new ArrayList<>())
                .add(figure.value());
    }

    /** Why there is no figure. */
    public void note(Cell cell, String text) {
        notes.merge(cell, text, (before, now) -> before + "; " + now);
    }

    /** In the order in which they came up. */
    public Map<Cell, String> notes() {
        return Collections.unmodifiableMap(notes);
    }

    /** The medians, by workload and threads in the order in which they were measured. */
    public List<Row> rows() {
        List<Key> order = new ArrayList<>();
        for (Key key : values.keySet()) {
            // All systems of one figure together, although each system gave all of its figures at once.
            Key first = key.of("");
            if (order.stream().noneMatch(one -> one.of("").equals(first))) {
                values.keySet().stream().filter(one -> one.of("").equals(first)).forEach(order::add);
            }
        }
        return order.stream().map(this::row).toList();
    }

    private Row row(Key key) {
        List<Double> all = values.get(key);
        double value = median(all);
        List<Double> floor = values.get(key.of(SystemKind.FLOOR.label()));
        return new Row(
                key.workload(),
                key.cell().threads(),
                key.cell().system(),
                value,
                key.unit(),
                all.stream().mapToDouble(Double::doubleValue).min().orElseThrow(),
                all.stream().mapToDouble(Double::doubleValue).max().orElseThrow(),
                floor == null || median(floor) == 0
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(value / median(floor)));
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    /** A line for each figure of one workload, for whoever watches. */
    public Stream<String> summaryOf(String workload, int threads) {
        return rows().stream()
                .filter(row -> row.threads() == threads && row.workload().startsWith(workload))
                .map(row -> String.format(
                        Locale.ROOT,
                        "  %-16s %12s %-12s %s %s",
                        row.system(),
                        Numbers.plain(row.value()),
                        row.unit().label(),
                        row.ratioToFloor().isPresent()
                                ? "x" + Numbers.ratio(row.ratioToFloor().getAsDouble())
                                : "",
                        row.workload().substring(workload.length())));
    }
}
