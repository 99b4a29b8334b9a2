package org.readpast.jms.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.readpast.jms.store.Claim;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.LeaseTerms;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.Redelivery;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.acknowledge.Acknowledgements;
import org.readpast.jms.store.jdbc.claim.ClaimLimiter;
import org.readpast.jms.store.jdbc.claim.ClaimWatermarks;
import org.readpast.jms.store.jdbc.claim.WatermarkedClaims;
import org.readpast.jms.store.jdbc.transaction.CommitVerifier;
import org.readpast.jms.store.jdbc.transaction.PlainCommit;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/** A session's transactions on connections of the store's pool. Not thread-safe. */
final class OwnTransaction implements StoreTransaction {

    private static final Logger LOG = Loggers.of(OwnTransaction.class);

    private static final String CLAIM_FAILED =
            "The transaction was committed, but the claim of the next messages failed";

    private static final String COMMIT = "commit";

    private final OpenStore store;
    private final String consumer;
    private final LeasedMessages leased;
    private final WatermarkedClaims watermarks;
    private final SqlTransaction sql;

    /** @param consumer the name under which it claims, for the histories of queues */
    OwnTransaction(OpenStore store, String consumer) {
        this.store = store;
        this.consumer = consumer;
        this.leased = new LeasedMessages(store, consumer);
        this.watermarks = new WatermarkedClaims(store.watermarks());
        this.sql = new SqlTransaction(store, watermarks);
    }

    @Override
    public boolean isOpen() {
        return sql.isOpen();
    }

    @Override
    public Connection connection() throws StoreException {
        return sql.step("SQL connection", "begin of a transaction", open -> open);
    }

    @Override
    public void retire(Connection changed) {
        store.transactionPool().retire(changed);
    }

    @Override
    public void setSavepoint() throws StoreException {
        sql.setSavepoint();
    }

    @Override
    public void rollbackToSavepoint() throws StoreException {
        sql.rollbackToSavepoint();
    }

    @Override
    public List<StoredMessage> claim(ClaimRequest request) throws StoreException {
        if (store.queueSettings().isReceivePaused(request.destinationId())) {
            return List.of();
        }
        if (request.byLease()) {
            return leased.claim(request);
        }
        boolean first = !sql.isOpen();
        List<StoredMessage> claimed = first ? watermarks.first(request, this::claimOnce) : claimOnce(request);
        if (first && claimed.isEmpty()) {
            rollback();
        }
        return claimed;
    }

    @Override
    public List<Claim> leasesInDoubt() {
        return leased.takeInDoubt();
    }

    private List<StoredMessage> claimOnce(ClaimRequest request) throws StoreException {
        return claimed(sql.step(
                store.names().subject(request.destinationId()),
                "claim",
                open -> store.names().isGone(request.destinationId())
                        ? List.of()
                        : store.claims().claim(open, request, sql.verifier())));
    }

    private List<StoredMessage> claimed(List<StoredMessage> messages) {
        watermarks.claimed(messages);
        return OpenStore.locked(messages);
    }

    @Override
    public StoredMessage beginDelivery(StoredMessage claimed) throws StoreException {
        return claimed.isSuspect()
                ? sql.step(
                        store.names().subject(claimed.key().destinationId()),
                        "counting a delivery",
                        open -> store.beginDelivery(claimed))
                : claimed;
    }

    @Override
    public int endDeliveries(List<MessageKey> suspects) throws StoreException {
        return suspects.isEmpty()
                ? 0
                : sql.step(
                        store.names().subject(suspects.get(0).destinationId()),
                        "counting deliveries",
                        open -> store.suspects().endDeliveries(open, suspects));
    }

    @Override
    public StoredMessage complete(StoredMessage message) throws StoreException {
        if (message.lease() != null) {
            return leased.complete(message);
        }
        return sql.step(
                store.names().subject(message.key().destinationId()),
                "reading a message",
                open -> store.settlements().complete(open, message));
    }

    @Override
    public void insert(List<NewMessage> messages) throws StoreException {
        if (!messages.isEmpty()) {
            sql.step(store.subject(messages), "send", open -> {
                store.sends().insert(open, messages);
                return null;
            });
        }
    }

    @Override
    public void acknowledge(List<Claim> claims) throws StoreException {
        if (!claims.isEmpty()) {
            sql.step(store.names().subject(claims.get(0).key().destinationId()), "acknowledge", open -> {
                store.settlements().acknowledge(open, claims, consumer);
                return null;
            });
        }
    }

