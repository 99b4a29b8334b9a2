package org.readpast.jms.engine.session;

import jakarta.jms.JMSException;
import java.util.List;
import org.readpast.jms.engine.runtime.ProviderRuntime;
import org.readpast.jms.engine.runtime.Unacknowledged;
import org.readpast.jms.engine.support.Attempts;
import org.readpast.jms.store.Claim;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.Redelivery;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * The last delivery of a session in a container's transaction, which was counted as it began. A commit takes the count away with the message.
 * After a rollback the count goes into that of the message, or is taken back, in a transaction of its own and only if it is still there:
 * who has claimed the message meanwhile has seen it. So each delivery counts once, whoever delivers next. Used with the session's lock.
 */
final class CountedDelivery {

    private static final Logger LOG = Loggers.of(CountedDelivery.class);

    private final ProviderRuntime runtime;
    private final String owner;
    private final String consumer;
    private Unacknowledged begun;

    /** How often it has been delivered, this time included. */
    private int deliveries;

    CountedDelivery(ProviderRuntime runtime, String owner, String consumer) {
        this.runtime = runtime;
        this.owner = owner;
        this.consumer = consumer;
    }

    void begin(Unacknowledged message) {
        begun = message;
        deliveries = message.deliveryCount() + 1;
    }

    /** The message that was begun has no delivery left, and is not delivered. */
    void exhausted(int deliveriesSoFar) {
        deliveries = deliveriesSoFar;
    }

    void forget() {
        begun = null;
    }

    /** @param why for the reason of a dead letter */
    void failed(String why) {
        if (begun != null) {
            runtime.joinedDeliveries().failed(begun.claim(), why);
        }
    }

    void rolledBack() throws JMSException {
        if (begun != null) {
            end(begun.claim(), List.of(plan(begun, deliveries)));
        }
    }

    /** @param times how often it has been delivered */
    Redelivery plan(Unacknowledged message, int times) throws JMSException {
        String why = runtime.joinedDeliveries().whyFailed(message.claim());
        return runtime.redeliveries().plan(message, times, why);
    }

    void withdrawn() {
        if (begun != null) {
            end(begun.claim(), List.of());
        }
    }

    private void end(Claim claim, List<Redelivery> plan) {
        begun = null;
        MessageKey key = claim.key();
        Attempts attempts = Attempts.inTransaction();
        try (StoreTransaction own = runtime.store().transaction(consumer)) {
            while (true) {
                try {
                    if (!own.lock(List.of(claim)).isEmpty() && own.endDeliveries(List.of(key)) > 0) {
                        own.redeliver(plan);
                        own.commit(Settlement.NOTHING, null);
                        if (plan.isEmpty()) {
                            runtime.arrived(key.destinationId(), 1);
                        } else {
                            runtime.redelivered(plan);
                        }
                    }
                    return;
                } catch (StoreException e) {
                    own.rollback();
                    if (!attempts.another(e)) {
                        LOG.warn(
                                "{}: a delivery that was rolled back stays counted, and is dealt with when its message is claimed"
                                        + " next: {}",
                                owner,
                                e.getMessage());
                        return;
                    }
                }
            }
        }
    }
}
