package org.readpast.jms.engine;

import org.readpast.jms.codec.EncodedMessage;

/**
 * A message handed to a consumer.
 *
 * @param message its content, body read
 * @param deliveryCount JMSXDeliveryCount: 1 the first time (§3.5.11)
 * @param receivedMillis JMSXRcvTimestamp: when it was handed over, by this JVM's clock
 */
public record Delivery(EncodedMessage message, int deliveryCount, long receivedMillis) {

    /** JMSRedelivered (§3.4.7). */
    public boolean redelivered() {
        return deliveryCount > 1;
    }
}
