package org.readpast.jms.message;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.codec.MalformedJsonException;
import org.readpast.jms.codec.PropertiesJson;

/** The properties of one message (§3.5). Those of a received message are read from their JSON when first asked for. */
final class MessageProperties {

    /** The columns of a received message, until they are read. */
    private record Columns(String messageId, String json, String groupId) {}

    private Columns unread;
    private Map<String, Object> values = new LinkedHashMap<>();
    private boolean readOnly;

    /** Takes over the properties of a received message; a count or time of 0 is not shown. */
    void received(EncodedMessage message, int deliveryCount, long receivedMillis) {
        unread = new Columns(message.messageId(), message.properties(), message.groupId());
        readOnly = true;
        values = new LinkedHashMap<>();
        if (deliveryCount > 0) {
            values.put(PropertyNames.DELIVERY_COUNT, deliveryCount);
        }
        if (receivedMillis > 0) {
            values.put(PropertyNames.RECEIVE_TIMESTAMP, receivedMillis);
        }
    }

    /** Leaves an empty set that can be written (§3.5.7). */
    void clear() {
        unread = null;
        values = new LinkedHashMap<>();
        readOnly = false;
    }

    Object get(String name) throws MessageFormatException {
        return values().get(name);
    }

    boolean exists(String name) throws MessageFormatException {
        return values().containsKey(name);
    }

    Enumeration<String> names() throws MessageFormatException {
        return Collections.enumeration(List.copyOf(values().keySet()));
    }

    <T> T get(String name, Class<T> type) throws MessageFormatException {
        return Conversions.convert(values().get(name), type, "Property", name);
    }

    /**
     * Sets a property. The properties that a provider sets are left as they are, so that programs which copy all properties
     * of a received message to a new one go on working.
     */
    void set(String name, Object value) throws JMSException {
        PropertyNames.check(name);
        if (readOnly) {
            throw new MessageNotWriteableException(
                    "Property '" + name + "' of a received message is read-only; call clearProperties first");
        }
        if (!Conversions.isPropertyValue(value)) {
            throw Conversions.notHeld(value, "Property", name);
        }
        if (!PropertyNames.isSetByProvider(name)) {
            values.put(name, ofDefinedType(name, value));
        }
    }

    /** The JMSX properties an application sets have the types of Table 3-3, whichever way they were set. */
    private static Object ofDefinedType(String name, Object value) throws MessageFormatException {
        if (value == null) {
            return null;
        }
        return switch (name) {
            case PropertyNames.GROUP_ID -> Conversions.convert(value, String.class, "Property", name);
            case PropertyNames.GROUP_SEQ -> Conversions.convert(value, Integer.class, "Property", name);
            default -> value;
        };
    }

    /**
     * What is sent: all but what a provider sets on receive, and what has delayed the message, which would delay it again when it is sent
     * on.
     */
    Map<String, Object> sent() throws MessageFormatException {
        Map<String, Object> sent = new LinkedHashMap<>(values());
        sent.keySet().removeIf(name -> PropertyNames.isSetByProvider(name) || PropertyNames.isForScheduler(name));
        return sent;
    }

    private Map<String, Object> values() throws MessageFormatException {
        if (unread != null) {
            Map<String, Object> read = read(unread);
            read.putAll(values); // what is set on receive has the last word
            values = read;
            unread = null;
        }
        return values;
    }

    private static Map<String, Object> read(Columns columns) throws MessageFormatException {
        try {
            return PropertiesJson.read(columns.json(), columns.groupId());
        } catch (MalformedJsonException e) {
            throw Unreadable.because(
                    "The properties of message " + columns.messageId()
                            + " are not a JSON object; whoever wrote its row must correct them: " + e.getMessage(),
                    e);
        }
    }
}
