package org.readpast.jms.engine.runtime;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.readpast.jms.store.MessageKey;

/**
 * The messages that this JVM has delivered in transactions of the application's, most of them without counting. Nobody tells it how such a transaction
 * ends; but a message that it claims once more has come back, since its transaction was rolled back. Remembers the last 10,000.
 * Thread-safe.
 */
public final class JoinedDeliveries {

    private static final int REMEMBERED = 10_000;

    private final Set<MessageKey> delivered =
            Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<MessageKey, Boolean> eldest) {
                    return size() > REMEMBERED;
                }
            }));

    /** A message is delivered. */
    public void begin(MessageKey key) {
        delivered.add(key);
    }

    /** Whether a message that was claimed has been delivered before and has come back. */
    public boolean cameBack(MessageKey key) {
        return delivered.contains(key);
    }

    /** A message is put elsewhere, and its deliveries are in its own count. */
    public void forget(MessageKey key) {
        delivered.remove(key);
    }
}
