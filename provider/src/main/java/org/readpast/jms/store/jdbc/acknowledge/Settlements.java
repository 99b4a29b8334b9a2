package org.readpast.jms.store.jdbc.acknowledge;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
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
    private final Bodies bodies;
    private final Names names;

    public Settlements(Acknowledgements acknowledgements, Failures failures, Bodies bodies, Names names) {
        this.acknowledgements = acknowledgements;
        this.failures = failures;
        this.bodies = bodies;
        this.names = names;
    }

    /**
     * Deletes claimed messages, and tells the history of queues that keep one.
     *
     * @throws StoreException {@link Failure#CLAIM_LOST} if not exactly these rows were deleted
     */
    public void acknowledge(Connection connection, Collection<MessageKey> keys, ClaimTimes claimTimes)
            throws SQLException, StoreException {
        acknowledge(connection, keys, claimTimes, new PlainCommit());
    }

    /** The same in a transaction with a verifier of its commit. */
    public void acknowledge(
            Connection connection, Collection<MessageKey> keys, ClaimTimes claimTimes, CommitVerifier verifier)
            throws SQLException, StoreException {
        if (keys.isEmpty()) {
            return;
        }
        ClaimTimes.Parts parts = claimTimes.parts(keys);
        int deleted = parts.withoutHistory().isEmpty()
                ? 0
                : acknowledgements.acknowledge(connection, parts.withoutHistory(), verifier);
        for (List<MessageKey> together : parts.withHistory()) {
            deleted += acknowledgements.acknowledgeWithHistory(
                    connection, together, claimTimes.heldMillis(together.get(0)), claimTimes.consumer());
        }
        if (deleted != keys.size()) {
            throw claimLost(keys, deleted);
        }
    }

    /** Whether these can be acknowledged in the round trip of the commit: unless the verifier or a history needs more. */
    public boolean travelWithCommit(Collection<MessageKey> keys, ClaimTimes claimTimes, CommitVerifier verifier) {
        return !keys.isEmpty()
                && acknowledgements.travelWithCommit()
                && verifier.isPrepared()
                && !claimTimes.isAnyKept(keys);
    }

    /**
     * Acknowledges and commits in one round trip.
     *
     * @param subject of the transaction, for errors
     */
    public void acknowledgeAndCommit(
            Connection connection, Collection<MessageKey> keys, CommitVerifier verifier, String subject)
            throws StoreException {
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
    private StoreException claimLost(Collection<MessageKey> keys, int deleted) {
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
