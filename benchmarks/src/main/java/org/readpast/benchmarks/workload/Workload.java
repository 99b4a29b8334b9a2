package org.readpast.benchmarks.workload;

import java.util.List;

/** Something that systems do, which can be measured. */
public interface Workload {

    String name();

    /** What its code does, by which others of the same kind are known: who has done one of them is warm for all. */
    default String kind() {
        return name();
    }

    /** With how many threads it is done, one after the other. */
    List<Integer> threads();

    /** Whether each measurement takes so long by its nature, whatever number of operations it is asked for. */
    default boolean isPaced() {
        return false;
    }

    /** Whether measuring it once is enough, as it takes long by itself. */
    default boolean isLong() {
        return false;
    }

    /** How many times as long as others a measurement takes. */
    default int timesAsLong() {
        return 1;
    }

    /** How many operations a measurement takes at the least to show how fast they are. */
    default int leastOperations(int threads) {
        return 1;
    }

    /** How many messages must wait for it, where that is what makes it hard; 0 elsewhere. */
    default int waitingMessages() {
        return 0;
    }

    /**
     * Gets ready to do it with one system.
     *
     * @throws UnsupportedOperationException if that system cannot do it
     */
    Trial prepare(Contestant contestant, int threads) throws Exception;

    /** A workload that one system is ready to do, again and again. Used by one thread. */
    interface Trial extends AutoCloseable {

        /** Does it once, so many operations in all, and returns what was measured. */
        Outcome run(int operations) throws Exception;

        /** Leaves nothing behind that others would suffer from. */
        @Override
        void close();
    }

    /**
     * What came out of doing it once.
     *
     * @param seconds how long the operations took
     */
    record Outcome(double seconds, List<Figure> figures) {

        static Outcome of(double seconds, Figure... figures) {
            return new Outcome(seconds, List.of(figures));
        }
    }
}
