package org.readpast.jms.store.jdbc.acknowledge;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
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
        Set<Integer> found = new HashSet<>();
        try (Query list = statements.query(connection, "history_queues");
                ResultSet rows = list.rows()) {
            while (rows.next()) {
                found.add(rows.getInt(1));
            }
        }
        queues = Set.copyOf(found);
    }

    public boolean isKept(int destinationId) {
        return queues.contains(destinationId);
    }
}
