package org.readpast.jms.store.jdbc.row;

import jakarta.jms.DeliveryMode;
import java.util.Map;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.codec.PropertiesJson;
import org.readpast.jms.selector.Values;
import org.readpast.jms.store.StoredMessage;

/** A stored message as a selector sees it (§3.8.1.1); its properties are parsed when the first one is asked for. */
public final class SelectorValues implements Values {

    private final StoredMessage stored;
    private Map<String, Object> properties;

    public SelectorValues(StoredMessage stored) {
        this.stored = stored;
    }

    @Override
    public Object get(String name) {
        EncodedMessage message = stored.message();
        return switch (name) {
            case "JMSMessageID" -> message.messageId();
            case "JMSCorrelationID" -> message.correlationId();
            case "JMSType" -> message.type();
            case "JMSPriority" -> message.priority();
            case "JMSTimestamp" -> message.timestamp();
            case "JMSDeliveryMode" ->
                message.deliveryMode() == DeliveryMode.PERSISTENT ? "PERSISTENT" : "NON_PERSISTENT";
            case "JMSXDeliveryCount" -> stored.deliveryCount() + 1;
            default -> property(name);
        };
    }

    private Object property(String name) {
        if (properties == null) {
            properties = PropertiesJson.of(stored.message());
        }
        return properties.get(name);
    }
}
