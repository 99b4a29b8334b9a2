package org.readpast.jms.engine.transaction;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.readpast.jms.engine.runtime.Unacknowledged;
import org.readpast.jms.store.Claim;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;

/**
 * The messages that a session has claimed, and the only place that knows them: how each is held (its {@link Claim}), and how far it has
 * got.
 *
 * <table>
 * <caption>What becomes of a message</caption>
 * <tr><th>it is</th><th>held by lock, and the SQL transaction ends</th><th>held by lease, and the session's transaction ends</th></tr>
 * <tr><td><em>ready</em> for its recipient</td><td>free, as it was</td><td>given back, as it was</td></tr>
 * <tr><td><em>in hand</em>: taken to be delivered</td><td>free, as it was</td><td>given back, as it was</td></tr>
 * <tr><td><em>delivered</em></td><td>deleted by a commit, else free and to be counted</td><td>the same</td></tr>
 * <tr><td><em>forgone</em>: nobody here wants it</td><td>free, as it was</td><td>given back at once</td></tr>
 * </table>
 *
 * <p>Used with the session's lock; not thread-safe.
 */
public final class ClaimedMessages {

    private final StoreTransaction store;

    /**
     * All that is locked and not forgone, by queue. The session's own locks do not keep a row from it, so a claim has to tell what it
     * finds from these.
     */
    private final Map<Integer, NavigableSet<MessageKey>> locked = new HashMap<>();

    private final Set<MessageKey> forgone = new HashSet<>();
    private final Map<Recipient, Deque<StoredMessage>> ready = new HashMap<>();

    /** Null while there is none. */
    private StoredMessage inHand;

    private final List<Unacknowledged> delivered = new ArrayList<>();

    /** What was locked when the savepoint was set; null while there is none. */
    private Set<MessageKey> beforeSavepoint;

    /** How many messages transactions like this one deliver, by those before it. */
    private int usual;

    public ClaimedMessages(StoreTransaction store) {
        this.store = store;
    }

    /**
     * Claims messages that are not held already, and returns these; they are not ready yet.
     *
     * @param most how many it may be; more than asked for where that saves a look
     */
    List<StoredMessage> claim(ClaimRequest request, int most) throws StoreException {
        if (request.byLease()) {
            // A leased message is out of the queue for everybody.
            return store.claim(request);
        }
        NavigableSet<MessageKey> mine = lockedOf(request.destinationId());
        if (request.byGroups() && !request.holder().isExclusive()) {
            return unknown(store.claim(request.holding(mine)));
        }
        // What is ours is found again; where it stands behind others, as many more of these are.
        int withMine = request.max() + mine.size();
        return mine.isEmpty() || withMine <= most
                ? unknown(store.claim(request.atMost(withMine)))
                : store.claim(request.holding(mine));
    }

    private List<StoredMessage> unknown(List<StoredMessage> claimed) {
        return claimed.stream().filter(message -> !isLocked(message.key())).toList();
    }

    private boolean isLocked(MessageKey key) {
        return lockedOf(key.destinationId()).contains(key);
    }

    /** Messages that were claimed now wait for their recipient. */
    void ready(Recipient recipient, Collection<StoredMessage> claimed) {
        for (StoredMessage message : claimed) {
            if (!message.claim().byLease()) {
                lockedOf(message.key().destinationId()).add(message.key());
                forgone.remove(message.key());
            }
        }
        ready.computeIfAbsent(recipient, added -> new ArrayDeque<>()).addAll(claimed);
    }

    /** The first message that is ready for a recipient, or null. */
    StoredMessage peek(Recipient recipient) {
        Deque<StoredMessage> waiting = ready.get(recipient);
        return waiting == null ? null : waiting.peek();
    }

    /** Takes the first message that is ready for a recipient in hand; there is one. */
    StoredMessage take(Recipient recipient) {
        inHand = ready.get(recipient).remove();
        return inHand;
    }

    /** What was taken in hand has become something else than delivered: it was put back, or is a dead letter. */
    void putElsewhere() {
        inHand = null;
    }

    /** What was taken in hand, and is still held, is the first that is ready for its recipient again. */
    void putBack(Recipient recipient) {
        if (inHand != null) {
            ready.computeIfAbsent(recipient, added -> new ArrayDeque<>()).addFirst(inHand);
            inHand = null;
        }
    }

    /** Takes all that is ready for a recipient. */
    Collection<StoredMessage> takeReady(Recipient recipient) {
        Deque<StoredMessage> waiting = ready.remove(recipient);
        return waiting == null ? List.of() : waiting;
    }

