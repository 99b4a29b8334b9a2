package org.readpast.operations.snapshot;

import java.time.Instant;
import org.readpast.operations.database.Answer;

/**
 * What of a queue waits for its time. Of the messages of all queues together the first 10,000 to come due are counted, and apart from them
 * 10,000 that are held.
 *
 * @param kind of the destination
 * @param queue its name
 * @param id {@code destination_id}
 * @param delayed messages that are not due, or overdue
 * @param held messages that an administrator holds
 * @param overdue how many have been due for more than 30 seconds
 * @param nextDueAt when the first is due; null where none is delayed
 * @param isDelayedBounded whether there may be delayed messages, of any queue, behind those that were counted
 * @param isHeldBounded the same of held ones
 */
public record Delayed(
        String kind,
        String queue,
        int id,
        long delayed,
        long held,
        long overdue,
        Instant nextDueAt,
        boolean isDelayedBounded,
        boolean isHeldBounded) {

    /** How many delayed or held ones, of all queues, are counted. */
    static final int COUNTED = 10_000;

    /** Whether there may be delayed messages, of any queue, behind those that were counted. */
    public static boolean isDelayedMore(Answer<Delayed> all) {
        return all.rows().stream().anyMatch(Delayed::isDelayedBounded);
    }

    /** Whether there may be held messages, of any queue, behind those that were counted. */
    public static boolean isHeldMore(Answer<Delayed> all) {
        return all.rows().stream().anyMatch(Delayed::isHeldBounded);
    }
}
