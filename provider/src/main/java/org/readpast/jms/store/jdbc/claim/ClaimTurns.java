package org.readpast.jms.store.jdbc.claim;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.StoreException;

/**
 * Lets claims of many messages of one queue take turns. Claims that begin at the same mark walk over each other's rows, and the more of
 * them are under way the more there is to walk over; whose turn comes later begins where those before have got to. Thread-safe.
 *
 * <p>Turns save work and keep nothing apart: who has waited long enough goes on without one.
 */
public final class ClaimTurns {

    /** Claims of fewer messages do not wait: they would wait for more than they save. */
    static final int MANY = 10;

    /** While one waits for the disk or the network another one can go on. */
    static final int AT_ONCE = 2;

    /** Two queues that share one only wait longer. */
    private static final int LINES = 64;

    private final Semaphore[] lines =
            Stream.generate(() -> new Semaphore(AT_ONCE, true)).limit(LINES).toArray(Semaphore[]::new);

    private final long patienceMillis;

    /** @param patienceMillis how long a claim waits at the most */
    ClaimTurns(long patienceMillis) {
        this.patienceMillis = patienceMillis;
    }

    /** What is done in a turn. */
    @FunctionalInterface
    public interface Work<T> {
        T run() throws StoreException;
    }

    <T> T in(ClaimRequest request, Work<T> work) throws StoreException {
        if (request.max() < MANY) {
            return work.run();
        }
        Semaphore line = lines[Math.floorMod(request.destinationId(), LINES)];
        boolean taken = take(line);
        try {
            return work.run();
        } finally {
            if (taken) {
                line.release();
            }
        }
    }

    private boolean take(Semaphore line) {
        try {
            return line.tryAcquire(patienceMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