    /** Messages that were claimed are not wanted. */
    void forgo(Collection<StoredMessage> messages) {
        for (StoredMessage message : messages) {
            if (!message.claim().byLease()) {
                lockedOf(message.key().destinationId()).remove(message.key());
                forgone.add(message.key());
            }
        }
    }

    /** What was taken in hand is being delivered, and is to be acknowledged. */
    void deliver(Unacknowledged message) {
        delivered.add(message);
        inHand = null;
    }

    /** All that is held by lease and not delivered. */
    List<Claim> undeliveredLeases() {
        List<Claim> leases = new ArrayList<>();
        if (inHand != null) {
            addIfLeased(leases, inHand);
        }
        ready.values().forEach(waiting -> waiting.forEach(message -> addIfLeased(leases, message)));
        return leases;
    }

    private static void addIfLeased(List<Claim> leases, StoredMessage message) {
        if (message.claim().byLease()) {
            leases.add(message.claim());
        }
    }

    /** The same, which has been given back, or is about to be, and is this session's no longer. */
    List<Claim> takeUndeliveredLeases() {
        List<Claim> leases = undeliveredLeases();
        forgetUndelivered(true);
        return leases;
    }

    private void forgetUndelivered(boolean byLease) {
        if (inHand != null && inHand.claim().byLease() == byLease) {
            inHand = null;
        }
        ready.values()
                .forEach(waiting -> waiting.removeIf(message -> message.claim().byLease() == byLease));
        ready.values().removeIf(Deque::isEmpty);
    }

    boolean isAnyDelivered() {
        return !delivered.isEmpty();
    }

    /** A copy of what was delivered, in order. */
    List<Unacknowledged> delivered() {
        return List.copyOf(delivered);
    }

    List<Claim> deliveredClaims() {
        return Unacknowledged.claims(delivered);
    }

    /** Those of them that are held by locks of the SQL transaction, which its end gives up. */
    List<Unacknowledged> deliveredByLock() {
        return delivered.stream().filter(message -> !message.leased()).toList();
    }

    /** Those of them that are held by lease. */
    List<Unacknowledged> deliveredByLease() {
        return delivered.stream().filter(Unacknowledged::leased).toList();
    }

    /**
     * How many messages to claim at once: as many as the last transaction delivered are likely to be delivered again, and beyond that as
     * many as this one has delivered.
     */
    int likelyToFollow(int limit) {
        int size = delivered.size();
        int expected = size < usual ? usual - size : size;
        return Math.max(1, Math.min(limit, expected));
    }

    /** A savepoint was set. Undoing what came after it gives up the locks that came after it. */
    void savepointSet() {
        beforeSavepoint = new HashSet<>(forgone);
        locked.values().forEach(beforeSavepoint::addAll);
    }

    boolean hasSavepoint() {
        return beforeSavepoint != null;
    }

    /** Whether the lock of a message outlives a rollback to the savepoint, if there is one. */
    boolean isLockedBeforeSavepoint(MessageKey key) {
        return beforeSavepoint == null || beforeSavepoint.contains(key);
    }

    /** What was delivered was acknowledged, and nobody can claim it any more. What a transaction only sends says nothing of what follows. */
    void acknowledged() {
        if (!delivered.isEmpty()) {
            usual = delivered.size();
        }
        for (Unacknowledged message : delivered) {
            lockedOf(message.key().destinationId()).remove(message.key());
        }
        delivered.clear();
    }

    /** What was delivered is being rolled back. */
    void rolledBack() {
        usual = Math.max(usual / 2, delivered.size());
    }

    /** What was delivered is no longer this session's to settle. */
    void forgetDelivered() {
        delivered.clear();
    }

    /** The SQL transaction has ended, and its locks with it. Returns how many messages of each queue others can have now. */
    Map<Integer, Integer> unlocked() {
        Map<Integer, Integer> free = new HashMap<>();
        locked.forEach((queue, keys) -> free.put(queue, keys.size()));
        forgone.forEach(key -> free.merge(key.destinationId(), 1, Integer::sum));
        free.values().removeIf(count -> count == 0);
        locked.clear();
        forgone.clear();
        forgetUndelivered(false);
        beforeSavepoint = null;
        return free;
    }

    private NavigableSet<MessageKey> lockedOf(int destinationId) {
        return locked.computeIfAbsent(destinationId, id -> new TreeSet<>());
    }
}
