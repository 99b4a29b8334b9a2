package org.readpast.jms.engine.arrival;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntConsumer;

/**
 * The waiting consumers of this JVM, which are woken when messages arrive. A commit in this JVM reports exactly what it brought;
 * the watcher reports only that there is something, and each consumer that then gets a message wakes the next. Thread-safe;
 * nothing here touches the database. A receive from a backlog takes no lock here, nor does a send to a queue that nobody in this JVM
 * has received from: all threads of the JVM would stand in line for it.
 */
public final class Arrivals {

    /** Hears that consumers of this JVM wait for a queue. */
    @FunctionalInterface
    public interface Waiting {

        /**
         * @param all whether some of them wait for some messages only, so that all have to be told of each
         */
        void begins(int destinationId, boolean all);
    }

    /** How long a queue counts as waited for after somebody began to wait for it: who waited may be at work and come back. */
    private static final long AWAITED_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** One queue's waiters. */
    private static final class Line {
        private final int destinationId;

        /** Changes with each arrival, so that one between a consumer's empty claim and its wait is noticed. */
        private volatile long rings;

        private volatile boolean moreSeen;

        /** Whether it was found by a look that there is more, not told. */
        private volatile boolean lookedUp;

        /** Whether others know that it is waited for. Guarded by the lock of all lines, as is the writing of the others. */
        private boolean announced;

        /** Whether they know that all have to be told. */
        private boolean announcedAll;

        /** When somebody last began to wait, by {@link System#nanoTime()}. */
        private long awaitedNanos;

        /** The same of those that are selective. */
        private long selectiveNanos;

        /** Whether another JVM has told of messages and nobody has found one since. */
        private volatile boolean askedToLook;

        /** Whether a look that another JVM asked for has found nothing, and when, by {@link System#nanoTime()}. */
        private boolean inVain;

        private long inVainNanos;

        private final Deque<Waiter> waiters = new ArrayDeque<>();

        Line(int destinationId, long rings) {
            this.destinationId = destinationId;
            this.rings = rings;
        }
    }

    /** Those that somebody in this JVM has received from; what arrives for others is nobody's business here. */
    private final Map<Integer, Line> lines = new ConcurrentHashMap<>();

    private final LongAdder ringsInVain = new LongAdder();

    /** Counts arrivals and lines, so that a mark of a line that was forgotten fits no later line of the same queue. */
    private final AtomicLong rings = new AtomicLong();

    /** Whether polling should be quick again. */
    private volatile boolean progress;

    /** Whether other JVMs ring for what they bring, so that looks are for what comes without a bell. */
    private volatile boolean told;

    private Runnable watcherBell = () -> {};

    private Waiting waiting = (destinationId, all) -> {};

    private IntConsumer othersBell = destinationId -> {};
    private final long awaitedNanos;

    /** Arrivals of one database. */
    public Arrivals() {
        this(AWAITED_NANOS);
    }

    /** @param awaitedNanos how long a queue counts as waited for after somebody began to wait for it */
    Arrivals(long awaitedNanos) {
        this.awaitedNanos = awaitedNanos;
    }

    /** @param bell is run when there is something to watch for, and when polling should be quick again */
    public synchronized void onInterest(Runnable bell) {
        watcherBell = bell;
    }

    /** @param heard is told when others do not know yet that a queue is waited for */
    public synchronized void onWaiting(Waiting heard) {
        waiting = heard;
    }

    /** @param bell is told of a queue for which nobody of this JVM looks any more who was woken, so that others may */
    public synchronized void onLeft(IntConsumer bell) {
        othersBell = bell;
    }

    /** Whether other JVMs ring for what they bring. Then only what a look has found makes the next looks quick. */
    void setTold(boolean nowTold) {
        told = nowTold;
    }

    /** The state of a queue before a claim, to be given to {@link #enter} or {@link #foundNothing}. */
    public long mark(int destinationId) {
        return line(destinationId).rings;
    }

