package org.readpast.jms.engine.runtime;

import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.readpast.jms.codec.Shown;
import org.readpast.jms.config.RedeliveryPolicy;
import org.readpast.jms.config.Settings;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.engine.source.Destinations;
import org.readpast.jms.engine.support.AutoCreation;
import org.readpast.jms.store.NamedQueue;
import org.readpast.jms.store.Redelivery;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * Decides what becomes of a message that was not acknowledged, by the redelivery policy of its destination: back at once, back
 * later, or to the dead-letter queue. Thread-safe.
 */
public final class RedeliveryPlanner {

    static final String ORIGINAL_DESTINATION = "JMS_READPAST_OriginalDestination";
    static final String ORIGINAL_MESSAGE_ID = "JMS_READPAST_OriginalMessageID";
    static final String REASON = "JMS_READPAST_DeadLetterReason";
    static final String TIME = "JMS_READPAST_DeadLetterTime";
    static final String DELIVERIES = "JMS_READPAST_Deliveries";

    /** Their names are the configuration's. */
    private static final AutoCreation DEAD_LETTER_QUEUES = new AutoCreation(Long.MAX_VALUE);

    private static final Logger LOG = Loggers.of(RedeliveryPlanner.class);

    private final Settings settings;
    private final Destinations destinations;

    RedeliveryPlanner(Settings settings, Destinations destinations) {
        this.settings = settings;
        this.destinations = destinations;
    }

    /**
     * What becomes of messages that have come back. One whose dead-letter queue cannot be looked up now stays in its queue, counted, and is
     * to be moved by whoever claims it next. So are those behind it, since each look-up may wait for the database.
     */
    public List<Redelivery> plan(List<Unacknowledged> messages) {
        List<Redelivery> plan = new ArrayList<>(messages.size());
        boolean isLookedUp = true;
        for (Unacknowledged message : messages) {
            int deliveries = message.deliveryCount() + 1;
            Redelivery planned = new Redelivery.AtOnce(message.key());
            if (isLookedUp || !exhausted(message, policy(message), deliveries)) {
                try {
                    planned = plan(message, deliveries, null);
                } catch (JMSException | RuntimeException e) {
                    isLookedUp = false;
                    LOG.warn(
                            "Message {} of {}, and those that came back with it, cannot go to the dead letters yet: {}",
                            Shown.inOneLine(message.header().messageId()),
                            Shown.inOneLine(message.header().destination()),
                            e.getMessage());
                }
            }
            plan.add(planned);
        }
        return plan;
    }

    /**
     * Whether a message has used up its deliveries already, because others failed with it. First deliveries, which nearly all are, need no
     * policy lookup.
     */
    public boolean isExhausted(Unacknowledged message) {
        return message.deliveryCount() > 0 && exhausted(message, policy(message), message.deliveryCount());
    }

    /**
     * How often an exhausted message was delivered. Whoever counts a delivery as it begins does so before it knows that none is left, so
     * counts beyond the maximum are of claims that delivered nothing.
     *
     * @param claimed as it was claimed, with the deliveries that have ended; under an earlier maximum these may be more
     * @param begun with those that were counted as they began
     */
    public int deliveriesOfExhausted(Unacknowledged claimed, Unacknowledged begun) {
        return Math.max(
                claimed.deliveryCount(),
                Math.min(begun.deliveryCount(), policy(claimed).maximumDeliveries()));
    }

    /** Whether a message can use up its deliveries at all. */
    boolean mayBeExhausted(Unacknowledged message) {
        return exhausted(message, policy(message), Integer.MAX_VALUE);
    }

    /**
     * What becomes of a message that has come back.
     *
     * @param deliveries how often it has been delivered, the last time included
     * @param why why the last delivery has failed, for the reason of a dead letter; null if that is not known
     * @throws JMSException if its dead-letter queue cannot be looked up
     */
    public Redelivery plan(Unacknowledged message, int deliveries, String why) throws JMSException {
        RedeliveryPolicy policy = policy(message);
        if (exhausted(message, policy, deliveries)) {
            return deadLetter(message, deliveries, why);
        }
        long delay = policy.delayMillisFor(deliveries, ThreadLocalRandom.current());
        return delay > 0 ? new Redelivery.Delayed(message.key(), delay) : new Redelivery.AtOnce(message.key());
    }

    /** Moves it to the dead-letter queue of its destination. */
    public Redelivery deadLetter(Unacknowledged message, int deliveries) throws JMSException {
        return deadLetter(message, deliveries, null);
    }

    private Redelivery deadLetter(Unacknowledged message, int deliveries, String why) throws JMSException {
        ReadpastDestination target = target(policy(message));
        int targetId = destinations.idOf(target, DEAD_LETTER_QUEUES);
        String from = message.header().destination();
        LOG.warn(
                "Message {} of {} failed {} times and goes to {}{}.",
                Shown.inOneLine(message.header().messageId()),
                Shown.inOneLine(from),
                deliveries,
                target,
                message.unreadable() == null ? "" : ", since its row cannot be read: " + message.unreadable());
        Map<String, Object> notes = new LinkedHashMap<>();
        notes.put(ORIGINAL_DESTINATION, from);
        notes.put(ORIGINAL_MESSAGE_ID, message.header().messageId());
        notes.put(REASON, reason(message, deliveries) + (why == null ? "" : "; the last: " + why));
        notes.put(TIME, System.currentTimeMillis());
        notes.put(DELIVERIES, deliveries);
        return new Redelivery.DeadLetter(
                message.key(),
                new NamedQueue(targetId, target.getName()),
                notes,
                message.unreadable(),
                deliveries,
                message.claim().heldMillis());
    }

    private static String reason(Unacknowledged message, int deliveries) {
        String reason = "delivered " + deliveries + " times without being acknowledged";
        int unended = message.suspicion() == null ? 0 : message.suspicion().unended();
        return unended == 0
                ? reason
                : reason + "; " + unended + " of them ended as the consumer's JVM or its connection died";
    }

    /** A message in the dead-letter queue itself has nowhere to go, and stays. */
    private static boolean exhausted(Unacknowledged message, RedeliveryPolicy policy, int deliveries) {
        return policy.isExhausted(deliveries)
                && !target(policy).text().equals(message.header().destination());
    }

    private RedeliveryPolicy policy(Unacknowledged message) {
        return settings.redelivery(name(message.header().destination()));
    }

    /**
     * A row that was written by hand may hold anything. Temporary destinations have one name in common: each would leave a dead-letter queue
     * behind that has its name in it.
     */
    private static String name(String destination) {
        try {
            ReadpastDestination from = ReadpastDestination.parse(destination);
            return from.isTemporary() ? "temporary" : from.getName();
        } catch (IllegalArgumentException e) {
            return destination;
        }
    }

    /** Its name may have that of a queue in it, which somebody may have chosen who sends. */
    private static ReadpastDestination target(RedeliveryPolicy policy) {
        return ReadpastDestination.parse("queue://" + policy.deadLetterDestination());
    }
}
