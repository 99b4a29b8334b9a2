package org.readpast.jms.engine.runtime;

import java.util.Collection;
import java.util.List;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.store.Claim;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.Suspicion;

/**
 * A message that was delivered and is not yet acknowledged.
 *
 * @param claim what holds it
 * @param deliveryCount how often it had been delivered before
 * @param header its content without the body and the properties
 * @param unreadable why its row cannot be read, or null
 * @param suspicion null unless this delivery was counted as it began
 */
public record Unacknowledged(
        Claim claim, int deliveryCount, EncodedMessage header, String unreadable, Suspicion suspicion) {

    public static Unacknowledged of(StoredMessage message) {
        return new Unacknowledged(
                message.claim(),
                message.deliveryCount(),
                message.message().header(),
                message.unreadable(),
                message.suspicion());
    }

    /** The same, where those of its deliveries that were counted as they began may have ended in any way. */
    public Unacknowledged counted() {
        return new Unacknowledged(claim, deliveryCount, header, unreadable, Suspicion.CLAIMED);
    }

    /** Where it stands. */
    public MessageKey key() {
        return claim.key();
    }

    /** Whether it is held by lease, and not by a lock of the SQL transaction. */
    public boolean leased() {
        return claim.byLease();
    }

    public static List<Claim> claims(Collection<Unacknowledged> messages) {
        return messages.stream().map(Unacknowledged::claim).toList();
    }

    /** Those whose deliveries were counted as they began. */
    public static List<MessageKey> suspects(Collection<Unacknowledged> messages) {
        return messages.stream()
                .filter(message -> message.suspicion() != null)
                .map(Unacknowledged::key)
                .toList();
    }
}
