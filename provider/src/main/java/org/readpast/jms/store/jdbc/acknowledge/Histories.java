package org.readpast.jms.store.jdbc.acknowledge;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;

/** Which queues keep a history, as the database said a few seconds ago. Thread-safe. */
public final class Histories {

    private final Statements statements;
    private volatile Set<Integer> queues = Set.of();

    public Histories(Statements statements) {
        this.statements = statements;
    }

    /** Asks the database. */
    public void refresh(Connection connection) throws SQLException {
        try (Query list = statements.query(connection, "history_queues")) {
            queues = Set.copyOf(list.values(ResultSet::getInt));
        }
    }

    public boolean isKept(int destinationId) {
        return queues.contains(destinationId);
    }
}
