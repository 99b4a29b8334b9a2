package org.readpast.jms.engine.support;

import java.util.concurrent.TimeUnit;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;

/**
 * Whether something that failed is tried again at once: a few times, where it may succeed. What broke quickly was a deadlock or a
 * stale connection of the pool; what took long to fail is an outage, which another try would only wait for anew. Not thread-safe.
 */
public final class Attempts {

    private static final int MOST = 3;
    private static final long QUICK_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final boolean deadlocks;
    private final long begun = System.nanoTime();
    private int failed;

    private Attempts(boolean deadlocks) {
        this.deadlocks = deadlocks;
    }

    /** Of work in the session's own SQL transaction. */
    public static Attempts inTransaction() {
        return new Attempts(true);
    }

    /** Of work in short transactions of the store's, which has tried again already after a deadlock. */
    public static Attempts inShortTransactions() {
        return new Attempts(false);
    }

    /** Takes note of a failure, and returns whether another attempt is worth it. */
    public boolean another(StoreException problem) {
        failed++;
        return failed < MOST
                && problem.failure().isTransient()
                && problem.failure() != Failure.POOL_EXHAUSTED
                && (deadlocks || problem.failure() != Failure.DEADLOCK)
                && System.nanoTime() - begun < QUICK_NANOS;
    }
}
