package org.readpast.jms.store.jdbc.upkeep;

import java.sql.SQLException;
import java.util.Optional;
import org.readpast.jms.store.NamedQueue;
import org.readpast.jms.store.jdbc.sql.Query;

/**
 * Which expired messages to remove.
 *
 * @param destinationId of which queue
 * @param target the queue to move them to, or empty to delete them
 * @param max how many at the most
 * @param history whether their queue keeps a history
 */
public record Expired(int destinationId, Optional<NamedQueue> target, int max, boolean history) {

    /** What removes them. */
    String statement() {
        return (target.isPresent() ? "move_expired" : "purge_expired") + (history ? "_with_history" : "");
    }

    /** Sets where they go, if they go anywhere. */
    void bindTarget(Query remove) throws SQLException {
        if (target.isPresent()) {
            remove.set("target_id", target.get().id())
                    .set("target", target.get().name());
        }
    }
}
