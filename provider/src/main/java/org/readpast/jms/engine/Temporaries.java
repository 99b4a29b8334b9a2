package org.readpast.jms.engine;

import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.destination.ReadpastTemporaryQueue;
import org.readpast.jms.destination.ReadpastTemporaryTopic;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.StoreException;

/** The temporary destinations of a connection, which live as long as it does. Thread-safe. */
final class Temporaries {

    private final Hub hub;
    private final EngineConnection owner;
    private final Map<ReadpastDestination, Integer> ids = new ConcurrentHashMap<>();

    Temporaries(Hub hub, EngineConnection owner) {
        this.hub = hub;
        this.owner = owner;
    }

    ReadpastTemporaryQueue createQueue() throws JMSException {
        return created(DestinationKind.TEMPORARY_QUEUE, new ReadpastTemporaryQueue(uniqueName(), this::delete));
    }

    ReadpastTemporaryTopic createTopic() throws JMSException {
        return created(DestinationKind.TEMPORARY_TOPIC, new ReadpastTemporaryTopic(uniqueName(), this::delete));
    }

    private static String uniqueName() {
        return "temp-" + UUID.randomUUID();
    }

    private <D extends ReadpastDestination> D created(DestinationKind kind, D destination) throws JMSException {
        try {
            int id = hub.presence().createTemporary(kind, destination.getName());
            hub.destinations().created(destination, id, owner);
            ids.put(destination, id);
            return destination;
        } catch (StoreException e) {
            throw JmsErrors.jms("Creating " + destination + " failed", e);
        }
    }

    private void delete(ReadpastDestination destination) throws JMSException {
        if (owner.isConsuming(destination)) {
            throw new IllegalStateException(destination + " still has a consumer");
        }
        drop(destination);
    }

    /** All of them, for the end of the connection. */
    Set<ReadpastDestination> all() {
        return Set.copyOf(ids.keySet());
    }

    /** Removes one whether or not somebody consumes from it; without effect the second time. */
    void drop(ReadpastDestination destination) throws JMSException {
        Integer id = ids.remove(destination);
        if (id == null) {
            return;
        }
        Destinations.Temporary last = hub.destinations().remove(destination);
        int lastId = last == null ? id : last.id();
        hub.arrivals().forget(lastId);
        try {
            Release.carryOut(hub, destination.toString(), () -> hub.presence().dropTemporary(lastId));
        } catch (StoreException e) {
            throw JmsErrors.jms("Deleting " + destination + " failed", e);
        }
    }

    /** Only the connection that created a temporary destination may receive from it (§4.4.3). */
    void checkMayConsume(ReadpastDestination destination) throws JMSException {
        if (!destination.isTemporary()) {
            return;
        }
        Destinations.Temporary temporary = hub.destinations().temporary(destination);
        if (temporary == null || temporary.owner() != owner) {
            throw new InvalidDestinationException(
                    "Only the connection that created " + destination + " can receive from it (§4.4.3)");
        }
    }
}
