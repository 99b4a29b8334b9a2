package org.readpast.jms.store.jdbc.claim;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoredMessage;

/** Where the claims of one session's transactions begin, and what they tell the marks of this JVM. Not thread-safe. */
public final class MarkedClaims {

    private final Marks marks;

    /** What the open transaction has claimed; when it ends, all of it comes back that it did not acknowledge. */
    private final Set<MessageKey> claimed = new HashSet<>();

    public MarkedClaims(Marks marks) {
        this.marks = marks;
    }

    /** A claim, from wherever it is told to. */
    @FunctionalInterface
    public interface Claim {
        List<StoredMessage> make(ClaimRequest request) throws StoreException;
    }

    /**
     * Claims behind a mark, or from the head where nothing is there. For a transaction that holds nothing yet: one that does claims as
     * many more as it holds, and behind a mark these are others.
     */
    public List<StoredMessage> first(ClaimRequest request, Claim claim) throws StoreException {
        return inTurn(request, () -> {
            Marks.Start start = marks.start(request);
            return orFromHead(request, start, claim.make(start.request()), claim);
        });
    }

    /** Makes a claim that uses the methods below, when it is its turn. */
    public <T> T inTurn(ClaimRequest request, ClaimTurns.Work<T> claim) throws StoreException {
        return marks.inTurn(request, claim);
    }

    /** How a claim is to be made that follows a commit in the same round trip: from the head where the commit gives messages back. */
    public Marks.Start startAfter(Collection<MessageKey> acknowledged, ClaimRequest request) {
        if (claimed.size() > acknowledged.size()) {
            forget(claimed);
        }
        return marks.start(request);
    }

    /**
     * What was claimed first, or from the head where nothing was there.
     *
     * @param start of {@link #startAfter}
     */
    public List<StoredMessage> orFromHead(
            ClaimRequest request, Marks.Start start, List<StoredMessage> claimed, Claim claim) throws StoreException {
        marks.claimed(start, claimed);
        return claimed.isEmpty() && !start.request().equals(request) ? claim.make(request) : claimed;
    }

    /** The transaction has claimed these. */
    public void claimed(List<StoredMessage> messages) {
        messages.forEach(message -> claimed.add(message.key()));
    }

    /** The transaction was committed, and these with it. */
    public void committed(Collection<MessageKey> acknowledged) {
        acknowledged.forEach(claimed::remove);
    }

    /** The connection was lost: another server may go on. */
    public void lost() {
        marks.forgetAll();
    }

    /** The transaction has ended: what it still holds comes back. */
    public void ended() {
        forget(claimed);
        claimed.clear();
    }

    private void forget(Collection<MessageKey> back) {
        marks.forget(back.stream().map(MessageKey::destinationId).collect(Collectors.toSet()));
    }
}
