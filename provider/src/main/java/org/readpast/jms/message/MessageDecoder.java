package org.readpast.jms.message;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import java.util.Map;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.codec.PropertiesJson;

/** Makes of what was stored the message that a consumer receives. */
public final class MessageDecoder {

    private MessageDecoder() {}

    /**
     * A message whose properties and body are read-only until cleared (§3.10). JSON is parsed, and objects are deserialized, when
     * they are first asked for; the bytes of a body are read in place. A row that is no message becomes a BytesMessage with the bytes of
     * its body, as far as there are any, and the reason in the property {@code JMS_READPAST_Unreadable}.
     *
     * @param message what was stored, its body read
     * @param deliveryCount JMSXDeliveryCount, 1 for the first delivery; 0 for a message without that property
     * @param receivedMillis JMSXRcvTimestamp in milliseconds since the epoch; 0 for a message without that property
     * @param trust what {@code getObject} of an object message may deserialize
     * @param acknowledger what the message passes its own acknowledgement to, or null for nothing
     * @throws MessageFormatException if the stored body is none of a message of its kind
     */
    public static JmsMessage decode(
            EncodedMessage message,
            int deliveryCount,
            long receivedMillis,
            ObjectTrust trust,
            Acknowledger acknowledger)
            throws JMSException {
        if (message.body() instanceof Body.Unreadable row) {
            JmsMessage shown = JmsBytesMessage.received(row.bytes());
            shown.received(withReason(message, row.reason()), deliveryCount, receivedMillis, acknowledger);
            return shown;
        }
        JmsMessage decoded = switch (message.kind()) {
            case MESSAGE -> new JmsMessage();
            case TEXT -> new JmsTextMessage(text(message));
            case MAP -> new JmsMapMessage(text(message));
            case STREAM -> new JmsStreamMessage(text(message));
            case OBJECT -> new JmsObjectMessage(bytes(message), trust);
            case BYTES -> JmsBytesMessage.received(bytes(message));
        };
        decoded.received(message, deliveryCount, receivedMillis, acknowledger);
        return decoded;
    }

    private static EncodedMessage withReason(EncodedMessage message, String reason) {
        Map<String, Object> properties = PropertiesJson.read(message.properties());
        properties.put(PropertyNames.UNREADABLE, reason);
        return message.withProperties(PropertiesJson.write(properties));
    }

    private static String text(EncodedMessage message) throws MessageFormatException {
        if (message.body() instanceof Body.Text text) {
            return text.text();
        }
        checkEmpty(message);
        return null;
    }

    private static byte[] bytes(EncodedMessage message) throws MessageFormatException {
        if (message.body() instanceof Body.Binary binary) {
            return binary.bytes();
        }
        checkEmpty(message);
        return null;
    }

    private static void checkEmpty(EncodedMessage message) throws MessageFormatException {
        if (!(message.body() instanceof Body.Empty)) {
            throw new MessageFormatException(message + " has no body of its kind but a "
                    + message.body().getClass().getSimpleName());
        }
    }
}
