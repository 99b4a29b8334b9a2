package org.readpast.jms.engine.support;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.readpast.jms.threads.Threads;

/**
 * Something that is made once, for whoever asks for it. Those who ask while it is being made wait for one and the same attempt, and get
 * its failure if it fails; the next one who asks begins another. It is made on a thread of ours, and whoever is interrupted leaves it
 * to the others. Thread-safe.
 *
 * @param <T> what is made
 */
public final class SharedAttempt<T> {

    private final String threadName;

    /** The attempt that is under way or worked; null while there is none. Guarded by this. */
    private FutureTask<T> attempt;

    /** @param threadName of the thread on which it is made */
    public SharedAttempt(String threadName) {
        this.threadName = threadName;
    }

    /**
     * What was made, or is made now.
     *
     * @throws ExecutionException with what making it threw
     * @throws InterruptedException if the calling thread is interrupted first; the attempt goes on
     */
    public T get(Callable<T> making) throws ExecutionException, InterruptedException {
        return begun(making).get();
    }

    private synchronized FutureTask<T> begun(Callable<T> making) {
        if (attempt == null) {
            FutureTask<T> begun = new FutureTask<>(() -> {
                boolean made = false;
                try {
                    T result = making.call();
                    made = true;
                    return result;
                } finally {
                    if (!made) {
                        forget();
                    }
                }
            });
            Threads.startOfCaller(threadName, begun);
            attempt = begun;
        }
        return attempt;
    }

    private synchronized void forget() {
        attempt = null;
    }

    /** Waits for an attempt that is under way, and returns what was made; null if there is nothing. */
    public T end() throws InterruptedException {
        FutureTask<T> last;
        synchronized (this) {
            last = attempt;
            attempt = null;
        }
        try {
            return last == null ? null : last.get();
        } catch (ExecutionException e) {
            return null;
        }
    }
}
