package org.readpast.jms.store.memory;

import java.util.function.Consumer;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.SubscriptionAnswer;
import org.readpast.jms.store.SubscriptionAnswer.Outcome;
import org.readpast.jms.store.SubscriptionRequest;

/** The subscriptions of topics, as one instance uses them. Guarded by the database's monitor. */
final class MemorySubscriptions {

    private final MemoryDatabase database;
    private final String instance;
    private final Consumer<String> reaper;

    /** @param reaper removes an instance if it is dead */
    MemorySubscriptions(MemoryDatabase database, String instance, Consumer<String> reaper) {
        this.database = database;
        this.instance = instance;
        this.reaper = reaper;
    }

    SubscriptionAnswer subscribe(SubscriptionRequest request) throws StoreException {
        String name = Subscription.uniqueName(request);
        MemoryDatabase.checkName("Subscription", name);
        Subscription existing = database.subscription(name);
        if (existing != null && existing.consumers().containsKey(request.consumer())) {
            return new SubscriptionAnswer(Outcome.DONE, existing.id());
        }
        if (existing != null) {
            Outcome refusal = refusal(existing, request);
            if (refusal != null) {
                return new SubscriptionAnswer(refusal, existing.id());
            }
            existing = database.subscriptions.get(existing.id());
        }
        if (existing != null && !(existing.durable() && !existing.isAs(request))) {
            return withConsumer(existing, request);
        }
        if (existing != null) {
            if (database.isAnyHeld(existing.id())) {
                return new SubscriptionAnswer(Outcome.UNACKNOWLEDGED, existing.id());
            }
            database.drop(existing.id());
        }
        return create(request, name);
    }

    /** Why a subscription that is there cannot have one more consumer or become another, or null. */
    private Outcome refusal(Subscription existing, SubscriptionRequest request) {
        if (existing.durable() && existing.request().shared() != request.shared()) {
            return Outcome.OTHER_KIND;
        }
        boolean fits = request.shared() && existing.isAs(request);
        return !fits && isActive(existing) ? Outcome.ACTIVE : null;
    }

    /** Whether it has a consumer whose instance lives. */
    private boolean isActive(Subscription subscription) {
        subscription.consumers().values().stream().distinct().toList().forEach(reaper);
        return !subscription.consumers().isEmpty();
    }

    private SubscriptionAnswer create(SubscriptionRequest request, String name) {
        if (request.topicId() != SubscriptionRequest.MATCHING_TOPICS
                && !database.destinations.containsKey(request.topicId())) {
            return new SubscriptionAnswer(Outcome.NO_TOPIC, 0);
        }
        int id = database.add(DestinationKind.SUBSCRIPTION, name, request.name() == null ? instance : null)
                .id();
        Subscription created = Subscription.of(id, request);
        database.subscriptions.put(id, created);
        return withConsumer(created, request);
    }

    private SubscriptionAnswer withConsumer(Subscription subscription, SubscriptionRequest request) {
        subscription.consumers().put(request.consumer(), instance);
        return new SubscriptionAnswer(Outcome.DONE, subscription.id());
    }

    void endConsumer(int destinationId, String consumer) {
        Subscription subscription = database.subscriptions.get(destinationId);
        if (subscription != null) {
            subscription.consumers().remove(consumer);
            database.dropUnlessNeeded(subscription);
        }
    }

    SubscriptionAnswer unsubscribe(String clientId, String name) {
        Subscription existing = database.subscription(Subscription.uniqueName(true, clientId, name));
        if (existing == null) {
            return new SubscriptionAnswer(Outcome.UNKNOWN, 0);
        }
        if (isActive(existing)) {
            return new SubscriptionAnswer(Outcome.ACTIVE, existing.id());
        }
        if (database.isAnyHeld(existing.id())) {
            return new SubscriptionAnswer(Outcome.UNACKNOWLEDGED, existing.id());
        }
        database.drop(existing.id());
        return new SubscriptionAnswer(Outcome.DONE, existing.id());
    }
}
