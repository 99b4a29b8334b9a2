package org.readpast.jms.engine.support;

import jakarta.jms.JMSException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.config.Settings;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.threads.Loggers;
import org.readpast.jms.threads.Threads;
import org.slf4j.Logger;

/**
 * Carries out what closing leaves to do on threads of its own, so that whoever closes comes back after {@code closeTimeoutMillis}: a
 * listener may still be running in the session that is being closed, and a database that does not answer keeps its caller waiting for as
 * long as the driver lets it. What is late is done all the same. Thread-safe.
 */
public final class Closing {

    private static final Logger LOG = Loggers.of(Closing.class);
    private static final long IDLE_MILLIS = 1_000;

    /** What is left to do. */
    @FunctionalInterface
    public interface Work {
        void run() throws JMSException;
    }

    private final long timeoutMillis;

    /** Its threads end by themselves, since what is late may come at any time. */
    private final ThreadPoolExecutor threads;

    /** @param name what its threads have in their names */
    public Closing(Settings settings, String name) {
        timeoutMillis = settings.closeTimeoutMillis();
        threads = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_MILLIS,
                TimeUnit.MILLISECONDS,
                new SynchronousQueue<>(),
                Threads.shared("closing-" + name));
    }

    /** Until when closing that begins now waits, by {@link System#nanoTime()}. */
    public long deadline() {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    }

    /**
     * Does it, and waits for that; an interrupt does not end the wait, and is kept.
     *
     * @param what is closed, for errors and logs
     * @throws JMSException what the work throws; or that it is not done yet when the time is over
     */
    public void carryOut(String what, long deadlineNanos, Work work) throws JMSException {
        CompletableFuture<Throwable> end = CompletableFuture.supplyAsync(() -> problemOf(work), this::begin);
        CountDownLatch ended = new CountDownLatch(1);
        CompletableFuture<Void> unused = end.thenRun(ended::countDown);
        if (!Uninterrupted.await(ended, deadlineNanos)) {
            unused = end.thenAccept(problem -> logLate(what, problem));
            throw late(what, "a listener, another thread or the database");
        }
        Throwable problem = end.join();
        if (problem instanceof JMSException failure) {
            throw failure;
        }
        if (problem != null) {
            throw JmsErrors.unexpected("Closing " + what + " failed", problem);
        }
    }

    /** Where there is no thread to be had, on the caller's own. */
    private void begin(Runnable task) {
        try {
            threads.execute(task);
        } catch (OutOfMemoryError e) {
            LOG.warn(
                    "No thread could be started for closing, which is done by whoever closes, however long it takes",
                    e);
            task.run();
        }
    }

    /** Null where there is none. */
    private static Throwable problemOf(Work work) {
        try {
            work.run();
            return null;
        } catch (Throwable e) {
            return e;
        }
    }

    private static void logLate(String what, Throwable problem) {
        if (problem != null) {
            LOG.warn("{}: the rest of closing failed: {}", what, problem.getMessage());
        }
    }

    /** @param who keeps closing waiting */
    public JMSException late(String what, String who) {
        return new JMSException(what + " is closed, but " + who + " has kept that waiting for longer than "
                + timeoutMillis + " ms (option 'closeTimeoutMillis'); what is left of closing is done afterwards");
    }
}
