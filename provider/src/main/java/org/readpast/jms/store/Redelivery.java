package org.readpast.jms.store;

import java.util.Map;

/** What becomes of a message that was delivered and not acknowledged; its delivery count is raised in every case. */
public sealed interface Redelivery {

    MessageKey key();

    /** It stays where it is and can be claimed again at once. */
    record AtOnce(MessageKey key) implements Redelivery {}

    /** It waits among the delayed messages. */
    record Delayed(MessageKey key, long delayMillis) implements Redelivery {}

    /**
     * It moves to another queue, as a message that is available at once and never expires, with a delivery count of 0.
     *
     * @param target the dead-letter queue
     * @param notes properties that it gets besides its own, which say where it came from and why
     * @param unreadable why its row cannot be read, which is noted elsewhere, and the row stays as it is; null if it can
     * @param deliveries how many it had
     * @param heldMillis for how long its last consumer has had it
     */
    record DeadLetter(
            MessageKey key,
            NamedQueue target,
            Map<String, Object> notes,
            String unreadable,
            int deliveries,
            int heldMillis)
            implements Redelivery {}
}
