package org.readpast.jms.engine.runtime;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.engine.source.Groups;
import org.readpast.jms.engine.support.Uninterrupted;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.threads.Loggers;
import org.readpast.jms.threads.Patience;
import org.readpast.jms.threads.Threads;
import org.slf4j.Logger;

/**
 * Sessions of this JVM that take messages from one queue share transactions where many do so at the same time: who wants a message
 * waits, and a thread of ours serves all that wait. A few take theirs each for itself, on their own threads. Thread-safe.
 *
 * @param <W> who waits
 */
abstract class CombinedClaims<W> {

    private static final Logger LOG = Loggers.of(CombinedClaims.class);

    /** So many take theirs each for itself before they are combined. */
    private static final int ALONE = 8;

    /** With fewer than this at a time, each goes on by itself again. */
    private static final int TOGETHER = 6;

    /** Of those who wait, in one transaction. */
    private static final int MOST = 100;

    /** For so long each goes on by itself after something has failed, or has taken long. */
    static final Duration PAUSE = Duration.ofSeconds(1);

    /** The same after what may happen now and then only, and would happen again soon. */
    static final Duration LONG_PAUSE = Duration.ofSeconds(10);

    /** Who is not served for so long goes alone: what is under way may wait for a server that does not answer. */
    private static final Duration PATIENCE = Duration.ofMillis(50);

    /** So long nobody does while it is looked into what became of a commit. Whoever holds a message behind that may do so for long. */
    private static final Duration HELD_BACK = Duration.ofSeconds(5);

    /** A thread that has nothing to do for so long ends. */
    private static final long IDLE_MILLIS = 1_000;

    final MessageStore store;
    private final RedeliveryPlanner redeliveries;
    private final Groups groups;
    private final long doubtMillis;
    private final String threads;
    private final ConcurrentMap<Integer, Line> lines = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /**
     * @param doubtMillis for how long is looked, all in all, into what became of a commit
     * @param threads how the threads are called, before the queue's number
     */
    CombinedClaims(
            MessageStore store, RedeliveryPlanner redeliveries, Groups groups, long doubtMillis, String threads) {
        this.store = store;
        this.redeliveries = redeliveries;
        this.groups = groups;
        this.doubtMillis = doubtMillis;
        this.threads = threads;
    }

    abstract Line newLine(int queue);

    /** Somebody begins to take messages, and counts until {@link #leave}. */
    public final void enter(int queue) {
        lines.compute(queue, (id, known) -> {
            Line line = known == null ? newLine(id) : known;
            line.enter();
            return line;
        });
    }

    /** Somebody who has entered is done. */
    public final void leave(int queue) {
        lines.computeIfPresent(queue, (id, line) -> line.isLeft() ? null : line);
    }

    /** Whether they are combined just now, so that nothing is to be claimed ahead. */
    public final boolean isUnderWay(int queue) {
        Line line = lines.get(queue);
        return line != null && line.combined;
    }

    /** Whether who asks next, of those who have entered, is combined with others. */
    public final boolean isNext(int queue) {
        return line(queue).isCombinedNext();
    }

    /** There is one, for whoever has entered. */
    final Line line(int queue) {
        return lines.get(queue);
    }

    /** Ends the threads; whoever asks afterwards goes alone. */
    final void close() {
        closed = true;
        lines.values().forEach(Line::wake);
    }

    /** Those of one queue. One transaction is under way at a time, so that messages are handed out in their order. */
    abstract class Line {

        final int queue;

        /** In the order in which they came. Guarded by this. */
        private final Deque<W> waiting = new ArrayDeque<>();

        /** How many have entered. Guarded by this. */
        private int inside;

        /** Whether there is a thread. Guarded by this. */
        private boolean running;

        /** Until when each goes on by itself, by {@link System#nanoTime()}. Guarded by this. */
        private long pausedUntil = System.nanoTime();

        /** See {@link #holdBack}; by {@link System#nanoTime()}. Guarded by this. */
        private long heldBackUntil = System.nanoTime();

        /** Written with the lock of this. */
        private volatile boolean combined;

        Line(int queue) {
            this.queue = queue;
        }

        /** Serves these, and those who come meanwhile, until nobody waits or nothing is left. */
        abstract void serve(StoreTransaction transaction, List<W> first);

        /** Nothing was done for this one, who is to go on by itself. */
        abstract void alone(W waits);

        private synchronized void enter() {
            inside++;
        }

        private synchronized boolean isLeft() {
            inside--;
            return isUnused();
        }

        private synchronized boolean isUnused() {
            return inside == 0 && !running;
        }

        private synchronized void wake() {
            notifyAll();
        }

