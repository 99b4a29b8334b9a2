package org.readpast.benchmarks.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.readpast.benchmarks.system.Payload;
import org.readpast.benchmarks.system.SystemUnderTest.Sender;

/** Threads that begin together. */
final class Crew {

    private Crew() {}

    /** What one of the threads does. */
    @FunctionalInterface
    interface Task {
        void run() throws Exception;
    }

    /**
     * Runs tasks, each on a thread of its own, and returns when all have ended.
     *
     * @return when they began, as {@link System#nanoTime} tells it
     */
    static long run(List<? extends Task> tasks) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
        try {
            CountDownLatch ready = new CountDownLatch(tasks.size());
            CountDownLatch start = new CountDownLatch(1);
            List<Future<?>> running = new ArrayList<>();
            for (Task task : tasks) {
                running.add(threads.submit(() -> {
                    ready.countDown();
                    start.await();
                    task.run();
                    return null;
                }));
            }
            ready.await();
            long begin = System.nanoTime();
            start.countDown();
            for (Future<?> one : running) {
                one.get();
            }
            return begin;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } finally {
            threads.shutdownNow();
        }
    }

    /** Lets senders send so many messages each, in the way of {@link #run}. */
    static long send(List<Sender> senders, Payload payload, int each) throws Exception {
        return run(senders.stream()
                .map(sender -> (Task) () -> {
                    for (int i = 0; i < each; i++) {
                        sender.send(payload);
                    }
                    sender.flush();
                })
                .toList());
    }

    static double secondsSince(long begin) {
        return (System.nanoTime() - begin) / 1e9;
    }
}
