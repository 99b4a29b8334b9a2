package org.readpast.jms.engine.bell;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.readpast.jms.engine.arrival.Arrivals;

/**
 * Rings of others that come too early after a look in vain, until their destination may be looked at again; what was held back for the
 * same is one look. Not thread-safe.
 */
final class HeldRings {

    private final long pauseNanos;
    private final Map<Integer, Held> held = new HashMap<>();

    /** How many messages, 0 for some, whether a look has found them, and when they may be looked for. */
    private record Held(int count, boolean found, long dueNanos) {}

    /** @param pauseNanos from a look in vain to the next one */
    HeldRings(long pauseNanos) {
        this.pauseNanos = pauseNanos;
    }

    /** Wakes consumers, or keeps the ring until it is time; returns how many were woken. */
    int heard(Arrivals arrivals, int destinationId, int count, boolean found) {
        Held kept = held.get(destinationId);
        long since = arrivals.nanosSinceVainLook(destinationId);
        if (kept == null && since >= pauseNanos) {
            return arrivals.told(destinationId, count, found);
        }
        if (kept == null) {
            held.put(destinationId, new Held(count, found, System.nanoTime() + pauseNanos - since));
        } else {
            held.put(destinationId, new Held(sum(kept.count(), count), kept.found() || found, kept.dueNanos()));
        }
        return 0;
    }

    /** Some and others are some. */
    private static int sum(int one, int other) {
        return one == 0 || other == 0 ? 0 : (int) Math.min(Integer.MAX_VALUE, (long) one + other);
    }

    /**
     * Wakes consumers where it is time.
     *
     * @return in how many nanoseconds to call again; the longest time where nothing is held
     */
    long wakeWhereDue(Arrivals arrivals) {
        long now = System.nanoTime();
        long soonest = Long.MAX_VALUE;
        for (Map.Entry<Integer, Held> each : List.copyOf(held.entrySet())) {
            long left = each.getValue().dueNanos() - now;
            if (left <= 0) {
                held.remove(each.getKey());
                arrivals.told(
                        each.getKey(), each.getValue().count(), each.getValue().found());
            } else {
                soonest = Math.min(soonest, left);
            }
        }
        return soonest;
    }
}
