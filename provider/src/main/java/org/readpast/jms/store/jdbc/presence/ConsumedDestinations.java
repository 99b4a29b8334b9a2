package org.readpast.jms.store.jdbc.presence;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.jdbc.acknowledge.Suspects;
import org.readpast.jms.store.jdbc.row.Names;
import org.readpast.jms.store.jdbc.transaction.ShortTransactions;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/** What an instance consumes from, noted in the database once, so that others know what it may have had in its hands. Thread-safe. */
public final class ConsumedDestinations {

    private static final Logger LOG = Loggers.of(ConsumedDestinations.class);

    private final ShortTransactions shortTransactions;
    private final Names names;
    private final Suspects suspects;
    private final String instance;

    /** Whether by leases alone. */
    private final Map<Integer, Boolean> noted = new ConcurrentHashMap<>();

    /** @param shortTransactions for who may hold a connection in a transaction already */
    public ConsumedDestinations(ShortTransactions shortTransactions, Names names, Suspects suspects, String instance) {
        this.shortTransactions = shortTransactions;
        this.names = names;
        this.suspects = suspects;
        this.instance = instance;
    }

    /** Notes a destination, unless that was done before. What is consumed by locks as well is noted as if it were by them alone. */
    void note(int destinationId, boolean byLease) throws StoreException {
        Boolean before = noted.get(destinationId);
        if (before == null || (before && !byLease)) {
            write(destinationId, byLease);
            noted.merge(destinationId, byLease, Boolean::logicalAnd);
        }
    }

    /** A destination was noted by somebody else, in a transaction of theirs. */
    void noted(int destinationId) {
        noted.put(destinationId, false);
    }

    /** Forgets what has lost its id: who has that now was not consumed from. */
    void forgetMoved() throws StoreException {
        for (int id : noted.keySet()) {
            if (names.isGone(id)) {
                forget(id);
            }
        }
    }

    /** Forgets a destination that was removed. A row that stays does no harm, and goes with this instance. */
    void forgetDropped(int id) {
        try {
            forget(id);
        } catch (StoreException e) {
            LOG.debug("What was noted of a removed destination stays", e);
        }
    }

    private void forget(int id) throws StoreException {
        if (noted.containsKey(id)) {
            shortTransactions.runRepeatable(names.subject(id), "registration as a consumer", open -> {
                suspects.forgetConsumed(open, instance, id);
                return null;
            });
            noted.remove(id);
        }
    }

    /** The instance was away, and others may have forgotten what it consumes from. */
    void noteAgain() throws StoreException {
        for (Map.Entry<Integer, Boolean> each : noted.entrySet()) {
            write(each.getKey(), each.getValue());
        }
    }

    /** The destinations that are noted. */
    Set<Integer> all() {
        return Set.copyOf(noted.keySet());
    }

    /** Another session of this JVM may be doing the same; and the row that it has written may say that it is by leases alone. */
    private void write(int destinationId, boolean byLease) throws StoreException {
        boolean isNew = insertUnlessThere(destinationId, byLease);
        if (!isNew && !byLease) {
            insertUnlessThere(destinationId, false);
        }
    }

    private boolean insertUnlessThere(int destinationId, boolean byLease) throws StoreException {
        return shortTransactions.insertUnlessThere(
                names.subject(destinationId),
                "registration as a consumer",
                open -> suspects.noteConsumed(open, instance, destinationId, byLease));
    }
}
