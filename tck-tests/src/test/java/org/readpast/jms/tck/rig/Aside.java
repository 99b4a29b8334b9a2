package org.readpast.jms.tck.rig;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Something that runs on a thread of its own, whose end can be waited for a bounded time. */
public final class Aside<T> {

    private static final long PATIENCE_SECONDS = 120;

    private final FutureTask<T> task;
    private final Thread thread;

    private Aside(Callable<T> action) {
        task = new FutureTask<>(action);
        thread = new Thread(task, "aside");
        thread.setDaemon(true);
        thread.start();
    }

    /** Something that may throw. */
    @FunctionalInterface
    public interface Action {
        void run() throws Exception;
    }

    public static <T> Aside<T> call(Callable<T> action) {
        return new Aside<>(action);
    }

    /** Runs an action; the result is what it threw, or null. */
    public static Aside<Exception> attempt(Action action) {
        return new Aside<>(() -> {
            try {
                action.run();
                return null;
            } catch (Exception thrown) {
                return thrown;
            }
        });
    }

    /** What it returned; fails if it threw or does not end. */
    public T result() throws InterruptedException {
        try {
            return task.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            AssertionError error = new AssertionError("Still running after " + PATIENCE_SECONDS + " s", e);
            error.setStackTrace(thread.getStackTrace());
            throw error;
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    public boolean isDone() {
        return task.isDone();
    }

    /** Whether the thread rests in a method of this name. */
    public boolean restsIn(String method) {
        return Threads.restsIn(thread, method);
    }
}
