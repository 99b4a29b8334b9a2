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

/** Where the claims of one session's transactions begin, and what they tell the watermarks of this JVM. Not thread-safe. */
public final class WatermarkedClaims {

    private final ClaimWatermarks watermarks;

    /** What the open transaction has claimed; when it ends, all of it comes back that it did not acknowledge. */
    private final Set<MessageKey> claimed = new HashSet<>();

    /** Whether the last claim counts among those that found all they asked for. */
    private boolean isCounted;

    public WatermarkedClaims(ClaimWatermarks watermarks) {
        this.watermarks = watermarks;
    }

    /** A claim, from wherever it is told to. */
    @FunctionalInterface
    public interface Claim {
        List<StoredMessage> make(ClaimRequest request) throws StoreException;
    }

    /**
     * Claims behind a watermark, or from the head where nothing is there. For a transaction that holds nothing yet: one that does claims as
     * many more as it holds, and behind a watermark these are others.
     */
    public List<StoredMessage> first(ClaimRequest request, Claim claim) throws StoreException {
        return limited(request, () -> {
            ClaimWatermarks.Start start = watermarks.start(request);
            return orFromHead(request, start, claim.make(start.request()), claim);
        });
    }

    /** Makes a claim that uses the methods below: one of many messages of a queue with a watermark waits while others do the same. */
    public <T> T limited(ClaimRequest request, ClaimLimiter.Work<T> claim) throws StoreException {
        return watermarks.isMarked(request) ? watermarks.limiter().in(request, claim) : claim.run();
    }

    /** How a claim is to be made that follows a commit in the same round trip: from the head where the commit gives messages back. */
    public ClaimWatermarks.Start startAfter(Collection<MessageKey> acknowledged, ClaimRequest request) {
        if (claimed.size() > acknowledged.size()) {
            forget(claimed);
        }
        return watermarks.start(request);
    }

    /**
     * What was claimed first, or from the head where nothing was there.
     *
     * @param start of {@link #startAfter}
     */
    public List<StoredMessage> orFromHead(
            ClaimRequest request, ClaimWatermarks.Start start, List<StoredMessage> claimed, Claim claim)
            throws StoreException {
        isCounted = watermarks.claimed(start, claimed);
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

    /** Behind the commit a queue was empty. */
    public void drained(int destinationId) {
        if (isCounted) {
            isCounted = false;
            watermarks.drained(destinationId);
        }
    }

    /** The connection was lost: another server may go on. */
    public void lost() {
        watermarks.forgetAll();
    }

    /** The transaction has ended: what it still holds comes back. */
    public void ended() {
        forget(claimed);
        claimed.clear();
    }

    private void forget(Collection<MessageKey> back) {
        watermarks.forget(back.stream().map(MessageKey::destinationId).collect(Collectors.toSet()));
    }
}
