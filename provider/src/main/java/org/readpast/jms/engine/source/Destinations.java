package org.readpast.jms.engine.source;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.codec.Shown;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.destination.ReadpastQueue;
import org.readpast.jms.destination.ReadpastTemporaryQueue;
import org.readpast.jms.destination.ReadpastTemporaryTopic;
import org.readpast.jms.destination.ReadpastTopic;
import org.readpast.jms.engine.arrival.Arrivals;
import org.readpast.jms.engine.support.AutoCreation;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.SubscriptionRequest;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/** The ids of destinations by name, and the temporary ones of this JVM. Thread-safe. */
public final class Destinations {

    private static final Logger LOG = Loggers.of(Destinations.class);
    private static final long RETRY_MILLIS = 2_000;

    /** For this long a temporary destination of another JVM that was there is taken to be there still. */
    private static final long STILL_THERE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** A temporary destination of this JVM. */
    record Temporary(int id, ConnectionContext owner) {}

    /**
     * A temporary destination of another JVM was there.
     *
     * @param nanos when it was looked for, by {@link System#nanoTime()}
     */
    private record Seen(int id, long nanos) {

        boolean isRecent() {
            return System.nanoTime() - nanos < STILL_THERE_NANOS;
        }
    }

    private final MessageStore store;
    private final Map<ReadpastDestination, Temporary> temporaries = new ConcurrentHashMap<>();
    private final Set<Integer> temporaryIds = ConcurrentHashMap.newKeySet();
    private final Map<ReadpastDestination, Seen> elsewhere = new ConcurrentHashMap<>();

    /** Of queues that last, by consumers of this JVM. */
    private final Set<QueueUse> uses = ConcurrentHashMap.newKeySet();

    public Destinations(MessageStore store) {
        this.store = store;
    }

    /**
     * The id of a destination; a queue or topic is created by its first use.
     *
     * @param creation what is asked before one is created
     * @return for a pattern of topics {@link SubscriptionRequest#MATCHING_TOPICS}
     * @throws InvalidDestinationException if it is a temporary one that does not exist any more, or a composite one, which is
     *     nothing but its members, or if the database cannot hold its name
     */
    public int idOf(ReadpastDestination destination, AutoCreation creation) throws JMSException {
        if (destination.isComposite()) {
            throw new InvalidDestinationException(destination + " stands for several destinations");
        }
        if (destination instanceof ReadpastTopic topic && topic.isPattern()) {
            return SubscriptionRequest.MATCHING_TOPICS;
        }
        try {
            return destination.isTemporary() ? idOfTemporary(destination) : idOfLasting(destination, creation);
        } catch (StoreException e) {
            if (e.failure() == Failure.DATA) {
                throw JmsErrors.causedBy(new InvalidDestinationException(Shown.inOneLine(e.getMessage())), e);
            }
            throw JmsErrors.jms("Looking up " + destination, e);
        }
    }

    private int idOfLasting(ReadpastDestination destination, AutoCreation creation)
            throws StoreException, InvalidDestinationException {
        DestinationKind kind = kind(destination);
        OptionalInt there = store.findDestination(kind, destination.getName());
        if (there.isPresent()) {
            return there.getAsInt();
        }
        creation.oneMore(destination);
        return store.destination(kind, destination.getName());
    }

    void created(ReadpastDestination destination, int id, ConnectionContext owner) {
        temporaryIds.add(id);
        temporaries.put(destination, new Temporary(id, owner));
    }

    /** The id of a destination that had this one: a temporary one of this JVM gets another when it is made again. */
    int idNow(ReadpastDestination destination, int id) {
        Temporary now = temporaries.get(destination);
        return now == null ? id : now.id();
    }

    /** The id of a topic that had this one, which is made again if its row is gone. */
    int topicNow(ReadpastTopic topic, int id) throws StoreException {
        return topic.isTemporary() || topic.isPattern()
                ? idNow(topic, id)
                : store.destination(DestinationKind.TOPIC, topic.getName());
    }

    /** A consumer begins to use a queue, and is to end that. */
    QueueUse use(ReadpastDestination queue, int id, boolean byLease) {
        QueueUse use = new QueueUse(this, queue, id, byLease);
        if (!queue.isTemporary()) {
            uses.add(use);
        }
        return use;
    }

    void ended(QueueUse use) {
        uses.remove(use);
    }

    /**
     * Queues may have another id than they had, since their rows were removed or the database restored, and the store may have forgotten
     * those: their consumers go on with where they are now.
     *
     * @throws StoreException if that of some queue could not be found out; the others have followed
     */
    public void followMoved(Presence presence, Arrivals arrivals) throws StoreException {
        Set<Integer> left = new HashSet<>();
        StoreException problem = null;
        for (QueueUse use : uses) {
            try {
                follow(use, presence, left);
            } catch (StoreException e) {
                problem = e;
            }
        }
        left.forEach(arrivals::forget);
        if (problem != null) {
            throw problem;
        }
    }

