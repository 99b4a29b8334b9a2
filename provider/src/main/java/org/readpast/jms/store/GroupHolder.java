package org.readpast.jms.store;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A consumer as one that may have groups of messages (JMSXGroupID): of a group that it has, it and nobody else gets the messages.
 * The database knows which groups those are; here is only noted which of them were used lately. One session at a
 * time claims for it. Thread-safe.
 */
public final class GroupHolder {

    /** What an exclusive queue is as a whole: one group of this id. */
    public static final String WHOLE_QUEUE = "";

    /** A group by its name in the database. */
    public record Group(int destinationId, String id) {}

    private final String instance;
    private final boolean exclusive;
    private final String consumer = UUID.randomUUID().toString();
    private final Map<Group, Long> usedNanos = new ConcurrentHashMap<>();
    private volatile boolean mayHaveGroups;

    /**
     * @param instance the {@link Presence#instance} that its groups go with
     * @param exclusive whether it takes a queue as a whole, as one group
     */
    public GroupHolder(String instance, boolean exclusive) {
        this.instance = instance;
        this.exclusive = exclusive;
    }

    public String instance() {
        return instance;
    }

    /** Its name, which no other consumer has. */
    public String consumer() {
        return consumer;
    }

    public boolean isExclusive() {
        return exclusive;
    }

    /** It is about to take a group: whether it got it may never be known. */
    public void takes() {
        mayHaveGroups = true;
    }

    /** It has taken a group, or works with one that it has. */
    public void uses(int destinationId, String group) {
        mayHaveGroups = true;
        if (!exclusive) {
            usedNanos.put(new Group(destinationId, group), System.nanoTime());
        }
    }

    /** False if it surely never had a group. */
    public boolean mayHaveGroups() {
        return mayHaveGroups;
    }

    /** The groups that it has not used for this long; a queue as a whole is none of them. */
    public List<Group> idleFor(long millis) {
        long before = System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(millis);
        return usedNanos.entrySet().stream()
                .filter(used -> used.getValue() - before <= 0)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** It does not have the group any more. */
    public void forget(Group group) {
        usedNanos.remove(group);
    }

    /** It has none any more: others have taken this JVM for dead. */
    public void forgetAll() {
        usedNanos.clear();
    }
}
