package org.readpast.jms.store;

import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.EncodedMessage;

/**
 * A message as it was read from the table.
 *
 * @param key where it stands
 * @param message its content; its body may be a {@link Body.Deferred}
 * @param deliveryCount how often it was delivered before and came back; 0 for a new message
 */
public record StoredMessage(MessageKey key, EncodedMessage message, int deliveryCount) {

    /** Whether its body has yet to be read. */
    public boolean lacksBody() {
        return message.body() instanceof Body.Deferred;
    }

    /** The same with its body read. */
    public StoredMessage withBody(Body body) {
        return new StoredMessage(key, message.withBody(body), deliveryCount);
    }
}
