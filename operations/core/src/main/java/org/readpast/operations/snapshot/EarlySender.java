package org.readpast.operations.snapshot;

import java.time.Duration;

/**
 * A message that says that it was sent later than it arrived.
 *
 * @param kind of the destination
 * @param queue its name
 * @param jmsMessageId the message
 * @param ahead how far its sender's clock is ahead, at the least
 */
public record EarlySender(String kind, String queue, String jmsMessageId, Duration ahead) {}
