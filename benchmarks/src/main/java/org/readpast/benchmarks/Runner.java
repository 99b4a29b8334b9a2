package org.readpast.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.readpast.benchmarks.report.Cell;
import org.readpast.benchmarks.report.Results;
import org.readpast.benchmarks.workload.Contestant;
import org.readpast.benchmarks.workload.Scale;
import org.readpast.benchmarks.workload.Workload;
import org.readpast.benchmarks.workload.Workload.Outcome;
import org.readpast.benchmarks.workload.Workload.Trial;

/**
 * Measures workloads. Each one is done by all systems in turn, and that as often as the scale says, each time beginning with
 * another system, so that what else happens on the machine hits all of them alike.
 */
final class Runner {

    private static final int LEAST_OF_EACH_THREAD = 20;
    private static final double LARGEST_STEP = 20;
    private static final double LONG_ENOUGH = 0.5;

    /** After so many Java's compiler is done, or nearly so. */
    private static final int WARM_OPERATIONS = 10_000;

    /** Times the usual warm-up, for those that take longer for so many. */
    private static final double LONGEST_WARM_UP = 3;

    private final List<Contestant> contestants;
    private final Scale scale;
    private final int minutes;
    private final Consumer<String> progress;

    /** Which contestants have done workloads of which kinds. */
    private final Set<List<Object>> warm = new HashSet<>();

    private final long begin = System.nanoTime();

    /**
     * @param minutes after how many, from now on, no row is begun
     */
    Runner(List<Contestant> contestants, Scale scale, int minutes, Consumer<String> progress) {
        this.minutes = minutes;
        this.contestants = contestants;
        this.scale = scale;
        this.progress = progress;
    }

    /** Minutes and seconds. */
    private String sinceBegin() {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
        return String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60);
    }

    /** One system's part in a workload. */
    private record Entry(Contestant contestant, Trial trial, int operations) {}

    Results run(List<Workload> workloads) {
        Results results = new Results();
        int rows = workloads.stream()
                .mapToInt(workload -> workload.threads().size())
                .sum();
        int row = 0;
        for (Workload workload : workloads) {
            for (int threads : workload.threads()) {
                progress.accept(String.format(
                        Locale.ROOT,
                        "[%d of %d, %s] %s, %d %s",
                        ++row,
                        rows,
                        sinceBegin(),
                        workload.name(),
                        threads,
                        threads == 1 ? "thread" : "threads"));
                measure(workload, threads, results);
            }
        }
        return results;
    }

    private void measure(Workload workload, int threads, Results results) {
        if (TimeUnit.NANOSECONDS.toMinutes(System.nanoTime() - begin) >= minutes) {
            for (Contestant contestant : contestants) {
                results.note(cell(workload, threads, contestant), "not measured: the time of the run was over");
            }
            return;
        }
        Map<Contestant, Entry> entries = new LinkedHashMap<>();
        try {
            for (Contestant contestant : contestants) {
                enter(contestant, workload, threads, results, entries);
            }
            for (int i = 0; i < (workload.isLong() ? 1 : scale.repetitions()); i++) {
                List<Entry> turn = new ArrayList<>(entries.values());
                Collections.rotate(turn, -i);
                for (Entry entry : turn) {
                    if (!repeat(entry, workload, threads, results)) {
                        entries.remove(entry.contestant());
                    }
                }
            }
        } finally {
            entries.values().forEach(entry -> leave(entry, workload, threads, results));
        }
        results.summaryOf(workload.name(), threads).forEach(progress);
    }

    private void enter(
            Contestant contestant, Workload workload, int threads, Results results, Map<Contestant, Entry> entries) {
        Trial trial = null;
        try {
            if (contestant.kind().isBroker() && workload.waitingMessages() > scale.brokersUpTo()) {
                throw new UnsupportedOperationException(String.format(
                        Locale.ROOT,
                        "so many messages (more than %,d) are not made to wait in brokers in this run",
                        scale.brokersUpTo()));
            }
            trial = workload.prepare(contestant, threads);
            int operations = workload.isPaced() ? 0 : warmUp(contestant, workload, threads, trial);
            entries.put(contestant, new Entry(contestant, trial, operations));
        } catch (UnsupportedOperationException e) {
            results.note(cell(workload, threads, contestant), "not measured: " + e.getMessage());
        } catch (Exception e) {
            failed(cell(workload, threads, contestant), e, results);
        } finally {
            if (trial != null && !entries.containsKey(contestant)) {
                leave(new Entry(contestant, trial, 0), workload, threads, results);
            }
        }
    }

    /**
     * Does it again and again, until it is as fast as it gets and its speed is known.
     *
     * @return how many operations take as long as they should
     */
    private int warmUp(Contestant contestant, Workload workload, int threads, Trial trial) throws Exception {
        double enough = warm.add(List.of(contestant, workload.kind())) ? scale.warmUpSeconds() : 0;
        double length = scale.seconds() * workload.timesAsLong();
        int least = leastOperations(workload, threads);
        double passed = 0;
        long done = 0;
        int operations = least;
        while (true) {
            double seconds = trial.run(operations).seconds();
            passed += seconds;
            done += operations;
            boolean known = seconds >= length * LONG_ENOUGH || operations >= scale.most();
            double wanted = operations / seconds * length;
            operations = (int) Math.max(least, Math.min(scale.most(), Math.min(wanted, operations * LARGEST_STEP)));
            if (known && passed >= (done >= WARM_OPERATIONS ? enough : enough * LONGEST_WARM_UP)) {
                return operations;
            }
        }
    }

    private int leastOperations(Workload workload, int threads) {
        int least = Math.max(workload.leastOperations(threads), threads * LEAST_OF_EACH_THREAD);
        return Math.min(least, scale.most());
    }

    private boolean repeat(Entry entry, Workload workload, int threads, Results results) {
        try {
            entry.contestant().settle();
            Outcome outcome = entry.trial().run(entry.operations());
            outcome.figures().forEach(figure -> results.add(cell(workload, threads, entry.contestant()), figure));
            return true;
        } catch (UnsupportedOperationException e) {
            results.note(cell(workload, threads, entry.contestant()), "not measured: " + e.getMessage());
        } catch (Exception e) {
            failed(cell(workload, threads, entry.contestant()), e, results);
        }
        leave(entry, workload, threads, results);
        return false;
    }

    private void leave(Entry entry, Workload workload, int threads, Results results) {
        try {
            entry.trial().close();
        } catch (RuntimeException e) {
            failed(cell(workload, threads, entry.contestant()), e, results);
        }
    }

    private void failed(Cell cell, Exception e, Results results) {
        List<String> causes = new ArrayList<>();
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            causes.add(cause.toString());
        }
        results.note(cell, "failed: " + String.join("; caused by ", causes));
        progress.accept("  " + cell.system() + " failed: " + String.join("; caused by ", causes));
    }

    private static Cell cell(Workload workload, int threads, Contestant contestant) {
        return new Cell(workload.name(), threads, contestant.kind().label());
    }
}
