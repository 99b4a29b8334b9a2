package org.readpast.jms.store.memory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.readpast.jms.store.Claim;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.Lease;
import org.readpast.jms.store.LeaseTerms;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.Redelivery;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoredMessage;

/** Messages that are held by lease. Guarded by the database's monitor. */
final class MemoryLeases {

    private final MemoryDatabase database;
    private final MemoryMessages messages;

    MemoryLeases(MemoryDatabase database, MemoryMessages messages) {
        this.database = database;
        this.messages = messages;
    }

    /** Claims messages and takes them out of the queue. */
    List<StoredMessage> claim(ClaimRequest request) throws StoreException {
        if (request.byGroups()) {
            throw new StoreException(
                    Failure.OTHER,
                    database.subject(request.destinationId())
                            + ": claim failed, groups rest on locks that a lease does not hold; set the option"
                            + " 'consumer.leaseSeconds' to 0 for it",
                    null);
        }
        return database.run(unit -> take(unit, messages.claim(unit, request), request.lease()));
    }

    /** Takes claimed messages out of the queue. */
    List<StoredMessage> take(Unit unit, List<StoredMessage> claimed, LeaseTerms terms) throws StoreException {
        List<StoredMessage> leased = new ArrayList<>();
        for (StoredMessage message : claimed) {
            Lease lease = new Lease(UUID.randomUUID(), terms.seconds(), System.nanoTime());
            Entry entry = database.messages.remove(unit, message.key());
            if (entry == null) {
                throw messages.claimLost(List.of(message.key()), 1);
            }
            database.delayed.put(
                    unit,
                    message.key(),
                    entry.leased(lease.token(), terms.worker(), database.now() + terms.seconds() * 1_000L));
            leased.add(message.leased(lease));
        }
        return leased;
    }

    StoredMessage complete(StoredMessage message) throws StoreException {
        if (!isValid(null, message.claim())) {
            throw lost("reading a message", List.of(message.claim()));
        }
        return message.withBody(
                database.delayed.get(null, message.key()).message().body());
    }

    /** Deletes what was acknowledged, and puts back what is returned. */
    void settle(Unit unit, List<Claim> acknowledged, List<Claim> returned) throws StoreException {
        List<Claim> lost =
                acknowledged.stream().filter(claim -> !isValid(unit, claim)).toList();
        if (!lost.isEmpty()) {
            throw lost("acknowledge", lost);
        }
        acknowledged.forEach(claim -> database.delayed.remove(unit, claim.key()));
        returned.forEach(claim -> putBack(unit, claim));
    }

    List<Redelivery> giveBack(Collection<Claim> leased, List<Redelivery> plan) throws StoreException {
        return database.run(unit -> {
            List<MessageKey> back = leased.stream()
                    .filter(claim -> putBack(unit, claim))
                    .map(Claim::key)
                    .toList();
            List<Redelivery> possible = plan.stream()
                    .filter(redelivery -> back.contains(redelivery.key()))
                    .toList();
            messages.redeliver(unit, possible);
            return possible;
        });
    }

    /** Puts a message into its queue as it was, if its lease is not over. */
    private boolean putBack(Unit unit, Claim claim) {
        if (!isValid(unit, claim)) {
            return false;
        }
        Entry entry = database.delayed.remove(unit, claim.key());
        database.messages.put(unit, claim.key(), entry.raised(-1).due(0));
        return true;
    }

    private boolean isValid(Unit unit, Claim claim) {
        Entry entry = database.delayed.get(unit, claim.key());
        return entry != null && claim.lease().token().equals(entry.token());
    }

    private StoreException lost(String action, List<Claim> claims) {
        Lease lease = claims.get(0).lease();
        return new StoreException(
                Failure.CLAIM_LOST,
                database.subject(claims.get(0).key().destinationId()) + ": " + action + " failed for " + claims.size()
                        + " messages, the lease of " + lease.seconds() + " s was "
                        + (lease.isOver() ? "over" : "ended before its time") + "; nothing was committed",
                null);
    }
}
