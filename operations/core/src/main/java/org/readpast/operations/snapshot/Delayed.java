package org.readpast.operations.snapshot;

import java.time.Instant;

/**
 * What of a queue waits for its time.
 *
 * @param kind of the destination
 * @param queue its name
 * @param id {@code destination_id}
 * @param delayed messages that are not due, or overdue, among the first 10,000 of all queues
 * @param held messages that an administrator holds, likewise
 * @param overdue how many have been due for more than 30 seconds
 * @param nextDueAt when the first is due; null where all are held
 */
public record Delayed(String kind, String queue, int id, long delayed, long held, long overdue, Instant nextDueAt) {}
