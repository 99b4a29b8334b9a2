package org.readpast.jms.engine.source;

import org.readpast.jms.destination.ReadpastDestination;

/** A consumer's use of a queue, which may get another id meanwhile. Thread-safe. */
final class QueueUse {

    private final Destinations destinations;
    private final ReadpastDestination queue;
    private final boolean byLease;
    private volatile int id;

    QueueUse(Destinations destinations, ReadpastDestination queue, int id, boolean byLease) {
        this.destinations = destinations;
        this.queue = queue;
        this.id = id;
        this.byLease = byLease;
    }

    /** Whether its consumer claims by lease. */
    boolean isByLease() {
        return byLease;
    }

    ReadpastDestination queue() {
        return queue;
    }

    /** Where its messages wait now. */
    int id() {
        return destinations.idNow(queue, id);
    }

    void moveTo(int now) {
        id = now;
    }

    /** Idempotent. */
    void end() {
        destinations.ended(this);
    }
}
