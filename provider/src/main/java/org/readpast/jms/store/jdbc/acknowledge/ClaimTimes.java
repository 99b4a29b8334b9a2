package org.readpast.jms.store.jdbc.acknowledge;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.StoredMessage;

/**
 * Who has claimed messages of queues with a history in one transaction, and since when, which is what their history tells. Not
 * thread-safe.
 */
public final class ClaimTimes {

    private final Histories histories;
    private final String consumer;

    /** By {@link System#nanoTime()}: what travels to the database is how long ago that was, and its clock does the rest. */
    private final Map<MessageKey, Long> since = new HashMap<>();

    /**
     * @param consumer who claims, a client id or the name of this JVM
     */
    public ClaimTimes(Histories histories, String consumer) {
        this.histories = histories;
        this.consumer = consumer;
    }

    String consumer() {
        return consumer;
    }

    /** Notes what has been claimed just now, and returns it. What was claimed before stays so, though it may be claimed again. */
    public List<StoredMessage> claimed(List<StoredMessage> messages) {
        long now = System.nanoTime();
        for (StoredMessage message : messages) {
            if (isKept(message.key())) {
                since.putIfAbsent(message.key(), now);
            }
        }
        return messages;
    }

    /** The transaction has ended; what is held by lease outlives it. */
    public void endExceptFor(Collection<MessageKey> leased) {
        since.keySet().retainAll(leased);
    }

    /**
     * Messages, divided by what their histories are told.
     *
     * @param withoutHistory of queues without a history
     * @param withHistory the others, in lists of what was claimed together
     */
    record Parts(Collection<MessageKey> withoutHistory, Collection<List<MessageKey>> withHistory) {}

    /** Whether a message's queue keeps a history. */
    public boolean isKept(MessageKey key) {
        return histories.isKept(key.destinationId());
    }

    /** Whether the queue of any of these messages does. */
    public boolean isAnyKept(Collection<MessageKey> keys) {
        return keys.stream().anyMatch(this::isKept);
    }

    /** For how long a message has been claimed, null where that is not known. */
    Integer heldMillis(MessageKey key) {
        Long claimed = since.get(key);
        return claimed == null
                ? null
                : (int) Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - claimed));
    }

    /** Asks for each message once whether its queue keeps a history, which may change meanwhile. */
    Parts parts(Collection<MessageKey> keys) {
        if (!isAnyKept(keys)) {
            return new Parts(keys, List.of());
        }
        List<MessageKey> withoutHistory = new ArrayList<>();
        Map<Long, List<MessageKey>> withHistory = new LinkedHashMap<>();
        for (MessageKey key : keys) {
            List<MessageKey> part = isKept(key)
                    ? withHistory.computeIfAbsent(since.get(key), claimed -> new ArrayList<>())
                    : withoutHistory;
            part.add(key);
        }
        return new Parts(withoutHistory, withHistory.values());
    }
}
