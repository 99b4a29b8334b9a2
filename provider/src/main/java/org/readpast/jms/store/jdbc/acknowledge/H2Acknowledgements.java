package org.readpast.jms.store.jdbc.acknowledge;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.jdbc.row.MessageRow;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.store.jdbc.transaction.CommitVerifier;

/** On H2, one by one: there is no round trip to be saved. */
public final class H2Acknowledgements extends Acknowledgements {

    public H2Acknowledgements(Statements statements) {
        super(statements);
    }

    @Override
    public int acknowledge(Connection connection, Collection<MessageKey> keys, CommitVerifier verifier)
            throws SQLException {
        try (Query delete = statements.query(connection, "acknowledge")) {
            return each(delete, keys);
        }
    }

    @Override
    int acknowledgeWithHistory(Connection connection, Collection<MessageKey> keys, Integer heldMillis, String consumer)
            throws SQLException {
        try (Query delete = statements.query(connection, "acknowledge_with_history")) {
            delete.set("held_millis", heldMillis).set("consumer", consumer);
            return each(delete, keys);
        }
    }

    private static int each(Query delete, Collection<MessageKey> keys) throws SQLException {
        int deleted = 0;
        for (MessageKey key : keys) {
            MessageRow.bindKey(delete, key);
            deleted += delete.update();
        }
        return deleted;
    }

    @Override
    public boolean travelWithCommit() {
        return false;
    }

    @Override
    public Pipelined acknowledgeAndClaim(
            Connection connection, Collection<MessageKey> keys, ClaimRequest next, CommitVerifier verifier) {
        throw noRoundTripToSave();
    }

    @Override
    void acknowledgeAndCommit(Connection connection, Collection<MessageKey> keys) {
        throw noRoundTripToSave();
    }

    @Override
    public boolean acknowledgeAndLook(Connection connection, Collection<MessageKey> keys, int destinationId) {
        throw noRoundTripToSave();
    }

    private static UnsupportedOperationException noRoundTripToSave() {
        return new UnsupportedOperationException("There is no round trip to be saved here");
    }

    @Override
    boolean isClaimLost(SQLException error) {
        return false;
    }

    @Override
    boolean leavesInDoubt(SQLException error, boolean claims) {
        return false;
    }
}
