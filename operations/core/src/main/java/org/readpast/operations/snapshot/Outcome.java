package org.readpast.operations.snapshot;

/**
 * What became of a queue's messages within the last hour, where it keeps a history.
 *
 * @param kind of the destination
 * @param queue its name
 * @param id {@code destination_id}
 * @param completed how many were acknowledged
 * @param deadLetters how many became dead letters
 * @param expired how many expired
 */
public record Outcome(String kind, String queue, int id, long completed, long deadLetters, long expired) {}
