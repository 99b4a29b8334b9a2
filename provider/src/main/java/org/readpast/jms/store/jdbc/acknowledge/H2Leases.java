package org.readpast.jms.store.jdbc.acknowledge;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.store.LeaseTerms;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.row.MessageRow;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;

/** The same on H2, one by one, since it does not read JSON. */
public final class H2Leases extends Leases {

    public H2Leases(Statements statements) {
        super(statements);
    }

    @Override
    public int take(Connection connection, List<StoredMessage> claimed, LeaseTerms terms) throws SQLException {
        int taken = 0;
        try (Query lease = statements.query(connection, "lease_message")) {
            lease.set("lease_millis", TimeUnit.SECONDS.toMillis(terms.seconds()))
                    .set("worker", terms.worker());
            for (StoredMessage message : claimed) {
                MessageRow.bindKey(lease, message.key());
                taken += lease.set("claim_token", message.lease().token().toString())
                        .update();
            }
        }
        return taken;
    }

    @Override
    public int complete(Connection connection, Collection<UUID> tokens) throws SQLException {
        try (Query complete = statements.query(connection, "complete_lease")) {
            return complete(complete, tokens);
        }
    }

    @Override
    public int completeWithHistory(Connection connection, Collection<UUID> tokens, String consumer)
            throws SQLException {
        try (Query complete = statements.query(connection, "complete_lease_with_history")) {
            return complete(complete.set("consumer", consumer), tokens);
        }
    }

    private static int complete(Query complete, Collection<UUID> tokens) throws SQLException {
        int completed = 0;
        for (UUID token : tokens) {
            completed += complete.set("claim_token", token.toString()).update();
        }
        return completed;
    }

    @Override
    public List<MessageKey> giveBack(Connection connection, Collection<UUID> tokens, boolean delivered)
            throws SQLException {
        List<MessageKey> returned = new ArrayList<>();
        try (Query back = statements.query(connection, "return_lease")) {
            for (UUID token : tokens) {
                returned.addAll(MessageRow.keys(back.set("claim_token", token.toString())));
            }
        }
        return returned;
    }
}
