package org.readpast.jms.engine.runtime;

import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.engine.arrival.ArrivalNews;
import org.readpast.jms.engine.source.Groups;
import org.readpast.jms.engine.support.Uninterrupted;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.threads.Threads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives of many sessions of this JVM from one queue share a transaction. What a {@code receive} returns is acknowledged before the
 * application sees it, so nothing is held while an application works: a thread of ours claims a message for each that waits, reads
 * them, deletes them and commits, and goes on with those who have come meanwhile. A {@code receive} returns when
 * its message is committed. A few receive each for itself, on their own threads. Thread-safe.
 *
 * <p>Only messages that are there complete and come to be delivered as they are. Where a claim has met another one, or anything has
 * failed, all of it goes back and each receives for itself, for a second.
 */
public final class CombinedReceives {

    private static final Logger LOG = LoggerFactory.getLogger(CombinedReceives.class);

    /** So many receive each for itself before receives are combined. */
    private static final int ALONE = 8;

    /** With fewer than this at a time, each receives for itself again. */
    private static final int TOGETHER = 6;

    /** In one transaction. */
    private static final int MOST = 100;

    /** Whom nobody has served for so long receives alone: what is under way may wait for a server that does not answer. */
    private static final Duration PATIENCE = Duration.ofMillis(50);

    /** For so long each receives for itself after something was not as it usually is. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A thread that has nothing to do for so long ends. */
    private static final long IDLE_MILLIS = 1_000;

    /** What a receive does with its message, on a thread of ours, while its own thread waits. */
    public interface Receiver {

        /** Makes of a claimed message what {@code receive} returns. */
        Object read(StoredMessage message) throws JMSException;

        /** It is not known whether the acknowledgement was committed: sees to it, as far as that can be done. */
        void settleDoubt(StoredMessage message);
    }

    /** What is to become of a receive. */
    public enum Kind {
        /** Nothing was done: it is to go on by itself. */
        ALONE,
        /** A claim that began after it has found nothing. */
        NOTHING,
        /** It has a message, which is acknowledged. */
        RECEIVED
    }

    /**
     * What came of a receive.
     *
     * @param value what was made of the message
     */
    public record Outcome(Kind kind, Object value) {

        private static final Outcome ALONE = new Outcome(Kind.ALONE, null);
        private static final Outcome NOTHING = new Outcome(Kind.NOTHING, null);
    }

    /** One receive that waits for its message. Used by our thread until the latch is open. */
    private static final class Receiving {

        private final Receiver receiver;
        private final CountDownLatch ended = new CountDownLatch(1);
        private StoredMessage message;
        private Object value;

        /** Written before the latch is opened. */
        private Outcome outcome;

        Receiving(Receiver receiver) {
            this.receiver = receiver;
        }

        void read(StoredMessage claimed) throws JMSException {
            value = receiver.read(claimed);
            message = claimed;
        }

        void settleDoubt() {
            receiver.settleDoubt(message);
        }

        void received() {
            ends(new Outcome(Kind.RECEIVED, value));
        }

        void ends(Outcome came) {
            outcome = came;
            ended.countDown();
        }
    }

    private final MessageStore store;
    private final RedeliveryPlanner redeliveries;
    private final Groups groups;
    private final ArrivalNews news;
    private final String name;
    private final ConcurrentMap<Integer, Line> lines = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /**
     * @param news is told of messages that were claimed and are free again
     * @param name for the threads
     */
    CombinedReceives(MessageStore store, RedeliveryPlanner redeliveries, Groups groups, ArrivalNews news, String name) {
        this.store = store;
        this.redeliveries = redeliveries;
        this.groups = groups;
        this.news = news;
        this.name = name;
    }

    /** A receive begins, which counts until {@link #leave}. */
    public void enter(int queue) {
        lines.compute(queue, (id, known) -> {
            Line line = known == null ? new Line(id) : known;
            line.enter();
            return line;
        });
    }

    /** A receive that has entered is over. */
    public void leave(int queue) {
        lines.computeIfPresent(queue, (id, line) -> line.isLeft() ? null : line);
    }

    /** Whether receives from a queue are combined just now, so that nothing is to be claimed ahead. */
    public boolean isUnderWay(int queue) {
        Line line = lines.get(queue);
        return line != null && line.combined;
    }

    /**
     * Receives one message together with others, if there are many; for a receive that has entered and holds nothing. An interrupt of
     * the thread is put aside meanwhile.
     */
    public Outcome receive(int queue, Receiver receiver) {
        Line line = lines.get(queue);
        Receiving receiving = new Receiving(receiver);
        if (!line.takes(receiving)) {
            return Outcome.ALONE;
        }
        long now = System.nanoTime();
        if (!Uninterrupted.await(receiving.ended, now + PATIENCE.toNanos())) {
            if (line.takeBack(receiving)) {
                return Outcome.ALONE;
            }
            Uninterrupted.await(receiving.ended, now + Long.MAX_VALUE);
        }
        return receiving.outcome;
    }

    /** Ends the threads; whoever receives afterwards does so alone. */
    void close() {
        closed = true;
        lines.values().forEach(Line::wake);
    }

    /** The receives from one queue. One transaction is under way at a time, so that messages are handed out in their order. */
    private final class Line {

        private final int queue;

        /** In the order in which they came. Guarded by this. */
        private final Deque<Receiving> waiting = new ArrayDeque<>();

        /** How many have entered. Guarded by this. */
        private int inside;

        /** Whether there is a thread. Guarded by this. */
        private boolean running;

        /** Until when each receives for itself, by {@link System#nanoTime()}. Guarded by this. */
        private long pausedUntil = System.nanoTime();

        /** Written with the lock of this. */
        private volatile boolean combined;

