package org.readpast.jms.engine.source;

import org.readpast.jms.destination.ReadpastDestination;

/** A consumer's use of a queue, which may get another id meanwhile. Thread-safe. */
final class QueueUse {

    private final Destinations destinations;
    private final ReadpastDestination queue;
    private volatile int id;

    QueueUse(Destinations destinations, ReadpastDestination queue, int id) {
        this.destinations = destinations;
        this.queue = queue;
        this.id = id;
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
