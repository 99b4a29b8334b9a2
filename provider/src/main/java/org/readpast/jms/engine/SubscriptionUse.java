package org.readpast.jms.engine;

import jakarta.jms.JMSException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One consumer's use of a subscription, from its creation to its close. Thread-safe. */
final class SubscriptionUse {

    private static final Logger LOG = LoggerFactory.getLogger(SubscriptionUse.class);
    private static final long RETRY_MILLIS = 2_000;

    private final Hub hub;
    private final int destinationId;
    private final String consumer;
    private final String description;
    private final AtomicBoolean ended = new AtomicBoolean();

    /** @param consumer what the store knows it by */
    SubscriptionUse(Hub hub, int destinationId, String consumer, String description) {
        this.hub = hub;
        this.destinationId = destinationId;
        this.consumer = consumer;
        this.description = description;
    }

    /** Where the messages of the subscription wait. */
    int destinationId() {
        return destinationId;
    }

    /**
     * Ends it; a subscription that is not durable goes with its last consumer. What cannot be done now for want of a database is
     * done later. Idempotent.
     */
    void end() throws JMSException {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        try {
            endNow();
        } catch (StoreException e) {
            if (!e.failure().isTransient()) {
                throw JmsErrors.jms("Ending a consumer of " + description + " failed", e);
            }
            LOG.warn(
                    "A consumer of {} is closed, which the database will be told later: {}",
                    description,
                    e.getMessage());
            endLater();
        }
    }

    private void endNow() throws StoreException {
        hub.presence().endConsumer(destinationId, consumer);
        hub.arrivals().forget(destinationId);
    }

    private void endLater() {
        hub.housekeeping().later(RETRY_MILLIS, () -> {
            try {
                endNow();
            } catch (StoreException e) {
                LOG.debug("A consumer of {} could still not be ended: {}", description, e.getMessage());
                if (e.failure().isTransient()) {
                    endLater();
                }
            }
        });
    }
}
