package org.readpast.operations.messages;

import java.time.Instant;

/**
 * A message with its headers, its properties and the beginning of its body.
 *
 * @param message what it is
 * @param destination JMSDestination, as {@code queue://orders}
 * @param replyTo JMSReplyTo; null for none
 * @param isPersistent its delivery mode
 * @param deliveryTime before which it is not delivered, by the sender's clock; null for at once
 * @param expiration JMSExpiration, by the sender's clock; null for never
 * @param properties as JSON, cut; null for none
 * @param propertiesLength in characters, before they were cut
 * @param format of the body: 0 none, 1 bytes, 2 text in UTF-8, 3 text in UTF-16LE
 * @param body its first bytes; null for none. The array is the caller's
 */
@SuppressWarnings("ArrayRecordComponent")
public record MessageContent(
        StoredMessage message,
        String destination,
        String replyTo,
        boolean isPersistent,
        Instant deliveryTime,
        Instant expiration,
        String properties,
        long propertiesLength,
        int format,
        byte[] body) {}