    private void follow(QueueUse use, Presence presence, Set<Integer> left) throws StoreException {
        int before = use.id();
        int now = store.destination(DestinationKind.QUEUE, use.queue().getName());
        if (now != before) {
            presence.consumes(now, use.isByLease());
            use.moveTo(now);
            if (left.add(before)) {
                LOG.warn(
                        "{} has moved in the database: its row {} was removed or is another's, and is {} now",
                        use.queue(),
                        before,
                        now);
            }
        }
    }

    /**
     * Temporary destinations of this JVM that have not their ids any more, since it was taken for dead or the database restored, are made
     * again under their names, empty.
     */
    public void createTemporariesAgain(Presence presence, Arrivals arrivals, Housekeeping housekeeping) {
        temporaries.forEach((destination, before) -> {
            if (!presence.isTemporary(kind(destination), destination.getName(), before.id())) {
                createAgain(presence, arrivals, housekeeping, destination, before);
            }
        });
    }

    /** Without effect for one that was made again, or removed, meanwhile. */
    private void createAgain(
            Presence presence,
            Arrivals arrivals,
            Housekeeping housekeeping,
            ReadpastDestination destination,
            Temporary before) {
        if (!before.equals(temporaries.get(destination))) {
            return;
        }
        try {
            Temporary again = new Temporary(
                    presence.createTemporaryAgain(kind(destination), destination.getName()), before.owner());
            if (!temporaries.replace(destination, before, again)) {
                presence.dropTemporary(again.id());
                return;
            }
            temporaryIds.add(again.id());
            temporaryIds.remove(before.id());
            arrivals.forget(before.id());
            LOG.warn("{} was gone from the database and was made again; what waited there is lost.", destination);
        } catch (StoreException e) {
            if (e.failure().isTransient()) {
                LOG.warn("{} is gone from the database and could not be made again: {}", destination, e.getMessage());
                housekeeping.later(
                        RETRY_MILLIS, () -> createAgain(presence, arrivals, housekeeping, destination, before));
            } else {
                before.owner().report(JmsErrors.jms("Making " + destination + " again failed", e));
            }
        } catch (RuntimeException | Error e) {
            LOG.error("{} is gone from the database and could not be made again, which is tried again", destination, e);
            housekeeping.later(RETRY_MILLIS, () -> createAgain(presence, arrivals, housekeeping, destination, before));
        }
    }

    /** Whether it is a temporary destination of this JVM. */
    public boolean isOwnTemporary(int id) {
        return temporaryIds.contains(id);
    }

    /** The temporary destination of this JVM, or null. */
    Temporary temporary(ReadpastDestination destination) {
        return temporaries.get(destination);
    }

    Temporary remove(ReadpastDestination destination) {
        Temporary removed = temporaries.remove(destination);
        if (removed != null) {
            temporaryIds.remove(removed.id());
        }
        return removed;
    }

    /**
     * One of another JVM is asked for again and again: it may be gone before the next message, which is not to be stored for nobody. What is
     * stored for one that has gone just now is swept.
     */
    private int idOfTemporary(ReadpastDestination destination) throws StoreException, JMSException {
        Temporary ours = temporaries.get(destination);
        if (ours != null) {
            return ours.id();
        }
        Seen seen = elsewhere.get(destination);
        return seen != null && seen.isRecent() ? seen.id() : idOfTemporaryElsewhere(destination);
    }

    private int idOfTemporaryElsewhere(ReadpastDestination destination) throws StoreException, JMSException {
        elsewhere.values().removeIf(seen -> !seen.isRecent());
        long now = System.nanoTime();
        int id = store.findDestination(kind(destination), destination.getName())
                .orElseThrow(() -> new InvalidDestinationException(
                        destination + " does not exist: it was deleted, or its connection is closed"));
        elsewhere.put(destination, new Seen(id, now));
        return id;
    }

    private static DestinationKind kind(ReadpastDestination destination) {
        if (destination instanceof ReadpastTemporaryQueue) {
            return DestinationKind.TEMPORARY_QUEUE;
        }
        if (destination instanceof ReadpastTemporaryTopic) {
            return DestinationKind.TEMPORARY_TOPIC;
        }
        if (destination instanceof ReadpastQueue) {
            return DestinationKind.QUEUE;
        }
        if (destination instanceof ReadpastTopic) {
            return DestinationKind.TOPIC;
        }
        throw new IllegalArgumentException("Neither queue nor topic: " + destination);
    }
}
