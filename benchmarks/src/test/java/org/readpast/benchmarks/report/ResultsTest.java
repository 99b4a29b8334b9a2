package org.readpast.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.readpast.benchmarks.workload.Figure;
import org.readpast.benchmarks.workload.Unit;

class ResultsTest {

    private final Results results = new Results();

    private void add(String system, String detail, double... values) {
        for (double value : values) {
            results.add(new Cell("send, one by one", 4, system), new Figure(detail, value, Unit.MESSAGES_PER_SECOND));
        }
    }

    @Test
    void the_median_counts_and_its_ratio_to_the_floors_median() {
        add("floor", "", 900, 1000, 5000);
        add("readpast", "", 100, 850, 800);

        List<Row> rows = results.rows();

        assertThat(rows).extracting(Row::value).containsExactly(1000.0, 800.0);
        assertThat(rows.get(1).ratioToFloor()).hasValue(0.8);
        assertThat(rows.get(1).least()).isEqualTo(100);
        assertThat(rows.get(1).most()).isEqualTo(850);
    }

    @Test
    void all_systems_of_one_figure_come_together() {
        add("floor", "p50", 2);
        add("floor", "p99", 4);
        add("readpast", "p50", 3);
        add("readpast", "p99", 6);

        assertThat(results.rows())
                .extracting(row -> row.workload() + " " + row.system())
                .containsExactly(
                        "send, one by one, p50 floor",
                        "send, one by one, p50 readpast",
                        "send, one by one, p99 floor",
                        "send, one by one, p99 readpast");
    }

    @Test
    void there_is_no_ratio_without_a_floor(@TempDir Path folder) throws Exception {
        add("readpast", "", 1234.5);
        results.note(new Cell("send, one by one", 4, "floor"), "not supported: never heard of it");

        Report.write(results, Map.of("processors", "2"), folder);

        assertThat(Files.readAllLines(folder.resolve("results.csv")))
                .containsExactly(
                        "workload,threads,system,value,unit,ratio_to_floor",
                        "\"send, one by one\",4,readpast,1230,messages/s,");
        assertThat(folder.resolve("results.md"))
                .content()
                .contains("| send, one by one | 4 | messages/s | 1,230 |")
                .contains("- send, one by one (4), floor: not supported: never heard of it")
                .contains("![send, one by one](send-one-by-one.svg)");
    }
}
