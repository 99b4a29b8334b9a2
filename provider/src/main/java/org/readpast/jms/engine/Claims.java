package org.readpast.jms.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.StoredMessage;

/**
 * What a session has locked in its current SQL transaction. Its own locks do not keep a row from it, so claims have to be told
 * apart from what was claimed before. Not thread-safe.
 */
final class Claims {

    private final Map<Integer, Set<MessageKey>> byQueue = new HashMap<>();

    int count(int destinationId) {
        return of(destinationId).size();
    }

    /** The last in delivery order; there is one. */
    MessageKey last(int destinationId) {
        return Collections.max(of(destinationId));
    }

    /** Adds what was claimed, and returns what of it is new. */
    List<StoredMessage> add(int destinationId, List<StoredMessage> claimed) {
        Set<MessageKey> mine = of(destinationId);
        List<StoredMessage> fresh = new ArrayList<>(claimed.size());
        for (StoredMessage message : claimed) {
            if (mine.add(message.key())) {
                fresh.add(message);
            }
        }
        return fresh;
    }

    /** Lets messages be claimed again by this session. */
    void forgo(Iterable<StoredMessage> messages) {
        for (StoredMessage message : messages) {
            of(message.key().destinationId()).remove(message.key());
        }
    }

    /** A copy of all. */
    Set<MessageKey> all() {
        Set<MessageKey> all = new HashSet<>();
        byQueue.values().forEach(all::addAll);
        return all;
    }

    void clear() {
        byQueue.clear();
    }

    /** What it has of one queue. */
    Set<MessageKey> of(int destinationId) {
        return byQueue.computeIfAbsent(destinationId, id -> new LinkedHashSet<>());
    }
}
