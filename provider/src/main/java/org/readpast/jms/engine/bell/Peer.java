package org.readpast.jms.engine.bell;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import org.readpast.jms.store.DatagramAddress;
import org.readpast.jms.store.Presence;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * Another JVM as this one sees it: by which of its addresses datagrams reach it. Whatever its row says, an address that has not answered
 * under the row's secret gets one datagram a second and no more. Thread-safe.
 */
final class Peer {

    private static final Logger LOG = Loggers.of(Peer.class);

    private static final SecureRandom RANDOM = new SecureRandom();

    private static final long LOADED_NANOS = System.nanoTime();

    /** Those of its row, and those that its own datagrams came from. */
    private static final int MOST_ADDRESSES = 8;

    private static final int NONCE_LENGTH = 16;

    private static final long HELLO_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long PATIENT_HELLO_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long KEEP_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** For how long an address that answered is believed to reach. */
    private static final long REACHED_NANOS = TimeUnit.SECONDS.toNanos(20);

    /** After this long nobody needs to wait for an answer any more before it is said that there is none. */
    private static final long TELL_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** So many rings in a row that it has not answered: it is not reached any more. */
    private static final int MOST_MISSED = 3;

    /** An address, and when it last got something that it need not answer. */
    private static final class Address {
        private final InetSocketAddress socket;
        private boolean greeted;
        private long greetedNanos;

        Address(InetSocketAddress socket) {
            this.socket = socket;
        }
    }

    /** A random number that somebody has to send back. */
    private record Nonce(ByteBuffer bytes, Address address) {}

    private final UUID id;
    private final Presence.Other row;
    private final UUID self;
    private final BellSocket socket;

    /** Signs under its secret. Guarded by this. */
    private final Mac mac;

