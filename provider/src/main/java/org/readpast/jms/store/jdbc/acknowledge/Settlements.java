package org.readpast.jms.store.jdbc.acknowledge;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.readpast.jms.store.Claim;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.failure.Failures;
import org.readpast.jms.store.jdbc.row.Bodies;
import org.readpast.jms.store.jdbc.row.Names;
import org.readpast.jms.store.jdbc.transaction.CommitVerifier;
import org.readpast.jms.store.jdbc.transaction.PlainCommit;

/** What must hold whichever database carries it out: exactly the claimed rows are deleted. Thread-safe. */
public final class Settlements {

    private final Acknowledgements acknowledgements;
    private final Failures failures;
    private final QueueSettings settings;
    private final Bodies bodies;
    private final Names names;

    public Settlements(
            Acknowledgements acknowledgements, Failures failures, QueueSettings settings, Bodies bodies, Names names) {
        this.acknowledgements = acknowledgements;
        this.failures = failures;
        this.settings = settings;
        this.bodies = bodies;
        this.names = names;
    }

    /**
     * Deletes claimed messages, and tells the history of queues that keep one.
     *
     * @param consumer the name under which they were claimed, a client id or the name of this JVM
     * @throws StoreException {@link Failure#CLAIM_LOST} if not exactly these rows were deleted
     */
    public void acknowledge(Connection connection, Collection<Claim> claims, String consumer)
            throws SQLException, StoreException {
        acknowledge(connection, claims, consumer, new PlainCommit());
    }

    /** The same in a transaction with a verifier of its commit. */
    public void acknowledge(Connection connection, Collection<Claim> claims, String consumer, CommitVerifier verifier)
            throws SQLException, StoreException {
        List<MessageKey> withoutHistory = new ArrayList<>(claims.size());
        // What was claimed together is told together.
        Map<Long, List<Claim>> withHistory = new LinkedHashMap<>();
        for (Claim claim : claims) {
            if (settings.isHistoryKept(claim.key().destinationId())) {
                withHistory
                        .computeIfAbsent(claim.sinceNanos(), since -> new ArrayList<>())
                        .add(claim);
            } else {
                withoutHistory.add(claim.key());
            }
        }
        int deleted = withoutHistory.isEmpty() ? 0 : acknowledgements.acknowledge(connection, withoutHistory, verifier);
        for (List<Claim> together : withHistory.values()) {
            deleted += acknowledgements.acknowledgeWithHistory(
                    connection, Claim.keys(together), together.get(0).heldMillis(), consumer);
        }
        if (deleted != claims.size()) {
            throw claimLost(Claim.keys(claims), deleted);
        }
    }

    /** Whether these can be acknowledged in the round trip of the commit: unless the verifier or a history needs more. */
    public boolean travelWithCommit(Collection<Claim> claims, CommitVerifier verifier) {
        return verifier.isPrepared() && travelWithCommit(claims);
    }

    /** The same where the commit is not verified. */
    public boolean travelWithCommit(Collection<Claim> claims) {
        return !claims.isEmpty()
                && acknowledgements.travelWithCommit()
                && claims.stream()
                        .noneMatch(claim -> settings.isHistoryKept(claim.key().destinationId()));
    }

    /**
     * Acknowledges and commits in one round trip.
     *
     * @param subject of the transaction, for errors
     */
    public void acknowledgeAndCommit(
            Connection connection, Collection<Claim> claims, CommitVerifier verifier, String subject)
            throws StoreException {
        List<MessageKey> keys = Claim.keys(claims);
        verifier.begin();
        try {
            acknowledgements.acknowledgeAndCommit(connection, keys);
        } catch (SQLException e) {
            throw failureOfCommit(e, connection, keys, subject, false);
        }
    }

    /**
     * What a failure means of a statement that acknowledges and commits.
     *
     * @param claims whether a claim follows in the same statement
     */
    public StoreException failureOfCommit(
            SQLException problem, Connection connection, Collection<MessageKey> keys, String subject, boolean claims) {
        if (acknowledgements.isClaimLost(problem)) {
            return claimLost(keys, -1);
        }
        return acknowledgements.leavesInDoubt(problem, claims)
                ? failures.inDoubt(problem, connection, subject, "commit")
                : failures.ofCommit(problem, connection, subject, "commit");
    }

    /** The refusal to acknowledge; the number of rows that were still there is -1 where it is not known. */
    public StoreException claimLost(Collection<MessageKey> keys, int deleted) {
        List<Integer> queues =
                keys.stream().map(MessageKey::destinationId).distinct().toList();
        return new StoreException(
                Failure.CLAIM_LOST,
                names.subject(queues) + ": acknowledge failed, of " + keys.size() + " claimed messages "
                        + (deleted < 0 ? "some" : keys.size() - deleted)
                        + " are not there any more; somebody else has taken or removed them, nothing was committed",
                null);
    }

    /** Reads of a claimed message what did not come with the claim. */
    public StoredMessage complete(Connection connection, StoredMessage message) throws SQLException, StoreException {
        StoredMessage whole = bodies.complete(connection, message);
        if (whole == null) {
            throw claimLost(List.of(message.key()), 0);
        }
        return whole;
    }
}
