package org.readpast.jms.store.jdbc;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.readpast.jms.store.StoreException;

/** What an instance consumes from, noted in the database once, so that others know what it may have had in its hands. Thread-safe. */
final class ConsumedDestinations {

    private final OpenStore store;
    private final String instance;
    private final Set<Integer> noted = ConcurrentHashMap.newKeySet();

    ConsumedDestinations(OpenStore store, String instance) {
        this.store = store;
        this.instance = instance;
    }

    /** Notes a destination, unless that was done before. */
    void note(int destinationId) throws StoreException {
        if (!noted.contains(destinationId)) {
            write(destinationId);
            noted.add(destinationId);
        }
    }

    /** A destination was noted by somebody else, in a transaction of theirs. */
    void noted(int destinationId) {
        noted.add(destinationId);
    }

    /** The instance was away, and others may have forgotten what it consumes from. */
    void noteAgain() throws StoreException {
        for (int destinationId : noted) {
            write(destinationId);
        }
    }

    /** Another session of this JVM may be doing the same. */
    private void write(int destinationId) throws StoreException {
        Destinations.insertUnlessThere(
                store,
                store.names().subject(destinationId),
                "registration as a consumer",
                open -> store.suspects().noteConsumed(open, instance, destinationId));
    }
}
