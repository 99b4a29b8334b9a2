package org.readpast.jms.store.memory;

import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.selector.Selector;
import org.readpast.jms.store.BrowsePage;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.ConnectionSource;
import org.readpast.jms.store.DatagramAddress;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.MessageStore.QueueMove;
import org.readpast.jms.store.NamedQueue;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.Watch;
import org.readpast.jms.store.jdbc.connect.SizeLimits;

/**
 * A message store in memory, as one JVM sees it. It has no SQL connections, so nothing can be joined; it keeps no histories and no ids of
 * duplicates, shares no bodies, and nothing of it is ever in doubt.
 */
public final class MemoryStore implements MessageStore {

    private final MemoryDatabase database;
    private final MemoryMessages messages;
    private boolean isOpen;

    /** A store that has yet to be opened. */
    public MemoryStore(MemoryDatabase database, SizeLimits sizes) {
        this.database = database;
        this.messages = new MemoryMessages(database, sizes);
    }

    @Override
    public void open() {
        synchronized (database) {
            isOpen = true;
        }
    }

    @Override
    public void close() {
        synchronized (database) {
            isOpen = false;
        }
    }

    /** Something that needs the store to be open. */
    @FunctionalInterface
    private interface Work<T> {
        T run() throws StoreException;
    }

    private <T> T opened(Work<T> work) throws StoreException {
        synchronized (database) {
            if (!isOpen) {
                throw new StoreException(Failure.OTHER, describe() + ": the message store is not open", null);
            }
            return work.run();
        }
    }

    private static UnsupportedOperationException noSql() {
        return new UnsupportedOperationException("The message store is in memory, and cannot join a SQL transaction");
    }

    @Override
    public List<String> warnings() throws StoreException {
        return opened(List::of);
    }

    @Override
    public List<String> obstaclesToDistributedTransactions() {
        return List.of("There is no SQL connection.");
    }

    @Override
    public XaSource xaSource() {
        throw new UnsupportedOperationException("There is no SQL connection");
    }

    @Override
    public PoolUse poolUse() {
        return null;
    }

    @Override
    public String describe() {
        return "memory";
    }

    @Override
    public StoreException explain(SQLException problem, String subject, String action) {
        return new StoreException(Failure.OTHER, subject + ": " + action + " failed", problem);
    }

    // Destinations

    @Override
    public int destination(DestinationKind kind, String name) throws StoreException {
        MemoryDatabase.checkName(kind.toString(), name);
        return opened(() -> {
            MemoryDatabase.Destination found = database.find(kind, name);
            return found != null ? found.id() : database.add(kind, name, null).id();
        });
    }

    @Override
    public OptionalInt findDestination(DestinationKind kind, String name) throws StoreException {
        return opened(() -> {
            MemoryDatabase.Destination found = database.find(kind, name);
            return found == null ? OptionalInt.empty() : OptionalInt.of(found.id());
        });
    }

    /** It remembers no ids. */
    @Override
    public Collection<Integer> forgetMovedDestinations() {
        return List.of();
    }

    // Messages

    @Override
    public String tooLarge(EncodedMessage message) {
        return messages.tooLarge(message);
    }

    @Override
    public void insert(Collection<NewMessage> sent) throws StoreException {
        opened(() -> database.run(unit -> {
            messages.insert(unit, sent);
            return null;
        }));
    }

    @Override
    public boolean isCombined(NewMessage message) {
        return message.deliveryDelayMillis() == 0;
    }

    @Override
    public boolean isCombined(ClaimRequest claim) {
        return false;
    }

    @Override
    public StoreTransaction transaction(String consumer) {
        return new MemoryTransaction(database, messages);
    }

    @Override
    public StoreTransaction join(ConnectionSource source, String consumer) {
        throw noSql();
    }

    @Override
    public String currentTransaction(ConnectionSource source) {
        throw noSql();
    }

    @Override
    public String transactionLife(ConnectionSource source, String known) {
        throw noSql();
    }

    @Override
    public boolean mayHold(int destinationId) {
        return true;
    }

    @Override
    public void checkReachable(int destinationId) {
        // Memory is always there.
    }

    @Override
    public BrowsePage browse(int destinationId, MessageKey after, int max, Selector selector) throws StoreException {
        return opened(() -> messages.browse(destinationId, after, max, selector));
    }

    @Override
    public Watch watch() throws StoreException {
        return opened(() -> new MemoryWatch(database, messages));
    }

    @Override
    public void ring(Collection<Integer> destinationIds) {
        // There is no bell.
    }

    @Override
    public boolean hasBell() {
        return false;
    }

    @Override
    public boolean isShared() {
        return false;
    }

