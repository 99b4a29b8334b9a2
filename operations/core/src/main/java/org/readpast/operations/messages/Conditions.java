package org.readpast.operations.messages;

import java.time.Instant;

/**
 * Which messages of a queue a repair is for: those that meet all conditions that are not null. {@code sql/README.md} says what each means.
 *
 * @param jmsMessageId exactly this JMSMessageID
 * @param correlationId exactly this JMSCorrelationID
 * @param type exactly this JMSType
 * @param property has this property
 * @param propertyValue with this value, as text
 * @param sentBefore by the sender's clock
 * @param sentAfter by the sender's clock
 * @param minimumDeliveries delivered so often at the least
 * @param origin dead letters of this queue or subscription
 * @param state waiting, expired, delayed, claimed or held
 */
public record Conditions(
        String jmsMessageId,
        String correlationId,
        String type,
        String property,
        String propertyValue,
        Instant sentBefore,
        Instant sentAfter,
        Integer minimumDeliveries,
        String origin,
        String state) {

    /** All messages. */
    public static Conditions none() {
        return new Conditions(null, null, null, null, null, null, null, null, null, null);
    }

    /** The same conditions for messages in this state; null for those that wait. */
    public Conditions withState(String other) {
        return new Conditions(
                jmsMessageId,
                correlationId,
                type,
                property,
                propertyValue,
                sentBefore,
                sentAfter,
                minimumDeliveries,
                origin,
                other);
    }
}
