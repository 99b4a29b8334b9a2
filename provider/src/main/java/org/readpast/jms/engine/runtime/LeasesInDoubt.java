package org.readpast.jms.engine.runtime;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.readpast.jms.engine.source.Housekeeping;
import org.readpast.jms.engine.source.Release;
import org.readpast.jms.store.Claim;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/** Leases whose commit is in doubt: where messages are leased after all, or are yet to be, nobody knows of it. */
public final class LeasesInDoubt {

    private static final Logger LOG = Loggers.of(LeasesInDoubt.class);

    private LeasesInDoubt() {}

    /**
     * Gives them back as they were, now or as soon as the database is back.
     *
     * @param what for the log
     * @param givenBack is called, on whatever thread, when others can have them
     */
    public static void giveBack(
            MessageStore store, Housekeeping housekeeping, String what, List<Claim> claims, Runnable givenBack) {
        try {
            Release.carryOut(housekeeping, what, () -> {
                giveBack(store, claims);
                givenBack.run();
            });
        } catch (StoreException e) {
            LOG.warn(
                    "{}: {} messages may be held until their lease is over, or this JVM ends: {}",
                    what,
                    claims.size(),
                    e.getMessage());
        }
    }

    private static void giveBack(MessageStore store, List<Claim> claims) throws StoreException {
        try (StoreTransaction own = store.transaction("doubt")) {
            Set<MessageKey> free = new HashSet<>(own.lock(claims));
            // Looked at first: a commit might come behind the look for its leases.
            if (own.isAnyThere(
                    claims.stream().filter(claim -> !free.contains(claim.key())).toList())) {
                throw new StoreException(
                        Failure.LOCK_TIMEOUT, "a transaction that may be the one of the leases holds them", null);
            }
            own.rollback();
            own.giveBack(claims, List.of());
        }
    }
}
