package org.readpast.jms.engine.runtime;

import java.util.Collection;
import java.util.List;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.Suspicion;

/**
 * A message that was delivered and is not yet acknowledged.
 *
 * @param key where it stands
 * @param deliveryCount how often it had been delivered before
 * @param header its content without the body and the properties
 * @param unreadable why its row cannot be read, or null
 * @param suspicion null unless this delivery was counted as it began
 * @param leased whether it is held by lease, and not by a lock of the SQL transaction
 */
public record Unacknowledged(
        MessageKey key,
        int deliveryCount,
        EncodedMessage header,
        String unreadable,
        Suspicion suspicion,
        boolean leased) {

    public static Unacknowledged of(StoredMessage message) {
        return new Unacknowledged(
                message.key(),
                message.deliveryCount(),
                message.message().header(),
                message.unreadable(),
                message.suspicion(),
                message.lease() != null);
    }

    /** Those whose deliveries were counted as they began. */
    public static List<MessageKey> suspects(Collection<Unacknowledged> messages) {
        return messages.stream()
                .filter(message -> message.suspicion() != null)
                .map(Unacknowledged::key)
                .toList();
    }
}
