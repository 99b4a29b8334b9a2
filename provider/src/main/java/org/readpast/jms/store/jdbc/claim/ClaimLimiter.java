package org.readpast.jms.store.jdbc.claim;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.StoreException;

/**
 * Limits how many claims of many messages of one queue are under way at once. Claims that begin at the same watermark walk over each
 * other's rows, and the more of them there are the more there is to walk over; one that waits begins where those before it have got to.
 * Thread-safe.
 *
 * <p>An optimisation, not mutual exclusion: a claim that has waited long enough goes on.
 */
public final class ClaimLimiter {

    /** Claims of fewer messages do not wait: they would wait for more than they save. */
    static final int MANY = 10;

    /** While one waits for the disk or the network another one can go on. */
    static final int AT_ONCE = 2;

    /** Two queues that share one only wait longer. */
    private static final int PERMITS = 64;

    private final Semaphore[] permits =
            Stream.generate(() -> new Semaphore(AT_ONCE, true)).limit(PERMITS).toArray(Semaphore[]::new);

    private final long patienceMillis;

    /** @param patienceMillis how long a claim waits at the most */
    ClaimLimiter(long patienceMillis) {
        this.patienceMillis = patienceMillis;
    }

    /** A claim. */
    @FunctionalInterface
    public interface Work<T> {
        T run() throws StoreException;
    }

    <T> T in(ClaimRequest request, Work<T> work) throws StoreException {
        if (request.max() < MANY) {
            return work.run();
        }
        Semaphore permit = permits[Math.floorMod(request.destinationId(), PERMITS)];
        boolean taken = take(permit);
        try {
            return work.run();
        } finally {
            if (taken) {
                permit.release();
            }
        }
    }

    private boolean take(Semaphore permit) {
        try {
            return permit.tryAcquire(patienceMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
