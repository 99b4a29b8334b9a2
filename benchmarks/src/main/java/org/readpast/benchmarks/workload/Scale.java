package org.readpast.benchmarks.workload;

import java.util.List;

/**
 * How much is measured.
 *
 * @param seconds how long one measurement is to take, about
 * @param repetitions of each measurement, whose median counts
 * @param most operations in one measurement, however fast they are
 * @param threads for the workloads of the one-by-one kind
 * @param audiences numbers of subscriptions that are published to
 * @param crowds numbers of consumers on one queue
 * @param waiting messages that wait for a crowd
 * @param selectFrom messages that wait where one is selected by its correlation id
 * @param backlog messages in a long queue; 0 for leaving that out
 * @param delayed messages that are not due, beside a busy queue; 0 for leaving that out
 * @param networkMillis how slow networks are, each way; none for leaving them out
 * @param pacedSeconds how long latency and idle cost are measured
 * @param idleConsumers how many consumers do nothing; 0 for leaving that out
 */
public record Scale(
        double seconds,
        int repetitions,
        int most,
        List<Integer> threads,
        List<Integer> audiences,
        List<Integer> crowds,
        int waiting,
        int selectFrom,
        int backlog,
        int delayed,
        List<Integer> networkMillis,
        int pacedSeconds,
        int idleConsumers) {

    private static final List<Integer> THREADS = List.of(1, 4, 16);
    private static final List<Integer> AUDIENCES = List.of(1, 10, 100);

    /** Some minutes. */
    public static final Scale QUICK =
            new Scale(0.5, 3, 50_000, THREADS, AUDIENCES, List.of(), 0, 10_000, 0, 0, List.of(1), 3, 1000);

    /** Everything; hours. */
    public static final Scale FULL = new Scale(
            5,
            5,
            500_000,
            THREADS,
            AUDIENCES,
            List.of(1, 4, 16, 64),
            20_000,
            100_000,
            1_000_000,
            100_000,
            List.of(1, 5),
            20,
            1000);

    /** A handful of messages of everything, which shows only that it works. */
    public static final Scale SMOKE =
            new Scale(0, 1, 20, List.of(2), List.of(1, 3), List.of(2), 30, 20, 40, 10, List.of(1), 1, 10);
}
