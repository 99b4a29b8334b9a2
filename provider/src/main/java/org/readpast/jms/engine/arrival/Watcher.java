package org.readpast.jms.engine.arrival;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.readpast.jms.config.Settings;
import org.readpast.jms.engine.support.Outage;
import org.readpast.jms.engine.support.Outages;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.Watch;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * The one thread of this JVM and database that looks whether something arrived for its idle consumers: one query for all of
 * them, at intervals that grow from a floor to a ceiling while nothing happens. One JVM looks for the consumers of others too, which look
 * seldom then while nothing happens. It rests, without any query, while nobody waits.
 */
public final class Watcher implements Runnable {

    private static final Logger LOG = Loggers.of(Watcher.class);

    /** The pause of a JVM at rest for which another one looks. */
    private static final long LOOKED_FOR_MILLIS = 5_000;

    /** How soon it notices that no other one looks for it any more. */
    private static final long NOTICE_MILLIS = 500;

    private final MessageStore store;
    private final Arrivals arrivals;
    private final OtherJvms others;
    private final Settings settings;
    private final Outages outages;

    private final LongAdder looks = new LongAdder();

    /** Set before the start. */
    private Runnable onFailure = () -> {};

    /** Guarded by this. */
    private boolean closed;

    /** Guarded by this; set only by the watching thread. */
    private Watch watch;

    /** When the pause before the next look began, by {@link System#nanoTime()}. Used by the watching thread. */
    private long pausedSince;

    /** When it last looked for other JVMs: as often as at rest, however much moves here. Used by the watching thread. */
    private long sharedSince;

    public Watcher(MessageStore store, Arrivals arrivals, OtherJvms others, Settings settings, Outages outages) {
        this.store = store;
        this.arrivals = arrivals;
        this.others = others;
        this.settings = settings;
        this.outages = outages;
        this.sharedSince = System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(settings.pollCeilingMillis());
    }

    /** What is to be done when it could not watch, as where connections are lost; to be called before it starts. */
    public void onFailure(Runnable task) {
        onFailure = task;
    }

    @Override
    public void run() {
        PollPace pace = new PollPace(settings);
        Outage outage = new Outage("watching for arrivals at " + store.describe(), LOG, settings, outages);
        try {
            boolean goesOn = true;
            while (goesOn) {
                try {
                    goesOn = restUntilAwaited();
                    if (goesOn) {
                        look(pace);
                        outage.over();
                    }
                } catch (StoreException | RuntimeException | Error e) {
                    pause(recover(outage, e));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            outage.end();
            closeWatch();
        }
    }

    /** Whatever fails here too, as where memory is short; returns how long to wait, in milliseconds. */
    private long recover(Outage outage, Throwable problem) {
        try {
            closeWatch();
            onFailure.run();
            return outage.again(problem);
        } catch (RuntimeException | Error e) {
            return settings.recoveryDelayMillis();
        }
    }

    /**
     * One wait and, when its pause is over, one query. Rings, however many, do not put that off; a wake-up only makes the pause the
     * shortest one.
     */
    private void look(PollPace pace) throws StoreException, InterruptedException {
        Watch current = openWatch();
        arrivals.setTold(current.isTold() || others.reachesAll());
        // Rather a part of a millisecond too long than to spin through it.
        long millis = 1 + TimeUnit.NANOSECONDS.toMillis(Math.max(0, nanosLeft(pace)));
        arrivals.rung(current.await(isLeftToOthers(pace) ? Math.min(millis, NOTICE_MILLIS) : millis));
        if (nanosLeft(pace) > 0) {
            if (arrivals.isProgressing()) {
                pace.quicken();
            }
            return;
        }
        Set<Integer> awaited = arrivals.awaited();
        Set<Integer> awaitedByOthers = isSharedNow() ? others.toLookFor() : Set.of();
        awaited.addAll(awaitedByOthers);
        if (!awaited.isEmpty()) {
            looks.increment();
            Set<Integer> found = current.available(awaited);
            arrivals.lookedUp(found);
            others.looked(awaitedByOthers.isEmpty() ? Set.of() : found);
        }
        pausedSince = System.nanoTime();
        if (!awaitedByOthers.isEmpty()) {
            sharedSince = pausedSince;
        }
        if (arrivals.takeProgress()) {
            pace.quicken();
        } else {
            pace.slowDown();
        }
    }

    /** While something moves here, nobody is asked whether others look. */
    private boolean isLeftToOthers(PollPace pace) {
        return pace.isAtRest() && others.lookForThis();
    }

    private boolean isSharedNow() {
        return System.nanoTime() - sharedSince >= TimeUnit.MILLISECONDS.toNanos(settings.pollCeilingMillis());
    }

    private long nanosLeft(PollPace pace) {
        long millis = isLeftToOthers(pace) ? Math.max(pace.pause(), LOOKED_FOR_MILLIS) : pace.pause();
        return pausedSince + TimeUnit.MILLISECONDS.toNanos(millis) - System.nanoTime();
    }

    /**
     * Somebody began to wait, or polling should be quick again. Only for the latter a pause between two looks is cut short: else
     * a consumer that finds nothing for it among what others wait for would end each pause by waiting again.
     */
    public void wakeUp() {
        Watch current;
        synchronized (this) {
            notifyAll();
            current = closed || arrivals.isProgressing() ? watch : null;
        }
        if (current != null) {
            current.wakeUp();
        }
    }

    /** How many statements have looked. */
    public long looks() {
        return looks.sum();
    }

    public void close() {
        synchronized (this) {
            closed = true;
        }
        wakeUp();
    }

    private synchronized boolean restUntilAwaited() throws InterruptedException {
        while (!closed && arrivals.awaited().isEmpty() && others.toLookFor().isEmpty()) {
            wait();
            pausedSince = System.nanoTime();
        }
        return !closed;
    }

    private synchronized void pause(long millis) throws InterruptedException {
        long deadline = System.nanoTime() + millis * 1_000_000;
        for (long left = millis; !closed && left > 0; left = (deadline - System.nanoTime()) / 1_000_000) {
            wait(left);
        }
    }

    private Watch openWatch() throws StoreException {
        synchronized (this) {
            if (watch != null) {
                return watch;
            }
        }
        Watch opened = store.watch();
        synchronized (this) {
            watch = opened;
            if (closed) {
                // Nobody could wake it before.
                opened.wakeUp();
            }
        }
        return opened;
    }

    private void closeWatch() {
        Watch old;
        synchronized (this) {
            old = watch;
            watch = null;
        }
        if (old != null) {
            arrivals.setTold(false);
            try {
                old.close();
            } catch (RuntimeException | Error e) {
                // A pool may throw anything, and this thread has to look on.
                LOG.debug("The connection that watched for arrivals could not be closed", e);
            }
        }
    }
}
