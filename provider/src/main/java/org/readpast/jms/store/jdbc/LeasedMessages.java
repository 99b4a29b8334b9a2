package org.readpast.jms.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.readpast.jms.store.Claim;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.Lease;
import org.readpast.jms.store.LeaseTerms;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.Redelivery;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.transaction.PlainCommit;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * What is done to messages that are held by lease. They are claimed and given back in short transactions of their own, and acknowledged
 * in the session's. Thread-safe.
 */
final class LeasedMessages {

    private static final Logger LOG = Loggers.of(LeasedMessages.class);

    private static final String READING = "reading a message";

    private static final String GIVING_BACK = "giving back";

    private final OpenStore store;
    private final String consumer;
    private final Queue<Claim> inDoubt = new ConcurrentLinkedQueue<>();

    /** @param consumer the name under which it claims, for the histories of queues */
    LeasedMessages(OpenStore store, String consumer) {
        this.store = store;
        this.consumer = consumer;
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
            return leased;
        } catch (StoreException e) {
            if (e.failure() == Failure.IN_DOUBT) {
                leased.forEach(message -> inDoubt.add(message.claim()));
            }
            throw e;
        }
    }

    /** See {@link org.readpast.jms.store.StoreTransaction#leasesInDoubt}. */
    List<Claim> takeInDoubt() {
        List<Claim> taken = new ArrayList<>();
        for (Claim claim = inDoubt.poll(); claim != null; claim = inDoubt.poll()) {
            taken.add(claim);
        }
        return taken;
    }

    private List<StoredMessage> lease(Connection open, ClaimRequest request, long since) throws SQLException {
        if (store.names().isGone(request.destinationId())) {
            return List.of();
        }
        List<StoredMessage> claimed =
                leased(store.claims().claimAny(open, request, new PlainCommit()), request.lease(), since);
        if (!claimed.isEmpty() && store.leases().take(open, claimed, request.lease()) != claimed.size()) {
            // Only where a lock hint is ignored: somebody else has claimed some of them too, and was first.
            open.rollback();
            return List.of();
        }
        return claimed;
    }

    private static List<StoredMessage> leased(List<StoredMessage> claimed, LeaseTerms terms, long since) {
        return claimed.stream()
                .map(message -> message.leased(new Lease(UUID.randomUUID(), terms.seconds(), since)))
                .toList();
    }

    /**
     * Within an open transaction takes messages that it holds by lock out of their queue.
     *
     * @throws StoreException {@link Failure#CLAIM_LOST} if not all of them are there
     */
    List<StoredMessage> take(Connection open, List<StoredMessage> locked, LeaseTerms terms)
            throws SQLException, StoreException {
        List<StoredMessage> leased = leased(locked, terms, System.nanoTime());
        int taken = store.leases().take(open, leased, terms);
        if (taken != leased.size()) {
            throw store.settlements()
                    .claimLost(leased.stream().map(StoredMessage::key).toList(), taken);
        }
        return leased;
    }

    /** Reads what did not come with the claim. */
    StoredMessage complete(StoredMessage message) throws StoreException {
        StoredMessage whole = store.shortTransactions()
                .runRepeatable(
                        store.names().subject(message.key().destinationId()),
                        READING,
                        open -> store.bodies().complete(open, message));
        if (whole == null) {
            throw lost(READING, List.of(message.claim()), 0);
        }
        return whole;
    }

    /**
     * Within the session's transaction, which is about to be committed: deletes what was acknowledged, and puts back what is returned.
     *
     * @throws StoreException {@link Failure#CLAIM_LOST} if not exactly the acknowledged messages were deleted
     */
    void settle(Connection open, List<Claim> acknowledged, List<Claim> returned) throws SQLException, StoreException {
        acknowledge(open, acknowledged);
        if (!returned.isEmpty()) {
            store.leases().giveBack(open, tokens(returned), false);
        }
    }

    private void acknowledge(Connection open, List<Claim> acknowledged) throws SQLException, StoreException {
        Map<Boolean, List<Claim>> byHistory = acknowledged.stream()
                .collect(Collectors.partitioningBy(
                        claim -> store.queueSettings().isHistoryKept(claim.key().destinationId())));
        for (Map.Entry<Boolean, List<Claim>> some : byHistory.entrySet()) {
            List<Claim> claims = some.getValue();
            int completed = 0;
            if (!claims.isEmpty()) {
                completed = some.getKey()
                        ? store.leases().completeWithHistory(open, tokens(claims), consumer)
                        : store.leases().complete(open, tokens(claims));
            }
            if (completed != claims.size()) {
                throw lost("acknowledge", claims, completed);
            }
        }
    }

    /** See {@link org.readpast.jms.store.StoreTransaction#giveBack}. */
    List<Redelivery> giveBack(Collection<Claim> leased, List<Redelivery> plan) throws StoreException {
        return leased.isEmpty()
                ? List.of()
                : store.shortTransactions()
                        .run(store.names().subject(queues(leased)), GIVING_BACK, open -> giveBack(open, leased, plan));
    }

    private List<Redelivery> giveBack(Connection open, Collection<Claim> leased, List<Redelivery> plan)
            throws SQLException {
        Set<MessageKey> back = new HashSet<>(store.leases().giveBack(open, tokens(leased), !plan.isEmpty()));
        tellOfOthers(leased, back);
        List<Redelivery> possible = plan.stream()
                .filter(redelivery -> back.contains(redelivery.key()))
                .toList();
        store.redeliveries().carryOut(open, possible, consumer);
        return possible;
    }

    /** On SQL Server the lock that keeps a message from its place lasts for as long as somebody's transaction. */
    private void tellOfOthers(Collection<Claim> leased, Set<MessageKey> back) {
        List<Claim> others = leased.stream()
                .filter(claim -> !back.contains(claim.key()) && !claim.lease().isOver())
                .toList();
        if (!others.isEmpty()) {
            LOG.info(
                    "{}: {} of {} leased messages are not given back: they are not there any more, or somebody holds their places; "
                            + "these follow when he has ended his transaction, without the delay of a redelivery policy",
                    store.names().subject(queues(others)),
                    others.size(),
                    leased.size());
        }
    }

    private static List<UUID> tokens(Collection<Claim> claims) {
        return claims.stream().map(claim -> claim.lease().token()).toList();
    }

    private StoreException lost(String action, List<Claim> claims, int left) {
        Lease oldest = claims.stream()
                .map(Claim::lease)
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
                store.names().subject(queues(claims)) + ": " + action + " failed for " + (claims.size() - left) + " of "
                        + claims.size() + " messages, " + why + "; nothing was committed",
                null);
    }

    private static List<Integer> queues(Collection<Claim> claims) {
        return claims.stream()
                .map(claim -> claim.key().destinationId())
                .distinct()
                .toList();
    }
}
