package org.readpast.jms.store.jdbc.claim;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;

/** The same on H2, one by one, since it does not read JSON. */
public final class H2GroupLocks extends GroupLocks {

    public H2GroupLocks(Statements statements) {
        super(statements);
    }

    @Override
    Set<String> lock(Connection connection, int destinationId, String consumer, Collection<String> groups)
            throws SQLException {
        Set<String> locked = new HashSet<>();
        for (String group : groups) {
            if (lockOne(connection, destinationId, consumer, group)) {
                locked.add(group);
            }
        }
        return locked;
    }

    private boolean lockOne(Connection connection, int destinationId, String consumer, String group)
            throws SQLException {
        try (Query lock = statements.query(connection, "lock_group");
                ResultSet row = lock.set("destination_id", destinationId)
                        .set("group_id", group)
                        .set("consumer", consumer)
                        .rows()) {
            return row.next();
        }
    }

    @Override
    void release(Connection connection, String instance, String consumer) throws SQLException {
        try (Query list = statements.query(connection, "list_groups");
                ResultSet rows =
                        list.set("instance", instance).set("consumer", consumer).rows()) {
            while (rows.next()) {
                int destinationId = rows.getInt("destination_id");
                String group = rows.getString("group_id");
                if (lockOne(connection, destinationId, rows.getString("consumer"), group)) {
                    remove(connection, "release_group", destinationId, group);
                }
            }
        }
    }

    @Override
    Set<String> forget(Connection connection, int destinationId, String consumer, Collection<String> groups)
            throws SQLException {
        Set<String> forgotten = new HashSet<>();
        for (String group : lock(connection, destinationId, consumer, groups)) {
            if (remove(connection, "forget_group", destinationId, group)) {
                forgotten.add(group);
            }
        }
        return forgotten;
    }

    private boolean remove(Connection connection, String statement, int destinationId, String group)
            throws SQLException {
        try (Query removal = statements.query(connection, statement)) {
            return removal.set("destination_id", destinationId)
                            .set("group_id", group)
                            .update()
                    > 0;
        }
    }
}
