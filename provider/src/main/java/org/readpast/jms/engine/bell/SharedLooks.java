package org.readpast.jms.engine.bell;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.zip.CRC32;

/**
 * Which of the JVMs that reach each other looks for messages for all of them, so that the others look seldom: of those that look at all, and as
 * often, the one with the least id. It says so twice a second to each, with a checksum of what it knows the other to wait for and of what is set for
 * queues; whoever waits for something else, keeps to something else, or hears nothing for two seconds, looks for itself, and so does one whose
 * lock it has seen free. So there is nothing to be agreed upon: where two look for all, both ring, and where none does, each looks. Thread-safe.
 */
final class SharedLooks {

    private static final long SAY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long BELIEVED_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** How long a look may take. */
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /**
     * What another JVM has said.
     *
     * @param ceilingMillis its longest pause between two looks
     * @param checksum of what it knows this JVM to wait for, and of what is set for queues
     * @param nanos when, by {@link System#nanoTime()}
     */
    private record Said(int ceilingMillis, int checksum, long nanos) {}

    private final int ceilingMillis;
    private final Map<Peer, Said> said = new ConcurrentHashMap<>();

    /** Null before the start. */
    private volatile UUID self;

    /** Written before {@link #self}. */
    private BooleanSupplier mayLead;

    /** Written before {@link #self}. */
    private IntSupplier settings;

    /** Those whose locks nobody holds. */
    private volatile Set<String> missing = Set.of();

    /** When a look last worked, by {@link System#nanoTime()}. */
    private volatile long lookedNanos;

    /** Used by the thread of the bell. */
    private long saidNanos = System.nanoTime() - SAY_NANOS;

    /** @param ceilingMillis the longest pause between two looks of this JVM */
    SharedLooks(long ceilingMillis) {
        this.ceilingMillis = (int) Math.min(Integer.MAX_VALUE, ceilingMillis);
        lookedNanos = System.nanoTime() - ceilingNanos() - LOOK_NANOS;
    }

    private long ceilingNanos() {
        return TimeUnit.MILLISECONDS.toNanos(ceilingMillis);
    }

    /**
     * @param instance of this JVM
     * @param may whether it may do for others what is to be done now and then
     * @param ofQueues a checksum of what it knows to be set for queues
     */
    void start(UUID instance, BooleanSupplier may, IntSupplier ofQueues) {
        mayLead = may;
        settings = ofQueues;
        self = instance;
    }

    /** Nobody holds the locks of these. */
    void missing(Collection<String> instances) {
        missing = Set.copyOf(instances);
    }

    /** Whether this JVM looks for all. */
    boolean leads() {
        long now = System.nanoTime();
        return self != null
                && now - lookedNanos < ceilingNanos() + LOOK_NANOS
                && mayLead.getAsBoolean()
                && said.entrySet().stream()
                        .noneMatch(each -> each.getKey().id().compareTo(self) < 0 && isEnough(each.getValue(), now));
    }

    /**
     * Whether another one looks for this JVM, and as often as this one would.
     *
     * @param awaited gives what consumers of this JVM wait for
     */
    boolean lookForThis(Supplier<Map<Integer, Boolean>> awaited) {
        if (said.isEmpty() || leads()) {
            return false;
        }
        long now = System.nanoTime();
        int checksum = checksum(awaited.get());
        return said.values().stream().anyMatch(each -> isEnough(each, now) && each.checksum() == checksum);
    }

    /** Whether it is believed, and looks as often as this JVM would. */
    private boolean isEnough(Said each, long now) {
        return now - each.nanos() < BELIEVED_NANOS && each.ceilingMillis() <= ceilingMillis;
    }

    /** Another JVM says that it looks for all. */
    void heard(Peer peer, ByteBuffer body, long now) {
        said.put(peer, new Said(body.getInt(), body.getInt(), now));
    }

    /** Says that this JVM looks for all, where it does and it is time. */
    void say(Collection<Peer> peers, Rings rings, long now) {
        if (now - saidNanos < SAY_NANOS || !leads()) {
            return;
        }
        saidNanos = now;
        Map<Peer, Map<Integer, Boolean>> awaited = rings.awaited();
        for (Peer peer : peers) {
            int checksum = checksum(awaited.getOrDefault(peer, Map.of()));
            peer.send(
                    Datagram.Kind.LOOKS,
                    ByteBuffer.allocate(2 * Integer.BYTES)
                            .putInt(ceilingMillis)
                            .putInt(missing.contains(peer.instance()) ? ~checksum : checksum)
                            .flip());
        }
    }

    /** Those are gone that are not among these. */
    void forget(Collection<Peer> present) {
        said.keySet().retainAll(present);
    }

    /** A look has worked. */
    void looked() {
        lookedNanos = System.nanoTime();
    }

    private int checksum(Map<Integer, Boolean> awaited) {
        ByteBuffer sorted = ByteBuffer.allocate(awaited.size() * (Integer.BYTES + 1) + Integer.BYTES);
        new TreeMap<>(awaited).forEach((id, all) -> sorted.putInt(id).put((byte) (all ? 1 : 0)));
        sorted.putInt(settings.getAsInt());
        CRC32 checksum = new CRC32();
        checksum.update(sorted.flip());
        return (int) checksum.getValue();
    }
}
