package org.readpast.jms.store;

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
     * @param targetId the dead-letter queue
     * @param properties the JSON that replaces its properties and says where it came from and why
     * @param deliveries how many it had
     */
    record DeadLetter(MessageKey key, int targetId, String properties, int deliveries) implements Redelivery {}
}
