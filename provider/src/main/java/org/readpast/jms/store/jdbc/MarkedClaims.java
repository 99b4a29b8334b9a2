package org.readpast.jms.store.jdbc;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.Redelivery;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoredMessage;

/** Where the claims of one session's transactions begin, and what they tell the marks of this JVM. Not thread-safe. */
final class MarkedClaims {

    private final Marks marks;

    /** The queues that this transaction has claimed from. */
    private final Set<Integer> claimedFrom = new HashSet<>();

    /** Those that get messages back when it ends. */
    private final Set<Integer> returning = new HashSet<>();

    MarkedClaims(Marks marks) {
        this.marks = marks;
    }

    /** A claim, from wherever it is told to. */
    @FunctionalInterface
    interface Claim {
        List<StoredMessage> make(ClaimRequest request) throws StoreException;
    }

    /**
     * Claims behind a mark, or from the head where nothing is there. For a transaction that holds nothing yet: one that does claims as
     * many more as it holds, and behind a mark these are others.
     */
    List<StoredMessage> first(ClaimRequest request, Claim claim) throws StoreException {
        return inTurn(request, () -> {
            Marks.Start start = start(request);
            return orFromHead(request, start, claim.make(start.request()), claim);
        });
    }

    /** Makes a claim that uses the methods below, when it is its turn. */
    <T> T inTurn(ClaimRequest request, ClaimTurns.Work<T> claim) throws StoreException {
        return marks.inTurn(request, claim);
    }

    /** How a claim is to be made first. */
    Marks.Start start(ClaimRequest request) {
        return marks.start(request);
    }

    /**
     * What was claimed first, or from the head where nothing was there.
     *
     * @param start of {@link #start}
     */
    List<StoredMessage> orFromHead(ClaimRequest request, Marks.Start start, List<StoredMessage> claimed, Claim claim)
            throws StoreException {
        marks.claimed(start, claimed);
        return claimed.isEmpty() && !start.request().equals(request) ? claim.make(request) : claimed;
    }

    /** The transaction has claimed these. */
    void claimed(List<StoredMessage> messages) {
        messages.forEach(message -> claimedFrom.add(message.key().destinationId()));
    }

    /** These come back with the commit. */
    void redelivered(List<Redelivery> redeliveries) {
        redeliveries.forEach(redelivery -> returning.add(redelivery.key().destinationId()));
    }

    /** All that the transaction has claimed comes back. */
    void rolledBack() {
        returning.addAll(claimedFrom);
    }

    /** The connection was lost: another server may go on. */
    void lost() {
        marks.forgetAll();
    }

    /** The transaction has ended. */
    void ended() {
        marks.forget(returning);
        returning.clear();
        claimedFrom.clear();
    }
}
