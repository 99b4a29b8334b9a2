package org.readpast.jms.engine.transaction;

import java.util.ArrayList;
import java.util.List;
import org.readpast.jms.engine.runtime.Unacknowledged;
import org.readpast.jms.store.MessageKey;

/** What a session's transaction has delivered, in order, and how much that usually is. Not thread-safe. */
final class UnacknowledgedMessages {

    private final List<Unacknowledged> messages = new ArrayList<>();

    /** How many transactions like this one take, by those before it. */
    private int usual;

    void add(Unacknowledged message) {
        messages.add(message);
    }

    boolean isEmpty() {
        return messages.isEmpty();
    }

    /** A copy of all. */
    List<Unacknowledged> all() {
        return List.copyOf(messages);
    }

    List<MessageKey> keys() {
        return messages.stream().map(Unacknowledged::key).toList();
    }

    /** Those that are held by locks of the SQL transaction, which its end gives up. */
    List<Unacknowledged> locked() {
        return messages.stream().filter(message -> !message.leased()).toList();
    }

    /** Those that are held by lease. */
    List<Unacknowledged> leased() {
        return messages.stream().filter(Unacknowledged::leased).toList();
    }

    /** The last one; there is one. */
    Unacknowledged last() {
        return messages.get(messages.size() - 1);
    }

    List<MessageKey> keysBeforeLast() {
        return keys().subList(0, messages.size() - 1);
    }

    /**
     * How many messages to claim at once: as many as the last transaction consumed are likely to be consumed again, beyond them
     * as many as this one has consumed.
     */
    int likelyToFollow(int limit) {
        int size = messages.size();
        int expected = size < usual ? usual - size : size;
        return Math.max(1, Math.min(limit, expected));
    }

    /** They were committed. What a transaction only sends says nothing of how much its session receives. */
    void committed() {
        if (!messages.isEmpty()) {
            usual = messages.size();
        }
    }

    /** They are being rolled back. */
    void rolledBack() {
        usual = Math.max(usual / 2, messages.size());
    }

    void clear() {
        messages.clear();
    }
}
