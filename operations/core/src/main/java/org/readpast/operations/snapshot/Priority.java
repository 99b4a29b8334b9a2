package org.readpast.operations.snapshot;

import java.time.Instant;

/**
 * Messages of one priority that wait in a queue.
 *
 * @param id {@code destination_id}
 * @param order 9 minus their priority, so that the least order is delivered first
 * @param firstMessageId {@code message_id} of the first of them
 * @param since when that one came
 * @param expiresAt when it expires; null for never
 */
public record Priority(int id, int order, long firstMessageId, Instant since, Instant expiresAt) {

    /** As JMS has it: 9 is the most urgent one. */
    public int priority() {
        return 9 - order;
    }
}
