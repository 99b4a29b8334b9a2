package org.readpast.jms.engine;

import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.StoredMessage;

/**
 * A message that was delivered and is not yet acknowledged.
 *
 * @param key where it stands
 * @param deliveryCount how often it had been delivered before
 * @param header its content without the body
 */
record Taken(MessageKey key, int deliveryCount, EncodedMessage header) {

    static Taken of(StoredMessage message) {
        return new Taken(
                message.key(), message.deliveryCount(), message.message().withBody(Body.EMPTY));
    }
}
