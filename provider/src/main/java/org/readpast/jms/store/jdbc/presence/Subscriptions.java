package org.readpast.jms.store.jdbc.presence;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.SubscriptionAnswer;
import org.readpast.jms.store.SubscriptionAnswer.Outcome;
import org.readpast.jms.store.SubscriptionRequest;
import org.readpast.jms.store.jdbc.acknowledge.Suspects;
import org.readpast.jms.store.jdbc.failure.Failures;
import org.readpast.jms.store.jdbc.row.Names;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.store.jdbc.transaction.ShortTransactions;

/**
 * The subscriptions of topics, as one instance uses them. Whoever changes a subscription locks its row first, and then raises the
 * version of its topic; publishers lock neither. One with wildcards has a row that stands for all such in the place of its topic's,
 * and counts for the publishers of every topic. Thread-safe.
 */
public final class Subscriptions {

    private static final int ATTEMPTS = 5;

    /** No destination: their ids are positive. */
    private static final int NONE = -1;

    /** Removes an instance if it is dead. */
    @FunctionalInterface
    public interface Reaper {
        boolean reap(String instance) throws StoreException;
    }

    /** A subscription that exists. */
    private record Existing(
            int id, int topicId, String pattern, boolean durable, boolean shared, String origin, String selector) {

        boolean isAs(SubscriptionRequest request) {
            return topicId == request.topicId()
                    && Objects.equals(pattern, request.pattern())
                    && Objects.equals(origin, request.origin())
                    && Objects.equals(selector, request.selector());
        }
    }

    private final Statements statements;
    private final ShortTransactions shortTransactions;
    private final Names names;
    private final Destinations destinations;
    private final Suspects suspects;
    private final String instance;
    private final Reaper reaper;
    private final HeldMessages heldMessages;

    public Subscriptions(
            Statements statements,
            ShortTransactions shortTransactions,
            Names names,
            Destinations destinations,
            HeldMessages heldMessages,
            Suspects suspects,
            String instance,
            Reaper reaper) {
        this.statements = statements;
        this.shortTransactions = shortTransactions;
        this.names = names;
        this.destinations = destinations;
        this.heldMessages = heldMessages;
        this.suspects = suspects;
        this.instance = instance;
        this.reaper = reaper;
    }

    SubscriptionAnswer subscribe(SubscriptionRequest request) throws StoreException {
        String name = SubscriptionName.of(request);
        Destinations.checkName("Subscription", name);
        SubscriptionAnswer subscribed =
                decided("Subscription '" + name + "'", "creating a consumer", (open, unheld, dropped) -> {
                    SubscriptionAnswer answer = request.name() == null
                            ? subscribeAlone(open, request, name)
                            : subscribeNamed(open, request, name, unheld, dropped);
                    return answer != null && answer.outcome() != Outcome.DONE ? undone(open, answer) : answer;
                });
        if (subscribed.outcome() == Outcome.DONE) {
            names.rememberSubscription(name, subscribed.destinationId());
        }
        return subscribed;
    }

    SubscriptionAnswer unsubscribe(String clientId, String name) throws StoreException {
        String unique = SubscriptionName.durable(clientId, name);
        if (!Destinations.isStorable(unique)) {
            return new SubscriptionAnswer(Outcome.UNKNOWN, 0);
        }
        return decided("Subscription '" + unique + "'", "unsubscribing", (open, unheld, dropped) -> {
            Existing existing = lock(open, unique);
            if (existing == null) {
                return new SubscriptionAnswer(Outcome.UNKNOWN, 0);
            }
            if (!holders(open, existing.id()).isEmpty()) {
                return undone(open, new SubscriptionAnswer(Outcome.ACTIVE, existing.id()));
            }
            if (unheld != existing.id()) {
                return undone(open, new SubscriptionAnswer(Outcome.UNACKNOWLEDGED, existing.id()));
            }
            drop(statements, destinations, open, existing.id(), dropped);
            return new SubscriptionAnswer(Outcome.DONE, existing.id());
        });
    }

    void endConsumer(int destinationId, String consumer) throws StoreException {
        List<Integer> dropped = new ArrayList<>();
        shortTransactions.run(names.subject(destinationId), "ending a consumer", open -> {
            dropped.clear();
            if (update(open, "raise_version", destinationId) == 0) {
                return null;
            }
            removeConsumer(open, destinationId, consumer);
            dropUnlessNeeded(statements, destinations, open, destinationId, dropped);
            return null;
        });
        dropped.forEach(names::forgetSubscription);
        destinations.removeMessages(dropped);
    }

