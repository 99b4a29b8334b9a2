package org.readpast.jms.jms;

import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;

/**
 * How a message is to be sent (§7.4): the settings of a producer, some of which a send may override. Immutable.
 *
 * @param deliveryMode {@link DeliveryMode#PERSISTENT} or {@link DeliveryMode#NON_PERSISTENT}
 * @param priority 0 to 9
 * @param timeToLive milliseconds, 0 for ever
 * @param deliveryDelay milliseconds, 0 for none
 * @param withoutId whether the message may go without JMSMessageID (§3.4.3)
 * @param withoutTimestamp whether the message may go without JMSTimestamp (§3.4.4)
 */
record Quality(
        int deliveryMode,
        int priority,
        long timeToLive,
        long deliveryDelay,
        boolean withoutId,
        boolean withoutTimestamp) {

    static final Quality DEFAULT = new Quality(
            Message.DEFAULT_DELIVERY_MODE,
            Message.DEFAULT_PRIORITY,
            Message.DEFAULT_TIME_TO_LIVE,
            Message.DEFAULT_DELIVERY_DELAY,
            false,
            false);

    /** @throws JMSException if it is neither PERSISTENT nor NON_PERSISTENT */
    Quality withDeliveryMode(int mode) throws JMSException {
        if (mode != DeliveryMode.PERSISTENT && mode != DeliveryMode.NON_PERSISTENT) {
            throw new JMSException("There is no delivery mode " + mode + "; use DeliveryMode.PERSISTENT ("
                    + DeliveryMode.PERSISTENT + ") or NON_PERSISTENT (" + DeliveryMode.NON_PERSISTENT + ")");
        }
        return new Quality(mode, priority, timeToLive, deliveryDelay, withoutId, withoutTimestamp);
    }

    /** @throws JMSException if it is not 0 to 9 */
    Quality withPriority(int newPriority) throws JMSException {
        if (newPriority < 0 || newPriority > 9) {
            throw new JMSException("There is no priority " + newPriority + "; it must be 0 to 9");
        }
        return new Quality(deliveryMode, newPriority, timeToLive, deliveryDelay, withoutId, withoutTimestamp);
    }

    /** @throws JMSException if it is negative */
    Quality withTimeToLive(long millis) throws JMSException {
        if (millis < 0) {
            throw new JMSException("The time to live is " + millis + " ms; it must not be negative, and 0 is for ever");
        }
        return new Quality(deliveryMode, priority, millis, deliveryDelay, withoutId, withoutTimestamp);
    }

    /** @throws JMSException if it is negative */
    Quality withDeliveryDelay(long millis) throws JMSException {
        if (millis < 0) {
            throw new JMSException("The delivery delay is " + millis + " ms; it must not be negative");
        }
        return new Quality(deliveryMode, priority, timeToLive, millis, withoutId, withoutTimestamp);
    }

    Quality withoutId(boolean disabled) {
        return new Quality(deliveryMode, priority, timeToLive, deliveryDelay, disabled, withoutTimestamp);
    }

    Quality withoutTimestamp(boolean disabled) {
        return new Quality(deliveryMode, priority, timeToLive, deliveryDelay, withoutId, disabled);
    }
}
