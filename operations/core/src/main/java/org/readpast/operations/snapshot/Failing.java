package org.readpast.operations.snapshot;

/**
 * Messages of a queue that were delivered before and not acknowledged.
 *
 * @param kind of the destination
 * @param queue its name
 * @param id {@code destination_id}
 * @param messages how many
 * @param attempts the most deliveries that one of them has had
 * @param jmsMessageId one of them
 */
public record Failing(String kind, String queue, int id, long messages, int attempts, String jmsMessageId) {}
