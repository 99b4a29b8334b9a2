package org.readpast.benchmarks;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.readpast.benchmarks.system.SystemKind;
import org.readpast.benchmarks.workload.Scale;

/**
 * What a run is to do.
 *
 * @param only of what words the names of workloads must have one in them; none for all workloads
 * @param data where to put what databases and brokers write, on a disk
 * @param results where to write the results
 * @param page what page to fill with them
 * @param minutes after how many nothing new is begun
 * @param sqlServer the URL of a SQL Server to run on instead of PostgreSQL
 */
record Arguments(
        Scale scale,
        List<SystemKind> systems,
        List<String> only,
        Path data,
        Path results,
        Optional<Path> page,
        int minutes,
        Optional<String> sqlServer) {

    static final String USAGE = """
            benchmarks/run [quick|full|smoke] [--systems a,b,...] [--only words,words,...] [--results folder]
                           [--page file] [--data folder] [--minutes n] [--sqlserver URL]

              quick        some minutes: everything, in small (the default)
              full         everything as it is meant
              smoke        a handful of messages of everything; shows that it works, not how fast
              --systems    some of floor, readpast, artemis-journal, artemis-jdbc, activemq-jdbc
              --only       only workloads with some of these words in their names
              --results    where to write results.csv, results.md, summary.md and the pictures (benchmarks/results)
              --page       a page whose table and picture are to be replaced by summary.md, such as docs/performance.md
              --data       a folder on the disk for what databases and brokers write (benchmarks/target/data)
              --minutes    after so many minutes nothing new is begun; what is left out is listed in results.md
              --sqlserver  jdbc:sqlserver://host:port;databaseName=...;user=...;password=...: the systems floor, readpast
                           and artemis-journal on that server; they leave their tables in that database""";

    private static final int NO_LIMIT = Integer.MAX_VALUE;

    static Arguments parse(List<String> words) {
        Arguments arguments = new Arguments(
                Scale.QUICK,
                List.of(),
                List.of(),
                Path.of("benchmarks", "target", "data"),
                Path.of("benchmarks", "results"),
                Optional.empty(),
                NO_LIMIT,
                Optional.empty());
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            switch (word) {
                case "quick" -> arguments = arguments.with(Scale.QUICK);
                case "smoke" -> arguments = arguments.with(Scale.SMOKE);
                case "full" -> arguments = arguments.with(Scale.FULL);
                default -> {
                    if (i + 1 == words.size()) {
                        throw new IllegalArgumentException("'" + word + "' is not understood, or lacks its value");
                    }
                    arguments = arguments.with(word, words.get(++i));
                }
            }
        }
        return arguments.withSystems();
    }

    /** What the scale is called. */
    String scaleName() {
        if (scale.equals(Scale.FULL)) {
            return "full";
        }
        return scale.equals(Scale.QUICK) ? "quick" : "smoke";
    }

    boolean wants(String workload) {
        return only.isEmpty() || only.stream().anyMatch(workload::contains);
    }

    private Arguments with(Scale newScale) {
        return new Arguments(newScale, systems, only, data, results, page, minutes, sqlServer);
    }

    private Arguments with(String option, String value) {
        return switch (option) {
            case "--systems" -> new Arguments(scale, systems(value), only, data, results, page, minutes, sqlServer);
            case "--only" ->
                new Arguments(scale, systems, List.of(value.split(",")), data, results, page, minutes, sqlServer);
            case "--results" -> new Arguments(scale, systems, only, data, Path.of(value), page, minutes, sqlServer);
            case "--page" ->
                new Arguments(scale, systems, only, data, results, Optional.of(Path.of(value)), minutes, sqlServer);
            case "--data" -> new Arguments(scale, systems, only, Path.of(value), results, page, minutes, sqlServer);
            case "--sqlserver" -> new Arguments(scale, systems, only, data, results, page, minutes, Optional.of(value));
            case "--minutes" -> new Arguments(scale, systems, only, data, results, page, minutes(value), sqlServer);
            default -> throw new IllegalArgumentException("'" + option + "' is not an option");
        };
    }

    /** All that there are, unless some were asked for. */
    private Arguments withSystems() {
        List<SystemKind> possible = Stream.of(SystemKind.values())
                .filter(kind -> sqlServer.isEmpty() || kind.runsOnSqlServer())
                .toList();
        for (SystemKind kind : systems) {
            if (!possible.contains(kind)) {
                throw new IllegalArgumentException(
                        String.format(Locale.ROOT, "'%s' is not measured on SQL Server", kind.label()));
            }
        }
        return systems.isEmpty() ? new Arguments(scale, possible, only, data, results, page, minutes, sqlServer) : this;
    }

    private static int minutes(String number) {
        if (!number.matches("[1-9]\\d{0,4}")) {
            throw new IllegalArgumentException("--minutes takes a number from 1 on, not '" + number + "'");
        }
        return Integer.parseInt(number);
    }

    private static List<SystemKind> systems(String labels) {
        List<String> wanted = List.of(labels.split(","));
        for (String label : wanted) {
            if (Stream.of(SystemKind.values()).noneMatch(kind -> kind.label().equals(label))) {
                throw new IllegalArgumentException("'" + label + "' is not a system");
            }
        }
        return Stream.of(SystemKind.values())
                .filter(kind -> wanted.contains(kind.label()))
                .toList();
    }
}
