package org.readpast.jms.store;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What a session holds a message by. It is all that the store is told of a message when that is acknowledged or given back.
 *
 * @param key where the message stands
 * @param lease null where a lock of the SQL transaction holds it
 * @param sinceNanos when it was claimed, by {@link System#nanoTime()}
 */
public record Claim(MessageKey key, Lease lease, long sinceNanos) {

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
