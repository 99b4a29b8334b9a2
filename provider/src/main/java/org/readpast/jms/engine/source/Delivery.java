package org.readpast.jms.engine.source;

import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.store.StoredMessage;

/**
 * A message handed to a consumer.
 *
 * @param message its content, body read
 * @param deliveryCount JMSXDeliveryCount: 1 the first time (§3.5.11)
 * @param receivedMillis JMSXRcvTimestamp: when it was handed over, by this JVM's clock
 */
public record Delivery(EncodedMessage message, int deliveryCount, long receivedMillis) {

    /** Of a message with its body, now. */
    public static Delivery of(StoredMessage message) {
        return new Delivery(message.message(), message.deliveryCount() + 1, System.currentTimeMillis());
    }
}
