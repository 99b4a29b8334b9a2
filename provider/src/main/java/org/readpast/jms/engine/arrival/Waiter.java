package org.readpast.jms.engine.arrival;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * Where one thread waits for something to receive. A signal that comes before the wait is kept until it is cleared, so none is lost.
 * Thread-safe.
 */
public final class Waiter {

    private static final Logger LOG = Loggers.of(Waiter.class);

    private volatile boolean selective;

    /** Is signalled with this one; null for none. */
    private final Waiter together;

    /** Guarded by this. */
    private boolean signalled;

    /** Queues whose arrivals have woken it, and where it has not looked since. Replaced, with the monitor of {@link Arrivals}. */
    private volatile Set<Integer> owed = Set.of();

    /**
     * @param selective whether it waits for some messages only, so that another's arrival may be none for it
     */
    public Waiter(boolean selective) {
        this(selective, null);
    }

    /** @param together is signalled with this one, for a thread that waits for several; or null */
    public Waiter(boolean selective, Waiter together) {
        this.selective = selective;
        this.together = together;
    }

    /** To be said before it waits again. */
    public void setSelective(boolean nowSelective) {
        selective = nowSelective;
    }

    boolean isSelective() {
        return selective;
    }

    Set<Integer> owed() {
        return owed;
    }

    void setOwed(Set<Integer> nowOwed) {
        owed = nowOwed;
    }

    /** Drops a signal that came while nobody waited: to be called right before looking for what it may have been about. */
    public synchronized void clear() {
        signalled = false;
    }

    public void signal() {
        signalHere();
        if (together != null) {
            together.signal();
        }
    }

    private synchronized void signalHere() {
        signalled = true;
        notifyAll();
    }

    /**
     * Waits for a signal and uses it up.
     *
     * @param deadlineNanos when to stop waiting, by {@link System#nanoTime()}; {@link Long#MAX_VALUE} for never
     * @return false if the time was over first
     */
    public synchronized boolean await(long deadlineNanos) throws InterruptedException {
        while (!signalled) {
            if (deadlineNanos == Long.MAX_VALUE) {
                wait();
                continue;
            }
            long left = deadlineNanos - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        signalled = false;
        return true;
    }

    /** The same, on a thread of ours: an interrupt, which only the application's code can have sent it, is dropped. */
    public boolean awaitOnOurThread(long deadlineNanos) {
        while (true) {
            try {
                return await(deadlineNanos);
            } catch (InterruptedException e) {
                LOG.debug(
                        "{} was interrupted, and goes on",
                        Thread.currentThread().getName(),
                        e);
            }
        }
    }
}
