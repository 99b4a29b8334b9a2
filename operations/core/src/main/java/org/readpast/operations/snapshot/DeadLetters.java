package org.readpast.operations.snapshot;

import java.time.Instant;

/**
 * Dead letters in a queue, of one origin.
 *
 * @param queue where they lie
 * @param id {@code destination_id} of it
 * @param origin the queue or subscription they come from; null where it is gone
 * @param messages how many, among the first 10,000 messages of the queue
 * @param recent how many came within ten minutes, as far as they are among these or among the last 1,000 of a priority
 * @param oldestAt when the first came
 * @param newestAt when the last came, as far as it is among these
 */
public record DeadLetters(
        String queue, int id, String origin, long messages, long recent, Instant oldestAt, Instant newestAt) {}
