package org.readpast.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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

    @Test
    void the_worst_of_several_rows_is_held_against_the_target(@TempDir Path folder) throws Exception {
        rate("send one by one", 1, "floor", 1000);
        rate("send one by one", 1, "readpast", 950);
        rate("send one by one", 4, "floor", 1000);
        rate("send one by one", 4, "readpast", 500);
        rate("send one by one", 4, "artemis-journal", 400);
        rate("request and reply in a JVM", 1, "readpast", 1200);

        Report.write(results, Map.of(), folder);

        assertThat(folder.resolve("results.md"))
                .content()
                .contains(
                        "| one by one, of the floor: at least 0.9 | 0.5: send one by one (4), beside floor | **no** |")
                .contains("| one by one, of the best broker: at least 1 |"
                        + " 1.25: send one by one (4), beside artemis-journal | yes |")
                .contains("| requests and replies a second in a JVM: at least 1000 |"
                        + " 1,200: request and reply in a JVM (1) | yes |")
                .doesNotContain("latency");
    }

    @Test
    void what_is_missing_of_a_workload_for_one_reason_is_one_line(@TempDir Path folder) throws Exception {
        for (int threads : List.of(1, 4)) {
            for (String system : List.of("floor", "readpast")) {
                results.note(new Cell("send one by one", threads, system), "not measured: no time");
            }
        }
        results.note(new Cell("send one by one", 4, "artemis-jdbc"), "failed: no disk");

        Report.write(results, Map.of(), folder);

        assertThat(folder.resolve("results.md")).content().contains("""
                        - send one by one (1, 4), floor, readpast: not measured: no time
                        - send one by one (4), artemis-jdbc: failed: no disk
                        """);
    }

    @Test
    void readpast_is_shown_beside_each_of_the_others(@TempDir Path folder) throws Exception {
        for (String system : List.of("floor", "readpast", "artemis-journal")) {
            results.add(
                    new Cell("latency", 1, system),
                    new Figure("p50", system.equals("floor") ? 1 : 2, Unit.MILLISECONDS));
        }

        Report.write(results, Map.of(), folder);

        assertThat(folder.resolve("results.md"))
                .content()
                .contains("| workload | threads | unit | readpast | floor | artemis-journal |")
                .contains("| latency, p50 | 1 | ms | 2 | 0.50 | 1.00 |");
    }

    @Test
    void pages_are_filled_between_their_marks_again_and_again(@TempDir Path folder) throws Exception {
        Path page = Files.createDirectories(folder.resolve("docs")).resolve("page.md");
        Files.writeString(
                page,
                "before\n<!-- figures: filled in by benchmarks/run --page -->\nold\n<!-- end of figures -->\nafter\n");
        Path figures = folder.resolve("results");
        add("floor", "", 2000);
        add("readpast", "", 1234.5);
        results.add(new Cell("receive by listener", 1, "readpast"), new Figure("", 17, Unit.MESSAGES_PER_SECOND));
        Report.write(results, Map.of("processors", "2"), figures);

        Report.fill(page, figures);
        String once = Files.readString(page);
        Report.fill(page, figures);

        assertThat(once)
                .startsWith("before\n")
                .endsWith("<!-- end of figures -->\nafter\n")
                .doesNotContain("old")
                .contains("processors: 2")
                .contains("| send, one by one | 4 | messages/s | 2,000 (1.00) | 1,230 (0.62) |")
                .contains("](../results/overview.svg)")
                .as("what is in results.md only")
                .doesNotContain("by listener");
        assertThat(figures.resolve("overview.svg")).content().contains("send, one by one (4)");
        assertThat(page).hasContent(once);
    }

    @Test
    void page_without_marks_is_left_alone(@TempDir Path folder) throws Exception {
        Path page = Files.writeString(folder.resolve("page.md"), "nothing here");
        Report.write(results, Map.of(), folder);

        assertThatIllegalArgumentException().isThrownBy(() -> Report.fill(page, folder));
        assertThat(page).hasContent("nothing here");
    }

    private void rate(String workload, int threads, String system, double value) {
        results.add(new Cell(workload, threads, system), new Figure("", value, Unit.MESSAGES_PER_SECOND));
    }
}
