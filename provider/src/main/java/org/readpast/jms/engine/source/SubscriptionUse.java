package org.readpast.jms.engine.source;

import jakarta.jms.JMSException;
import java.util.Collection;
import org.readpast.jms.destination.ReadpastTopic;
import org.readpast.jms.engine.arrival.Arrivals;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.SubscriptionAnswer;
import org.readpast.jms.store.SubscriptionRequest;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/** One consumer's use of a subscription, from its creation to its close. Thread-safe. */
final class SubscriptionUse {

    private static final Logger LOG = Loggers.of(SubscriptionUse.class);
    private static final long RETRY_MILLIS = 2_000;

    /** Where nothing ever arrives. */
    private static final int NOWHERE = 0;

    private final Subscriptions subscriptions;
    private final Destinations destinations;
    private final Presence presence;
    private final Arrivals arrivals;
    private final Housekeeping housekeeping;
    private final ConnectionContext connection;
    private final ReadpastTopic topic;
    private final String description;

    /** With the id that the topic has now. Written with this object's monitor. */
    private volatile SubscriptionRequest request;

    /** Written with this object's monitor. */
    private volatile int destinationId;

    /** Whether it may have subscribed again without knowing where. Guarded by this. */
    private boolean inDoubt;

    /** Guarded by this. */
    private boolean ended;

    SubscriptionUse(
            Subscriptions subscriptions,
            Destinations destinations,
            Presence presence,
            Arrivals arrivals,
            Housekeeping housekeeping,
            ConnectionContext connection,
            SubscriptionRequest request,
            int destinationId,
            Subscription wish) {
        this.subscriptions = subscriptions;
        this.destinations = destinations;
        this.presence = presence;
        this.arrivals = arrivals;
        this.housekeeping = housekeeping;
        this.connection = connection;
        this.request = request;
        this.destinationId = destinationId;
        this.topic = wish.topic();
        this.description = wish.toString();
    }

    /** Where the messages of the subscription wait; may change while this JVM is away from its database. */
    int destinationId() {
        return destinationId;
    }

    /** Whether the subscription or its topic has not the id any more that it had. */
    boolean hasMoved(Collection<Integer> gone) {
        int id = destinationId;
        return gone.contains(request.topicId()) || (id != NOWHERE && !presence.isSubscription(request, id));
    }

    /**
     * Ends it; a subscription that is not durable goes with its last consumer. What cannot be done now for want of a database is
     * done later. Idempotent.
     */
    synchronized void end() throws JMSException {
        if (ended) {
            return;
        }
        ended = true;
        subscriptions.ended(this);
        try {
            Release.carryOut(housekeeping, "A consumer of " + description, this::endNow);
        } catch (StoreException e) {
            throw JmsErrors.jms("Ending a consumer of " + description + " failed", e);
        }
    }

    private synchronized void endNow() throws StoreException {
        if (inDoubt) {
            presence.forgoConsumer(request);
        }
        presence.endConsumer(destinationId, request.consumer());
        arrivals.forget(destinationId);
    }

    /**
     * This JVM was taken for dead, and its consumers with it, or somebody has removed the rows: takes the place in the subscription again.
     * What was sent to a subscription that is not durable meanwhile is lost (§4.2.10). What fails, may have failed, or comes before its temporary topic
     * is there again, is done again.
     */
    void subscribeAgain() {
        subscribe(true);
    }

    /**
     * The same for one that has a row of its own and is likely to have it still: a failover may have lost it, which does not show in what
     * the subscription is.
     */
    void confirm() {
        if (request.name() != null) {
            subscribe(false);
        }
    }

    /** @param isLost whether it is known to have lost its place */
    private synchronized void subscribe(boolean isLost) {
        if (ended) {
            return;
        }
        int before = destinationId;
        try {
            request = request.of(destinations.topicNow(topic, request.topicId()));
            SubscriptionAnswer answer = presence.subscribe(request);
            inDoubt = false;
            if (answer.outcome() == SubscriptionAnswer.Outcome.DONE) {
                destinationId = answer.destinationId();
                if (isLost || destinationId != before) {
                    LOG.warn("A consumer has subscribed again to {}.", description);
                } else {
                    LOG.debug("A consumer is one of {}, be it again or still.", description);
                }
            } else if (answer.outcome() == SubscriptionAnswer.Outcome.NO_TOPIC
                    && destinations.temporary(topic) != null) {
                housekeeping.later(RETRY_MILLIS, this::subscribeAgain);
            } else {
                destinationId = NOWHERE;
                connection.report(
                        Subscriptions.refused("A consumer has lost its place in " + description, answer.outcome()));
            }
        } catch (StoreException e) {
            inDoubt |= e.failure() == Failure.IN_DOUBT;
            LOG.warn("A consumer could not subscribe again to {}: {}", description, e.getMessage());
            if (Release.mayWorkLater(e)) {
                housekeeping.later(RETRY_MILLIS, this::subscribeAgain);
            } else {
                connection.report(JmsErrors.jms("Subscribing again to " + description + " failed", e));
            }
        } catch (RuntimeException | Error e) {
            inDoubt = true;
            LOG.error("A consumer could not subscribe again to {}, which is tried again", description, e);
            housekeeping.later(RETRY_MILLIS, this::subscribeAgain);
        }
        arrivals.forget(before);
    }
}
