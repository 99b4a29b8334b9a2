package org.readpast.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.readpast.benchmarks.machine.DiskFlush;
import org.readpast.benchmarks.machine.Machine;
import org.readpast.benchmarks.machine.SqlServer;
import org.readpast.benchmarks.report.Report;
import org.readpast.benchmarks.report.Results;
import org.readpast.benchmarks.workload.Workload;
import org.readpast.benchmarks.workload.Workloads;

/** The benchmark's one command; {@code benchmarks/run} calls it. */
public final class Main {

    private Main() {}

    /** See {@link Arguments#USAGE}. */
    public static void main(String[] commandLine) throws Exception {
        if (List.of(commandLine).contains("--help")) {
            System.out.println(Arguments.USAGE);
            return;
        }
        Arguments arguments;
        try {
            arguments = Arguments.parse(List.of(commandLine));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage() + "\n\n" + Arguments.USAGE);
            System.exit(2);
            return;
        }
        run(arguments);
        System.exit(0);
    }

    private static void run(Arguments arguments) throws Exception {
        Files.createDirectories(arguments.data());
        Path directory = Files.createTempDirectory(arguments.data(), "run-");
        Instant begin = Instant.now();
        Map<String, String> machine = new LinkedHashMap<>(Machine.describe());
        machine.put("4 KiB to the disk, flushed", DiskFlush.measure(directory).toString());
        machine.put("scale", arguments.scaleName());
        try (Field field = field(arguments, directory)) {
            machine.putAll(field.descriptions());
            machine.forEach((name, value) -> System.err.println(name + ": " + value));
            List<Workload> workloads = Workloads.of(arguments.scale()).stream()
                    .filter(workload -> arguments.wants(workload.name()))
                    .toList();
            Results results = new Runner(
                            field.contestants(), arguments.scale(), arguments.minutes(), System.err::println)
                    .run(workloads);
            machine.put("began", begin.toString());
            machine.put("took", Duration.between(begin, Instant.now()).toMinutes() + " minutes");
            Report.write(results, machine, arguments.results());
            if (arguments.page().isPresent()) {
                Report.fill(arguments.page().get(), arguments.results());
            }
            System.err.println("Written to " + arguments.results());
        } finally {
            delete(directory);
        }
    }

    private static Field field(Arguments arguments, Path directory) throws Exception {
        return arguments.sqlServer().isPresent()
                ? Field.start(
                        arguments.systems(),
                        directory,
                        SqlServer.at(arguments.sqlServer().get()))
                : Field.start(arguments.systems(), directory);
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
