package org.readpast.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The results for programs. */
final class Csv {

    private static final String HEADER = "workload,threads,system,value,unit,ratio_to_floor";

    private Csv() {}

    static void write(List<Row> rows, Path file) throws IOException {
        List<String> lines = new ArrayList<>(List.of(HEADER));
        for (Row row : rows) {
            lines.add(String.join(
                    ",",
                    quoted(row.workload()),
                    String.valueOf(row.threads()),
                    quoted(row.system()),
                    Numbers.plain(row.value()),
                    quoted(row.unit().label()),
                    row.ratioToFloor().isPresent()
                            ? Numbers.ratio(row.ratioToFloor().getAsDouble())
                            : ""));
        }
        Files.write(file, lines);
    }

    private static String quoted(String text) {
        return text.matches("[\\w ./%-]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
