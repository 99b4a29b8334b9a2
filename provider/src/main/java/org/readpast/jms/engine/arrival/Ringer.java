package org.readpast.jms.engine.arrival;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rings the database's bell for other JVMs. A message that comes alone rings in the transaction that stores it, and is heard of
 * sooner. Where there are more, PostgreSQL's NOTIFY would take a lock there that ends group commit: for these it rings on a thread of
 * its own and outside of any transaction, and what arrives while one ring is under way goes out with the next. Thread-safe.
 */
public final class Ringer implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Ringer.class);

    /** A message comes alone if none has been sent for this long: where many are sent, more is lost by waiting for the lock than is won. */
    private static final long ALONE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final MessageStore store;

    /** Guarded by this. */
    private final Set<Integer> pending = new LinkedHashSet<>();

    /** Whether a message is being sent that rings. Guarded by this. */
    private boolean ringing;

    /** When the last one was sent, by {@link System#nanoTime()}. Guarded by this. */
    private long lastSend = System.nanoTime() - ALONE_NANOS;

    /** Guarded by this. */
    private boolean closed;

    public Ringer(MessageStore store) {
        this.store = store;
    }

    /** Stores a message in a small transaction of its own and rings for it: in the same round trip if it comes alone. */
    public void send(NewMessage message) throws StoreException {
        boolean rung = false;
        if (begins()) {
            try {
                rung = store.insertAndRing(message);
            } finally {
                ends();
            }
        } else {
            store.insert(List.of(message));
        }
        if (!rung) {
            ring(message.destinationId());
        }
    }

    private synchronized boolean begins() {
        long now = System.nanoTime();
        boolean alone = !ringing && pending.isEmpty() && now - lastSend >= ALONE_NANOS;
        lastSend = now;
        ringing |= alone;
        return alone;
    }

    private synchronized void ends() {
        ringing = false;
    }

    public synchronized void ring(int destinationId) {
        if (pending.add(destinationId)) {
            notifyAll();
        }
    }

    public synchronized void close() {
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
                } catch (RuntimeException | Error e) {
                    LOG.warn("Could not ring for {}, which others find by polling", batch, e);
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
