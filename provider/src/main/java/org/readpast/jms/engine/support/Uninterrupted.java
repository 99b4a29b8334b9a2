package org.readpast.jms.engine.support;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * What has to be done to its end on a thread that may be interrupted, before or meanwhile: the interrupt is put aside and is there
 * again afterwards. A wait for a SQL connection that it ended is begun anew.
 */
public final class Uninterrupted {

    private static final Logger LOG = Loggers.of(Uninterrupted.class);

    /** Something that may be done again if it failed. */
    @FunctionalInterface
    public interface Work<E extends Exception> {
        void run() throws E;
    }

    private Uninterrupted() {}

    /** Runs it, again whenever it has failed as the thread was interrupted. */
    public static <E extends Exception> void run(Work<E> work) throws E {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    work.run();
                    return;
                } catch (Exception e) {
                    if (!Thread.interrupted()) {
                        throw e;
                    }
                    interrupted = true;
                    LOG.debug("Interrupted, trying again", e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Waits for a latch.
     *
     * @param deadlineNanos until when, by {@link System#nanoTime()}
     * @return false if the time was over first
     */
    public static boolean await(CountDownLatch latch, long deadlineNanos) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return latch.await(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Runs it once, on a thread that is not interrupted as it begins. */
    public static <E extends Exception> void once(Work<E> work) throws E {
        boolean interrupted = Thread.interrupted();
        try {
            work.run();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
