package org.readpast.jms.store.jdbc.presence;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.SubscriptionAnswer;
import org.readpast.jms.store.SubscriptionAnswer.Outcome;
import org.readpast.jms.store.SubscriptionRequest;
import org.readpast.jms.store.jdbc.acknowledge.Suspects;
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

    private final ShortTransactions shortTransactions;
    private final Names names;
    private final Destinations destinations;
    private final Suspects suspects;
    private final ConsumedDestinations consumed;
    private final String instance;
    private final Reaper reaper;
    private final HeldMessages heldMessages;
    private final SubscriptionRows rows;

    public Subscriptions(
            Statements statements,
            ShortTransactions shortTransactions,
            Names names,
            Destinations destinations,
            HeldMessages heldMessages,
            Suspects suspects,
            ConsumedDestinations consumed,
            String instance,
            Reaper reaper) {
        this.rows = new SubscriptionRows(statements, destinations);
        this.shortTransactions = shortTransactions;
        this.names = names;
        this.destinations = destinations;
        this.heldMessages = heldMessages;
        this.suspects = suspects;
        this.consumed = consumed;
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
            names.rememberOwn(DestinationKind.SUBSCRIPTION, name, subscribed.destinationId());
            if (request.name() != null) {
                consumed.noted(subscribed.destinationId());
            }
        }
        return subscribed;
    }

    SubscriptionAnswer unsubscribe(String clientId, String name) throws StoreException {
        String unique = SubscriptionName.durable(clientId, name);
        if (!Destinations.isStorable(unique)) {
            return new SubscriptionAnswer(Outcome.UNKNOWN, 0);
        }
        return decided("Subscription '" + unique + "'", "unsubscribing", (open, unheld, dropped) -> {
            SubscriptionRows.Existing existing = rows.lock(open, unique);
            if (existing == null) {
                return new SubscriptionAnswer(Outcome.UNKNOWN, 0);
            }
            if (!rows.holders(open, existing.id()).isEmpty()) {
                return undone(open, new SubscriptionAnswer(Outcome.ACTIVE, existing.id()));
            }
            if (unheld != existing.id()) {
                return undone(open, new SubscriptionAnswer(Outcome.UNACKNOWLEDGED, existing.id()));
            }
            rows.drop(open, existing.id(), dropped);
            return new SubscriptionAnswer(Outcome.DONE, existing.id());
        });
    }

    void endConsumer(int destinationId, String consumer) throws StoreException {
        List<Integer> dropped = new ArrayList<>();
        shortTransactions.run(names.subject(destinationId), "ending a consumer", open -> {
            dropped.clear();
            if (!rows.raiseVersion(open, destinationId)) {
                return null;
            }
            rows.removeConsumer(open, destinationId, consumer);
            rows.dropUnlessNeeded(open, destinationId, dropped);
            return null;
        });
        forget(dropped);
    }

    /** Whoever creates a subscription has its topic locked until the commit, which may be under way: that is waited for. */
    void forgoConsumer(SubscriptionRequest request) throws StoreException {
        String name = SubscriptionName.of(request);
        SubscriptionRows.Existing existing =
                shortTransactions.run("Subscription '" + name + "'", "looking for a consumer", open -> {
                    rows.raiseVersion(open, request.topicId());
                    return rows.lock(open, name);
                });
        if (existing != null) {
            endConsumer(existing.id(), request.consumer());
        }
    }

    // With the transaction of a caller

    private SubscriptionAnswer subscribeAlone(Connection open, SubscriptionRequest request, String name)
            throws SQLException {
        SubscriptionAnswer created = create(open, request, name, instance);
        SubscriptionRows.Existing mine = created == null ? rows.lock(open, name) : null;
        // Nobody else has a consumer of this name: the commit of an earlier attempt was in doubt, or the topic has
        // moved.
        return mine == null
                ? created
                : new SubscriptionAnswer(
                        Outcome.DONE, rows.attached(open, mine, request).id());
    }

    private SubscriptionAnswer subscribeNamed(
            Connection open, SubscriptionRequest request, String name, int unheld, List<Integer> dropped)
            throws SQLException {
        SubscriptionRows.Existing existing = rows.lock(open, name);
        if (existing == null) {
            return addConsumer(open, create(open, request, name, null), request);
        }
        if (rows.removeConsumer(open, existing.id(), request.consumer())) {
            // It is this very consumer: the commit of an earlier attempt was in doubt, or the topic has moved.
            rows.attached(open, existing, request);
            return addConsumer(open, new SubscriptionAnswer(Outcome.DONE, existing.id()), request);
        }
        if (existing.durable() && existing.shared() != request.shared()) {
            return new SubscriptionAnswer(Outcome.OTHER_KIND, existing.id());
        }
        boolean isElsewhere = existing.topicId() != request.topicId();
        boolean hasWildcards = existing.pattern() != null || request.pattern() != null;
        if (isElsewhere && !hasWildcards && rows.isTopicGone(open, existing.topicId())) {
            existing = rows.attached(open, existing, request);
        }
        boolean active = !rows.holders(open, existing.id()).isEmpty();
        if (active && (!request.shared() || !existing.isAs(request))) {
            return new SubscriptionAnswer(Outcome.ACTIVE, existing.id());
        }
        if (active || (existing.durable() && existing.isAs(request))) {
            return addConsumer(open, new SubscriptionAnswer(Outcome.DONE, existing.id()), request);
        }
        if (unheld != existing.id()) {
            return new SubscriptionAnswer(Outcome.UNACKNOWLEDGED, existing.id());
        }
        rows.drop(open, existing.id(), dropped);
        return addConsumer(open, create(open, request, name, null), request);
    }

    /** Returns null where somebody else has just created it. */
    private SubscriptionAnswer create(Connection open, SubscriptionRequest request, String name, String owner)
            throws SQLException {
        if (!rows.raiseVersion(open, request.topicId())) {
            return new SubscriptionAnswer(Outcome.NO_TOPIC, 0);
        }
        try (Query create = destinations.creation(open, DestinationKind.SUBSCRIPTION, name, owner)) {
            if (create.update() == 0) {
                return null;
            }
        }
        int id = rows.find(open, name);
        rows.create(open, id, request);
        return new SubscriptionAnswer(Outcome.DONE, id);
    }

    private SubscriptionAnswer addConsumer(Connection open, SubscriptionAnswer answer, SubscriptionRequest request)
            throws SQLException {
        if (answer != null && answer.outcome() == Outcome.DONE) {
            rows.addConsumer(open, answer.destinationId(), request.consumer(), instance);
            suspects.noteConsumed(open, instance, answer.destinationId(), false);
        }
        return answer;
    }

    private static SubscriptionAnswer undone(Connection open, SubscriptionAnswer answer) throws SQLException {
        open.rollback();
        return answer;
    }

    // Around it

    private void forget(List<Integer> dropped) throws StoreException {
        dropped.forEach(names::forgetOwn);
        destinations.removeMessages(dropped);
        dropped.forEach(consumed::forgetDropped);
    }

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
                forget(dropped);
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
                "Subscription " + destinationId, "look-up of its consumers", open -> rows.holders(open, destinationId));
        boolean reaped = false;
        for (String holder : holders) {
            reaped |= !holder.equals(instance) && reaper.reap(holder);
        }
        return reaped;
    }
}
