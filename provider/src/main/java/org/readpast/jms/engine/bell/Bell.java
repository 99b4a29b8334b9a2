package org.readpast.jms.engine.bell;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import javax.crypto.Mac;
import org.readpast.jms.config.Settings;
import org.readpast.jms.engine.arrival.Arrivals;
import org.readpast.jms.engine.arrival.OtherJvms;
import org.readpast.jms.store.DatagramAddress;
import org.readpast.jms.store.Presence;
import org.readpast.jms.threads.Loggers;
import org.readpast.jms.threads.Threads;
import org.slf4j.Logger;

/**
 * Tells other JVMs by datagrams of messages that this one has committed, and wakes the consumers of this one when others tell. A ring
 * is a hint and nothing else: it makes a consumer look, and what is lost, late, doubled or forged is made good by the looks that there
 * are without. One of the JVMs makes these looks for the others too. One thread receives. Thread-safe.
 */
public final class Bell implements OtherJvms, AutoCloseable {

    private static final Logger LOG = Loggers.of(Bell.class);

    private static final int SECRET_LENGTH = 32;

    /** So many datagrams are read before anything else is done. */
    private static final int MOST_AT_A_TIME = 500;

    /** How many datagrams of unknown JVMs are kept until their rows have been read. */
    private static final int MOST_UNKNOWN = 16;

    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long TELL_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long ASK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A ring is not held back for longer, however seldom this JVM looks by itself. */
    private static final long MOST_HELD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** While rings are sent, the thread looks after them without being woken for each. */
    private static final long ACTIVE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long ACTIVE_MILLIS = 10;
    private static final long CLOSE_MILLIS = 10_000;

    /** Null where no datagrams are sent or heard. */
    private final BellSocket socket;

    private final DatagramAddress address;
    private final Mac mac;
    private final String description;
    private final Peers peers;
    private final Rings rings;
    private final SharedLooks looks;

    /** Datagrams of instances that were not known when they came. Used by the thread. */
    private final List<Unknown> unknown = new ArrayList<>();

    /** Used by the thread. */
    private final HeldRings held;

    private final LongAdder received = new LongAdder();

    private volatile Thread thread;
    private volatile boolean closed;
    private volatile boolean resting;

    private volatile long lastRingNanos = System.nanoTime() - ACTIVE_NANOS;

    /** Null before the start, and where no datagrams are sent. Written with the monitor, before the thread starts. */
    private UUID self;

    private Arrivals arrivals;
    private Runnable askForPeers;

    /** Used by the thread. */
    private long lastTickNanos = System.nanoTime() - TICK_NANOS;

    private long lastToldNanos = System.nanoTime();
    private long lastAskedNanos = System.nanoTime() - ASK_NANOS;

    private record Unknown(UUID sender, ByteBuffer came, SocketAddress from) {}

    private Bell(
            BellSocket socket, DatagramAddress address, Settings settings, String description, OnGivenUp onGivenUp) {
        this.socket = socket;
        this.address = address;
        this.mac = address == null ? null : Datagram.mac(address.secret());
        this.description = description;
        this.peers = new Peers(socket, description);
        this.held = new HeldRings(Math.min(MOST_HELD_NANOS, TimeUnit.MILLISECONDS.toNanos(settings.pollFloorMillis())));
        this.rings = new Rings(this::isBusy, onGivenUp::givenUp);
        this.looks = new SharedLooks(settings.pollCeilingMillis());
    }

    /** Hears of a destination for which somebody was rung that does not answer. */
    @FunctionalInterface
    public interface OnGivenUp {
        void givenUp(int destinationId);
    }

    /**
     * Opens the socket, if datagrams are wanted. Where there is none to be had, a warning says so, and nobody is rung.
     *
     * @param isShared whether there can be other JVMs
     * @param description of the database, for logs
     */
    public static Bell open(Settings settings, boolean isShared, String description, OnGivenUp onGivenUp) {
        if (!isShared || !settings.datagrams()) {
            return new Bell(null, null, settings, description, onGivenUp);
        }
        try {
            BellSocket socket = BellSocket.open(settings);
            DatagramAddress address = new DatagramAddress(hosts(settings), socket.port(), secret());
            LOG.info(
                    "{}: JVMs wake each other by datagrams, this one hears them at {}. See the options 'datagrams',"
                            + " 'datagramAddress', 'datagramAdvertised' and 'datagramPorts'",
                    description,
                    address);
            return new Bell(socket, address, settings, description, onGivenUp);
        } catch (IOException | RuntimeException e) {
            LOG.warn(
                    "{}: no datagrams can be heard, so other JVMs do not wake this one, which looks for messages as without: {}."
                            + " See the options 'datagramAddress' and 'datagramPorts'; 'datagrams' switches them off",
                    description,
                    e.getMessage());
            return new Bell(null, null, settings, description, onGivenUp);
        }
    }

