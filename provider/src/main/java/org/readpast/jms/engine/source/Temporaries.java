package org.readpast.jms.engine.source;

import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.destination.ReadpastTemporaryQueue;
import org.readpast.jms.destination.ReadpastTemporaryTopic;
import org.readpast.jms.engine.arrival.Arrivals;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.StoreException;

/** The temporary destinations of a connection, which live as long as it does. Thread-safe. */
public final class Temporaries {

    private final Presence presence;
    private final Destinations destinations;
    private final Arrivals arrivals;
    private final Housekeeping housekeeping;
    private final ConnectionContext owner;
    private final Predicate<ReadpastDestination> isConsumed;
    private final Map<ReadpastDestination, Integer> ids = new ConcurrentHashMap<>();

    /** @param isConsumed whether a consumer of the connection is on a destination */
    public Temporaries(
            Presence presence,
            Destinations destinations,
            Arrivals arrivals,
            Housekeeping housekeeping,
            ConnectionContext owner,
            Predicate<ReadpastDestination> isConsumed) {
        this.presence = presence;
        this.destinations = destinations;
        this.arrivals = arrivals;
        this.housekeeping = housekeeping;
        this.owner = owner;
        this.isConsumed = isConsumed;
    }

    public ReadpastTemporaryQueue createQueue() throws JMSException {
        return createQueue(uniqueName());
    }

    /** @param name which no other temporary queue has */
    public ReadpastTemporaryQueue createQueue(String name) throws JMSException {
        return created(DestinationKind.TEMPORARY_QUEUE, new ReadpastTemporaryQueue(name, this::delete));
    }

    public ReadpastTemporaryTopic createTopic() throws JMSException {
        return created(DestinationKind.TEMPORARY_TOPIC, new ReadpastTemporaryTopic(uniqueName(), this::delete));
    }

    /** A name that no other temporary destination has. */
    public static String uniqueName() {
        return "temp-" + UUID.randomUUID();
    }

    private <D extends ReadpastDestination> D created(DestinationKind kind, D destination) throws JMSException {
        try {
            int id = presence.createTemporary(kind, destination.getName());
            destinations.created(destination, id, owner);
            ids.put(destination, id);
            return destination;
        } catch (StoreException e) {
            throw JmsErrors.jms("Creating " + destination + " failed", e);
        }
    }

    private void delete(ReadpastDestination destination) throws JMSException {
        if (isConsumed.test(destination)) {
            throw new IllegalStateException(destination + " still has a consumer");
        }
        drop(destination);
    }

    /** All of them, for the end of the connection. */
    public Set<ReadpastDestination> all() {
        return Set.copyOf(ids.keySet());
    }

    /** Removes one whether or not somebody consumes from it; without effect the second time. */
    public void drop(ReadpastDestination destination) throws JMSException {
        Integer id = ids.remove(destination);
        if (id == null) {
            return;
        }
        Destinations.Temporary last = destinations.remove(destination);
        int lastId = last == null ? id : last.id();
        arrivals.forget(lastId);
        try {
            Release.carryOut(housekeeping, destination.toString(), () -> presence.dropTemporary(lastId));
        } catch (StoreException e) {
            throw JmsErrors.jms("Deleting " + destination + " failed", e);
        }
    }

    /** Only the connection that created a temporary destination may receive from it (§4.4.3). */
    void checkMayConsume(ReadpastDestination destination) throws JMSException {
        if (!destination.isTemporary()) {
            return;
        }
        Destinations.Temporary temporary = destinations.temporary(destination);
        if (temporary == null || temporary.owner() != owner) {
            throw new InvalidDestinationException(
                    "Only the connection that created " + destination + " can receive from it (§4.4.3)");
        }
    }
}