    /**
     * Ends all consumers of an instance that is gone.
     *
     * @param dropped gets the subscriptions whose messages are to be removed after the commit
     */
    static void endConsumers(
            Statements statements, Destinations destinations, Connection open, String gone, List<Integer> dropped)
            throws SQLException {
        for (int id : Destinations.ids(statements.query(open, "list_consumed").set("instance", gone))) {
            update(statements, open, "raise_version", id);
            try (Query remove = statements.query(open, "remove_consumers")) {
                remove.set("destination_id", id).set("instance", gone).update();
            }
            dropUnlessNeeded(statements, destinations, open, id, dropped);
        }
    }

    // With the transaction of a caller

    private SubscriptionAnswer subscribeAlone(Connection open, SubscriptionRequest request, String name)
            throws SQLException {
        SubscriptionAnswer created = create(open, request, name, instance);
        Existing mine = created == null ? lock(open, name) : null;
        // Nobody else has a consumer of this name: the commit of an earlier attempt was in doubt, or the topic has
        // moved.
        return mine == null
                ? created
                : new SubscriptionAnswer(
                        Outcome.DONE, attached(open, mine, request).id());
    }

    private SubscriptionAnswer subscribeNamed(
            Connection open, SubscriptionRequest request, String name, int unheld, List<Integer> dropped)
            throws SQLException {
        Existing existing = lock(open, name);
        if (existing == null) {
            return addConsumer(open, create(open, request, name, null), request);
        }
        if (removeConsumer(open, existing.id(), request.consumer()) > 0) {
            // It is this very consumer: the commit of an earlier attempt was in doubt, or the topic has moved.
            attached(open, existing, request);
            return addConsumer(open, new SubscriptionAnswer(Outcome.DONE, existing.id()), request);
        }
        if (existing.topicId() != request.topicId() && isGone(open, existing.topicId())) {
            existing = attached(open, existing, request);
        }
        if (existing.durable() && existing.shared() != request.shared()) {
            return new SubscriptionAnswer(Outcome.OTHER_KIND, existing.id());
        }
        boolean active = !holders(open, existing.id()).isEmpty();
        if (active && (!request.shared() || !existing.isAs(request))) {
            return new SubscriptionAnswer(Outcome.ACTIVE, existing.id());
        }
        if (active || (existing.durable() && existing.isAs(request))) {
            return addConsumer(open, new SubscriptionAnswer(Outcome.DONE, existing.id()), request);
        }
        if (unheld != existing.id()) {
            return new SubscriptionAnswer(Outcome.UNACKNOWLEDGED, existing.id());
        }
        drop(statements, destinations, open, existing.id(), dropped);
        return addConsumer(open, create(open, request, name, null), request);
    }

    /** A subscription goes with another topic than it did: somebody has removed the topic's row, or the topic was made anew. */
    private Existing attached(Connection open, Existing existing, SubscriptionRequest request) throws SQLException {
        if (existing.topicId() == request.topicId() || update(open, "raise_version", request.topicId()) == 0) {
            return existing;
        }
        update(open, "raise_topic_version", existing.id());
        update(open, "drop_subscription", existing.id());
        create(open, existing.id(), request);
        return read(statements, open, existing.id());
    }

    private boolean isGone(Connection open, int topicId) throws SQLException {
        try (Query version = statements.query(open, "topic_version");
                ResultSet row = version.set("topic_id", topicId).rows()) {
            return !row.next();
        }
    }

    /** Returns null where somebody else has just created it. */
    private SubscriptionAnswer create(Connection open, SubscriptionRequest request, String name, String owner)
            throws SQLException {
        if (update(open, "raise_version", request.topicId()) == 0) {
            return new SubscriptionAnswer(Outcome.NO_TOPIC, 0);
        }
        try (Query create = destinations.creation(open, DestinationKind.SUBSCRIPTION, name, owner)) {
            if (create.update() == 0) {
                return null;
            }
        }
        int id = find(open, name);
        create(open, id, request);
        return new SubscriptionAnswer(Outcome.DONE, id);
    }