    private static List<String> hosts(Settings settings) {
        if (!settings.datagramAdvertised().isEmpty()) {
            return settings.datagramAdvertised();
        }
        return settings.datagramAddress().isEmpty() ? HostAddresses.find() : List.of(settings.datagramAddress());
    }

    private static String secret() {
        byte[] bytes = new byte[SECRET_LENGTH];
        new SecureRandom().nextBytes(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    /** Where this JVM hears datagrams; null if it hears none. */
    public DatagramAddress address() {
        return address;
    }

    /**
     * Begins to receive.
     *
     * @param presence of this JVM, registered with the {@link #address}
     * @param woken whose consumers are woken
     * @param readPeers reads the rows of the others soon and calls {@link #setPeers}
     * @param mayLead whether this JVM may do for others what is to be done now and then
     * @param settings a checksum of what this JVM knows to be set for queues
     * @param name what the thread has in its name
     */
    public synchronized void start(
            Presence presence,
            Arrivals woken,
            Runnable readPeers,
            BooleanSupplier mayLead,
            IntSupplier settings,
            String name) {
        if (socket == null) {
            return;
        }
        self = Peers.id(presence.instance());
        arrivals = woken;
        askForPeers = readPeers;
        woken.onWaiting(this::waits);
        setPeers(presence.others());
        looks.start(self, mayLead, settings);
        thread = Threads.startShared("bell-" + name, this::receive);
    }

    /** The other JVMs that are registered now. */
    public synchronized void setPeers(List<Presence.Other> others) {
        if (self != null && peers.set(self, others)) {
            socket.wakeUp();
        }
    }

    @Override
    public boolean reachesAll() {
        return peers.reachesAll();
    }

    /** The hosts of those that do not, one for each JVM. */
    public List<String> unreachedHosts() {
        return peers.unreachedHosts();
    }

    /** How many datagrams that tell of messages were sent. */
    public long ringsSent() {
        return rings.sent();
    }

    /** How many have come. */
    public long ringsReceived() {
        return received.sum();
    }

    /** Whether this JVM looks for messages for the others. */
    public boolean looksForOthers() {
        return looks.leads();
    }

    /** This many messages were committed to a destination. Waits for nobody. */
    public void ring(int destinationId, int count) {
        if (peers.isAnyRegistered()) {
            rings.ring(destinationId, count);
        }
    }

    /** How many other JVMs have said that they wait for a destination. */
    int awaiting(int destinationId) {
        return rings.awaiting(destinationId);
    }

    /** Some messages came into a destination that had been elsewhere. Waits for nobody. */
    public void ringForSome(int destinationId) {
        rings.ringForSome(destinationId);
    }

    @Override
    public boolean lookForThis() {
        return looks.lookForThis(() -> arrivals.announced());
    }

    @Override
    public Set<Integer> toLookFor() {
        return looks.leads() ? rings.awaitedIds() : Set.of();
    }

    @Override
    public void looked(Collection<Integer> found) {
        looks.looked();
        found.forEach(rings::ringForFound);
    }

    @Override
    public void missing(Collection<String> instances) {
        looks.missing(instances);
    }

    private void isBusy(boolean soon) {
        lastRingNanos = System.nanoTime();
        if (soon || resting) {
            socket.wakeUp();
        }
    }

    /** A consumer of this JVM waits: others are told, who ring for what they sent before they heard of it. */
    private void waits(int destinationId, boolean all) {
        peers.tellAwaited(Map.of(destinationId, all));
    }

    // The thread

    private void receive() {
        ByteBuffer buffer = ByteBuffer.allocate(Datagram.LONGEST + 1);
        boolean told = false;
        try {
            while (!closed) {
                try {
                    rest();
                    readAll(buffer);
                } catch (IOException | RuntimeException | Error e) {
                    if (!told) {
                        LOG.warn("{}: receiving datagrams failed, and is tried again. Said once", description, e);
                    }
                    told = true;
                    TimeUnit.SECONDS.sleep(1);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void rest() throws IOException {
        resting = true;
        long nanos = Math.min(rings.catchUp(), Math.min(held.wakeWhereDue(arrivals), tick()));
        long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos + 999_999));
        boolean active = System.nanoTime() - lastRingNanos < ACTIVE_NANOS;
        if (active) {
            resting = false;
            millis = Math.min(millis, ACTIVE_MILLIS);
        }
        socket.await(millis);
        resting = false;
    }

    private void readAll(ByteBuffer buffer) throws IOException {
        for (int i = 0; i < MOST_AT_A_TIME; i++) {
            SocketAddress from = socket.receive(buffer);
            if (from == null) {
                return;
            }
            read(buffer, from);
        }
    }

    private void read(ByteBuffer came, SocketAddress from) {
        Datagram datagram = Datagram.read(came, mac, peers::knows);
        if (datagram == null) {
            return;
        }
        Peer peer = peers.get(datagram.sender());
        if (peer == null) {
            keepUnknown(datagram, came, from);
        } else if (datagram.signed() && peer.accepts(datagram.counter())) {
            handle(datagram, peer, from);
        }
    }

    /** Nobody unknown is answered; but whoever has just come has a row, which is looked for once a second at the most. */
    private void keepUnknown(Datagram datagram, ByteBuffer came, SocketAddress from) {
        if (datagram.kind() != Datagram.Kind.HELLO) {
            return;
        }
        if (unknown.size() == MOST_UNKNOWN) {
            unknown.remove(0);
        }
        ByteBuffer copy = ByteBuffer.allocate(came.remaining()).put(came).flip();
        unknown.add(new Unknown(datagram.sender(), copy, from));
        long now = System.nanoTime();
        if (now - lastAskedNanos >= ASK_NANOS) {
            lastAskedNanos = now;
            askForPeers.run();
        }
    }

    private void handle(Datagram datagram, Peer peer, SocketAddress from) {
        ByteBuffer body = datagram.body();
        long now = System.nanoTime();
        switch (datagram.kind()) {
            case HELLO -> {
                peer.cameFrom(from);
                peer.answer(from, Datagram.Kind.ANSWER, body);
                if (!peer.isReached()) {
                    peer.greet(now);
                }
            }
            case ANSWER -> {
                if (peer.answered(body, now)) {
                    LOG.debug("{}: {} is reached by datagrams", description, peer);
                    peers.countReached();
                    rings.reached(peer, now);
                    Peers.tellAwaited(peer, arrivals.announced());
                }
            }
            case AWAITED -> {
                while (body.hasRemaining()) {
                    rings.waits(peer, body.getInt(), body.get() != 0, now);
                }
            }
            case RING -> heardRing(peer, from, datagram);
            case WOKEN -> {
                peer.heard();
                rings.woken(peer, body.getLong(), body.getInt(), body.getInt());
            }
            case LOOKS -> looks.heard(peer, body, now);
        }
    }

    private void heardRing(Peer peer, SocketAddress from, Datagram ring) {
        int destinationId = ring.body().getInt();
        int count = ring.body().getInt();
        received.increment();
        int woken = held.heard(arrivals, destinationId, Math.max(0, count), count < 0);
        peer.answer(
                from,
                Datagram.Kind.WOKEN,
                ByteBuffer.allocate(Long.BYTES + 2 * Integer.BYTES)
                        .putLong(ring.counter())
                        .putInt(destinationId)
                        .putInt(woken)
                        .flip());
    }

    /** What is done now and then; returns in how many nanoseconds it is to be done again. */
    private long tick() {
        long now = System.nanoTime();
        long left = lastTickNanos + TICK_NANOS - now;
        readUnknown();
        if (left > 0) {
            return left;
        }
        lastTickNanos = now;
        peers.greet(now);
        Set<Peer> present = Set.copyOf(peers.all());
        rings.forget(present, now);
        looks.forget(present);
        looks.say(present, rings, now);
        if (now - lastToldNanos >= TELL_AGAIN_NANOS) {
            lastToldNanos = now;
            peers.tellAwaited(arrivals.announced());
        }
        return TICK_NANOS;
    }

    private void readUnknown() {
        List<Unknown> now =
                unknown.stream().filter(each -> peers.knows(each.sender())).toList();
        unknown.removeAll(now);
        now.forEach(each -> read(each.came(), each.from()));
    }

    /** Ends the thread and closes the socket. */
    @Override
    public void close() {
        closed = true;
        if (socket == null) {
            return;
        }
        socket.wakeUp();
        Thread receiving = thread;
        if (receiving != null) {
            try {
                receiving.join(CLOSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        socket.close();
    }
}