        Line(int queue) {
            this.queue = queue;
        }

        synchronized void enter() {
            inside++;
        }

        synchronized boolean isLeft() {
            inside--;
            return isUnused();
        }

        synchronized boolean isUnused() {
            return inside == 0 && !running;
        }

        synchronized void wake() {
            notifyAll();
        }

        synchronized boolean takes(Receiving receiving) {
            if (!combined && inside > ALONE && System.nanoTime() - pausedUntil >= 0) {
                combined = true;
            }
            if (!combined || closed) {
                return false;
            }
            if (!running) {
                Threads.startShared("receives-" + name + "-" + queue, this::run);
                running = true;
            }
            waiting.add(receiving);
            notifyAll();
            return true;
        }

        synchronized boolean takeBack(Receiving receiving) {
            return waiting.remove(receiving);
        }

        private void run() {
            try (StoreTransaction transaction = store.transaction("combined")) {
                for (List<Receiving> batch = first(); !batch.isEmpty(); batch = first()) {
                    serve(transaction, batch);
                }
            } catch (InterruptedException e) {
                LOG.warn("Somebody has interrupted a thread that receives messages", e);
            } finally {
                end();
                lines.computeIfPresent(queue, (id, line) -> line.isUnused() ? null : line);
            }
        }

        /** Those who wait; none if nobody has come for a while, or at the end. */
        private synchronized List<Receiving> first() throws InterruptedException {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(IDLE_MILLIS);
            long left = IDLE_MILLIS;
            while (waiting.isEmpty() && !closed && left > 0) {
                wait(left);
                left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            }
            List<Receiving> batch = new ArrayList<>();
            fill(batch);
            return batch;
        }

        /** However the thread ends, nobody waits for it; the next who comes starts another one. */
        private synchronized void end() {
            running = false;
            combined = false;
            waiting.forEach(receiving -> receiving.ends(Outcome.ALONE));
            waiting.clear();
        }

        private void fill(List<Receiving> batch) {
            while (!waiting.isEmpty() && batch.size() < MOST) {
                batch.add(waiting.poll());
            }
        }

        /** Those for whom the next claim is: who got none, and who has come meanwhile. */
        private synchronized List<Receiving> next(List<Receiving> unserved, int served) {
            List<Receiving> batch = new ArrayList<>(unserved);
            fill(batch);
            if (served + batch.size() < TOGETHER) {
                combined = false;
            }
            return batch;
        }

        private synchronized void pause() {
            combined = false;
            pausedUntil = System.nanoTime() + PAUSE_NANOS;
        }

        /** Receives for these, and for those who come meanwhile, until nobody waits or nothing is left. */
        private void serve(StoreTransaction transaction, List<Receiving> first) {
            List<Receiving> batch = first;
            List<StoredMessage> claimed = List.of();
            try {
                while (!batch.isEmpty()) {
                    claimed = transaction.claim(ClaimRequest.fromHead(queue, batch.size(), null));
                    if (claimed.isEmpty()) {
                        batch.forEach(receiving -> receiving.ends(Outcome.NOTHING));
                        return;
                    }
                    if (!read(batch, claimed)) {
                        transaction.rollback();
                        alone(batch, claimed);
                        return;
                    }
                    // Found out where its answer is lost, and so with no claim behind it in the same round trip.
                    transaction.commitVerified(Settlement.acknowledgement(
                            claimed.stream().map(StoredMessage::claim).toList()));
                    received(batch.subList(0, claimed.size()));
                    batch = next(batch.subList(claimed.size(), batch.size()), claimed.size());
                    claimed = List.of();
                }
            } catch (Throwable e) {
                LOG.debug("Receives that were combined failed, each goes on by itself", e);
                transaction.rollback();
                failed(batch, claimed, e);
            }
        }

        private void failed(List<Receiving> batch, List<StoredMessage> claimed, Throwable failure) {
            if (!claimed.isEmpty()
                    && failure instanceof StoreException problem
                    && problem.failure() == Failure.IN_DOUBT) {
                settleDoubt(batch.subList(0, claimed.size()));
                alone(batch.subList(claimed.size(), batch.size()), List.of());
            } else {
                alone(batch, claimed);
            }
        }

        /** Reads what was claimed, each message for its receive; false if one of them has to go another way. */
        private boolean read(List<Receiving> batch, List<StoredMessage> claimed) {
            if (groups.discover(queue, claimed)) {
                return false;
            }
            for (int i = 0; i < claimed.size(); i++) {
                StoredMessage message = claimed.get(i);
                if (!isPlain(message)) {
                    return false;
                }
                try {
                    batch.get(i).read(message);
                } catch (JMSException | RuntimeException e) {
                    LOG.debug("A message cannot be read, which is left to who receives it for itself", e);
                    return false;
                }
            }
            return true;
        }

        private boolean isPlain(StoredMessage message) {
            return !message.isSuspect()
                    && !message.isPartial()
                    && message.unreadable() == null
                    && !redeliveries.isExhausted(Unacknowledged.of(message));
        }

        private void received(List<Receiving> served) {
            served.forEach(Receiving::received);
        }

        /** Before anybody of this line receives for himself, who might get what is in doubt. Rather twice than never. */
        private void settleDoubt(List<Receiving> batch) {
            try {
                batch.forEach(Receiving::settleDoubt);
            } finally {
                pause();
                received(batch);
            }
        }

        /** What was claimed is free again, and each receives for itself. */
        private void alone(List<Receiving> batch, List<StoredMessage> claimed) {
            pause();
            batch.forEach(receiving -> receiving.ends(Outcome.ALONE));
            if (!claimed.isEmpty()) {
                news.arrived(queue, claimed.size());
            }
        }
    }
}
