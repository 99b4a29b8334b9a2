package org.readpast.jms.engine.bell;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntConsumer;

/**
 * Who waits for what, and who has been told of messages and has not answered yet. Of a message that anybody may take one JVM is told,
 * in turn; what it does not take, since fewer wait there, and what it does not answer in time goes to the next. Those whose consumers
 * may pass a message by are told of each. While one has not answered, what comes is told with the next ring. Thread-safe; nothing here
 * waits.
 */
final class Rings {

    /** Answers take a part of a millisecond. Who has not answered by now may be collecting garbage. */
    private static final long ANSWER_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Whose consumers are all at work is told of what comes then after this time: they look by themselves as they end. */
    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** How often one is rung for the same messages where there is no other. */
    private static final int MOST_ATTEMPTS = 3;

    /** For how long one counts as waiting that has not said so again. */
    private static final long AWAITED_NANOS = TimeUnit.SECONDS.toNanos(15);

    /** How long ago something may have been sent that a JVM is told of that begins to wait. */
    private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** What is remembered. */
    private static final int MOST_DESTINATIONS = 20_000;

    private static final long NEVER = Long.MAX_VALUE;

    /** Of some messages, nobody knows how many. */
    private static final int SOME = 0;

    /** The same, found by a look. */
    private static final int FOUND = -1;

    /** Messages that somebody is told of. */
    private static final class Ring {

        /** Or {@link #SOME}, or {@link #FOUND}. */
        private int count;

        private final Set<Peer> tried = new HashSet<>();
        private int attempts;
        private long counter;
        private long sentNanos;

        Ring(int count) {
            this.count = count;
        }
    }

    /** A JVM that waits. */
    private static final class Waiting {
        private final Peer peer;
        private boolean all;
        private long saidNanos;

        /** What it has not answered yet; null for nothing. */
        private Ring out;

        /** Whether it is to be rung again when it has answered. */
        private boolean again;

        /** Until when its consumers are taken to be at work. */
        private long restUntilNanos = System.nanoTime();

        Waiting(Peer peer) {
            this.peer = peer;
        }
    }

    /** Who waits for one destination. What is in it is guarded by its monitor. */
    private static final class Line {
        private final int destinationId;
        private final List<Waiting> waiting = new ArrayList<>();

        /** Who comes next. */
        private int next;

        /** Of how many messages nobody could be told yet. */
        private int untold;

        /** Whether somebody has been asked to see to that. */
        private boolean isCaughtUpSoon;

        Line(int destinationId) {
            this.destinationId = destinationId;
        }
    }

    private final Map<Integer, Line> lines = new ConcurrentHashMap<>();

    /** Those in which something is due later. */
    private final Set<Line> busy = ConcurrentHashMap.newKeySet();

    /** When something was last sent to a destination, for those who are not known to wait yet. */
    private final Map<Integer, Long> lastRung = new ConcurrentHashMap<>();

    private final LongAdder sent = new LongAdder();
    private final OnBusy onBusy;
    private final IntConsumer onGivenUp;

    /** Hears when {@link #catchUp} is to be called. */
    @FunctionalInterface
    interface OnBusy {

        /**
         * @param soon whether anew now, and not only within {@link #ANSWER_NANOS}
         */
        void isBusy(boolean soon);
    }

    /**
     * @param onBusy hears when {@link #catchUp} is to be called
     * @param onGivenUp is told of a destination for which a JVM was rung that does not answer
     */
    Rings(OnBusy onBusy, IntConsumer onGivenUp) {
        this.onBusy = onBusy;
        this.onGivenUp = onGivenUp;
    }

    /** How many were sent. */
    long sent() {
        return sent.sum();
    }

    /** A JVM says that it waits. */
    void waits(Peer peer, int destinationId, boolean all, long now) {
        lines.compute(destinationId, (id, known) -> {
            if (known == null && lines.size() >= MOST_DESTINATIONS) {
                return null;
            }
            Line line = known == null ? new Line(id) : known;
            synchronized (line) {
                Waiting before = of(peer, line);
                Waiting waiting = before == null ? new Waiting(peer) : before;
                waiting.all = all;
                waiting.saidNanos = now;
                if (before == null) {
                    line.waiting.add(waiting);
                    makeGood(line, waiting, now);
                }
            }
            return line;
        });
    }

    /** Tells of what was sent a little ago, if anything was. */
    private void makeGood(Line line, Waiting late, long now) {
        Long sent = lastRung.get(line.destinationId);
        if (sent != null && now - sent < LATE_NANOS) {
            tellOfSome(line, late);
        }
    }

