package org.readpast.jms.tck.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Something that runs on a thread of its own, such as a receive that blocks or a close that waits. */
public final class Elsewhere<T> {
    private final FutureTask<T> task;
    private final Thread thread;

    Elsewhere(Callable<T> action) {
        this.task = new FutureTask<>(action);
        this.thread = new Thread(task, "tck-elsewhere");
        thread.setDaemon(true);
        thread.start();
    }

    /** What it returned, once it has ended; what it threw is thrown here. Fails when it does not end. */
    public T result() throws Exception {
        try {
            return task.get(Jms.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError(
                    "still running after " + Jms.PATIENCE.toSeconds() + " s, at "
                            + Arrays.toString(thread.getStackTrace()),
                    e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }

    /** Waits until the thread rests within a method of this name. */
    public void awaitInside(String method) {
        await().atMost(Jms.PATIENCE).until(() -> {
            boolean inside = Arrays.stream(thread.getStackTrace())
                    .anyMatch(frame -> frame.getMethodName().equals(method));
            Thread.State state = thread.getState();
            return inside && (state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING);
        });
    }

    /** Looks for a moment whether it ends, and fails if it does. */
    public void assertKeepsRunning() throws InterruptedException {
        thread.join(Jms.GLANCE.toMillis());
        assertThat(task.isDone()).as("ended too early").isFalse();
    }
}
