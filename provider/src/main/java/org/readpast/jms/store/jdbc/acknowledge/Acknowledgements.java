package org.readpast.jms.store.jdbc.acknowledge;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.store.jdbc.transaction.CommitVerifier;

/** How one database deletes claimed messages, alone or in one round trip with the commit. Thread-safe. */
public abstract class Acknowledgements {

    final Statements statements;

    Acknowledgements(Statements statements) {
        this.statements = statements;
    }

    /** Deletes claimed messages and returns how many rows were deleted. */
    public abstract int acknowledge(Connection connection, Collection<MessageKey> keys, CommitVerifier verifier)
            throws SQLException;

    /**
     * The same for queues with a history, which gets a row for each.
     *
     * @param heldMillis for how long the consumer has had them, null where that is not known
     */
    abstract int acknowledgeWithHistory(
            Connection connection, Collection<MessageKey> keys, Integer heldMillis, String consumer)
            throws SQLException;

    /** Whether the methods below are to be used: whether they save a round trip. */
    public boolean travelWithCommit() {
        return true;
    }

    /**
     * What came of a commit with a claim after it.
     *
     * @param claimed the messages of the next transaction
     * @param claimFailure why there are none, although the commit was carried out; null where the claim went well
     */
    public record Pipelined(List<StoredMessage> claimed, SQLException claimFailure) {}

    /**
     * In one round trip deletes claimed messages, commits, and claims the next ones without regard to a selector.
     *
     * @param verifier of the transaction that begins with the claim; is told its id, where the database tells it along
     * @throws SQLException if not committed, or see {@link #leavesInDoubt}
     */
    public abstract Pipelined acknowledgeAndClaim(
            Connection connection, Collection<MessageKey> keys, ClaimRequest next, CommitVerifier verifier)
            throws SQLException;

    /**
     * In one round trip deletes claimed messages and commits.
     *
     * @throws SQLException if not committed, or see {@link #leavesInDoubt}
     */
    abstract void acknowledgeAndCommit(Connection connection, Collection<MessageKey> keys) throws SQLException;

    /**
     * In one round trip deletes claimed messages, looks whether a queue has any message left, claimed ones included, and commits.
     *
     * @throws SQLException if not committed, or see {@link #leavesInDoubt}
     */
    public abstract boolean acknowledgeAndLook(Connection connection, Collection<MessageKey> keys, int destinationId)
            throws SQLException;

    /** Whether one of these three failed because not exactly the claimed rows were deleted. */
    abstract boolean isClaimLost(SQLException error);

    /**
     * Whether this failure of one of these three may have come after its commit; the connection still lives.
     *
     * @param claims whether it is {@link #acknowledgeAndClaim}, in which something follows the commit
     */
    abstract boolean leavesInDoubt(SQLException error, boolean claims);
}