    @Override
    public List<MessageKey> lock(List<Claim> claims) throws StoreException {
        return claims.isEmpty()
                ? List.of()
                : sql.step(
                        store.names().subject(claims.get(0).key().destinationId()),
                        "locking",
                        open -> store.table().lockClaimed(open, claims));
    }

    @Override
    public boolean isAnyThere(List<Claim> claims) throws StoreException {
        for (Claim claim : claims) {
            if (sql.step(
                    store.names().subject(claim.key().destinationId()),
                    "look",
                    open -> store.table().holds(open, claim))) {
                return true;
            }
        }
        return false;
    }

    @Override
    public List<StoredMessage> lease(List<StoredMessage> locked, LeaseTerms terms) throws StoreException {
        return sql.step(
                store.names().subject(locked.get(0).key().destinationId()),
                "lease",
                open -> leased.take(open, locked, terms));
    }

    @Override
    public List<Redelivery> giveBack(Collection<Claim> claims, List<Redelivery> plan) throws StoreException {
        return leased.giveBack(claims, plan);
    }

    @Override
    public void redeliver(List<Redelivery> redeliveries) throws StoreException {
        if (!redeliveries.isEmpty()) {
            sql.step(store.names().subject(redeliveries.get(0).key().destinationId()), "redelivery", open -> {
                store.redeliveries().carryOut(open, redeliveries, consumer);
                return null;
            });
        }
    }

    @Override
    public List<StoredMessage> commit(Settlement settlement, ClaimRequest wanted) throws StoreException {
        boolean claims = wanted != null
                && !store.queueSettings().isReceivePaused(wanted.destinationId())
                && !store.names().isGone(wanted.destinationId());
        ClaimRequest next = claims ? wanted : null;
        sql.checkSavepoint();
        if (isPipelined(settlement, next)) {
            return watermarks.limited(next, () -> acknowledgeAndClaim(settlement, next));
        }
        if (sql.isOpen() || !settlement.isEmpty()) {
            settle(settlement, new PlainCommit());
        }
        if (next == null) {
            sql.end();
            return List.of();
        }
        return claimAfterCommit(next);
    }

    private boolean isPipelined(Settlement settlement, ClaimRequest next) {
        return next != null
                && claimsWithCommit(next)
                && settlement.sends().isEmpty()
                && settlement.returned().isEmpty()
                && travelWithCommit(settlement.acknowledged());
    }

    private boolean travelWithCommit(List<Claim> acknowledged) {
        return sql.isOpen()
                && acknowledged.stream().noneMatch(Claim::byLease)
                && store.settlements().travelWithCommit(acknowledged);
    }

    @Override
    public boolean commitAndLook(List<Claim> acknowledged, int destinationId) throws StoreException {
        if (!travelWithCommit(acknowledged)) {
            commit(Settlement.acknowledgement(acknowledged), null);
            return true;
        }
        List<MessageKey> keys = Claim.keys(acknowledged);
        sql.checkSavepoint();
        String subject = store.names().subject(destinationId);
        // What there is is not known where the answer was lost.
        boolean holdsAny = committed(subject, true, open -> {
            try {
                return store.acknowledgements().acknowledgeAndLook(open, keys, destinationId);
            } catch (SQLException e) {
                throw store.settlements().failureOfCommit(e, open, keys, subject, false);
            }
        });
        watermarks.committed(keys);
        if (!holdsAny) {
            watermarks.drained(destinationId);
        }
        sql.end();
        return holdsAny;
    }

    /**
     * Carries out a step that commits.
     *
     * @param unheard what is returned where it was carried out although its answer was lost; the transaction has ended then
     */
    private <T> T committed(String subject, T unheard, SqlTransaction.Step<T> step) throws StoreException {
        CommitVerifier verifier = sql.verifier();
        verifier.begin();
        try {
            return sql.step(subject, COMMIT, verifier, step);
        } catch (StoreException e) {
            findOut(verifier, e, subject);
            return unheard;
        }
    }

    /** Returns if a commit that failed was carried out after all. */
    private void findOut(CommitVerifier verifier, StoreException problem, String subject) throws StoreException {
        try {
            store.commits().settle(verifier, problem, subject, COMMIT);
        } catch (StoreException found) {
            boolean undone = problem.failure() == Failure.IN_DOUBT && found.failure() == Failure.CONNECTION_LOST;
            throw undone ? new StoreException(Failure.UNDONE, found.getMessage(), found.getCause()) : found;
        }
    }

