package org.readpast.benchmarks.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Processor time as Linux counts it under {@code /proc}: in nanoseconds for processes that run, which are taken to have one thread
 * each as PostgreSQL's have; in steps of 10 ms for those that have ended.
 */
final class ProcessorTime {

    private static final double TICKS_PER_SECOND = 100;

    /** Fields of {@code /proc/PID/stat} behind the name, from 0: state, parent, ... */
    private static final int PARENT = 1;

    private static final int ENDED_CHILDREN_USER = 13;
    private static final int ENDED_CHILDREN_SYSTEM = 14;

    private ProcessorTime() {}

    /** Seconds of a process, of its children, and of those children that have ended; empty where there is no /proc. */
    static OptionalDouble ofFamily(long pid) throws IOException {
        Path proc = Path.of("/proc");
        if (!Files.exists(proc.resolve(pid + "/schedstat"))) {
            return OptionalDouble.empty();
        }
        double seconds = 0;
        for (List<String> process : processes(proc)) {
            boolean parent = process.get(0).equals(String.valueOf(pid));
            if (parent) {
                seconds += sum(process, ENDED_CHILDREN_USER, ENDED_CHILDREN_SYSTEM) / TICKS_PER_SECOND;
            }
            if (parent || process.get(1 + PARENT).equals(String.valueOf(pid))) {
                seconds += running(proc.resolve(process.get(0)));
            }
        }
        return OptionalDouble.of(seconds);
    }

    private static double running(Path process) {
        try {
            String nanos = Files.readString(process.resolve("schedstat")).split(" ", -1)[0];
            return Long.parseLong(nanos) / 1e9;
        } catch (IOException e) {
            // It has ended meanwhile.
            return 0;
        }
    }

    private static long sum(List<String> process, int... fields) {
        long sum = 0;
        for (int field : fields) {
            sum += Long.parseLong(process.get(1 + field));
        }
        return sum;
    }

    /** The id and the fields of each process. */
    private static List<List<String>> processes(Path proc) throws IOException {
        try (Stream<Path> entries = Files.list(proc)) {
            return entries.filter(
                            entry -> entry.getFileName().toString().chars().allMatch(Character::isDigit))
                    .flatMap(ProcessorTime::read)
                    .toList();
        }
    }

    private static Stream<List<String>> read(Path process) {
        try {
            String stat = Files.readString(process.resolve("stat"));
            // The name may have blanks and parentheses in it.
            String fields = stat.substring(stat.lastIndexOf(')') + 2);
            return Stream.of(Stream.concat(Stream.of(process.getFileName().toString()), Stream.of(fields.split(" ")))
                    .toList());
        } catch (IOException e) {
            // It has ended meanwhile.
            return Stream.empty();
        }
    }
}
