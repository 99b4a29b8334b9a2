package org.readpast.jms.engine.runtime;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.readpast.jms.store.MessageKey;

/**
 * The messages that this JVM has delivered in transactions of the application's, most of them without counting. Nobody tells it how such a
 * transaction ends; but a message that it claims once more as it was has come back, since its transaction was rolled back. One that was put
 * off comes with a higher count. Remembers the last 10,000. Thread-safe.
 */
public final class JoinedDeliveries {

    private static final int REMEMBERED = 10_000;

    /** By key, the count of deliveries that the message came with. */
    private final Map<MessageKey, Integer> delivered = bounded();

    /** By key, why the last delivery has failed, as far as somebody has told. */
    private final Map<MessageKey, String> reasons = bounded();

    private static <T> Map<MessageKey, T> bounded() {
        return Collections.synchronizedMap(new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<MessageKey, T> eldest) {
                return size() > REMEMBERED;
            }
        });
    }

    /** A message is delivered, as it was claimed. */
    public void begin(Unacknowledged message) {
        delivered.put(message.key(), message.deliveryCount());
    }

    /** Whether a message that was claimed has been delivered before and has come back. */
    public boolean cameBack(Unacknowledged message) {
        Integer count = delivered.get(message.key());
        return count != null && count == message.deliveryCount();
    }

    /** A message will come back. */
    public void failed(MessageKey key, String why) {
        reasons.put(key, why);
    }

    /** Why the last delivery has failed, or null if nobody has told. */
    public String whyFailed(MessageKey key) {
        return reasons.get(key);
    }

    /** A message is not delivered after all. */
    public void forget(MessageKey key) {
        delivered.remove(key);
    }
}