    /** A JVM is reached that was not. */
    void reached(Peer peer, long now) {
        for (Integer id : lastRung.keySet()) {
            Line line = lines.get(id);
            if (line != null) {
                synchronized (line) {
                    Waiting waiting = of(peer, line);
                    if (waiting != null) {
                        makeGood(line, waiting, now);
                    }
                }
            }
        }
    }

    /** How many wait for a destination. */
    int awaiting(int destinationId) {
        Line line = lines.get(destinationId);
        if (line == null) {
            return 0;
        }
        synchronized (line) {
            return line.waiting.size();
        }
    }

    /** What each one waits for: ids of destinations, and whether it has to be told of all. */
    Map<Peer, Map<Integer, Boolean>> awaited() {
        Map<Peer, Map<Integer, Boolean>> awaited = new HashMap<>();
        for (Line line : lines.values()) {
            synchronized (line) {
                line.waiting.forEach(each -> awaited.computeIfAbsent(each.peer, unknownYet -> new HashMap<>())
                        .put(line.destinationId, each.all));
            }
        }
        return awaited;
    }

    /** All that somebody waits for. */
    Set<Integer> awaitedIds() {
        return Set.copyOf(lines.keySet());
    }

    /** Forgets who has not said for a while that it waits, and who is gone. */
    void forget(Set<Peer> present, long now) {
        lastRung.values().removeIf(sent -> now - sent > LATE_NANOS);
        for (Integer id : lines.keySet()) {
            lines.computeIfPresent(id, (key, line) -> {
                synchronized (line) {
                    line.waiting.removeIf(each -> now - each.saidNanos > AWAITED_NANOS || !present.contains(each.peer));
                    return line.waiting.isEmpty() ? null : line;
                }
            });
        }
    }

    /** Tells of messages that were committed. */
    void ring(int destinationId, int count) {
        remember(destinationId);
        Line line = lines.get(destinationId);
        if (line == null) {
            return;
        }
        synchronized (line) {
            for (Waiting each : line.waiting) {
                if (each.all) {
                    tellOfSome(line, each);
                }
            }
            line.untold += count;
            tell(line);
        }
    }

    private void remember(int destinationId) {
        long now = System.nanoTime();
        if (lastRung.replace(destinationId, now) == null && lastRung.size() < MOST_DESTINATIONS) {
            lastRung.put(destinationId, now);
        }
    }

    /** Tells all of messages of which nobody knows how many there are. */
    void ringForSome(int destinationId) {
        remember(destinationId);
        Line line = lines.get(destinationId);
        if (line == null) {
            return;
        }
        synchronized (line) {
            line.waiting.forEach(each -> tellOfSome(line, each));
        }
    }

    /** A look has found messages: tells one of those that take any, in turn, and all whose consumers may pass them by. */
    void ringForFound(int destinationId) {
        Line line = lines.get(destinationId);
        if (line == null) {
            return;
        }
        synchronized (line) {
            for (Waiting each : line.waiting) {
                if (each.all && each.out == null && each.peer.isReached()) {
                    send(line, each, new Ring(FOUND));
                }
            }
            Waiting next = next(line, Set.of());
            if (next != null) {
                send(line, next, new Ring(FOUND));
            }
        }
    }

    private void tellOfSome(Line line, Waiting each) {
        if (each.out != null) {
            each.again = true;
        } else if (each.peer.isReached()) {
            send(line, each, new Ring(SOME));
        }
    }

    /** What is not told stays, if somebody can be told later. */
    private void tell(Line line) {
        Set<Peer> nobody = Set.of();
        while (line.untold > 0) {
            Waiting next = next(line, nobody);
            if (next == null) {
                keep(line, line.untold, nobody);
                return;
            }
            Ring ring = new Ring(line.untold);
            line.untold = 0;
            send(line, next, ring);
        }
    }

    /** Keeps what can be told later; returns whether it can. */
    private boolean keep(Line line, int count, Set<Peer> tried) {
        boolean later = line.waiting.stream()
                .anyMatch(each -> !each.all && !tried.contains(each.peer) && each.peer.isReached());
        line.untold = later ? count : 0;
        if (later) {
            boolean soon = !line.isCaughtUpSoon;
            line.isCaughtUpSoon = true;
            isBusy(line, soon);
        }
        return later;
    }

