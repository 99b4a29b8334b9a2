package org.readpast.jms.engine.runtime;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.readpast.jms.store.Claim;
import org.readpast.jms.store.MessageKey;

/**
 * The messages that this JVM has delivered in transactions of the application's, most of them without counting. Nobody tells it how such a
 * transaction ends; but a message that it claims once more as it was has come back, since its transaction was rolled back. One that was put
 * off comes with a higher count. Remembers the last 10,000. Thread-safe.
 */
public final class JoinedDeliveries {

    private static final int REMEMBERED = 10_000;

    /** The count of deliveries that a message came with. */
    private final Map<Sent, Integer> delivered = bounded();

    /** Why the last delivery of a message has failed, as far as somebody has told. */
    private final Map<Sent, String> reasons = bounded();

    /** A message. After a failover that loses commits the database gives its key to another one. */
    private record Sent(MessageKey key, String messageId, long timestamp) {

        static Sent of(Claim claim) {
            return new Sent(claim.key(), claim.messageId(), claim.timestamp());
        }
    }

    private static <T> Map<Sent, T> bounded() {
        return Collections.synchronizedMap(new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Sent, T> eldest) {
                return size() > REMEMBERED;
            }
        });
    }

    /** A message is delivered, as it was claimed. */
    public void begin(Unacknowledged message) {
        delivered.put(Sent.of(message.claim()), message.deliveryCount());
    }

    /** Whether a message that was claimed has been delivered before and has come back. */
    public boolean cameBack(Unacknowledged message) {
        Integer count = delivered.get(Sent.of(message.claim()));
        return count != null && count == message.deliveryCount();
    }

    /** A message will come back. */
    public void failed(Claim claim, String why) {
        reasons.put(Sent.of(claim), why);
    }

    /** Why the last delivery has failed, or null if nobody has told. */
    public String whyFailed(Claim claim) {
        return reasons.get(Sent.of(claim));
    }

    /** A message is not delivered after all. */
    public void forget(Claim claim) {
        delivered.remove(Sent.of(claim));
    }
}
