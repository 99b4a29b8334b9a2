package org.readpast.benchmarks.workload;

import java.util.List;

/**
 * How much is measured.
 *
 * @param seconds how long one measurement is to take, about
 * @param warmUpSeconds how long each system does a workload of a kind, at the least, before it is measured
 * @param repetitions of each measurement, whose median counts
 * @param most operations in one measurement, however fast they are
 * @param threads for the workloads of the one-by-one kind
 * @param audiences numbers of subscriptions that are published to
 * @param crowds numbers of consumers on one queue
 * @param waiting messages that wait for a crowd
 * @param inFlight messages that somebody else holds beside a crowd
 * @param selectFrom messages that wait where one is selected by its correlation id
 * @param backlog messages in a long queue
 * @param brokersUpTo how many messages at most are made to wait in a broker, some of which take minutes for a million
 * @param delayed messages that are not due, beside a busy queue
 * @param networkMillis how slow networks are, each way
 * @param pacedSeconds how long latency and idle cost are measured
 * @param idleConsumers how many consumers do nothing in one JVM
 * @param idleJvms how many JVMs have a few consumers each that do nothing
 */
public record Scale(
        double seconds,
        double warmUpSeconds,
        int repetitions,
        int most,
        List<Integer> threads,
        List<Integer> audiences,
        List<Integer> crowds,
        int waiting,
        int inFlight,
        int selectFrom,
        int backlog,
        int brokersUpTo,
        int delayed,
        List<Integer> networkMillis,
        int pacedSeconds,
        int idleConsumers,
        int idleJvms) {

    private static final List<Integer> THREADS = List.of(1, 4, 16);
    private static final List<Integer> AUDIENCES = List.of(1, 10, 100);

    /** As many as a long queue has are among them, for comparison. */
    private static final List<Integer> CROWDS = List.of(1, 4, 16, 50, 64);

    private static final List<Integer> FEW_CROWDS = List.of(1, 4, 50, 64);

    private static final List<Integer> NETWORKS = List.of(1, 5);

    /** Some minutes: everything, in small. */
    public static final Scale QUICK = new Scale(
            0.2,
            3,
            3,
            100_000,
            THREADS,
            AUDIENCES,
            FEW_CROWDS,
            5_000,
            1000,
            5_000,
            20_000,
            20_000,
            5_000,
            NETWORKS,
            2,
            1000,
            10);

    /** Everything as it is meant. */
    public static final Scale FULL = new Scale(
            1.2, 6, 3, 300_000, THREADS, AUDIENCES, CROWDS, 20_000, 1000, 100_000, 1_000_000, 100_000, 100_000,
            NETWORKS, 8, 1000, 100);

    /** A handful of messages of everything, which shows only that it works. */
    public static final Scale SMOKE =
            new Scale(0, 0, 1, 20, List.of(4), List.of(1, 3), List.of(2), 30, 5, 20, 40, 40, 10, List.of(1), 1, 10, 2);
}
