package org.readpast.jms.message;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
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
     * @throws MessageFormatException if a text in it is none that every database can hold
     * @throws jakarta.jms.InvalidDestinationException if JMSDestination or JMSReplyTo cannot be stored
     */
    public static EncodedMessage encode(JmsMessage message) throws JMSException {
        Map<String, Object> properties = message.properties().sent();
        String groupId = (String) properties.get(PropertyNames.GROUP_ID);
        return new EncodedMessage(
                message.getJMSMessageID(),
                Destinations.text(message.getJMSDestination(), "JMSDestination"),
                Destinations.text(message.getJMSReplyTo(), "JMSReplyTo"),
                columnText(message.getJMSCorrelationID(), "JMSCorrelationID"),
                columnText(message.getJMSType(), "JMSType"),
                message.getJMSDeliveryMode(),
                message.getJMSPriority(),
                message.getJMSTimestamp(),
                message.getJMSExpiration(),
                message.getJMSDeliveryTime(),
                columnText(groupId, PropertyNames.GROUP_ID),
                PropertiesJson.write(properties),
                message.kind(),
                body(message));
    }

    private static Body body(JmsMessage message) throws JMSException {
        Body body = written(message);
        if (body instanceof Body.Text text && hasLoneSurrogate(text.text())) {
            throw new MessageFormatException("The text of " + message
                    + " has half of a surrogate pair, which no Unicode encoding can hold; send it as a BytesMessage");
        }
        return body;
    }

    private static Body written(JmsMessage message) throws JMSException {
        try {
            return message.body();
        } catch (OutOfMemoryError e) {
            throw Unreadable.tooLarge(message, e);
        }
    }

    /** Not every database's text columns can hold NUL, and none half a surrogate pair; better refused than altered. */
    private static String columnText(String text, String name) throws MessageFormatException {
        if (text != null && (text.indexOf('\0') >= 0 || hasLoneSurrogate(text))) {
            throw new MessageFormatException(
                    name + " has a NUL or half of a surrogate pair, which a text column cannot hold");
        }
        return text;
    }

    private static boolean hasLoneSurrogate(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                if (i + 1 == text.length() || !Character.isSurrogatePair(c, text.charAt(i + 1))) {
                    return true;
                }
                i++;
            }
        }
        return false;
    }
}
