package org.readpast.jms.engine.arrival;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.threads.Loggers;
import org.readpast.jms.threads.Threads;
import org.slf4j.Logger;

/**
 * Rings the database's bell for JVMs that datagrams do not reach, outside of any transaction that stores a message: PostgreSQL's NOTIFY
 * takes a lock there that ends group commit. It does so on a thread of its own, which is there while it has something to do, and what
 * arrives while one ring is under way goes out with the next. Does nothing where the database has no bell. Thread-safe.
 */
public final class Ringer implements AutoCloseable {

    private static final Logger LOG = Loggers.of(Ringer.class);

    private static final int CLOSE_SECONDS = 10;

    private final MessageStore store;
    private final ThreadPoolExecutor executor;

    /** Guarded by this. */
    private final Set<Integer> pending = new LinkedHashSet<>();

    /** @param name what its thread has in its name */
    public Ringer(MessageStore store, String name) {
        this.store = store;
        executor = new ThreadPoolExecutor(
                1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Threads.shared("ringer-" + name));
        executor.allowCoreThreadTimeOut(true);
        executor.setRejectedExecutionHandler((task, closed) -> LOG.trace("Closed, nobody is told any more"));
    }

    /** Rings soon. */
    public void ring(int destinationId) {
        if (store.hasBell() && isFirst(destinationId)) {
            try {
                executor.execute(this::ringForAll);
            } catch (OutOfMemoryError e) {
                LOG.warn("No thread could be started to ring for {}, which others find by polling", next(), e);
            }
        }
    }

    private synchronized boolean isFirst(int destinationId) {
        return pending.add(destinationId) && pending.size() == 1;
    }

    private void ringForAll() {
        Set<Integer> batch = next();
        try {
            store.ring(batch);
        } catch (StoreException e) {
            // Others find the messages by polling; the next commit rings again.
            LOG.debug("Could not ring for {}: {}", batch, e.getMessage());
        } catch (RuntimeException | Error e) {
            LOG.warn("Could not ring for {}, which others find by polling", batch, e);
        }
    }

    private synchronized Set<Integer> next() {
        try {
            return Set.copyOf(pending);
        } finally {
            // Whatever happens: what is left here would keep all others from ringing.
            pending.clear();
        }
    }

    /** Waits for what is under way, and drops what is not. */
    @Override
    public void close() {
        executor.shutdown();
        executor.getQueue().clear();
        try {
            if (!executor.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.debug("A ring still waits for {}", store.describe());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
