package org.readpast.jms.store.jdbc.claim;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.StoredMessage;

/**
 * How far behind the head of a queue claims of this JVM may begin, so that they do not walk over what others hold and over
 * what is deleted and not vacuumed yet, again and again. Thread-safe.
 *
 * <p>A watermark must not let a later message of a sender overtake an earlier one (§6.2.9), and a message gets its id before it is committed.
 * So a watermark is never above an id that is <em>settled</em>: every transaction that was able to draw that id or a lower one has ended.
 * {@link #settle} is told of that, and a claim that runs later sees all that those transactions put into the queue. Nor is it above an id
 * that a crash may give out again, since NON_PERSISTENT messages do not wait for the disk. What comes
 * back into an old place has been delivered before or was put there by an administrator; it is found when its own session forgets
 * the watermark, or a claim finds less than it asked for, or at the next look from the head.
 *
 * <p>Only for claims that see what is committed when they run, and without a selector or groups.
 */
public final class ClaimWatermarks {

    /** So often a claim begins at the head all the same: for what others gave back, and for higher priorities. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** With fewer claims than this between two refreshments, walking costs less than finding out where not to. */
    private static final int BUSY = 10;

    /** After this many claims in a row that found all they asked for a queue has a watermark. Others keep the order of their priorities at once. */
    private static final int LONG = 20;

    /** As long as some claims of a hundred messages take together; on a network where each takes that long, waiting would save nothing. */
    private static final long WAIT_MILLIS = 20;

    private final MessageTable table;
    private final Map<Integer, Watermark> watermarks = new ConcurrentHashMap<>();
    private final AtomicInteger claims = new AtomicInteger();
    private final ClaimLimiter limiter = new ClaimLimiter(WAIT_MILLIS);

    /** Up to this id. */
    private volatile long settled;

    /** Guarded by this: the id that is settled as soon as all of {@link #pending} have ended. */
    private long candidate;

    /** How often all was forgotten. Written with the monitor. */
    private volatile int forgotten;

    /** Guarded by this. */
    private Set<String> pending = new HashSet<>();

    /**
     * How far one queue has been seen.
     *
     * @param claims how many there were since one found less than it asked for
     * @param nextLook when a claim is to begin at the head all the same, by {@link System#nanoTime()}
     */
    private record Watermark(MessageKey key, int claims, AtomicLong nextLook) {

        boolean isInUse() {
            return claims >= LONG && !isToLook();
        }

        private boolean isToLook() {
            long now = System.nanoTime();
            long next = nextLook.get();
            return next - now <= 0 && nextLook.compareAndSet(next, now + LOOK_NANOS);
        }

        /** After a claim from the head, which may have found something before the watermark; null for none before it. */
        static Watermark seenFromHead(Watermark before, MessageKey seen) {
            int claims = before == null ? 1 : Math.min(before.claims + 1, LONG);
            return new Watermark(seen, claims, new AtomicLong(System.nanoTime() + LOOK_NANOS));
        }

        /** After a claim behind a key. Where a look from the head has found something before that, the claim does not count. */
        Watermark seenFrom(MessageKey from, MessageKey seen) {
            return key.compareTo(from) >= 0 && key.compareTo(seen) < 0 ? new Watermark(seen, claims, nextLook) : this;
        }
    }

    public ClaimWatermarks(MessageTable table) {
        this.table = table;
    }

    /**
     * Where a claim begins, and what was settled before it.
     *
     * @param request as it is to be made: behind the watermark, or from the head
     * @param settled what is settled later may have been committed after the claim looked
     */
    public record Start(ClaimRequest request, long settled) {

        private boolean isFromHead() {
            return request.after() == null;
        }
    }

    private static boolean mayBeMarked(ClaimRequest request) {
        return request.selector() == null && !request.byGroups() && !request.byLease();
    }

    /** Whether a claim may begin behind a watermark, and so is one of those that {@link #limiter} limits. */
    boolean isMarked(ClaimRequest request) {
        return mayBeMarked(request) && watermarks.containsKey(request.destinationId());
    }

    ClaimLimiter limiter() {
        return limiter;
    }

    /** How a claim is to be made first. */
    public Start start(ClaimRequest request) {
        long before = settled;
        Watermark mark = watermarks.get(request.destinationId());
        boolean behind = mark != null && mayBeMarked(request) && mark.isInUse();
        return new Start(behind ? request.behind(mark.key()) : request, before);
    }

    /** What came of a claim; returns whether it counts among those that found all they asked for. */
    public boolean claimed(Start start, List<StoredMessage> claimed) {
        ClaimRequest request = start.request();
        if (!mayBeMarked(request)) {
            return false;
        }
        if (claimed.size() < request.max()) {
            watermarks.remove(request.destinationId());
            return false;
        }
        claims.incrementAndGet();
        if (start.settled() == 0) {
            return true;
        }
        MessageKey last = claimed.get(claimed.size() - 1).key();
        MessageKey seen =
                new MessageKey(last.destinationId(), last.priorityOrder(), Math.min(last.messageId(), start.settled()));
        if (start.isFromHead()) {
            watermarks.compute(request.destinationId(), (queue, mark) -> Watermark.seenFromHead(mark, seen));
        } else {
            watermarks.computeIfPresent(request.destinationId(), (queue, mark) -> mark.seenFrom(request.after(), seen));
        }
        return true;
    }

    /** A claim that counts took the last message: the next one would have found nothing, and needs not be made. */
    void drained(int destinationId) {
        watermarks.remove(destinationId);
        claims.updateAndGet(counted -> Math.max(0, counted - 1));
    }

    /** Messages of these queues have come back. */
    void forget(Iterable<Integer> destinationIds) {
        destinationIds.forEach(watermarks::remove);
    }

    /** A connection was lost. Another server may go on, whose ids may be lower, since it may not have got the last commits. */
    public synchronized void forgetAll() {
        forgotten++;
        watermarks.clear();
        candidate = 0;
        settled = 0;
    }

    /** Whether so much is being claimed that asking what is to be {@linkplain #settle settled} is worth its query; begins to count anew. */
    public boolean isBusy() {
        return claims.getAndSet(0) >= BUSY && table.listsUnsettled();
    }

    /** Asks the table for {@link MessageTable#unsettled}, in a transaction that is committed when it returns. */
    @FunctionalInterface
    public interface Look<E extends Exception> {
        MessageTable.Unsettled take() throws E;
    }

    /** Finds out what is settled by now. To be called again and again while {@link #isBusy}. */
    public <E extends Exception> void settle(Look<E> look) throws E {
        int before = forgotten;
        settle(look.take(), before);
    }

    private synchronized void settle(MessageTable.Unsettled now, int before) {
        if (before != forgotten || now.isAnyPrepared()) {
            // It is of a server that may be gone, or one may be among those that are pending, under its new name.
            return;
        }
        pending.retainAll(now.transactions());
        if (pending.isEmpty()) {
            settled = now.transactions().isEmpty() ? now.lastId() : candidate;
            candidate = now.lastId();
            pending = now.transactions();
        }
    }
}