    @Override
    public boolean claimsWithCommit(ClaimRequest next) {
        return store.claimsWithCommit(next);
    }

    @Override
    public boolean isConnectionToSpare() {
        return store.transactionPool().isAnyToSpare();
    }

    private List<StoredMessage> acknowledgeAndClaim(Settlement settlement, ClaimRequest next) throws StoreException {
        String subject = store.subject(settlement);
        List<MessageKey> keys = Claim.keys(settlement.acknowledged());
        ClaimWatermarks.Start start = watermarks.startAfter(keys, next);
        CommitVerifier following = sql.verifier().following();
        Acknowledgements.Pipelined pipelined = committed(subject, null, open -> {
            try {
                return store.acknowledgements().acknowledgeAndClaim(open, keys, start.request(), following);
            } catch (SQLException e) {
                throw store.settlements().failureOfCommit(e, open, keys, subject, true);
            }
        });
        watermarks.committed(keys);
        watermarks.ended();
        if (pipelined == null) {
            return List.of();
        }
        sql.goesOn(following);
        if (pipelined.claimFailure() != null) {
            LOG.warn(CLAIM_FAILED, store.failures().of(pipelined.claimFailure(), sql.connection(), subject, "claim"));
            rollback();
            return List.of();
        }
        return claimedWithCommit(() -> {
            List<StoredMessage> claimed = sql.step(
                    subject,
                    "claim",
                    open -> store.claims().withoutNewer(open, start.request(), pipelined.claimed(), following));
            return watermarks.orFromHead(next, start, claimed(claimed), this::claimOnce);
        });
    }

    /** What is committed must not be reported as failed because the claim after it did: that one can be asked for again. */
    private List<StoredMessage> claimedWithCommit(ClaimLimiter.Work<List<StoredMessage>> claim) {
        try {
            List<StoredMessage> claimed = claim.run();
            if (claimed.isEmpty()) {
                rollback();
            }
            return claimed;
        } catch (StoreException e) {
            LOG.warn(CLAIM_FAILED, e);
            return List.of();
        }
    }

    @Override
    public boolean leavesMarkers() {
        return store.commits().leaveMarkers();
    }

    @Override
    public void commitVerified(Settlement settlement) throws StoreException {
        sql.checkSavepoint();
        if (sql.isOpen() || !settlement.isEmpty()) {
            settle(settlement, store.commits().verifier());
        }
        sql.end();
    }

    private void settle(Settlement settlement, CommitVerifier verifier) throws StoreException {
        String subject = store.subject(settlement);
        Map<Boolean, List<Claim>> acknowledged =
                settlement.acknowledged().stream().collect(Collectors.partitioningBy(Claim::byLease));
        List<Claim> byLease = acknowledged.get(true);
        List<Claim> byLock = acknowledged.get(false);
        try {
            sql.step(subject, COMMIT, verifier, open -> {
                store.sends().insert(open, settlement.sends(), verifier);
                leased.settle(open, byLease, settlement.returned());
                // A connection that broke while the application was at work must not become a doubt: something goes
                // before.
                if (!settlement.sends().isEmpty() && store.settlements().travelWithCommit(byLock, verifier)) {
                    store.settlements().acknowledgeAndCommit(open, byLock, verifier, subject);
                    return null;
                }
                store.settlements().acknowledge(open, byLock, consumer, verifier);
                try {
                    verifier.commit(open);
                } catch (SQLException e) {
                    throw verifier.hasBegun()
                            ? store.failures().ofCommit(e, open, subject, COMMIT)
                            : store.failures().of(e, open, subject, COMMIT);
                }
                return null;
            });
        } catch (StoreException e) {
            findOut(verifier, e, subject);
        }
        watermarks.committed(Claim.keys(settlement.acknowledged()));
    }

    private List<StoredMessage> claimAfterCommit(ClaimRequest next) {
        watermarks.ended();
        return claimedWithCommit(() -> {
            if (next.byLease()) {
                sql.end();
                return leased.claim(next);
            }
            return watermarks.first(next, this::claimOnce);
        });
    }

    @Override
    public void rollback() {
        sql.rollback();
    }

    @Override
    public void close() {
        rollback();
    }
}