        private synchronized boolean isCombinedNext() {
            return !closed && (combined || isHeldBack() || (inside > ALONE && System.nanoTime() - pausedUntil >= 0));
        }

        /** Returns false for one who is to go alone. */
        final synchronized boolean takes(W one) {
            if (!isCombinedNext() || !isServed()) {
                return false;
            }
            combined = true;
            waiting.add(one);
            notifyAll();
            return true;
        }

        /** Returns false where there is no thread to serve anybody. */
        private boolean isServed() {
            try {
                if (!running) {
                    Threads.startShared(threads + queue, this::run);
                    running = true;
                }
            } catch (OutOfMemoryError e) {
                LOG.debug("No thread could be started that claims messages for several sessions", e);
            }
            return running;
        }

        private boolean isHeldBack() {
            return System.nanoTime() - heldBackUntil < 0;
        }

        /** Returns false for one who is being served, or has to wait. */
        final synchronized boolean takeBack(W one) {
            return !isHeldBack() && waiting.remove(one);
        }

        /** Waits until one is served; returns false for one who is not, and is to go alone. */
        final boolean awaitServed(W one, CountDownLatch served) {
            while (!Uninterrupted.await(served, System.nanoTime() + PATIENCE.toNanos())) {
                if (takeBack(one)) {
                    return false;
                }
            }
            return true;
        }

        final synchronized boolean isAnyWaiting() {
            return !waiting.isEmpty();
        }

        final boolean isClosed() {
            return closed;
        }

        private void run() {
            try (StoreTransaction transaction = store.transaction("combined")) {
                for (List<W> batch = first(); !batch.isEmpty(); batch = first()) {
                    serve(transaction, batch);
                }
            } catch (InterruptedException e) {
                LOG.warn("Somebody has interrupted a thread that claims messages", e);
            } finally {
                end();
                lines.computeIfPresent(queue, (id, line) -> line.isUnused() ? null : line);
            }
        }

        /** Those who wait; none if nobody has come for a while, or at the end. */
        private synchronized List<W> first() throws InterruptedException {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(IDLE_MILLIS);
            long left = IDLE_MILLIS;
            while (waiting.isEmpty() && !closed && left > 0) {
                wait(left);
                left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            }
            return batch(List.of());
        }

        /** However the thread ends, nobody waits for it; the next who comes starts another one. */
        private synchronized void end() {
            running = false;
            combined = false;
            heldBackUntil = System.nanoTime();
            waiting.forEach(this::alone);
            waiting.clear();
        }

        /** With room for all that is taken out of the queue. */
        private List<W> batch(List<W> unserved) {
            List<W> batch = new ArrayList<>(Math.max(MOST, unserved.size()));
            batch.addAll(unserved);
            while (!waiting.isEmpty() && batch.size() < MOST) {
                batch.add(waiting.poll());
            }
            return batch;
        }

        /** Those for whom the next claim is: who got none, and who has come meanwhile. */
        final synchronized List<W> next(List<W> unserved, int served) {
            List<W> batch = batch(unserved);
            if (served + batch.size() < TOGETHER) {
                combined = false;
            }
            return batch;
        }

        /** All that was claimed, complete; null unless all of it is to be delivered as it is. */
        final List<StoredMessage> complete(StoreTransaction transaction, List<StoredMessage> claimed)
                throws StoreException {
            if (groups.discover(queue, claimed) || !claimed.stream().allMatch(this::isAsUsual)) {
                return null;
            }
            List<StoredMessage> complete = new ArrayList<>();
            for (StoredMessage message : claimed) {
                complete.add(message.isPartial() ? transaction.complete(message) : message);
            }
            return complete.stream().allMatch(message -> message.unreadable() == null) ? complete : null;
        }

        private boolean isAsUsual(StoredMessage message) {
            return !message.isSuspect()
                    && message.unreadable() == null
                    && !redeliveries.isExhausted(Unacknowledged.of(message));
        }

        /** Whether a commit that has failed so may have been carried out: a driver that cannot read the answer throws anything. */
        final boolean mayBeCommitted(Throwable failure) {
            return !(failure instanceof StoreException problem) || problem.failure() == Failure.IN_DOUBT;
        }

        /** Until the {@link #pause} nobody of this line goes by himself, who might get what is in doubt; but not for long. */
        final synchronized void holdBack() {
            heldBackUntil = System.nanoTime() + HELD_BACK.toNanos();
        }

        /** For how long to look what became of a commit. */
        final Patience patience() {
            return new Patience(doubtMillis);
        }

        final synchronized void pause(Duration time) {
            combined = false;
            heldBackUntil = System.nanoTime();
            long end = System.nanoTime() + time.toNanos();
            pausedUntil = end - pausedUntil > 0 ? end : pausedUntil;
        }
    }
}