    private static Waiting next(Line line, Set<Peer> tried) {
        int size = line.waiting.size();
        for (int i = 0; i < size; i++) {
            int at = (line.next + i) % size;
            Waiting each = line.waiting.get(at);
            if (!each.all
                    && each.out == null
                    && System.nanoTime() - each.restUntilNanos >= 0
                    && !tried.contains(each.peer)
                    && each.peer.isReached()) {
                line.next = at + 1;
                return each;
            }
        }
        return null;
    }

    private void send(Line line, Waiting to, Ring ring) {
        ring.attempts++;
        ring.sentNanos = System.nanoTime();
        to.out = ring;
        sent.increment();
        ring.counter = to.peer.send(
                Datagram.Kind.RING,
                ByteBuffer.allocate(2 * Integer.BYTES)
                        .putInt(line.destinationId)
                        .putInt(ring.count)
                        .flip());
        isBusy(line, false);
    }

    private void isBusy(Line line, boolean soon) {
        busy.add(line);
        onBusy.isBusy(soon);
    }

    private static Waiting of(Peer peer, Line line) {
        for (Waiting each : line.waiting) {
            if (each.peer == peer) {
                return each;
            }
        }
        return null;
    }

    /** A JVM has answered a ring: so many of its consumers were woken. */
    void woken(Peer peer, long counter, int destinationId, int count) {
        Line line = lines.get(destinationId);
        if (line == null) {
            return;
        }
        synchronized (line) {
            Waiting waiting = of(peer, line);
            if (waiting == null || waiting.out == null || waiting.out.counter != counter) {
                return;
            }
            Ring ring = waiting.out;
            waiting.out = null;
            int rest = ring.count - Math.max(0, count);
            if (rest > 0) {
                waiting.restUntilNanos = System.nanoTime() + REST_NANOS;
                passOn(line, peer, ring, rest);
            }
            if (waiting.again) {
                waiting.again = false;
                send(line, waiting, new Ring(SOME));
            } else {
                tell(line);
            }
        }
    }

    /** Returns whether somebody else is told, now or later. */
    private boolean passOn(Line line, Peer from, Ring ring, int count) {
        ring.tried.add(from);
        Waiting next = next(line, ring.tried);
        if (next == null) {
            int before = line.untold;
            boolean later = keep(line, before + count, ring.tried);
            line.untold = Math.max(before, line.untold);
            return later;
        }
        ring.count = count;
        ring.attempts = 0;
        send(line, next, ring);
        return true;
    }

    /**
     * Rings again, or others, where no answer came in time; and those that have rested.
     *
     * @return in how many nanoseconds to call again; the longest time for not before {@link #onBusy}
     */
    long catchUp() {
        long soonest = NEVER;
        for (Line line : List.copyOf(busy)) {
            synchronized (line) {
                busy.remove(line);
                long due = catchUp(line);
                if (due != NEVER) {
                    busy.add(line);
                    soonest = Math.min(soonest, due);
                }
            }
        }
        return soonest;
    }

    private long catchUp(Line line) {
        tell(line);
        line.isCaughtUpSoon = false;
        long soonest = NEVER;
        for (Waiting each : List.copyOf(line.waiting)) {
            if (each.out != null && left(each.out) <= 0) {
                notAnswered(line, each);
            }
        }
        for (Waiting each : line.waiting) {
            if (each.out != null) {
                soonest = Math.min(soonest, Math.max(0, left(each.out)));
            } else if (line.untold > 0) {
                soonest = Math.min(soonest, Math.max(0, each.restUntilNanos - System.nanoTime()));
            }
        }
        return soonest;
    }

    /** Twice as long each time. */
    private static long left(Ring ring) {
        return ring.sentNanos + (ANSWER_NANOS << (ring.attempts - 1)) - System.nanoTime();
    }

    private void notAnswered(Line line, Waiting silent) {
        Ring ring = silent.out;
        silent.out = null;
        boolean isGivenUp = silent.peer.missed(ring.sentNanos, System.nanoTime());
        if (isGivenUp) {
            onGivenUp.accept(line.destinationId);
        }
        boolean isPassedOn = ring.count > 0 && passOn(line, silent.peer, ring, ring.count);
        boolean again = silent.again;
        silent.again = false;
        if (isGivenUp) {
            return;
        }
        if (again) {
            send(line, silent, new Ring(SOME));
        } else if (!isPassedOn && ring.attempts < MOST_ATTEMPTS) {
            send(line, silent, ring);
        }
    }
}
