package org.readpast.jms.store.memory;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.GroupHolder;
import org.readpast.jms.store.GroupHolder.Group;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.SubscriptionAnswer;
import org.readpast.jms.store.SubscriptionRequest;

/** An instance, as the JVM sees it that it stands for. */
final class MemoryPresence implements Presence {

    private static final int LONGEST_CLIENT_ID = 255;

    private final MemoryDatabase database;
    private final MemorySubscriptions subscriptions;
    private final String instance = UUID.randomUUID().toString();
    private final Set<String> clientIds = new HashSet<>();
    private final Set<Integer> consumed = new HashSet<>();
    private boolean hasLock;
    private long heldSince;
    private volatile List<Other> others = List.of();
    private volatile List<String> missing = List.of();

    MemoryPresence(MemoryDatabase database) {
        this.database = database;
        this.subscriptions = new MemorySubscriptions(database, instance, other -> reap(other, true));
    }

    void register() throws StoreException {
        synchronized (database) {
            refresh();
            for (String other : List.copyOf(database.instances.keySet())) {
                if (!database.instances.get(other).isHeld) {
                    database.markSuspects(other);
                }
            }
        }
    }

    /** Its JVM is killed, as far as others can tell. */
    void kill() {
        synchronized (database) {
            hasLock = false;
            Instance row = database.instances.get(instance);
            if (row != null) {
                row.isHeld = false;
            }
        }
    }

    @Override
    public String instance() {
        return instance;
    }

    @Override
    public Refreshed refresh() throws StoreException {
        synchronized (database) {
            boolean removed = !database.instances.containsKey(instance);
            boolean held = hasLock;
            Instance row = database.instances.computeIfAbsent(instance, name -> new Instance());
            row.missingSince = -1;
            if (!hasLock || removed) {
                hasLock = true;
                row.isHeld = true;
                heldSince = database.now();
                consumed.forEach(this::noteConsumed);
                for (String clientId : List.copyOf(clientIds)) {
                    if (!takeClientId(clientId) && !instance.equals(database.clientIds.get(clientId))) {
                        clientIds.remove(clientId);
                    }
                }
            }
            others = database.instances.keySet().stream()
                    .filter(name -> !name.equals(instance))
                    .map(name -> new Other(name, null, null))
                    .toList();
            return removed ? Refreshed.REMOVED : held ? Refreshed.HELD : Refreshed.TAKEN_AGAIN;
        }
    }

    /** Nothing moves here. */
    @Override
    public void forgetMoved() {}

    @Override
    public List<Other> others() {
        return others;
    }

    @Override
    public boolean takeClientId(String clientId) throws StoreException {
        if (clientId.length() > LONGEST_CLIENT_ID) {
            throw new StoreException(
                    Failure.DATA,
                    "Client id '" + clientId + "': a client id has at most " + LONGEST_CLIENT_ID + " characters",
                    null);
        }
        synchronized (database) {
            String holder = database.clientIds.get(clientId);
            if (holder != null && (holder.equals(instance) || !reap(holder, true))) {
                return false;
            }
            database.clientIds.put(clientId, instance);
            clientIds.add(clientId);
            return true;
        }
    }

    @Override
    public void releaseClientId(String clientId) {
        synchronized (database) {
            clientIds.remove(clientId);
            database.clientIds.remove(clientId, instance);
        }
    }

    @Override
    public void consumes(int destinationId, boolean byLease) {
        synchronized (database) {
            if (!byLease) {
                consumed.add(destinationId);
                noteConsumed(destinationId);
            }
        }
    }

    private void noteConsumed(int destinationId) {
        database.consumed.computeIfAbsent(instance, name -> new HashSet<>()).add(destinationId);
    }

    /** Nobody looks at it with SQL. */
    @Override
    public void report(Report report) {}

    @Override
    public int createTemporary(DestinationKind kind, String name) throws StoreException {
        MemoryDatabase.checkName(kind.toString(), name);
        synchronized (database) {
            if (database.find(kind, name) != null) {
                throw new StoreException(
                        Failure.DUPLICATE_KEY, kind + " '" + name + "': there is one of this name", null);
            }
            return database.add(kind, name, instance).id();
        }
    }

