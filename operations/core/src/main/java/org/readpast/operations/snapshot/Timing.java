package org.readpast.operations.snapshot;

/**
 * How long the messages of a queue took that were completed within the last hour, in milliseconds, where it keeps a history. Times are
 * null where it is not known when they were claimed.
 *
 * @param queue its name
 * @param id {@code destination_id}
 * @param messages how many were completed
 * @param waitAverage from the send to the claim
 * @param waitP95 the longest of 95 of a hundred
 * @param waitP99 the longest of 99 of a hundred
 * @param workAverage from the claim to the acknowledgement
 * @param workP95 likewise
 * @param workP99 likewise
 */
public record Timing(
        String queue,
        int id,
        long messages,
        Long waitAverage,
        Long waitP95,
        Long waitP99,
        Long workAverage,
        Long workP95,
        Long workP99) {}
