package org.readpast.jms.engine.source;

import java.util.Collection;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.engine.arrival.ArrivalNews;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts delayed messages that have become due into their queues: looks once a second, and when one of this JVM's is due. Thread-safe. */
final class DueMessages {

    private static final Logger LOG = LoggerFactory.getLogger(DueMessages.class);
    private static final int BATCH = 500;
    private static final long CEILING_MILLIS = 1_000;

    /** Others have claimed what is due, or it is locked. */
    private static final long AGAIN_MILLIS = 50;

    private final MessageStore store;
    private final ArrivalNews news;
    private final ScheduledExecutorService executor;

    /** Used by the executor's thread. */
    private final LeftToOthers leftToOthers;

    /**
     * When to look, by {@link #nowMillis}. All of them: what an earlier one was for may never come, such as what an application's own
     * transaction has sent. Guarded by this.
     */
    private final NavigableSet<Long> looks = new TreeSet<>();

    /** The first of them; null while there is none and while one is under way. Guarded by this. */
    private ScheduledFuture<?> nextLook;

    /** When {@link #nextLook} runs, by {@link #nowMillis}. Guarded by this. */
    private long nextLookMillis;

    /**
     * @param executor has one thread
     * @param refusedMillis how long it is left to others where this user may not do it
     */
    DueMessages(MessageStore store, ArrivalNews news, ScheduledExecutorService executor, long refusedMillis) {
        this.store = store;
        this.news = news;
        this.executor = executor;
        this.leftToOthers = new LeftToOthers("moving messages that have become due", refusedMillis);
    }

    /** A message of this JVM will be due in this many milliseconds, if it comes. */
    synchronized void dueIn(long millis) {
        // Until then there is a look that sees when the others are due.
        if (millis > CEILING_MILLIS || executor.isShutdown()) {
            return;
        }
        looks.add(nowMillis() + millis + 1);
        if (nextLook != null) {
            if (nextLookMillis <= looks.first()) {
                return;
            }
            nextLook.cancel(false);
        }
        nextLookMillis = looks.first();
        nextLook = executor.schedule(this::look, nextLookMillis - nowMillis(), TimeUnit.MILLISECONDS);
    }

    /** Rounded down. */
    private static long nowMillis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    private void look() {
        synchronized (this) {
            nextLook = null;
            looks.headSet(nowMillis(), true).clear();
        }
        dueIn(leftToOthers.isNow() ? CEILING_MILLIS : moved());
    }

    /** Moves what is due, and returns when to look again, in milliseconds. */
    private long moved() {
        try {
            long due = store.millisUntilNextDue();
            long again = CEILING_MILLIS;
            if (due == 0) {
                Collection<Integer> rung = store.moveDue(BATCH);
                rung.forEach(news::available);
                again = rung.isEmpty() ? AGAIN_MILLIS : 0;
            } else if (due > 0) {
                again = Math.min(due, CEILING_MILLIS);
            }
            leftToOthers.over();
            return again;
        } catch (StoreException e) {
            if (e.failure() == Failure.PERMISSION) {
                leftToOthers.begin(e);
            } else {
                LOG.debug("Could not look for messages that have become due: {}", e.getMessage());
            }
        } catch (Throwable e) {
            LOG.error("Looking for messages that have become due failed and will be tried again", e);
        }
        return CEILING_MILLIS;
    }
}
