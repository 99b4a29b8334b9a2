package org.readpast.operations.messages;

import java.time.Instant;

/**
 * A message as it lies in a queue, without its body.
 *
 * @param place by which it is found again
 * @param state waiting, expired, delayed, claimed or held. A message that is in somebody's transaction is waiting
 * @param jmsMessageId null for a message without
 * @param type JMSType; null for none
 * @param correlationId null for none
 * @param group JMSXGroupID; null for none
 * @param sentAt by the sender's clock
 * @param enqueuedAt when it came into the queue, by the database's clock, like all that follow
 * @param expiresAt null for never
 * @param deliveries how often it was delivered
 * @param kind of the body
 * @param bodyLength in bytes
 * @param isDead whether it is a dead letter
 * @param origin the queue or subscription that a dead letter comes from; null where it is gone
 * @param properties as JSON, of dead letters alone and only where they are short; else null
 * @param worker who has claimed it by lease, else null
 * @param heldAt since when it is held, else null
 * @param claimedAt since when it is claimed by lease, else null
 */
public record StoredMessage(
        Place place,
        String state,
        String jmsMessageId,
        String type,
        String correlationId,
        String group,
        Instant sentAt,
        Instant enqueuedAt,
        Instant expiresAt,
        int deliveries,
        Kind kind,
        long bodyLength,
        boolean isDead,
        String origin,
        String properties,
        String worker,
        Instant heldAt,
        Instant claimedAt) {

    /** What kind of body a message has. */
    public enum Kind {
        /** No body. */
        NONE,
        /** Text. */
        TEXT,
        /** Bytes. */
        BYTES,
        /** Names and values, stored as JSON. */
        MAP,
        /** Values, stored as JSON. */
        STREAM,
        /** A serialized object, as bytes. */
        OBJECT,
        /** One that this release does not know. */
        OTHER;

        static Kind of(int number) {
            return switch (number) {
                case 0 -> NONE;
                case 1 -> TEXT;
                case 2 -> BYTES;
                case 3 -> MAP;
                case 4 -> STREAM;
                case 5 -> OBJECT;
                default -> OTHER;
            };
        }
    }

    /**
     * The key of a message's row: a page begins behind one.
     *
     * @param priority 9 minus JMSPriority
     * @param id {@code message_id}
     * @param dueAt when it is due, of one that is delayed, held or claimed by lease; null for one that waits
     */
    public record Place(int priority, long id, Instant dueAt) {}
}
