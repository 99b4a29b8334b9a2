package org.readpast.jms.engine.source;

import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.readpast.jms.codec.Shown;
import org.readpast.jms.engine.arrival.Arrivals;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.SubscriptionAnswer;
import org.readpast.jms.store.SubscriptionRequest;

/** Opens and deletes subscriptions, in the words of JMS. Thread-safe. */
public final class Subscriptions {

    private final Destinations destinations;
    private final Presence presence;
    private final Arrivals arrivals;
    private final Housekeeping housekeeping;
    private final Set<SubscriptionUse> active = ConcurrentHashMap.newKeySet();

    public Subscriptions(Destinations destinations, Presence presence, Arrivals arrivals, Housekeeping housekeeping) {
        this.destinations = destinations;
        this.presence = presence;
        this.arrivals = arrivals;
        this.housekeeping = housekeeping;
    }

    /**
     * Makes a new consumer one of a subscription, which exists when this returns.
     *
     * @throws IllegalStateException if a subscription of this name is in use otherwise, or of the other kind (§8.3)
     * @throws InvalidDestinationException if the topic is a temporary one that is gone
     * @throws InvalidSelectorException if no text column can hold the selector
     */
    SubscriptionUse open(ConnectionContext connection, Subscription wish) throws JMSException {
        String selector = wish.selector() == null ? null : wish.selector().toString();
        if (selector != null && !isStorable(selector)) {
            throw new InvalidSelectorException(
                    "The selector of a subscription is stored, and a text column cannot hold the NUL or half"
                            + " of a surrogate pair in this one: " + Shown.inOneLine(selector));
        }
        SubscriptionRequest request = new SubscriptionRequest(
                destinations.idOf(wish.topic(), connection.autoCreation()),
                wish.topic().isPattern() ? wish.topic().getName() : null,
                wish.name() == null ? null : connection.clientId(),
                wish.name(),
                wish.kind().isDurable(),
                wish.kind().isShared(),
                wish.noLocal() ? connection.origin() : null,
                selector,
                UUID.randomUUID().toString());
        try {
            SubscriptionAnswer answer = subscribe(request, wish);
            if (answer.outcome() != SubscriptionAnswer.Outcome.DONE) {
                throw refused("No consumer was created on " + wish, answer.outcome());
            }
            SubscriptionUse use = new SubscriptionUse(
                    this,
                    destinations,
                    presence,
                    arrivals,
                    housekeeping,
                    connection,
                    request,
                    answer.destinationId(),
                    wish);
            active.add(use);
            return use;
        } catch (StoreException e) {
            throw JmsErrors.jms("Creating a consumer on " + wish + " failed", e);
        }
    }

    private static boolean isStorable(String text) {
        return text.indexOf('\0') < 0 && StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    /** Where the commit is in doubt, there may be a consumer that nobody has: it keeps others out, or its messages pile up. */
    private SubscriptionAnswer subscribe(SubscriptionRequest request, Subscription wish) throws StoreException {
        try {
            return presence.subscribe(request);
        } catch (StoreException e) {
            if (e.failure() == Failure.IN_DOUBT) {
                Release.carryOut(housekeeping, "A consumer of " + wish, () -> presence.forgoConsumer(request));
            }
            throw e;
        }
    }

    /** The database has forgotten the consumers of this JVM. */
    public void subscribeAgain() {
        active.forEach(SubscriptionUse::subscribeAgain);
    }

    /** The database has been away, and may have been restored. */
    public void confirm() {
        active.forEach(SubscriptionUse::confirm);
    }

    /**
     * Subscriptions or topics may have lost the ids that they had.
     *
     * @param gone those that topics have lost among others
     */
    public void followMoved(Collection<Integer> gone) {
        active.stream().filter(use -> use.hasMoved(gone)).forEach(SubscriptionUse::subscribeAgain);
    }

    void ended(SubscriptionUse use) {
        active.remove(use);
    }

    /**
     * Deletes a durable subscription (§8.3.3).
     *
     * @throws InvalidDestinationException if there is none of this name
     * @throws IllegalStateException if it has an active consumer, or messages that were delivered and not acknowledged
     */
    void unsubscribe(ConnectionContext connection, String name) throws JMSException {
        if (name == null || name.isEmpty()) {
            throw new InvalidDestinationException("The name of the subscription to delete is empty");
        }
        String what = "Durable subscription '" + Shown.inOneLine(name) + "'";
        try {
            SubscriptionAnswer answer = presence.unsubscribe(connection.clientId(), name);
            if (answer.outcome() != SubscriptionAnswer.Outcome.DONE) {
                throw refused(what + " was not deleted", answer.outcome());
            }
            arrivals.forget(answer.destinationId());
        } catch (StoreException e) {
            throw JmsErrors.jms(what + ": deleting it failed", e);
        }
    }

    static JMSException refused(String what, SubscriptionAnswer.Outcome outcome) {
        return switch (outcome) {
            case DONE -> throw new IllegalArgumentException("Not refused: " + what);
            case NO_TOPIC ->
                new InvalidDestinationException(
                        what + ": the topic does not exist, it was deleted, or its connection is closed");
            case UNKNOWN ->
                new InvalidDestinationException(
                        what + ": there is none of this name and of the connection's client id");
            case ACTIVE ->
                new IllegalStateException(
                        what
                                + ": it has an active consumer, here or elsewhere, that does not go with this; close that one first");
            case OTHER_KIND ->
                new IllegalStateException(what
                        + ": a durable subscription of this name exists that is shared where this one is not, or the "
                        + "other way round; use another name, or unsubscribe (§8.3.4)");
            case UNACKNOWLEDGED ->
                new IllegalStateException(what
                        + ": some of its messages were delivered and not acknowledged; end that transaction first");
        };
    }
}
