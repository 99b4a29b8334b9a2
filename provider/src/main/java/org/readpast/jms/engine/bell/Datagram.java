package org.readpast.jms.engine.bell;

import java.nio.ByteBuffer;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What goes over the network: four bytes that say what it is, the sender's instance, its counter, a body, and an HMAC-SHA256 of all that
 * under the receiver's secret. Numbers are in network order. No name of a destination and no secret is in it. Immutable.
 *
 * @param kind what the body is
 * @param sender the instance that it says it is from
 * @param counter grows with each datagram from this sender to this receiver, and is above 0
 * @param body of a known length for its kind
 * @param signed whether the receiver's secret has signed it
 */
record Datagram(Kind kind, UUID sender, long counter, ByteBuffer body, boolean signed) {

    /** Shorter than what networks carry in one piece. */
    static final int LONGEST = 1_200;

    /** What a datagram says. */
    enum Kind {
        /** Whoever gets this is to answer it. Body: a random number of 16 bytes. */
        HELLO(1, 2 * Long.BYTES, 1),
        /** The answer. Body: the random number. */
        ANSWER(2, 2 * Long.BYTES, 1),
        /** What the sender's consumers wait for. Body: for each destination its id, 4 bytes, and 1 if all are to be told, else 0. */
        AWAITED(3, Integer.BYTES + 1, 0),
        /** Messages have come. Body: the destination's id, and how many, 0 for some, -1 for some that a look has found; 4 bytes each. */
        RING(4, 2 * Integer.BYTES, 1),
        /** Consumers were woken. Body: the counter of the ring, 8 bytes, the destination's id and how many, 4 bytes each. */
        WOKEN(5, Long.BYTES + 2 * Integer.BYTES, 1),
        /**
         * The sender looks for messages for all. Body: its longest pause between two looks in milliseconds, and a checksum of what it knows
         * the receiver to wait for and of what is set for queues; 4 bytes each.
         */
        LOOKS(6, 2 * Integer.BYTES, 1);

        private final int code;
        private final int part;

        /** How many parts its body has; 0 for as many as it has. */
        private final int parts;

        Kind(int code, int part, int parts) {
            this.code = code;
            this.part = part;
            this.parts = parts;
        }

        private boolean fits(int length) {
            return length % part == 0 && (parts == 0 || length == parts * part);
        }
    }

    private static final String ALGORITHM = "HmacSHA256";
    private static final int MAC_LENGTH = 32;
    private static final int MAGIC = 0x52_50_01_00;
    private static final int HEADER = Integer.BYTES + 3 * Long.BYTES;

    /** How long a body may be. */
    static final int LONGEST_BODY = LONGEST - HEADER - MAC_LENGTH;

    private static final Map<Integer, Kind> KINDS =
            Stream.of(Kind.values()).collect(Collectors.toUnmodifiableMap(kind -> kind.code, kind -> kind));

    /** What signs and checks under a secret. Not thread-safe. */
    static Mac mac(String secret) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret), ALGORITHM));
            return mac;
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("Every Java platform has " + ALGORITHM, e);
        }
    }

    /** Ready to be sent. */
    static ByteBuffer signed(Kind kind, UUID sender, long counter, ByteBuffer body, Mac mac) {
        ByteBuffer datagram = ByteBuffer.allocate(HEADER + body.remaining() + MAC_LENGTH);
        datagram.putInt(MAGIC | kind.code)
                .putLong(sender.getMostSignificantBits())
                .putLong(sender.getLeastSignificantBits())
                .putLong(counter)
                .put(body);
        mac.update(datagram.array(), 0, datagram.position());
        return datagram.put(mac.doFinal()).flip();
    }

    /**
     * Reads what has come, whoever it is from.
     *
     * @param isKnown whether a sender is known: nothing is computed for others
     * @return null if it is no datagram of ours
     */
    static Datagram read(ByteBuffer came, Mac mac, Predicate<UUID> isKnown) {
        int length = came.remaining();
        if (length < HEADER + MAC_LENGTH || length > LONGEST) {
            return null;
        }
        byte[] all = new byte[length];
        came.duplicate().get(all);
        int what = came.getInt(0);
        Kind kind = KINDS.get(what & 0xFF);
        int end = length - MAC_LENGTH;
        if ((what & ~0xFF) != MAGIC || kind == null || !kind.fits(end - HEADER)) {
            return null;
        }
        UUID sender = new UUID(came.getLong(Integer.BYTES), came.getLong(Integer.BYTES + Long.BYTES));
        long counter = came.getLong(Integer.BYTES + 2 * Long.BYTES);
        return new Datagram(
                kind,
                sender,
                counter,
                ByteBuffer.wrap(Arrays.copyOfRange(all, HEADER, end)),
                isKnown.test(sender) && isSigned(all, end, mac));
    }

    private static boolean isSigned(byte[] all, int end, Mac mac) {
        byte[] told = Arrays.copyOfRange(all, end, end + MAC_LENGTH);
        mac.update(all, 0, end);
        return MessageDigest.isEqual(told, mac.doFinal());
    }
}
