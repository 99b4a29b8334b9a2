package org.readpast.jms.codec;

/**
 * A message as the columns of the table hold it: immutable, independent of the sender's object and of
 * {@code jakarta.jms.Message}.
 *
 * @param messageId JMSMessageID with its {@code ID:} prefix, or null where the sender disabled it
 * @param destination JMSDestination in its text form, such as {@code queue://orders}
 * @param replyTo JMSReplyTo in its text form, or null
 * @param correlationId JMSCorrelationID, or null
 * @param type JMSType, or null
 * @param deliveryMode {@link jakarta.jms.DeliveryMode#PERSISTENT} or {@link jakarta.jms.DeliveryMode#NON_PERSISTENT}
 * @param priority JMSPriority, 0 to 9
 * @param timestamp JMSTimestamp in milliseconds since the epoch by the sender's clock, 0 where disabled
 * @param expiration JMSExpiration in milliseconds since the epoch by the sender's clock, 0 for never
 * @param deliveryTime JMSDeliveryTime in milliseconds since the epoch by the sender's clock
 * @param groupId the property JMSXGroupID, or null
 * @param properties the application's properties as JSON, or null where there are none
 * @param kind the message type
 * @param body the body
 */
public record EncodedMessage(
        String messageId,
        String destination,
        String replyTo,
        String correlationId,
        String type,
        int deliveryMode,
        int priority,
        long timestamp,
        long expiration,
        long deliveryTime,
        String groupId,
        String properties,
        BodyKind kind,
        Body body) {

    /** The same message for another destination, as a copy of one that was sent to several. */
    public EncodedMessage withDestination(String other) {
        return new EncodedMessage(
                messageId,
                other,
                replyTo,
                correlationId,
                type,
                deliveryMode,
                priority,
                timestamp,
                expiration,
                deliveryTime,
                groupId,
                properties,
                kind,
                body);
    }

    /** The same message with another body: the one a {@link Body.Deferred} stood for. */
    public EncodedMessage withBody(Body other) {
        return new EncodedMessage(
                messageId,
                destination,
                replyTo,
                correlationId,
                type,
                deliveryMode,
                priority,
                timestamp,
                expiration,
                deliveryTime,
                groupId,
                properties,
                kind,
                other);
    }

    /** The same message without body and properties. */
    public EncodedMessage header() {
        return withBody(Body.EMPTY).withProperties(null);
    }

    /** The same message with other properties. */
    public EncodedMessage withProperties(String other) {
        return new EncodedMessage(
                messageId,
                destination,
                replyTo,
                correlationId,
                type,
                deliveryMode,
                priority,
                timestamp,
                expiration,
                deliveryTime,
                groupId,
                other,
                kind,
                body);
    }

    /** Header and size only: properties and body are the application's secrets. */
    @Override
    public String toString() {
        return "EncodedMessage[" + Shown.inOneLine(messageId + " to " + destination) + ", " + kind + "]";
    }
}
