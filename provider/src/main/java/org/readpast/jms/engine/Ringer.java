package org.readpast.jms.engine;

import java.util.LinkedHashSet;
import java.util.Set;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rings the database's bell for other JVMs, on a thread of its own and outside of any transaction: inside, PostgreSQL's NOTIFY
 * takes a lock that ends group commit. What arrives while one ring is under way goes out with the next. Thread-safe.
 */
final class Ringer implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Ringer.class);

    private final MessageStore store;

    /** Guarded by this. */
    private final Set<Integer> pending = new LinkedHashSet<>();

    /** Guarded by this. */
    private boolean closed;

    Ringer(MessageStore store) {
        this.store = store;
    }

    synchronized void ring(int destinationId) {
        if (pending.add(destinationId)) {
            notifyAll();
        }
    }

    synchronized void close() {
        closed = true;
        notifyAll();
    }

    @Override
    public void run() {
        try {
            for (Set<Integer> batch = next(); !batch.isEmpty(); batch = next()) {
                try {
                    store.ring(batch);
                } catch (StoreException e) {
                    // Others find the messages by polling; the next commit rings again.
                    LOG.debug("Could not ring for {}: {}", batch, e.getMessage());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized Set<Integer> next() throws InterruptedException {
        while (!closed && pending.isEmpty()) {
            wait();
        }
        Set<Integer> batch = closed ? Set.of() : Set.copyOf(pending);
        pending.clear();
        return batch;
    }
}