    @Override
    public Presence register(DatagramAddress address) throws StoreException {
        return opened(() -> {
            MemoryPresence presence = new MemoryPresence(database);
            presence.register();
            return presence;
        });
    }

    // Upkeep

    @Override
    public Collection<Integer> moveDue(int max) throws StoreException {
        return opened(() -> database.run(unit -> {
            long now = database.now();
            Set<Integer> queues = new TreeSet<>();
            for (MessageKey key : first(max, database.delayed.keys(unit, (key, entry) -> entry.dueAt() <= now))) {
                Entry due = database.delayed.remove(unit, key);
                if (due != null) {
                    database.messages.put(unit, key, due.due(0));
                    queues.add(key.destinationId());
                }
            }
            return queues;
        }));
    }

    private static List<MessageKey> first(int max, List<MessageKey> keys) {
        return keys.subList(0, Math.min(max, keys.size()));
    }

    @Override
    public long millisUntilNextDue() throws StoreException {
        return opened(() -> database.delayed.keys(null, (key, entry) -> true).stream()
                .mapToLong(key -> Math.max(0, database.delayed.get(null, key).dueAt() - database.now()))
                .min()
                .orElse(-1));
    }

    @Override
    public Map<Integer, String> queuesWithExpired() throws StoreException {
        return opened(() -> {
            Map<Integer, String> names = new TreeMap<>();
            for (MessageKey key : expired(null)) {
                MemoryDatabase.Destination queue = database.destinations.get(key.destinationId());
                if (queue != null) {
                    names.put(queue.id(), expiryName(queue));
                }
            }
            return names;
        });
    }

    private String expiryName(MemoryDatabase.Destination queue) {
        Subscription subscription = database.subscriptions.get(queue.id());
        if (subscription != null && subscription.request().pattern() != null) {
            return subscription.request().pattern();
        }
        MemoryDatabase.Destination topic = subscription == null
                ? null
                : database.destinations.get(subscription.request().topicId());
        MemoryDatabase.Destination named = topic == null ? queue : topic;
        return named.kind() == DestinationKind.TEMPORARY_QUEUE || named.kind() == DestinationKind.TEMPORARY_TOPIC
                ? "temporary"
                : named.name();
    }

    private List<MessageKey> expired(Unit unit) {
        long now = database.now();
        return database.messages.keys(unit, (key, entry) -> entry.expiresAt() <= now);
    }

    @Override
    public int removeExpired(int destinationId, Optional<NamedQueue> target, int max) throws StoreException {
        return opened(() -> database.run(unit -> {
            int removed = 0;
            for (MessageKey key : expired(unit)) {
                if (key.destinationId() == destinationId && removed < max && database.messages.lock(unit, key)) {
                    Entry entry = database.messages.remove(unit, key);
                    if (target.isPresent()) {
                        messages.move(unit, key, entry.message(), target.get());
                    }
                    removed++;
                }
            }
            return removed;
        }));
    }

    @Override
    public int sweepDropped(int max) throws StoreException {
        return opened(() ->
                database.dropped.stream().mapToInt(database::removeMessages).sum());
    }

    @Override
    public int sweepSuspects() throws StoreException {
        return opened(() -> {
            int before = database.marks.size();
            database.marks
                    .entrySet()
                    .removeIf(mark -> MemoryDatabase.keysOf(null, mark.getKey(), database.messages).stream()
                            .noneMatch(key -> key.messageId() <= mark.getValue().upTo()));
            int counts = database.run(unit -> {
                List<MessageKey> left =
                        database.counted.keys(unit, (key, count) -> database.messages.get(null, key) == null);
                left.forEach(key -> database.counted.remove(unit, key));
                return left.size();
            });
            return before - database.marks.size() + counts;
        });
    }

    @Override
    public boolean removeUnusedBodies(int max) {
        return false;
    }

    @Override
    public int forgetDuplicates(int max) {
        return 0;
    }

    @Override
    public boolean refreshMarks() {
        return false;
    }

    @Override
    public List<Integer> refreshQueueSettings() {
        return List.of();
    }

    @Override
    public int queueSettingsChecksum() {
        return 0;
    }

    @Override
    public boolean isSendPaused(int destinationId) {
        return false;
    }

    @Override
    public QueueMove moveOf(String queue) {
        return null;
    }

    @Override
    public boolean isMoveLikely() {
        return false;
    }

    @Override
    public void onMoves(Runnable listener) {}

    @Override
    public void offMoves(Runnable listener) {}

    @Override
    public int purgeHistory(int max) {
        return 0;
    }

    @Override
    public int forgetMarkers(int max) {
        return 0;
    }
}
