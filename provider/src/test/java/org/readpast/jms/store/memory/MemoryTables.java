package org.readpast.jms.store.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.readpast.jms.store.GroupHolder.Group;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.contract.Tables;
import org.readpast.jms.store.jdbc.connect.SizeLimits;

/** A database in memory, and what tests see of it past its stores. */
final class MemoryTables implements Tables {

    private static final SizeLimits SIZES = new SizeLimits(1_000, 64 * 1024 * 1024, 1024 * 1024);
    private static final long GRACE_MILLIS = 50;

    private final MemoryDatabase database = new MemoryDatabase(GRACE_MILLIS);

    private <T> T read(Supplier<T> look) {
        synchronized (database) {
            return look.get();
        }
    }

    private static List<String> texts(Iterable<?> values) {
        List<String> texts = new ArrayList<>();
        values.forEach(value -> texts.add(String.valueOf(value)));
        return texts;
    }

    @Override
    public MessageStore open() {
        MemoryStore store = new MemoryStore(database, SIZES);
        store.open();
        return store;
    }

    @Override
    public void drop() {
        // The garbage collector does it.
    }

    @Override
    public int transactionsAtWork(MessageStore store) {
        return database.openTransactions();
    }

    @Override
    public void kill(Presence presence) {
        ((MemoryPresence) presence).kill();
    }

    @Override
    public List<String> messages(int destinationId) {
        return read(() -> ids(destinationId, database.messages));
    }

    @Override
    public List<String> delayed(int destinationId) {
        return read(() -> ids(destinationId, database.delayed));
    }

    private static List<String> ids(int destinationId, Table<MessageKey, Entry> table) {
        return MemoryDatabase.keysOf(null, destinationId, table).stream()
                .map(key -> table.get(null, key).message().messageId())
                .toList();
    }

    @Override
    public void clearDelayed() {
        read(() -> database.run(unit -> {
            database.delayed.keys(unit, (key, entry) -> true).forEach(key -> database.delayed.remove(unit, key));
            return null;
        }));
    }

    @Override
    public List<String> groups(String consumer) {
        return read(() -> database
                .groups
                .keys(null, (group, owner) -> owner.consumer().equals(consumer))
                .stream()
                .map(Group::id)
                .toList());
    }

    @Override
    public List<String> groupHolders() {
        return read(() -> database.groups.keys(null, (group, owner) -> true).stream()
                .map(group -> database.groups.get(null, group).consumer())
                .distinct()
                .toList());
    }

    @Override
    public List<String> nondurableSubscriptions() {
        return read(() -> database.subscriptions.values().stream()
                .filter(subscription -> !subscription.durable())
                .map(Subscription::uniqueName)
                .toList());
    }

    @Override
    public List<String> subscribers() {
        return read(() -> database.subscriptions.values().stream()
                .map(Subscription::consumers)
                .map(Map::keySet)
                .flatMap(Set::stream)
                .toList());
    }

    @Override
    public List<String> instances() {
        return read(() -> texts(database.instances.keySet()));
    }

    @Override
    public List<String> missingInstances() {
        return read(() -> database.instances.entrySet().stream()
                .filter(instance -> instance.getValue().missingSince >= 0)
                .map(Map.Entry::getKey)
                .toList());
    }

    @Override
    public List<String> clientIds() {
        return read(() -> texts(database.clientIds.keySet()));
    }

    @Override
    public List<String> consumed(String instance) {
        return read(() -> texts(database.consumed.getOrDefault(instance, Set.of())));
    }

    @Override
    public List<String> suspectMarks() {
        return read(() -> database.marks.values().stream()
                .map(MemoryDatabase.Mark::instance)
                .toList());
    }

    @Override
    public List<String> countedDeliveries() {
        return read(() -> texts(database.counted.keys(null, (key, count) -> true).stream()
                .map(key -> database.counted.get(null, key))
                .toList()));
    }
}
