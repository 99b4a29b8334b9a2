package org.readpast.jms.store.jdbc.claim;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.readpast.jms.codec.StreamJson;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;

/** The locks of the rows of message groups, many at a time, and what is done under them. Thread-safe. */
public class GroupLocks {

    final Statements statements;

    public GroupLocks(Statements statements) {
        this.statements = statements;
    }

    /** Locks those of these groups that a consumer has and that no transaction works with. */
    Set<String> lock(Connection connection, int destinationId, String consumer, Collection<String> groups)
            throws SQLException {
        return affected(connection, "lock_groups", destinationId, consumer, groups);
    }

    /** Gives up those groups of an instance, or of one consumer of it, that no transaction works with; null for all. */
    void release(Connection connection, String instance, String consumer) throws SQLException {
        try (Query release = statements.query(connection, "release_groups")) {
            release.set("instance", instance).set("consumer", consumer).update();
        }
    }

    /** Gives up those of these groups of a consumer that no transaction works with and no message waits of. */
    Set<String> forget(Connection connection, int destinationId, String consumer, Collection<String> groups)
            throws SQLException {
        return affected(connection, "forget_groups", destinationId, consumer, groups);
    }

    private Set<String> affected(
            Connection connection, String statement, int destinationId, String consumer, Collection<String> groups)
            throws SQLException {
        try (Query query = statements.query(connection, statement)) {
            return new HashSet<>(query.set("destination_id", destinationId)
                    .set("consumer", consumer)
                    .set("groups", StreamJson.write(List.copyOf(groups)))
                    .values(ResultSet::getString));
        }
    }
}