    private void create(Connection open, int id, SubscriptionRequest request) throws SQLException {
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

    private SubscriptionAnswer addConsumer(Connection open, SubscriptionAnswer answer, SubscriptionRequest request)
            throws SQLException {
        if (answer != null && answer.outcome() == Outcome.DONE) {
            try (Query add = statements.query(open, "add_consumer")) {
                add.set("destination_id", answer.destinationId())
                        .set("consumer", request.consumer())
                        .set("instance", instance)
                        .update();
            }
            suspects.noteConsumed(open, instance, answer.destinationId());
        }
        return answer;
    }

    private int removeConsumer(Connection open, int destinationId, String consumer) throws SQLException {
        try (Query remove = statements.query(open, "remove_consumer")) {
            return remove.set("destination_id", destinationId)
                    .set("consumer", consumer)
                    .update();
        }
    }

    /** Locks a subscription and reads it; null where there is none. */
    private Existing lock(Connection open, String name) throws SQLException {
        try (Query lock = statements.query(open, "lock_subscription")) {
            if (lock.set("name", name).update() == 0) {
                return null;
            }
        }
        return read(statements, open, find(open, name));
    }

    private int find(Connection open, String name) throws SQLException {
        try (Query find = statements.query(open, "find_destination")) {
            return find.set("kind", DestinationKind.SUBSCRIPTION.code())
                    .set("name", name)
                    .value(ResultSet::getInt)
                    .orElseThrow(() -> new SQLException(
                            "Subscription '" + name + "' is locked and cannot be found", Failures.OWN));
        }
    }

    private static Existing read(Statements statements, Connection open, int id) throws SQLException {
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

    private List<String> holders(Connection open, int id) throws SQLException {
        return holders(statements, open, id);
    }

    private static List<String> holders(Statements statements, Connection open, int id) throws SQLException {
        try (Query list = statements.query(open, "list_consumers")) {
            return list.set("destination_id", id).values(ResultSet::getString);
        }
    }

    /** A subscription that is not durable goes with its last consumer (§8.3.1, §8.3.2). */
    private static void dropUnlessNeeded(
            Statements statements, Destinations destinations, Connection open, int id, List<Integer> dropped)
            throws SQLException {
        Existing existing = read(statements, open, id);
        if (existing != null
                && !existing.durable()
                && holders(statements, open, id).isEmpty()) {
            drop(statements, destinations, open, id, dropped);
        }
    }

    /** Its topic's row may be gone. */
    private static void drop(
            Statements statements, Destinations destinations, Connection open, int id, List<Integer> dropped)
            throws SQLException {
        update(statements, open, "raise_topic_version", id);
        update(statements, open, "drop_subscription", id);
        if (update(statements, open, "remove_destination", id) > 0) {
            destinations.noteDropped(open, id);
            dropped.add(id);
        }
    }

    private int update(Connection open, String statement, int id) throws SQLException {
        return update(statements, open, statement, id);
    }

    private static int update(Statements statements, Connection open, String statement, int id) throws SQLException {
        try (Query update = statements.query(open, statement)) {
            return update.set("destination_id", id).update();
        }
    }

    private static SubscriptionAnswer undone(Connection open, SubscriptionAnswer answer) throws SQLException {
        open.rollback();
        return answer;
    }

    // Around it

    /** A change of a subscription, in one transaction. */
    @FunctionalInterface
    private interface Change {

        /**
         * @param unheld a subscription of which nobody holds a message, so that it may be removed; or none
         * @param dropped gets those whose messages are to be removed after the commit
         * @return null where somebody else has just done the same
         */
        SubscriptionAnswer on(Connection open, int unheld, List<Integer> dropped) throws SQLException;
    }

    /**
     * Does it again where somebody else did the same at once, where those that stand against it are dead, and where it is found that nobody
     * holds a message of a subscription that is to be removed: the look takes long where there are many, and so comes without the locks.
     */
    private SubscriptionAnswer decided(String subject, String action, Change change) throws StoreException {
        int unheld = NONE;
        for (int attempt = 1; ; attempt++) {
            List<Integer> dropped = new ArrayList<>();
            int lookedAt = unheld;
            SubscriptionAnswer answer = once(
                    subject,
                    action,
                    open -> {
                        dropped.clear();
                        return change.on(open, lookedAt, dropped);
                    },
                    attempt >= ATTEMPTS);
            Outcome outcome = answer == null ? null : answer.outcome();
            if (outcome == Outcome.UNACKNOWLEDGED && !heldMessages.areThere(answer.destinationId())) {
                unheld = answer.destinationId();
            } else if (outcome == Outcome.DONE) {
                dropped.forEach(names::forgetSubscription);
                destinations.removeMessages(dropped);
                return answer;
            } else if (outcome != null && (outcome != Outcome.ACTIVE || !reapHolders(answer.destinationId()))) {
                return answer;
            }
        }
    }

    private SubscriptionAnswer once(
            String subject, String action, ShortTransactions.Work<SubscriptionAnswer> work, boolean last)
            throws StoreException {
        try {
            SubscriptionAnswer answer = shortTransactions.run(subject, action, work);
            if (answer == null && last) {
                throw new StoreException(
                        Failure.DUPLICATE_KEY, subject + ": " + action + " failed, others keep creating it", null);
            }
            return answer;
        } catch (StoreException e) {
            if (e.failure() == Failure.DUPLICATE_KEY && !last) {
                return null;
            }
            throw e;
        }
    }

    private boolean reapHolders(int destinationId) throws StoreException {
        List<String> holders = shortTransactions.run(
                "Subscription " + destinationId, "look-up of its consumers", open -> holders(open, destinationId));
        boolean reaped = false;
        for (String holder : holders) {
            reaped |= !holder.equals(instance) && reaper.reap(holder);
        }
        return reaped;
    }
}
