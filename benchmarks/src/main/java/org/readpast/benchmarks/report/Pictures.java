package org.readpast.benchmarks.report;

import java.awt.Color;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.style.Styler.LegendPosition;

/** One picture a workload: bars by system, side by side for each number of threads. */
final class Pictures {

    private static final String FORMAT = "svg";
    private static final int WIDTH = 760;
    private static final int HEIGHT = 400;

    private Pictures() {}

    /** Writes them, and returns their names by workload. */
    static Map<String, String> write(List<Row> rows, Path directory) throws IOException {
        Map<String, List<Row>> byWorkload =
                rows.stream().collect(Collectors.groupingBy(Row::workload, LinkedHashMap::new, Collectors.toList()));
        Map<String, String> names = new LinkedHashMap<>();
        for (Map.Entry<String, List<Row>> one : byWorkload.entrySet()) {
            String name = one.getKey().replaceAll("[^A-Za-z0-9]+", "-") + "." + FORMAT;
            try (OutputStream file = Files.newOutputStream(directory.resolve(name))) {
                ChartEncoder.saveChart(chart(one.getKey(), one.getValue()), file, FORMAT);
            }
            names.put(one.getKey(), name);
        }
        return names;
    }

    private static CategoryChart chart(String workload, List<Row> rows) {
        CategoryChart chart = new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(workload)
                .xAxisTitle("threads")
                .yAxisTitle(rows.get(0).unit().label())
                .build();
        chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        chart.getStyler().setYAxisMin(0.0);
        List<Integer> threads = rows.stream().map(Row::threads).distinct().toList();
        List<String> systems = rows.stream().map(Row::system).distinct().toList();
        for (String system : systems) {
            List<Double> values = new ArrayList<>();
            for (int count : threads) {
                values.add(rows.stream()
                        .filter(row -> row.threads() == count && row.system().equals(system))
                        .findFirst()
                        .map(Row::value)
                        .orElse(null));
            }
            chart.addSeries(system, threads, values);
        }
        return chart;
    }
}
