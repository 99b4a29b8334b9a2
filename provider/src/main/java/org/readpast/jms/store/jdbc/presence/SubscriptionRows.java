package org.readpast.jms.store.jdbc.presence;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.SubscriptionRequest;
import org.readpast.jms.store.jdbc.failure.Failures;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;

/** The rows of subscriptions and of their consumers, within the transaction of a caller. Thread-safe. */
final class SubscriptionRows {

    /** A subscription that exists. */
    record Existing(
            int id, int topicId, String pattern, boolean durable, boolean shared, String origin, String selector) {

        boolean isAs(SubscriptionRequest request) {
            return topicId == request.topicId()
                    && Objects.equals(pattern, request.pattern())
                    && Objects.equals(origin, request.origin())
                    && Objects.equals(selector, request.selector());
        }
    }

    private final Statements statements;
    private final Destinations destinations;

    SubscriptionRows(Statements statements, Destinations destinations) {
        this.statements = statements;
        this.destinations = destinations;
    }

    /** Locks a subscription and reads it; null where there is none. */
    Existing lock(Connection open, String name) throws SQLException {
        try (Query lock = statements.query(open, "lock_subscription")) {
            if (lock.set("name", name).update() == 0) {
                return null;
            }
        }
        return read(open, find(open, name));
    }

    /** The id of a subscription that is there. */
    int find(Connection open, String name) throws SQLException {
        try (Query find = statements.query(open, "find_destination")) {
            return find.set("kind", DestinationKind.SUBSCRIPTION.code())
                    .set("name", name)
                    .value(ResultSet::getInt)
                    .orElseThrow(() -> new SQLException(
                            "Subscription '" + name + "' is locked and cannot be found", Failures.OWN));
        }
    }

    private Existing read(Connection open, int id) throws SQLException {
        try (Query read = statements.query(open, "read_subscription");
                ResultSet row = read.set("destination_id", id).rows()) {
            return row.next()
                    ? new Existing(
                            id,
                            row.getInt("topic_id"),
                            row.getString("pattern"),
                            row.getInt("durable") != 0,
                            row.getInt("shared") != 0,
                            row.getString("origin"),
                            row.getString("selector"))
                    : null;
        }
    }

    void create(Connection open, int id, SubscriptionRequest request) throws SQLException {
        try (Query create = statements.query(open, "create_subscription")) {
            create.set("destination_id", id)
                    .set("topic_id", request.topicId())
                    .set("pattern", request.pattern())
                    .set("client_id", request.clientId())
                    .set("name", request.name())
                    .set("durable", request.durable() ? 1 : 0)
                    .set("shared", request.shared() ? 1 : 0)
                    .set("origin", request.origin())
                    .set("selector", request.selector())
                    .update();
        }
    }

    /**
     * A subscription goes with another topic than it did: somebody has removed the topic's row, or the topic was made anew. It is the same
     * otherwise.
     */
    Existing attached(Connection open, Existing existing, SubscriptionRequest request) throws SQLException {
        if (existing.topicId() == request.topicId() || !raiseVersion(open, request.topicId())) {
            return existing;
        }
        update(open, "raise_topic_version", existing.id());
        update(open, "drop_subscription", existing.id());
        create(
                open,
                existing.id(),
                new SubscriptionRequest(
                        request.topicId(),
                        existing.pattern(),
                        request.clientId(),
                        request.name(),
                        existing.durable(),
                        existing.shared(),
                        existing.origin(),
                        existing.selector(),
                        request.consumer()));
        return read(open, existing.id());
    }

    boolean isTopicGone(Connection open, int topicId) throws SQLException {
        try (Query version = statements.query(open, "topic_version");
                ResultSet row = version.set("topic_id", topicId).rows()) {
            return !row.next();
        }
    }

    /** False where the destination is gone. */
    boolean raiseVersion(Connection open, int destinationId) throws SQLException {
        return update(open, "raise_version", destinationId) > 0;
    }

    void addConsumer(Connection open, int id, String consumer, String instance) throws SQLException {
        try (Query add = statements.query(open, "add_consumer")) {
            add.set("destination_id", id)
                    .set("consumer", consumer)
                    .set("instance", instance)
                    .update();
        }
    }

    /** False where there was none of this name. */
    boolean removeConsumer(Connection open, int id, String consumer) throws SQLException {
        try (Query remove = statements.query(open, "remove_consumer")) {
            return remove.set("destination_id", id).set("consumer", consumer).update() > 0;
        }
    }

    /** The instances of its consumers. */
    List<String> holders(Connection open, int id) throws SQLException {
        try (Query list = statements.query(open, "list_consumers")) {
            return list.set("destination_id", id).values(ResultSet::getString);
        }
    }

    /**
     * Ends all consumers of an instance that is gone.
     *
     * @param dropped gets the subscriptions whose messages are to be removed after the commit
     */
    void endConsumers(Connection open, String gone, List<Integer> dropped) throws SQLException {
        for (int id : Destinations.ids(statements.query(open, "list_consumed").set("instance", gone))) {
            raiseVersion(open, id);
            try (Query remove = statements.query(open, "remove_consumers")) {
                remove.set("destination_id", id).set("instance", gone).update();
            }
            dropUnlessNeeded(open, id, dropped);
        }
    }

    /**
     * A subscription that is not durable goes with its last consumer (§8.3.1, §8.3.2).
     *
     * @param dropped gets it, if it goes
     */
    void dropUnlessNeeded(Connection open, int id, List<Integer> dropped) throws SQLException {
        Existing existing = read(open, id);
        if (existing != null && !existing.durable() && holders(open, id).isEmpty()) {
            drop(open, id, dropped);
        }
    }

    /**
     * Removes a subscription, whose topic's row may be gone.
     *
     * @param dropped gets it, if it was there: its messages are to be removed after the commit
     */
    void drop(Connection open, int id, List<Integer> dropped) throws SQLException {
        update(open, "raise_topic_version", id);
        update(open, "drop_subscription", id);
        if (update(open, "remove_destination", id) > 0) {
            destinations.noteDropped(open, id);
            dropped.add(id);
        }
    }

    private int update(Connection open, String statement, int id) throws SQLException {
        try (Query update = statements.query(open, statement)) {
            return update.set("destination_id", id).update();
        }
    }
}
