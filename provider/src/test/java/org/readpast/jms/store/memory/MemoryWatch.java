package org.readpast.jms.store.memory;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.Watch;

/** Looks for messages. There is no bell between the stores of one database. */
final class MemoryWatch implements Watch {

    private final MemoryDatabase database;
    private final MemoryMessages messages;
    private final Semaphore woken = new Semaphore(0);

    MemoryWatch(MemoryDatabase database, MemoryMessages messages) {
        this.database = database;
        this.messages = messages;
    }

    @Override
    public Set<Integer> available(Collection<Integer> destinationIds) {
        synchronized (database) {
            return destinationIds.stream()
                    .filter(id -> !messages.available(null, ClaimRequest.fromHead(id, 1, null))
                            .isEmpty())
                    .collect(Collectors.toSet());
        }
    }

    @Override
    public Set<Integer> await(long timeoutMillis) throws InterruptedException {
        if (woken.tryAcquire(timeoutMillis, TimeUnit.MILLISECONDS)) {
            woken.drainPermits();
        }
        return Set.of();
    }

    @Override
    public boolean isTold() {
        return false;
    }

    @Override
    public void wakeUp() {
        woken.release();
    }

    @Override
    public void close() {
        // It holds nothing.
    }
}
