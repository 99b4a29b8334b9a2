package org.readpast.jms.engine.arrival;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Runs the steps of several threads in every order in which they can follow each other, on one thread. What is looked for are orders of calls
 * that nobody has thought of; that each call is one step, in whatever thread, is the business of its lock.
 */
final class Interleavings {

    private Interleavings() {}

    /** One call. */
    @FunctionalInterface
    interface Step {
        void run() throws InterruptedException;
    }

    /** What several threads do, and what has to hold when all have done it. */
    interface Scene {

        /** The steps of each thread. */
        List<List<Step>> threads();

        /** Fails if it does not hold. */
        void check() throws InterruptedException;
    }

    /**
     * Plays a scene in every order.
     *
     * @param scenes makes a new one each time
     * @return how many orders there were
     */
    static int play(Supplier<Scene> scenes) throws InterruptedException {
        List<Integer> lengths = scenes.get().threads().stream().map(List::size).toList();
        return play(scenes, lengths, new int[lengths.size()], new ArrayList<>());
    }

    private static int play(Supplier<Scene> scenes, List<Integer> lengths, int[] done, List<Integer> order)
            throws InterruptedException {
        int played = 0;
        for (int thread = 0; thread < done.length; thread++) {
            if (done[thread] < lengths.get(thread)) {
                int[] further = Arrays.copyOf(done, done.length);
                further[thread]++;
                order.add(thread);
                played += play(scenes, lengths, further, order);
                order.remove(order.size() - 1);
            }
        }
        if (played == 0) {
            playOnce(scenes.get(), order);
            return 1;
        }
        return played;
    }

    private static void playOnce(Scene scene, List<Integer> order) throws InterruptedException {
        int[] next = new int[scene.threads().size()];
        List<List<Step>> threads = scene.threads();
        for (int thread : order) {
            threads.get(thread).get(next[thread]++).run();
        }
        try {
            scene.check();
        } catch (AssertionError e) {
            throw new AssertionError("When the threads take their steps in the order " + order, e);
        }
    }
}
