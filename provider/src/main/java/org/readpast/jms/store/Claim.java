package org.readpast.jms.store;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.codec.EncodedMessage;

/**
 * What a session holds a message by. It is all that the store is told of a message when that is acknowledged or given back.
 *
 * @param key where the message stands
 * @param messageId its JMSMessageID, or null
 * @param timestamp its JMSTimestamp, or 0
 * @param lease null where a lock of the SQL transaction holds it
 * @param sinceNanos when it was claimed, by {@link System#nanoTime()}
 */
public record Claim(MessageKey key, String messageId, long timestamp, Lease lease, long sinceNanos) {

    /** The claim of a message that is locked, or held by the lease. */
    static Claim of(StoredMessage message, Lease lease, long sinceNanos) {
        EncodedMessage content = message.message();
        return new Claim(message.key(), content.messageId(), content.timestamp(), lease, sinceNanos);
    }

    /** Whether it outlives the SQL transaction. */
    public boolean byLease() {
        return lease != null;
    }

    /** For how long it has lasted, in milliseconds. */
    public int heldMillis() {
        return (int) Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNanos));
    }

    public static List<MessageKey> keys(Collection<Claim> claims) {
        return claims.stream().map(Claim::key).toList();
    }
}
