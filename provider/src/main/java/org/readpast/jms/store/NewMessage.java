package org.readpast.jms.store;

import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.EncodedMessage;

/**
 * A message to be stored. Durations count from {@code sentNanos}, the moment of {@code send} (§6.2.9.4, §7.8), and not from
 * the commit that may come much later; the store subtracts what has passed and lets the database's clock add the rest.
 *
 * @param destinationId the queue to put it into, or the topic to publish it to
 * @param message its content; null once it is stored
 * @param timeToLiveMillis milliseconds until it expires, 0 for never
 * @param deliveryDelayMillis milliseconds until it may be delivered, 0 for at once
 * @param sentNanos {@link System#nanoTime()} at {@code send}
 * @param publication for a topic; null for a queue
 */
public record NewMessage(
        int destinationId,
        EncodedMessage message,
        long timeToLiveMillis,
        long deliveryDelayMillis,
        long sentNanos,
        Publication publication) {

    /** What a message takes beside its body and its properties, about. */
    private static final long HEADERS = 512;

    /** A message for a queue. */
    public NewMessage(
            int destinationId,
            EncodedMessage message,
            long timeToLiveMillis,
            long deliveryDelayMillis,
            long sentNanos) {
        this(destinationId, message, timeToLiveMillis, deliveryDelayMillis, sentNanos, null);
    }

    /** What the engine needs of it when it is stored already. */
    public NewMessage withoutContent() {
        return new NewMessage(destinationId, null, timeToLiveMillis, deliveryDelayMillis, sentNanos, publication);
    }

    /** How many bytes of memory it takes, about. */
    public long bytes() {
        return HEADERS + bytes(message.properties()) + bytes(message.body());
    }

    private static long bytes(Body body) {
        if (body instanceof Body.Text text) {
            return bytes(text.text());
        }
        return body instanceof Body.Binary binary ? binary.bytes().length : 0;
    }

    /** Two bytes a character, as in memory and in SQL Server. */
    private static long bytes(String text) {
        return text == null ? 0 : 2L * text.length();
    }
}
