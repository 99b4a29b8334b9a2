package org.readpast.jms.engine.source;

import java.util.Collection;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.readpast.jms.engine.arrival.ArrivalNews;
import org.readpast.jms.engine.arrival.OtherJvms;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.StoreException;

/**
 * Puts delayed messages that have become due into their queues: looks once a second, but where another JVM looks for all, and when one of
 * this JVM's is due. Thread-safe.
 */
final class DueMessages {

    private static final int BATCH = 500;
    private static final long CEILING_MILLIS = 1_000;

    /** A thread that did not come to it for so long waits for the database in another chore, or here. */
    private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** Others have claimed what is due, or it is locked. */
    private static final long AGAIN_MILLIS = 50;

    private final MessageStore store;
    private final ArrivalNews news;
    private final OtherJvms others;
    private final ScheduledExecutorService executor;

    private final Recurring moving;

    /** After how many milliseconds to look again. Used by the executor's thread. */
    private long againMillis;

    /** When its thread last came to it, by {@link System#nanoTime()}. */
    private volatile long passedNanos = System.nanoTime() - LATE_NANOS;

    /**
     * When messages of this JVM are due, by {@link #nowMillis}. All of them: what an earlier one was for may never come, such as what an
     * application's own transaction has sent. Guarded by this.
     */
    private final NavigableSet<Long> dues = new TreeSet<>();

    /** When to look in any case, by {@link #nowMillis}; the longest time before the start and while a look is under way. Guarded by this. */
    private long lookMillis = Long.MAX_VALUE;

    /** Null while there is none and while one is under way. Guarded by this. */
    private ScheduledFuture<?> nextLook;

    /** When {@link #nextLook} runs, by {@link #nowMillis}. Guarded by this. */
    private long nextLookMillis;

    /**
     * @param executor has one thread
     * @param recurring gives a chore that goes on when it fails
     */
    DueMessages(
            MessageStore store,
            ArrivalNews news,
            OtherJvms others,
            ScheduledExecutorService executor,
            BiFunction<String, Chore, Recurring> recurring) {
        this.store = store;
        this.news = news;
        this.others = others;
        this.executor = executor;
        this.moving = recurring.apply("moving messages that have become due", this::move);
    }

    /** Begins to look. */
    void start() {
        lookIn(0);
    }

    /** Whether this user may do it and it works, as far as is known, and the thread comes to it. */
    boolean isAllowed() {
        return moving.isAllowed() && System.nanoTime() - passedNanos < LATE_NANOS;
    }

    /** A message of this JVM will be due in this many milliseconds, if it comes. */
    synchronized void dueIn(long millis) {
        // Until then somebody looks who sees when the others are due.
        if (millis <= CEILING_MILLIS) {
            dues.add(nowMillis() + millis + 1);
            schedule();
        }
    }

    private synchronized void lookIn(long millis) {
        lookMillis = nowMillis() + millis + 1;
        schedule();
    }

    /** With the monitor. */
    private void schedule() {
        long first = dues.isEmpty() ? lookMillis : Math.min(dues.first(), lookMillis);
        if (executor.isShutdown() || (nextLook != null && nextLookMillis <= first)) {
            return;
        }
        ScheduledFuture<?> later = nextLook;
        nextLook = executor.schedule(this::look, first - nowMillis(), TimeUnit.MILLISECONDS);
        nextLookMillis = first;
        if (later != null) {
            later.cancel(false);
        }
    }

    /** Rounded down. */
    private static long nowMillis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    private void look() {
        againMillis = CEILING_MILLIS;
        try {
            if (begin() || !others.lookForThis()) {
                moving.run();
            }
        } finally {
            passedNanos = System.nanoTime();
            lookIn(againMillis);
        }
    }

    /** Whether messages of this JVM are due. */
    private synchronized boolean begin() {
        nextLook = null;
        lookMillis = Long.MAX_VALUE;
        NavigableSet<Long> now = dues.headSet(nowMillis(), true);
        boolean isMine = !now.isEmpty();
        now.clear();
        return isMine;
    }

    private void move() throws StoreException {
        long due = store.millisUntilNextDue();
        if (due == 0) {
            Collection<Integer> rung = store.moveDue(BATCH);
            rung.forEach(news::available);
            againMillis = rung.isEmpty() ? AGAIN_MILLIS : 0;
        } else if (due > 0) {
            againMillis = Math.min(due, CEILING_MILLIS);
        }
    }
}
