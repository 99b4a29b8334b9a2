package org.readpast.benchmarks.system;

import java.util.Random;

/** What is sent: a body, which is text or bytes, and perhaps a correlation id and a delay. Nobody changes the bytes. */
public final class Payload {

    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

    private final String text;
    private final byte[] bytes;
    private final String correlationId;
    private final long delayMillis;

    private Payload(String text, byte[] bytes, String correlationId, long delayMillis) {
        this.text = text;
        this.bytes = bytes;
        this.correlationId = correlationId;
        this.delayMillis = delayMillis;
    }

    /** Text of so many letters, chosen at random, so that nothing gains by compressing it. */
    public static Payload text(int length) {
        Random random = new Random(length);
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return text(text.toString());
    }

    public static Payload text(String text) {
        return new Payload(text, null, null, 0);
    }

    /** So many bytes at random. */
    public static Payload bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return new Payload(null, bytes, null, 0);
    }

    public Payload correlated(String id) {
        return new Payload(text, bytes, id, delayMillis);
    }

    public Payload delayed(long millis) {
        return new Payload(text, bytes, correlationId, millis);
    }

    /** The body; null if it is bytes. */
    public String text() {
        return text;
    }

    /** The body; null if it is text. */
    public byte[] bytes() {
        return bytes;
    }

    /** Null for none. */
    public String correlationId() {
        return correlationId;
    }

    /** 0 for none. */
    public long delayMillis() {
        return delayMillis;
    }
}
