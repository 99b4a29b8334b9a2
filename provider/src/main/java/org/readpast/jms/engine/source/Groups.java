package org.readpast.jms.engine.source;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.readpast.jms.engine.arrival.ArrivalNews;
import org.readpast.jms.store.GroupHolder;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoredMessage;

/**
 * What this JVM knows of message groups: which queues have some, and which of its consumers may have some. Queues without
 * groups are claimed from without regard to them; the first claim that comes upon a group gives back what it claimed, and from
 * then on the queue is claimed from by groups. Thread-safe.
 */
public final class Groups {

    /** A group of which nothing has come for this long may go to another consumer; a database full of old ones helps nobody. */
    private static final long IDLE_MILLIS = 300_000;

    private final Presence presence;
    private final Housekeeping housekeeping;
    private final ArrivalNews news;
    private final Set<Integer> queues = ConcurrentHashMap.newKeySet();
    private final Set<GroupHolder> holders = ConcurrentHashMap.newKeySet();

    public Groups(Presence presence, Housekeeping housekeeping, ArrivalNews news) {
        this.presence = presence;
        this.housekeeping = housekeeping;
        this.news = news;
    }

    /** The part that a new consumer has in them. */
    GroupUse use(boolean exclusive) {
        return new GroupUse(this, presence, housekeeping, news, new GroupHolder(presence.instance(), exclusive));
    }

    /** Whether a queue is known to have groups. */
    boolean areIn(int destinationId) {
        return queues.contains(destinationId);
    }

    /**
     * Whether there is a message of a group among what was claimed without regard to groups, and is therefore to be given back.
     * This is noted.
     */
    public boolean discover(int destinationId, List<StoredMessage> claimed) {
        boolean found = claimed.stream().anyMatch(message -> message.message().groupId() != null);
        if (found) {
            queues.add(destinationId);
        }
        return found;
    }

    void begins(GroupHolder holder) {
        holders.add(holder);
    }

    void ended(GroupHolder holder) {
        holders.remove(holder);
    }

    /** Others have taken this JVM for dead: its consumers take groups again like anybody else. */
    public void lost() {
        holders.forEach(GroupHolder::forgetAll);
    }

    /** Gives up what was not used for long. */
    public void forgetIdle() throws StoreException {
        for (GroupHolder holder : holders) {
            presence.forgetIdleGroups(holder, IDLE_MILLIS);
        }
    }
}
