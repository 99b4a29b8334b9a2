package org.readpast.jms.engine.transaction;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;

/**
 * What a session has claimed in its current transaction. Its own locks do not keep a row from it, so claims have to be told
 * apart from what was claimed before; a leased message is out of the queue for everybody. Not thread-safe.
 */
public final class Claims {

    /** From so many locked messages on, a claim starts behind them instead of reading over them. */
    private static final int READ_OVER = 100;

    private final StoreTransaction store;
    private final Map<Integer, Set<MessageKey>> byQueue = new HashMap<>();

    Claims(StoreTransaction store) {
        this.store = store;
    }

    /** Claims messages that are not claimed already. */
    List<StoredMessage> claim(ClaimRequest request) throws StoreException {
        int id = request.destinationId();
        if (request.byLease()) {
            return add(id, store.claim(request));
        }
        Set<MessageKey> mine = of(id);
        if (request.byGroups() && !request.holder().isExclusive()) {
            return add(id, store.claim(request.holding(mine)));
        }
        if (mine.size() > READ_OVER) {
            List<StoredMessage> behind = store.claim(request.behind(Collections.max(mine)));
            if (!behind.isEmpty()) {
                return add(id, behind);
            }
        }
        // As many more as could be ours.
        return add(id, store.claim(request.atMost(request.max() + mine.size())));
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

    /** They were acknowledged, and nobody can claim them any more. */
    void acknowledged(Iterable<MessageKey> keys) {
        for (MessageKey key : keys) {
            of(key.destinationId()).remove(key);
        }
    }

    /** How many there are of each queue. */
    Map<Integer, Integer> counts() {
        Map<Integer, Integer> counts = new HashMap<>();
        byQueue.forEach((id, keys) -> counts.put(id, keys.size()));
        return counts;
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

    private Set<MessageKey> of(int destinationId) {
        return byQueue.computeIfAbsent(destinationId, id -> new LinkedHashSet<>());
    }
}
