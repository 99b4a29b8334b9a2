package org.readpast.benchmarks;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.readpast.benchmarks.system.SystemKind;
import org.readpast.benchmarks.workload.Scale;

/**
 * What a run is to do.
 *
 * @param only what the names of workloads must have in them
 * @param data where to put what databases and brokers write, on a disk
 * @param results where to write the results
 */
record Arguments(Scale scale, List<SystemKind> systems, String only, Path data, Path results) {

    static final String USAGE = """
            benchmarks/run [quick|full|smoke] [--systems a,b,...] [--only words] [--results folder] [--data folder]

              quick      some minutes (the default)
              full       everything, hours
              smoke      a handful of messages of everything; shows that it works, not how fast
              --systems  some of floor, readpast, artemis-journal, artemis-jdbc, activemq-jdbc
              --only     only workloads with these words in their names
              --results  where to write results.csv, results.md and the pictures (benchmarks/results)
              --data     a folder on the disk for what databases and brokers write (benchmarks/target/data)""";

    static Arguments parse(List<String> words) {
        Arguments arguments = new Arguments(
                Scale.QUICK,
                List.of(SystemKind.values()),
                "",
                Path.of("benchmarks", "target", "data"),
                Path.of("benchmarks", "results"));
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
        return arguments;
    }

    private Arguments with(Scale newScale) {
        return new Arguments(newScale, systems, only, data, results);
    }

    private Arguments with(String option, String value) {
        return switch (option) {
            case "--systems" -> new Arguments(scale, systems(value), only, data, results);
            case "--only" -> new Arguments(scale, systems, value, data, results);
            case "--results" -> new Arguments(scale, systems, only, data, Path.of(value));
            case "--data" -> new Arguments(scale, systems, only, Path.of(value), results);
            default -> throw new IllegalArgumentException("'" + option + "' is not an option");
        };
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
