package org.readpast.jms.engine.bell;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.readpast.jms.store.Presence;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/** The other JVMs that are registered with an address, which of them are reached, and what all of them are told. Thread-safe. */
final class Peers {

    private static final Logger LOG = Loggers.of(Peers.class);

    private static final int AWAITED_LENGTH = Integer.BYTES + 1;
    private static final int AWAITED_PER_DATAGRAM = Datagram.LONGEST_BODY / AWAITED_LENGTH;

    private final BellSocket socket;
    private final String description;
    private final Map<UUID, Peer> known = new ConcurrentHashMap<>();

    private volatile boolean reachesAll;
    private volatile int registered;

    /** @param description of the database, for logs */
    Peers(BellSocket socket, String description) {
        this.socket = socket;
        this.description = description;
    }

    /** The name of an instance may say after it where it is. */
    static UUID id(String instance) {
        int where = instance.indexOf('@');
        return UUID.fromString(where < 0 ? instance : instance.substring(0, where));
    }

    /**
     * These are registered now.
     *
     * @param self the instance that sends
     * @return whether one of them is new
     */
    synchronized boolean set(UUID self, List<Presence.Other> others) {
        Set<UUID> found = new HashSet<>();
        boolean isNew = false;
        for (Presence.Other other : others) {
            if (other.address() != null) {
                isNew |= add(self, other, found);
            }
        }
        known.keySet().retainAll(found);
        registered = others.size();
        countReached();
        return isNew;
    }

    /** What stands in a row that this JVM has not written need not make sense. */
    private boolean add(UUID self, Presence.Other other, Set<UUID> found) {
        try {
            UUID id = id(other.instance());
            boolean isNew = !known.containsKey(id);
            known.computeIfAbsent(id, unknownYet -> new Peer(id, other, self, socket));
            found.add(id);
            return isNew;
        } catch (IllegalArgumentException e) {
            LOG.debug("{}: instance {} has an address that is none", description, other.instance(), e);
            return false;
        }
    }

    boolean isAnyRegistered() {
        return registered > 0;
    }

    /** Whether every JVM that is registered was reached when they were last counted. */
    boolean reachesAll() {
        return reachesAll;
    }

    List<String> unreachedHosts() {
        return known.values().stream()
                .filter(peer -> !peer.isReached())
                .map(Peer::host)
                .toList();
    }

    void countReached() {
        reachesAll = known.values().stream().filter(Peer::isReached).count() >= registered;
    }

    boolean knows(UUID id) {
        return known.containsKey(id);
    }

    /** Null if it is not known. */
    Peer get(UUID id) {
        return known.get(id);
    }

    Collection<Peer> all() {
        return known.values();
    }

    /** Asks them for answers, where it is time, and says of whom none comes. */
    void greet(long now) {
        for (Peer peer : known.values()) {
            peer.greet(now);
            peer.tellIfSilent(now, description);
        }
        countReached();
    }

    /** Tells those that are reached what consumers of this JVM wait for: ids of destinations, and whether all have to be told. */
    void tellAwaited(Map<Integer, Boolean> awaited) {
        known.values().forEach(peer -> tellAwaited(peer, awaited));
    }

    static void tellAwaited(Peer peer, Map<Integer, Boolean> awaited) {
        if (!peer.isReached()) {
            return;
        }
        Map<Integer, Boolean> part = new HashMap<>();
        for (Map.Entry<Integer, Boolean> each : awaited.entrySet()) {
            part.put(each.getKey(), each.getValue());
            if (part.size() == AWAITED_PER_DATAGRAM) {
                peer.send(Datagram.Kind.AWAITED, body(part));
                part.clear();
            }
        }
        if (!part.isEmpty()) {
            peer.send(Datagram.Kind.AWAITED, body(part));
        }
    }

    private static ByteBuffer body(Map<Integer, Boolean> awaited) {
        ByteBuffer body = ByteBuffer.allocate(awaited.size() * AWAITED_LENGTH);
        awaited.forEach((id, all) -> body.putInt(id).put((byte) (all ? 1 : 0)));
        return body.flip();
    }
}
