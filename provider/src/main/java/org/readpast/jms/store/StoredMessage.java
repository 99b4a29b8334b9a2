package org.readpast.jms.store;

import org.readpast.jms.codec.EncodedMessage;

/**
 * A message as it was read from the table.
 *
 * @param key where it stands
 * @param message its content; its body may be a {@link org.readpast.jms.codec.Body.Deferred}
 * @param deliveryCount how often it was delivered before and came back; 0 for a new message
 */
public record StoredMessage(MessageKey key, EncodedMessage message, int deliveryCount) {}
