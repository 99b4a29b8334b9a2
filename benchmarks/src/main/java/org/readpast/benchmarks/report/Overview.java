package org.readpast.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.readpast.benchmarks.system.SystemKind;

/**
 * One picture of all: a line for each figure, and on it a dot for each other system, where Readpast is so many times as good. The
 * scale is logarithmic, so that twice as good and half as good are as far from the middle.
 */
final class Overview {

    private static final String NAME = "overview.svg";
    private static final String READPAST = SystemKind.READPAST.label();
    private static final List<String> COLOURS = List.of("#444444", "#d55e00", "#0072b2", "#009e73", "#cc79a7");
    private static final List<Double> TICKS = List.of(0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0);
    private static final int WIDTH = 760;
    private static final int LEFT = 270;
    private static final int RIGHT = 20;
    private static final int TOP = 50;
    private static final int LINE = 22;
    private static final double LEAST = 0.1;
    private static final double MOST = 50;

    private Overview() {}

    /** Writes it, and returns its name; empty if there is nothing to be seen beside Readpast. */
    static String write(List<Row> rows, Path directory) throws IOException {
        List<Row> own =
                rows.stream().filter(row -> row.system().equals(READPAST)).toList();
        List<String> others = rows.stream()
                .map(Row::system)
                .filter(system -> !system.equals(READPAST))
                .distinct()
                .toList();
        if (own.isEmpty() || others.isEmpty()) {
            return "";
        }
        int height = TOP + (own.size() + 2) * LINE;
        List<String> svg = new ArrayList<>();
        svg.add(line(
                "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' font-family='sans-serif' font-size='12'>",
                WIDTH, height));
        svg.add(line("<rect width='%d' height='%d' fill='#ffffff'/>", WIDTH, height));
        addLegend(others, svg);
        addTicks(height - LINE, svg);
        for (int i = 0; i < own.size(); i++) {
            addLine(own.get(i), TOP + (i + 1) * LINE, others, rows, svg);
        }
        svg.add(line(
                "<text x='%d' y='%d' text-anchor='middle'>times as good; right of 1, Readpast is ahead</text>",
                (LEFT + WIDTH - RIGHT) / 2, height - 4));
        svg.add("</svg>");
        Files.write(directory.resolve(NAME), svg);
        return NAME;
    }

    private static void addLegend(List<String> others, List<String> svg) {
        svg.add(line("<text x='10' y='20'>Readpast beside</text>"));
        for (int i = 0; i < others.size(); i++) {
            int x = 130 + i * 150;
            svg.add(line("<circle cx='%d' cy='16' r='5' fill='%s'/>", x, colour(i)));
            svg.add(line("<text x='%d' y='20'>%s</text>", x + 10, others.get(i)));
        }
    }

    private static void addTicks(int bottom, List<String> svg) {
        for (double tick : TICKS) {
            String colour = tick == 1 ? "#000000" : "#dddddd";
            svg.add(line("<path d='M%.1f,%d V%d' stroke='%s'/>", x(tick), TOP, bottom, colour));
            svg.add(line(
                    "<text x='%.1f' y='%d' text-anchor='middle' fill='#555555'>%s</text>",
                    x(tick), TOP - 5, Numbers.plain(tick)));
        }
    }

    private static void addLine(Row own, int y, List<String> others, List<Row> rows, List<String> svg) {
        svg.add(line(
                "<text x='%d' y='%d' text-anchor='end'>%s (%d)</text>",
                LEFT - 10, y + 4, own.workload(), own.threads()));
        for (int i = 0; i < others.size(); i++) {
            String system = others.get(i);
            Optional<Row> other = rows.stream()
                    .filter(row -> row.system().equals(system) && row.isOf(own) && row.value() > 0 && own.value() > 0)
                    .findFirst();
            if (other.isPresent()) {
                svg.add(line(
                        "<circle cx='%.1f' cy='%d' r='5' fill='%s'/>",
                        x(own.timesAsGoodAs(other.get())), y, colour(i)));
            }
        }
    }

    /** What is beyond the scale stands at its end. */
    private static double x(double ratio) {
        double bounded = Math.min(MOST, Math.max(LEAST, ratio));
        return LEFT + (WIDTH - RIGHT - LEFT) * Math.log(bounded / LEAST) / Math.log(MOST / LEAST);
    }

    private static String colour(int index) {
        return COLOURS.get(index % COLOURS.size());
    }

    private static String line(String format, Object... values) {
        return String.format(Locale.ROOT, format.replace('\'', '"'), values);
    }
}
