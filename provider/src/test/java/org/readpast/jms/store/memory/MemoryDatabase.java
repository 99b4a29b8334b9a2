package org.readpast.jms.store.memory;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.GroupHolder.Group;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.StoreException;

/** The tables that several stores share, as several JVMs share a database. Its monitor guards all of them. */
public final class MemoryDatabase {

    static final long NEVER = Long.MAX_VALUE;

    private static final int LONGEST_NAME = 400;

    /** A destination; its owner is the instance that it goes with, or null. */
    record Destination(int id, DestinationKind kind, String name, String owner) {}

    /** Who has a group. */
    record Owner(String consumer, String instance) {}

    /** Up to which message those of a destination are suspect, since an instance died. */
    record Mark(long upTo, String instance) {}

    /** Messages that can be claimed. */
    final Table<MessageKey, Entry> messages = new Table<>(Comparator.naturalOrder());

    /** Messages that are not due, and those that are leased. */
    final Table<MessageKey, Entry> delayed = new Table<>(Comparator.naturalOrder());

    /** Deliveries of suspect messages that were counted as they began. */
    final Table<MessageKey, Integer> counted = new Table<>(Comparator.naturalOrder());

    final Table<Group, Owner> groups =
            new Table<>(Comparator.comparingInt(Group::destinationId).thenComparing(Group::id));

    final Map<Integer, Destination> destinations = new TreeMap<>();
    final Map<Integer, Subscription> subscriptions = new TreeMap<>();
    final Map<String, Instance> instances = new TreeMap<>();
    final Map<String, String> clientIds = new HashMap<>();
    final Map<String, Set<Integer>> consumed = new HashMap<>();
    final Map<Integer, Mark> marks = new HashMap<>();

    /** Destinations that were removed, whose messages may yet be committed. */
    final Set<Integer> dropped = new HashSet<>();

    /** The transactions of sessions that hold something. */
    final Set<Unit> open = new HashSet<>();

    /** How long an instance that has lost its lock may take to come back. */
    final long graceMillis;

    private int lastDestination;
    private long lastMessage;

    /** @param graceMillis how long an instance that has lost its lock may take to come back */
    public MemoryDatabase(long graceMillis) {
        this.graceMillis = graceMillis;
    }

    /** How many transactions of sessions hold something. */
    public synchronized int openTransactions() {
        return open.size();
    }

    /** Its clock: milliseconds since some time. */
    long now() {
        return millis(System.nanoTime());
    }

    static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    long nextMessageId() {
        return ++lastMessage;
    }

    /** What is done in a short transaction. */
    @FunctionalInterface
    interface Work<T, E extends Exception> {
        T in(Unit unit) throws E;
    }

    /** A short transaction. */
    <T, E extends Exception> T run(Work<T, E> work) throws E {
        Unit unit = new Unit();
        try {
            T result = work.in(unit);
            unit.commit();
            return result;
        } finally {
            unit.rollback();
        }
    }

    // Destinations

    Destination find(DestinationKind kind, String name) {
        return destinations.values().stream()
                .filter(destination ->
                        destination.kind() == kind && destination.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** Adds a destination that is not there. */
    Destination add(DestinationKind kind, String name, String owner) {
        Destination added = new Destination(++lastDestination, kind, name, owner);
        destinations.put(added.id(), added);
        return added;
    }

    static void checkName(String what, String name) throws StoreException {
        if (name.length() > LONGEST_NAME) {
            throw new StoreException(
                    Failure.DATA, what + " '" + name + "': a name has at most " + LONGEST_NAME + " characters", null);
        }
    }

    /** What an error is about. */
    String subject(int id) {
        Destination destination = destinations.get(id);
        return destination == null
                ? "Destination " + id
                : (destination.kind() == DestinationKind.TOPIC ? "Topic '" : "Queue '") + destination.name() + "'";
    }

    /** Removes a destination with its messages, but for those that are claimed, by lock or by lease. */
    void drop(int id) {
        subscriptions.remove(id);
        if (destinations.remove(id) != null) {
            dropped.add(id);
            removeMessages(id);
        }
    }

    /** Removes the messages of a removed destination, and says how many. */
    int removeMessages(int id) {
        return run(unit -> {
            List<MessageKey> left = keysOf(unit, id, messages);
            List<MessageKey> later = keysOf(unit, id, delayed);
            later.removeIf(key -> delayed.get(unit, key).isLeased());
            left.forEach(key -> messages.remove(unit, key));
            later.forEach(key -> delayed.remove(unit, key));
            return left.size() + later.size();
        });
    }

    static List<MessageKey> keysOf(Unit unit, int id, Table<MessageKey, Entry> table) {
        return table.keys(
                unit,
                new MessageKey(id, Integer.MIN_VALUE, 0),
                new MessageKey(id + 1, Integer.MIN_VALUE, 0),
                (key, entry) -> true);
    }

    /** Whether somebody holds a message of a destination. */
    boolean isAnyHeld(int id) {
        return keysOf(null, id, messages).stream().anyMatch(key -> !messages.isFree(null, key))
                || keysOf(null, id, delayed).stream()
                        .anyMatch(key -> delayed.get(null, key).isLeased());
    }

    // Instances

    /** Marks what a dead instance may have had in its hands. */
    void markSuspects(String dead) {
        for (int id : consumed.getOrDefault(dead, Set.of())) {
            if (!keysOf(null, id, messages).isEmpty()) {
                marks.put(id, new Mark(nextMessageId(), dead));
            }
        }
        consumed.remove(dead);
    }

    /** Removes all that belongs to an instance, and its row; false where that stays, since transactions work with its groups. */
    boolean remove(String instance) {
        run(unit -> {
            for (MessageKey key : delayed.keys(unit, (key, entry) -> instance.equals(entry.worker()))) {
                delayed.put(unit, key, delayed.get(unit, key).due(now()));
            }
            return null;
        });
        for (Subscription subscription : List.copyOf(subscriptions.values())) {
            subscription.consumers().values().removeIf(instance::equals);
            dropUnlessNeeded(subscription);
        }
        destinations.values().stream()
                .filter(destination -> instance.equals(destination.owner()))
                .toList()
                .forEach(destination -> drop(destination.id()));
        clientIds.values().removeIf(instance::equals);
        if (!releaseGroups(owner -> owner.instance().equals(instance))) {
            return false;
        }
        consumed.remove(instance);
        instances.remove(instance);
        return true;
    }

    /** A subscription that is not durable goes with its last consumer (§8.3.1, §8.3.2). */
    void dropUnlessNeeded(Subscription subscription) {
        if (!subscription.durable() && subscription.consumers().isEmpty()) {
            drop(subscription.id());
        }
    }

    /** Gives up groups but for those that a transaction works with, and says whether none are left. */
    boolean releaseGroups(Predicate<Owner> of) {
        return run(unit -> {
            List<Group> all = groups.keys(unit, (group, owner) -> of.test(owner));
            all.forEach(group -> groups.remove(unit, group));
            return all.stream().noneMatch(group -> groups.get(unit, group) != null);
        });
    }

    /** Whether a transaction works with a group of an instance. */
    boolean worksWithGroups(String instance) {
        return groups.keys(null, (group, owner) -> owner.instance().equals(instance)).stream()
                .anyMatch(group -> !groups.isFree(null, group));
    }

    Subscription subscription(String name) {
        return subscriptions.values().stream()
                .filter(subscription -> Objects.equals(name, subscription.uniqueName()))
                .findFirst()
                .orElse(null);
    }
}
