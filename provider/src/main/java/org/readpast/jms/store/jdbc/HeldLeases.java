package org.readpast.jms.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.Lease;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.Redelivery;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.acknowledge.ClaimTimes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The messages that one session holds by lease. They are claimed and given back in short transactions of their own, and
 * acknowledged in the session's. Not thread-safe.
 */
final class HeldLeases {

    private static final Logger LOG = LoggerFactory.getLogger(HeldLeases.class);

    private static final String READING = "reading a message";

    private final OpenStore store;
    private final ClaimTimes claimTimes;
    private final Map<MessageKey, Lease> held = new LinkedHashMap<>();

    HeldLeases(OpenStore store, ClaimTimes claimTimes) {
        this.store = store;
        this.claimTimes = claimTimes;
    }

    Set<MessageKey> keys() {
        return held.keySet();
    }

    boolean isEmpty() {
        return held.isEmpty();
    }

    /** Claims messages and takes them out of the queue, all in one short transaction. */
    List<StoredMessage> claim(ClaimRequest request) throws StoreException {
        String subject = store.names().subject(request.destinationId());
        if (request.byGroups()) {
            throw new StoreException(
                    Failure.OTHER,
                    subject
                            + ": claim failed, it has message groups (JMSXGroupID) or is consumed exclusively, whose order rests on "
                            + "locks that a lease does not hold; set the option 'consumer.leaseSeconds' to 0 for it",
                    null);
        }
        long since = System.nanoTime();
        List<StoredMessage> leased = new ArrayList<>();
        try {
            store.shortTransactions().run(subject, "claim", open -> {
                leased.clear();
                return leased.addAll(lease(open, request, since));
            });
            hold(leased);
            return leased;
        } catch (StoreException e) {
            if (e.failure() == Failure.IN_DOUBT) {
                // If they are leased after all, the end of the session's transaction gives them back.
                hold(leased);
            }
            throw e;
        }
    }

    private void hold(List<StoredMessage> leased) {
        claimTimes.claimed(leased).forEach(message -> held.put(message.key(), message.lease()));
    }

    private List<StoredMessage> lease(Connection open, ClaimRequest request, long since) throws SQLException {
        List<StoredMessage> claimed = store.claims().claimAny(open, request).stream()
                .map(message -> message.heldBy(
                        new Lease(UUID.randomUUID(), request.lease().seconds(), since)))
                .toList();
        if (!claimed.isEmpty() && store.leases().take(open, claimed, request.lease()) != claimed.size()) {
            // Only where a lock hint is ignored: somebody else has claimed some of them too, and was first.
            open.rollback();
            return List.of();
        }
        return claimed;
    }

    /** Reads what did not come with the claim. */
    StoredMessage complete(StoredMessage message) throws StoreException {
        MessageKey key = message.key();
        StoredMessage whole = store.shortTransactions()
                .runRepeatable(
                        store.names().subject(key.destinationId()),
                        READING,
                        open -> store.bodies().complete(open, message));
        if (whole == null) {
            throw lost(READING, List.of(key), 0);
        }
        return whole;
    }

    /** Those of these messages that are held by lock and not by lease. */
    List<MessageKey> others(List<MessageKey> keys) {
        return held.isEmpty()
                ? keys
                : keys.stream().filter(key -> !held.containsKey(key)).toList();
    }

    /**
     * Within the session's transaction, which is about to be committed: deletes those of these messages that are held by lease, and
     * puts the other ones that are held back as they were.
     *
     * @throws StoreException {@link Failure#CLAIM_LOST} if not exactly these messages were deleted
     */
    void settle(Connection open, List<MessageKey> acknowledged) throws SQLException, StoreException {
        if (held.isEmpty()) {
            return;
        }
        List<MessageKey> mine = acknowledged.stream().filter(held::containsKey).toList();
        complete(open, mine);
        Set<MessageKey> rest = new HashSet<>(held.keySet());
        mine.forEach(rest::remove);
        if (!rest.isEmpty()) {
            store.leases().giveBack(open, tokens(rest));
        }
    }

    private void complete(Connection open, List<MessageKey> mine) throws SQLException, StoreException {
        List<MessageKey> told = mine.stream().filter(claimTimes::isKept).toList();
        List<MessageKey> withoutHistory =
                mine.stream().filter(key -> !told.contains(key)).toList();
        if (!withoutHistory.isEmpty()) {
            int completed = store.leases().complete(open, tokens(withoutHistory));
            if (completed != withoutHistory.size()) {
                throw lost("acknowledge", withoutHistory, completed);
            }
        }
        if (!told.isEmpty()) {
            // Back in their queue, where nobody sees them before the commit, they are acknowledged as others with a
            // history are.
            int back = store.leases().giveBack(open, tokens(told)).size();
            if (back != told.size()) {
                throw lost("acknowledge", told, back);
            }
            store.settlements().acknowledge(open, told, claimTimes);
        }
    }

    /** The session's transaction was committed: nothing is held any more. */
    void settled() {
        held.clear();
    }

    /** See {@link org.readpast.jms.store.StoreTransaction#giveBack}. */
    List<Redelivery> giveBack(Collection<MessageKey> keys, List<Redelivery> plan) throws StoreException {
        List<MessageKey> mine = keys.stream().filter(held::containsKey).toList();
        if (mine.isEmpty()) {
            return List.of();
        }
        List<Redelivery> carriedOut = store.shortTransactions()
                .run(store.names().subject(queues(mine)), "giving back", open -> giveBack(open, mine, plan));
        mine.forEach(held::remove);
        return carriedOut;
    }

    private List<Redelivery> giveBack(Connection open, List<MessageKey> mine, List<Redelivery> plan)
            throws SQLException {
        Set<MessageKey> back = new HashSet<>(store.leases().giveBack(open, tokens(mine)));
        List<Redelivery> possible = plan.stream()
                .filter(redelivery -> back.contains(redelivery.key()))
                .toList();
        store.redeliveries().carryOut(open, possible, claimTimes);
        return possible;
    }

    /** Gives everything back as it was; what cannot be given back now is back when its lease is over. */
    void giveBackAll() {
        if (held.isEmpty()) {
            return;
        }
        try {
            giveBack(List.copyOf(held.keySet()), List.of());
        } catch (StoreException e) {
            LOG.warn(
                    "{} messages cannot be given back before their lease is over, and count as delivered: {}",
                    held.size(),
                    e.getMessage());
            held.clear();
        }
    }

    private List<UUID> tokens(Collection<MessageKey> keys) {
        return keys.stream().map(key -> held.get(key).token()).toList();
    }

    private StoreException lost(String action, List<MessageKey> keys, int left) {
        Lease oldest = keys.stream()
                .map(held::get)
                .reduce((one, other) -> one.sinceNanos() - other.sinceNanos() <= 0 ? one : other)
                .orElseThrow();
        String why = oldest.isOver()
                ? "the lease of " + oldest.seconds()
                        + " s was over; a longer one (option 'consumer.leaseSeconds') would have given "
                        + "more time to the work"
                : "the lease of " + oldest.seconds()
                        + " s was ended before its time, because this JVM was taken for dead, "
                        + "or because somebody removed or completed the message";
        return new StoreException(
                Failure.CLAIM_LOST,
                store.names().subject(queues(keys)) + ": " + action + " failed for " + (keys.size() - left) + " of "
                        + keys.size() + " messages, " + why + "; nothing was committed",
                null);
    }

    private static List<Integer> queues(Collection<MessageKey> keys) {
        return keys.stream().map(MessageKey::destinationId).distinct().toList();
    }
}