    @Override
    public int createTemporaryAgain(DestinationKind kind, String name) throws StoreException {
        synchronized (database) {
            MemoryDatabase.Destination there = database.find(kind, name);
            return there == null ? createTemporary(kind, name) : there.id();
        }
    }

    @Override
    public boolean isTemporary(DestinationKind kind, String name, int id) {
        return true;
    }

    @Override
    public boolean isSubscription(SubscriptionRequest request, int destinationId) {
        return true;
    }

    @Override
    public void dropTemporary(int destinationId) {
        synchronized (database) {
            MemoryDatabase.Destination destination = database.destinations.get(destinationId);
            if (destination != null && instance.equals(destination.owner())) {
                database.drop(destinationId);
            }
        }
    }

    @Override
    public SubscriptionAnswer subscribe(SubscriptionRequest request) throws StoreException {
        synchronized (database) {
            SubscriptionAnswer answer = subscriptions.subscribe(request);
            if (answer.outcome() == SubscriptionAnswer.Outcome.DONE && request.name() != null) {
                consumes(answer.destinationId(), false);
            }
            return answer;
        }
    }

    @Override
    public void endConsumer(int destinationId, String consumer) {
        synchronized (database) {
            subscriptions.endConsumer(destinationId, consumer);
        }
    }

    /** Nothing is in doubt here. */
    @Override
    public void forgoConsumer(SubscriptionRequest request) {}

    @Override
    public SubscriptionAnswer unsubscribe(String clientId, String name) {
        synchronized (database) {
            return subscriptions.unsubscribe(clientId, name);
        }
    }

    @Override
    public boolean releaseGroups(GroupHolder holder) {
        synchronized (database) {
            return database.releaseGroups(owner -> owner.consumer().equals(holder.consumer()));
        }
    }

    @Override
    public int forgetIdleGroups(GroupHolder holder, long millis) {
        synchronized (database) {
            return database.run(unit -> {
                List<Group> idle = holder.idleFor(millis).stream()
                        .filter(group -> {
                            MemoryDatabase.Owner owner = database.groups.get(unit, group);
                            return owner != null && owner.consumer().equals(holder.consumer());
                        })
                        .filter(group -> !isWaitedFor(group))
                        .filter(group -> database.groups.remove(unit, group) != null)
                        .toList();
                idle.forEach(holder::forget);
                return idle.size();
            });
        }
    }

    private boolean isWaitedFor(Group group) {
        return isWaitedFor(group, database.messages) || isWaitedFor(group, database.delayed);
    }

    private static boolean isWaitedFor(Group group, Table<MessageKey, Entry> table) {
        return MemoryDatabase.keysOf(null, group.destinationId(), table).stream()
                .anyMatch(
                        key -> group.id().equals(table.get(null, key).message().groupId()));
    }

    /** Nobody subscribes here without a lock. */
    @Override
    public void releaseOrphaned() {
        synchronized (database) {
            database.releaseGroups(owner -> !database.instances.containsKey(owner.instance()));
        }
    }

    @Override
    public int reapDead() {
        synchronized (database) {
            int reaped = 0;
            for (String other : List.copyOf(database.instances.keySet())) {
                reaped += !other.equals(instance) && reap(other, false) ? 1 : 0;
            }
            missing = database.instances.entrySet().stream()
                    .filter(other -> !other.getValue().isHeld)
                    .map(Map.Entry::getKey)
                    .toList();
            return reaped;
        }
    }

    @Override
    public List<String> missing() {
        return missing;
    }

    /** Removes an instance if it is dead and its time is over, or at once; returns whether it was removed. */
    private boolean reap(String other, boolean atOnce) {
        Instance row = database.instances.get(other);
        if (row == null || row.isHeld || database.worksWithGroups(other)) {
            return false;
        }
        if (row.missingSince < 0) {
            row.missingSince = database.now();
        }
        boolean removes = atOnce || database.now() - row.missingSince >= database.graceMillis;
        if (removes || database.now() - heldSince > database.graceMillis) {
            database.markSuspects(other);
        }
        return removes && database.remove(other);
    }

    @Override
    public void close() {
        synchronized (database) {
            if (hasLock) {
                kill();
                database.remove(instance);
            }
        }
    }
}
