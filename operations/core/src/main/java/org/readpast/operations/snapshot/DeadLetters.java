package org.readpast.operations.snapshot;

import java.time.Instant;

/**
 * Dead letters in a queue, of one origin.
 *
 * @param queue where they lie
 * @param id {@code destination_id} of it
 * @param origin the queue or subscription they come from; null where it is gone
 * @param messages how many, among the first 10,000 messages of the queue
 * @param recent how many of them came within ten minutes
 * @param oldestAt when the first came
 * @param newestAt when the last came
 */
public record DeadLetters(
        String queue, int id, String origin, long messages, long recent, Instant oldestAt, Instant newestAt) {}
