package org.readpast.jms.engine.transaction;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Held by the thread that is at work in a session: a calling thread, or the delivery thread or an application server's with a listener.
 * It is held while waiting for the database, never while waiting for a message. First come, first served, so that whoever stops or closes gets it after
 * the running delivery; whoever has it may take it again. An interrupt ends no wait for it, and is kept. Thread-safe.
 *
 * <p>A listener that waits for its session's completion listeners lends its lock to their thread: else the two would wait for each
 * other.
 */
public final class SessionLock {

    /** Something that takes a while. */
    @FunctionalInterface
    public interface Wait<E extends Exception> {
        void run() throws E;
    }

    private final boolean ofSeveral;

    /** Guarded by this, as all that follows. */
    private final Deque<Thread> waiting = new ArrayDeque<>();

    private Thread holder;
    private int holds;

    /** Whether the holder is calling a message listener. */
    private boolean listening;

    /** Whom the holder has lent it to. */
    private Thread guest;

    private int guestHolds;

    /** Of one session. */
    public SessionLock() {
        this(false);
    }

    /** @param ofSeveral whether several sessions have it, which the application knows as one */
    public SessionLock(boolean ofSeveral) {
        this.ofSeveral = ofSeveral;
    }

    /** Whether another session's listener may have it while a thread of this one would go on. */
    public boolean isOfSeveral() {
        return ofSeveral;
    }

    public void lock() {
        enter(Long.MAX_VALUE);
    }

    /** Takes it if nobody has it; returns false otherwise. */
    public synchronized boolean tryLock() {
        return ((holder == null && waiting.isEmpty()) || isHeldByCurrentThread()) && enter(Long.MAX_VALUE);
    }

    /** Does something with it. */
    public <E extends Exception> void during(Wait<E> work) throws E {
        lock();
        try {
            work.run();
        } finally {
            unlock();
        }
    }

    /** Waits until nobody has it who had it before; returns false if the time was over first. */
    public boolean awaitFree(long deadlineNanos) {
        if (!enter(deadlineNanos)) {
            return false;
        }
        unlock();
        return true;
    }

    private synchronized boolean enter(long deadlineNanos) {
        Thread me = Thread.currentThread();
        if (holder == me) {
            holds++;
            return true;
        }
        if (guest == me && guestHolds > 0) {
            guestHolds++;
            return true;
        }
        if (holder == null && waiting.isEmpty()) {
            holder = me;
            holds = 1;
            return true;
        }
        return enterAfterOthers(me, deadlineNanos);
    }

    private synchronized boolean enterAfterOthers(Thread me, long deadlineNanos) {
        waiting.addLast(me);
        boolean entered = waitUntil(() -> guest == me || (holder == null && waiting.peekFirst() == me), deadlineNanos);
        waiting.remove(me);
        if (entered && guest == me) {
            guestHolds = 1;
        } else if (entered) {
            holder = me;
            holds = 1;
        }
        // Others may be the first in line now.
        notifyAll();
        return entered;
    }

    private synchronized boolean waitUntil(BooleanSupplier condition, long deadlineNanos) {
        boolean interrupted = false;
        boolean over = false;
        while (!condition.getAsBoolean() && !over) {
            try {
                if (deadlineNanos == Long.MAX_VALUE) {
                    wait();
                } else {
                    long left = deadlineNanos - System.nanoTime();
                    over = left <= 0;
                    TimeUnit.NANOSECONDS.timedWait(this, left);
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return condition.getAsBoolean();
    }

    public synchronized void unlock() {
        if (guest == Thread.currentThread() && guestHolds > 0) {
            guestHolds--;
            notifyAll();
            return;
        }
        if (holder != Thread.currentThread()) {
            throw new IllegalMonitorStateException("The session's lock is somebody else's");
        }
        holds--;
        if (holds == 0) {
            holder = null;
            if (!waiting.isEmpty()) {
                notifyAll();
            }
        }
    }

    public synchronized boolean isHeldByCurrentThread() {
        return holder == Thread.currentThread() || isHeldByGuest();
    }

    /** To be called by the holder, before and after a message listener. */
    public synchronized void setListening(boolean nowListening) {
        listening = nowListening;
    }

    /** Whether the holder is calling a message listener. */
    public synchronized boolean isListening() {
        return listening;
    }

    /** Whether the current thread has it on loan. */
    synchronized boolean isHeldByGuest() {
        return guest == Thread.currentThread() && guestHolds > 0;
    }

    /** Whether the current thread may have it although another one, which waits for it, holds it. */
    public synchronized boolean isLentToCurrentThread() {
        return guest == Thread.currentThread();
    }

    /**
     * Waits; a caller who has the lock lends it meanwhile.
     *
     * @param to the thread that is waited for; null for nobody
     */
    public <E extends Exception> void lend(Thread to, Wait<E> wait) throws E {
        boolean lent = lendTo(to);
        try {
            wait.run();
        } finally {
            if (lent) {
                takeBack();
            }
        }
    }

    private synchronized boolean lendTo(Thread to) {
        if (to == null || guest != null || holder != Thread.currentThread()) {
            return false;
        }
        guest = to;
        notifyAll();
        return true;
    }

    private synchronized void takeBack() {
        waitUntil(() -> guestHolds == 0, Long.MAX_VALUE);
        guest = null;
    }
}