    /**
     * Begins with the microseconds that have passed: above whatever this JVM has sent there before, where it took the other one for gone meanwhile.
     * Guarded by this.
     */
    private long counter = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - LOADED_NANOS);

    /** Guarded by this. */
    private final List<Address> addresses = new ArrayList<>();

    /** The latest. Guarded by this. */
    private final Deque<Nonce> nonces = new ArrayDeque<>();

    /** What it has sent. Used by the thread that receives. */
    private final ReplayWindow came = new ReplayWindow();

    /** Null where none has answered lately. */
    private volatile Address good;

    private volatile long answeredNanos;

    /** Guarded by this. */
    private int missed;

    /** When that was counted last. Guarded by this. */
    private long missedNanos;

    /** Since when it has not been reached, while it is not. Guarded by this. */
    private long silentSinceNanos = System.nanoTime();

    /** Guarded by this. */
    private boolean told;

    /**
     * @param row with an address
     * @param self the instance that sends
     */
    Peer(UUID id, Presence.Other row, UUID self, BellSocket socket) {
        this.id = id;
        this.row = row;
        this.self = self;
        this.socket = socket;
        DatagramAddress where = row.address();
        this.mac = Datagram.mac(where.secret());
        where.hosts().stream()
                .limit(HostAddresses.MOST)
                .flatMap(HostAddresses::literal)
                .forEach(host -> addresses.add(new Address(new InetSocketAddress(host, where.port()))));
    }

    UUID id() {
        return id;
    }

    /** The name of its row. */
    String instance() {
        return row.instance();
    }

    String host() {
        return row.host();
    }

    /** Whether datagrams reach it, as far as can be known. */
    boolean isReached() {
        return good != null && System.nanoTime() - answeredNanos < REACHED_NANOS;
    }

    /** Whether a datagram of this counter comes from it for the first time. Called by the thread that receives. */
    boolean accepts(long itsCounter) {
        return came.accepts(itsCounter);
    }

    /** Sends to the address that answered; returns the datagram's counter. */
    long send(Datagram.Kind kind, ByteBuffer body) {
        Address to = good;
        return to == null ? 0 : sendTo(to.socket, kind, body);
    }

    /** Answers what has just come from there, signed: one for one. */
    void answer(SocketAddress to, Datagram.Kind kind, ByteBuffer body) {
        sendTo(to, kind, body);
    }

    private synchronized long sendTo(SocketAddress to, Datagram.Kind kind, ByteBuffer body) {
        long next = ++counter;
        socket.send(Datagram.signed(kind, self, next, body, mac), to);
        return next;
    }

    /** It has sent something from there, signed: it may be reached there too, as behind an address that has changed. */
    synchronized void cameFrom(SocketAddress from) {
        if (from instanceof InetSocketAddress address
                && addresses.stream().noneMatch(known -> known.socket.equals(address))) {
            if (addresses.size() == MOST_ADDRESSES) {
                addresses.remove(addresses.size() - 1);
            }
            addresses.add(new Address(address));
        }
    }

    /** Asks its addresses for an answer, where it is time. */
    void greet(long now) {
        boolean reached = isReached();
        Address kept = good;
        List<Address> due = new ArrayList<>();
        synchronized (this) {
            long pause = reached ? KEEP_NANOS : pauseUntilReached(now);
            for (Address each : addresses) {
                if ((!reached || each == kept) && (!each.greeted || now - each.greetedNanos >= pause)) {
                    due.add(each);
                }
            }
        }
        for (Address each : due) {
            greet(each, now);
        }
    }

    private long pauseUntilReached(long now) {
        return now - silentSinceNanos < TELL_NANOS ? HELLO_NANOS : PATIENT_HELLO_NANOS;
    }

    private synchronized void greet(Address to, long now) {
        byte[] random = new byte[NONCE_LENGTH];
        RANDOM.nextBytes(random);
        to.greeted = true;
        to.greetedNanos = now;
        nonces.addLast(new Nonce(ByteBuffer.wrap(random), to));
        if (nonces.size() > 2 * MOST_ADDRESSES) {
            nonces.removeFirst();
        }
        sendTo(to.socket, Datagram.Kind.HELLO, ByteBuffer.wrap(random));
    }

    /**
     * An answer has come.
     *
     * @return whether it is reached now and was not before
     */
    synchronized boolean answered(ByteBuffer nonce, long now) {
        Nonce found = nonces.stream()
                .filter(each -> each.bytes().equals(nonce))
                .findFirst()
                .orElse(null);
        if (found == null) {
            return false;
        }
        nonces.remove(found);
        boolean before = isReached();
        if (!before) {
            good = found.address();
        }
        if (found.address() == good) {
            answeredNanos = now;
            missed = 0;
        }
        return !before;
    }

    /** It has answered a ring. */
    synchronized void heard() {
        missed = 0;
    }

    /**
     * It has not answered a ring in time. Those that were under way side by side count once, as one pause of its JVM keeps it from all of them.
     *
     * @param sentNanos when the ring was sent
     * @return whether it is given up for now
     */
    synchronized boolean missed(long sentNanos, long now) {
        if (missed == 0 || sentNanos - missedNanos >= 0) {
            missed++;
            missedNanos = now;
        }
        if (missed < MOST_MISSED || good == null) {
            return good == null;
        }
        good = null;
        silentSinceNanos = now;
        return true;
    }

    /** Says once if nothing gets through to it. */
    synchronized void tellIfSilent(long now, String here) {
        if (isReached()) {
            silentSinceNanos = now;
        } else if (!told && now - silentSinceNanos > TELL_NANOS) {
            told = true;
            LOG.warn(
                    "{}: no datagram is answered by the JVM on {} at {} (instance {}). Its consumers find what this JVM sends by"
                            + " looking for it, as without datagrams. Let UDP through to that port in both directions, or set"
                            + " the options 'datagramAddress', 'datagramAdvertised' and 'datagramPorts' there, so that it can be"
                            + " reached; the option 'datagrams' switches them off. Said once for each JVM",
                    here,
                    row.host(),
                    row.address(),
                    row.instance());
        }
    }

    /** For logs. */
    @Override
    public String toString() {
        return row.instance();
    }
}
