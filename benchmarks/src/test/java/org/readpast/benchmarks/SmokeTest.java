package org.readpast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.readpast.benchmarks.report.Report;
import org.readpast.benchmarks.report.Results;
import org.readpast.benchmarks.report.Row;
import org.readpast.benchmarks.system.SystemKind;
import org.readpast.benchmarks.workload.Scale;
import org.readpast.benchmarks.workload.Workload;
import org.readpast.benchmarks.workload.Workloads;

/**
 * Every workload with a handful of messages, and on the systems that need no broker; {@code benchmarks/run smoke} does it on
 * all. Nothing is said about how fast.
 */
@Tag("extended")
class SmokeTest {

    private static final List<SystemKind> SYSTEMS = List.of(SystemKind.FLOOR, SystemKind.READPAST);

    private final List<String> progress = new ArrayList<>();

    @Test
    void every_workload_runs(@TempDir Path data, @TempDir Path folder) throws Exception {
        List<Workload> workloads = Workloads.of(Scale.SMOKE);
        Results results;
        Map<String, String> machine;
        try (Field field = Field.start(SYSTEMS, data)) {
            results = new Runner(field.contestants(), Scale.SMOKE, 60, progress::add).run(workloads);
            machine = field.descriptions();
        }

        assertThat(results.notes().values()).allMatch(note -> note.startsWith("not measured"));
        for (Workload workload : workloads) {
            for (SystemKind kind : SYSTEMS) {
                assertThat(measured(results, workload, kind) || noted(results, workload, kind))
                        .as("%s on %s", workload.name(), kind)
                        .isTrue();
            }
            assertThat(measured(results, workload, SystemKind.READPAST))
                    .as(workload.name())
                    .isTrue();
        }
        Report.write(results, machine, folder);
        assertThat(Files.readAllLines(folder.resolve("results.csv")))
                .startsWith("workload,threads,system,value,unit,ratio_to_floor")
                .hasSize(results.rows().size() + 1);
        assertThat(folder.resolve("send-one-by-one.svg")).content().contains("<svg");
        assertThat(machine).containsEntry("database fsync", "on").containsEntry("database synchronous_commit", "on");
    }

    private static boolean measured(Results results, Workload workload, SystemKind kind) {
        return results.rows().stream()
                .filter(row -> row.system().equals(kind.label()))
                .map(Row::workload)
                .anyMatch(name -> name.startsWith(workload.name()));
    }

    private static boolean noted(Results results, Workload workload, SystemKind kind) {
        return results.notes().keySet().stream()
                .anyMatch(cell ->
                        cell.workload().equals(workload.name()) && cell.system().equals(kind.label()));
    }
}