    /** Lets a waiter be woken for these queues, at once if one was rung for since its mark, or was forgotten. */
    public void enter(Waiter waiter, Map<Integer, Long> marks) {
        Runnable bell = null;
        Map<Integer, Boolean> news = new HashMap<>();
        Waiting heard;
        synchronized (this) {
            heard = waiting;
            boolean missed = false;
            for (Map.Entry<Integer, Long> mark : marks.entrySet()) {
                Line line = lines.get(mark.getKey());
                if (line == null) {
                    missed = true;
                    continue;
                }
                missed |= line.rings != mark.getValue();
                if (line.waiters.isEmpty() || progress) {
                    bell = watcherBell;
                }
                line.waiters.addLast(waiter);
                line.awaitedNanos = System.nanoTime();
                if (waiter.isSelective()) {
                    line.selectiveNanos = line.awaitedNanos;
                }
                if (!line.announced || (waiter.isSelective() && !line.announcedAll)) {
                    line.announced = true;
                    line.announcedAll |= waiter.isSelective();
                    news.put(line.destinationId, line.announcedAll);
                }
            }
            if (missed) {
                waiter.signal();
            }
        }
        news.forEach(heard::begins);
        if (bell != null) {
            bell.run();
        }
    }

    /** The queues that somebody waits for or did a little ago, and whether all have to be told; what else others know they forget. */
    public synchronized Map<Integer, Boolean> announced() {
        Map<Integer, Boolean> known = new HashMap<>();
        long now = System.nanoTime();
        for (Line line : lines.values()) {
            if (line.waiters.isEmpty() && now - line.awaitedNanos > awaitedNanos) {
                line.announced = false;
                line.announcedAll = false;
            } else if (line.announced) {
                line.announcedAll &= now - line.selectiveNanos <= awaitedNanos
                        || line.waiters.stream().anyMatch(Waiter::isSelective);
                known.put(line.destinationId, line.announcedAll);
            }
        }
        return known;
    }

    /** The waiter waits no more. */
    public synchronized void leave(Waiter waiter, Collection<Integer> destinationIds) {
        for (Integer id : destinationIds) {
            Line line = lines.get(id);
            if (line != null) {
                line.waiters.remove(waiter);
            }
        }
    }

    /**
     * A waiter that may have been woken has looked for messages of these queues. What woke it and is somewhere else, since it was closed or
     * its time was over, wakes another one, here or in another JVM.
     */
    public void looked(Waiter waiter, Collection<Integer> destinationIds) {
        if (waiter.owed().isEmpty()) {
            return;
        }
        Set<Integer> left = new HashSet<>();
        IntConsumer elsewhere;
        synchronized (this) {
            elsewhere = othersBell;
            Set<Integer> owed = waiter.owed();
            waiter.setOwed(Set.of());
            for (Integer id : owed) {
                Line line = lines.get(id);
                if (line != null && !destinationIds.contains(id) && wake(line, 1) == 0) {
                    left.add(id);
                }
            }
        }
        left.forEach(elsewhere::accept);
    }

    /**
     * A commit in this JVM made this many messages available in a queue.
     *
     * @return how many of those were woken that take any message
     */
    public int arrived(int destinationId, int count) {
        if (!told) {
            progressed();
        }
        Line line = lines.get(destinationId);
        if (line == null) {
            return 0;
        }
        synchronized (this) {
            line.rings = rings.incrementAndGet();
            return wake(line, count);
        }
    }

    /**
     * Another JVM has told of messages in a queue.
     *
     * @param count how many, or 0 for some
     * @param lookedUp whether a look of that JVM has found them
     * @return how many of those were woken that take any message
     */
    public int told(int destinationId, int count, boolean lookedUp) {
        Line line = lines.get(destinationId);
        if (line == null) {
            return 0;
        }
        synchronized (this) {
            line.rings = rings.incrementAndGet();
            line.moreSeen |= count == 0;
            line.lookedUp |= lookedUp;
            line.askedToLook |= !line.waiters.isEmpty();
            return wake(line, Math.max(1, count));
        }
    }

    /** After how many rings of other JVMs nothing was found. */
    public long ringsInVain() {
        return ringsInVain.sum();
    }

