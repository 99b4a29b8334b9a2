package org.readpast.jms.message;

import jakarta.jms.JMSException;
import java.util.Map;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.codec.PropertiesJson;

/** Makes of a message what is stored. */
public final class MessageEncoder {

    private MessageEncoder() {}

    /**
     * A snapshot of a message whose header the producer has set; the message may be changed afterwards (§3.9). A large body is not
     * copied for it.
     *
     * @throws jakarta.jms.MessageFormatException if there is not enough memory for its body
     * @throws jakarta.jms.InvalidDestinationException if JMSDestination or JMSReplyTo cannot be stored
     */
    public static EncodedMessage encode(JmsMessage message) throws JMSException {
        Map<String, Object> properties = message.properties().sent();
        String groupId = (String) properties.get(PropertyNames.GROUP_ID);
        return new EncodedMessage(
                message.getJMSMessageID(),
                Destinations.text(message.getJMSDestination(), "JMSDestination"),
                Destinations.text(message.getJMSReplyTo(), "JMSReplyTo"),
                message.getJMSCorrelationID(),
                message.getJMSType(),
                message.getJMSDeliveryMode(),
                message.getJMSPriority(),
                message.getJMSTimestamp(),
                message.getJMSExpiration(),
                message.getJMSDeliveryTime(),
                groupId,
                PropertiesJson.write(properties),
                message.kind(),
                body(message));
    }

    private static Body body(JmsMessage message) throws JMSException {
        try {
            return message.body();
        } catch (OutOfMemoryError e) {
            throw Unreadable.tooLarge(message, e);
        }
    }
}
