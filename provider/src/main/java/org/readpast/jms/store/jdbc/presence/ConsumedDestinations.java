package org.readpast.jms.store.jdbc.presence;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.jdbc.acknowledge.Suspects;
import org.readpast.jms.store.jdbc.row.Names;
import org.readpast.jms.store.jdbc.transaction.ShortTransactions;

/** What an instance consumes from, noted in the database once, so that others know what it may have had in its hands. Thread-safe. */
public final class ConsumedDestinations {

    private final ShortTransactions shortTransactions;
    private final Names names;
    private final Suspects suspects;
    private final String instance;
    private final Set<Integer> noted = ConcurrentHashMap.newKeySet();

    /** @param shortTransactions for who may hold a connection in a transaction already */
    public ConsumedDestinations(ShortTransactions shortTransactions, Names names, Suspects suspects, String instance) {
        this.shortTransactions = shortTransactions;
        this.names = names;
        this.suspects = suspects;
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

    /** The destinations that are noted. */
    Set<Integer> all() {
        return Set.copyOf(noted);
    }

    /** Another session of this JVM may be doing the same. */
    private void write(int destinationId) throws StoreException {
        shortTransactions.insertUnlessThere(
                names.subject(destinationId),
                "registration as a consumer",
                open -> suspects.noteConsumed(open, instance, destinationId));
    }
}