    /** How long ago a look found nothing that another JVM had asked for, in nanoseconds; the longest time if none did. */
    public long nanosSinceVainLook(int destinationId) {
        Line line = lines.get(destinationId);
        if (line == null) {
            return Long.MAX_VALUE;
        }
        synchronized (this) {
            return line.inVain ? System.nanoTime() - line.inVainNanos : Long.MAX_VALUE;
        }
    }

    /** There is something in these queues, nobody knows how much: somebody has told. */
    public void rung(Collection<Integer> destinationIds) {
        seen(destinationIds, false);
    }

    /** There is something in these queues, nobody knows how much: a look has found it. */
    void lookedUp(Collection<Integer> destinationIds) {
        seen(destinationIds, true);
    }

    private synchronized void seen(Collection<Integer> destinationIds, boolean lookedUp) {
        for (Integer id : destinationIds) {
            Line line = lines.get(id);
            if (line != null) {
                line.rings = rings.incrementAndGet();
                line.moreSeen = true;
                line.lookedUp |= lookedUp;
                wake(line, 1);
            }
        }
    }

    /** Something will become available without a bell of ours ringing, such as the commit of a borrowed connection. */
    public void expect() {
        Runnable bell;
        synchronized (this) {
            progress = true;
            bell = watcherBell;
        }
        bell.run();
    }

    /** A claim got something; where the watcher had seen it, there may be more for the next. */
    public void claimed(int destinationId) {
        Line line = lines.get(destinationId);
        if (!told || (line != null && line.lookedUp)) {
            progressed();
        }
        if (line != null && (line.moreSeen || line.askedToLook)) {
            synchronized (this) {
                line.askedToLook = false;
                line.inVain = false;
                if (line.moreSeen) {
                    wake(line, 1);
                }
            }
        }
    }

    private void progressed() {
        if (!progress) {
            progress = true;
        }
    }

    /** A claim got nothing. What has come since its mark it may not have seen, and there may be more of that. */
    public synchronized void foundNothing(int destinationId, long mark) {
        Line line = lines.get(destinationId);
        if (line != null && line.rings == mark) {
            line.moreSeen = false;
            line.lookedUp = false;
            if (line.askedToLook) {
                line.askedToLook = false;
                ringsInVain.increment();
                line.inVain = true;
                line.inVainNanos = System.nanoTime();
            }
        }
    }

    /** The queues that somebody waits for. */
    synchronized Set<Integer> awaited() {
        Set<Integer> ids = new LinkedHashSet<>();
        lines.forEach((id, line) -> {
            if (!line.waiters.isEmpty()) {
                ids.add(id);
            }
        });
        return ids;
    }

    /** Whether anything moved since the last {@link #takeProgress}. */
    boolean isProgressing() {
        return progress;
    }

    /** Whether anything moved since the last call, so that polling should be quick. */
    synchronized boolean takeProgress() {
        boolean was = progress;
        progress = false;
        return was;
    }

    /** Forgets a queue that is gone, waking whoever still waits for it. */
    public synchronized void forget(int destinationId) {
        Line line = lines.remove(destinationId);
        if (line != null) {
            line.waiters.forEach(Waiter::signal);
        }
    }

    /** Returns how many of those were woken that take any message. */
    private static int wake(Line line, int count) {
        int left = count;
        for (Iterator<Waiter> waiters = line.waiters.iterator(); waiters.hasNext(); ) {
            Waiter waiter = waiters.next();
            if (waiter.isSelective() || left > 0) {
                if (!waiter.isSelective()) {
                    left--;
                    Set<Integer> owed = new HashSet<>(waiter.owed());
                    owed.add(line.destinationId);
                    waiter.setOwed(owed);
                }
                waiters.remove();
                waiter.signal();
            }
        }
        return count - left;
    }

    private Line line(int destinationId) {
        Line known = lines.get(destinationId);
        return known != null
                ? known
                : lines.computeIfAbsent(destinationId, id -> new Line(id, rings.incrementAndGet()));
    }
}
