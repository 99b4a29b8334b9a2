package org.readpast.jms.store.memory;

import java.util.UUID;
import org.readpast.jms.codec.EncodedMessage;

/**
 * A message as a row holds it.
 *
 * @param deliveryCount how many of its deliveries came back
 * @param expiresAt by the database's clock, or {@link MemoryDatabase#NEVER}
 * @param dueAt among the delayed ones: when it goes into its queue, by the database's clock
 * @param token of the lease that holds it, or null
 * @param worker whose lease it is, or null
 */
record Entry(EncodedMessage message, int deliveryCount, long expiresAt, long dueAt, UUID token, String worker) {

    Entry(EncodedMessage message, long expiresAt) {
        this(message, 0, expiresAt, 0, null, null);
    }

    Entry raised(int deliveries) {
        return new Entry(message, deliveryCount + deliveries, expiresAt, dueAt, token, worker);
    }

    Entry due(long at) {
        return new Entry(message, deliveryCount, expiresAt, at, null, null);
    }

    /** Its delivery counts as it begins. */
    Entry leased(UUID lease, String by, long until) {
        return new Entry(message, deliveryCount + 1, expiresAt, until, lease, by);
    }

    boolean isLeased() {
        return token != null;
    }
}
