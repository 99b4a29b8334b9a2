package org.readpast.jms.tck.messages.foreign;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;

/** A message without a body, of nobody's provider. */
public class ForeignMessage implements Message {
    private final Map<String, Object> properties = new LinkedHashMap<>();
    private String messageId;
    private long timestamp;
    private String correlationId;
    private Destination replyTo;
    private Destination destination;
    private int deliveryMode;
    private boolean redelivered;
    private String type;
    private long expiration;
    private long deliveryTime;
    private int priority;

    /** The value as the class that is asked for; these messages convert nothing. */
    static <T> T cast(Object value, Class<T> type) throws MessageFormatException {
        if (!type.isInstance(value)) {
            throw new MessageFormatException("a foreign message converts nothing: " + value + " is no " + type);
        }
        return type.cast(value);
    }

    @Override
    public String getJMSMessageID() {
        return messageId;
    }

    @Override
    public void setJMSMessageID(String id) {
        this.messageId = id;
    }

    @Override
    public long getJMSTimestamp() {
        return timestamp;
    }

    @Override
    public void setJMSTimestamp(long timestamp) {
        this.timestamp = timestamp;
    }

    @Override
    public byte[] getJMSCorrelationIDAsBytes() {
        return correlationId == null ? null : correlationId.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void setJMSCorrelationIDAsBytes(byte[] id) {
        throw new UnsupportedOperationException("§3.4.5 leaves correlation ids in bytes to the provider");
    }

    @Override
    public String getJMSCorrelationID() {
        return correlationId;
    }

    @Override
    public void setJMSCorrelationID(String id) {
        this.correlationId = id;
    }

    @Override
    public Destination getJMSReplyTo() {
        return replyTo;
    }

    @Override
    public void setJMSReplyTo(Destination replyTo) {
        this.replyTo = replyTo;
    }

    @Override
    public Destination getJMSDestination() {
        return destination;
    }

    @Override
    public void setJMSDestination(Destination destination) {
        this.destination = destination;
    }

    @Override
    public int getJMSDeliveryMode() {
        return deliveryMode;
    }

    @Override
    public void setJMSDeliveryMode(int deliveryMode) {
        this.deliveryMode = deliveryMode;
    }

    @Override
    public boolean getJMSRedelivered() {
        return redelivered;
    }

    @Override
    public void setJMSRedelivered(boolean redelivered) {
        this.redelivered = redelivered;
    }

    @Override
    public String getJMSType() {
        return type;
    }

    @Override
    public void setJMSType(String type) {
        this.type = type;
    }

    @Override
    public long getJMSExpiration() {
        return expiration;
    }

    @Override
    public void setJMSExpiration(long expiration) {
        this.expiration = expiration;
    }

    @Override
    public long getJMSDeliveryTime() {
        return deliveryTime;
    }

    @Override
    public void setJMSDeliveryTime(long deliveryTime) {
        this.deliveryTime = deliveryTime;
    }

    @Override
    public int getJMSPriority() {
        return priority;
    }

    @Override
    public void setJMSPriority(int priority) {
        this.priority = priority;
    }

    @Override
    public void clearProperties() {
        properties.clear();
    }

    @Override
    public boolean propertyExists(String name) {
        return properties.containsKey(name);
    }

    @Override
    public boolean getBooleanProperty(String name) throws JMSException {
        return cast(properties.get(name), Boolean.class);
    }

    @Override
    public byte getByteProperty(String name) throws JMSException {
        return cast(properties.get(name), Byte.class);
    }

    @Override
    public short getShortProperty(String name) throws JMSException {
        return cast(properties.get(name), Short.class);
    }

    @Override
    public int getIntProperty(String name) throws JMSException {
        return cast(properties.get(name), Integer.class);
    }

    @Override
    public long getLongProperty(String name) throws JMSException {
        return cast(properties.get(name), Long.class);
    }

    @Override
    public float getFloatProperty(String name) throws JMSException {
        return cast(properties.get(name), Float.class);
    }

    @Override
    public double getDoubleProperty(String name) throws JMSException {
        return cast(properties.get(name), Double.class);
    }

    @Override
    public String getStringProperty(String name) {
        Object value = properties.get(name);
        return value == null ? null : value.toString();
    }

    @Override
    public Object getObjectProperty(String name) {
        return properties.get(name);
    }

    @Override
    public Enumeration<String> getPropertyNames() {
        return Collections.enumeration(properties.keySet());
    }

    @Override
    public void setBooleanProperty(String name, boolean value) {
        properties.put(name, value);
    }

    @Override
    public void setByteProperty(String name, byte value) {
        properties.put(name, value);
    }

    @Override
    public void setShortProperty(String name, short value) {
        properties.put(name, value);
    }

    @Override
    public void setIntProperty(String name, int value) {
        properties.put(name, value);
    }

    @Override
    public void setLongProperty(String name, long value) {
        properties.put(name, value);
    }

    @Override
    public void setFloatProperty(String name, float value) {
        properties.put(name, value);
    }

    @Override
    public void setDoubleProperty(String name, double value) {
        properties.put(name, value);
    }

    @Override
    public void setStringProperty(String name, String value) {
        properties.put(name, value);
    }

    @Override
    public void setObjectProperty(String name, Object value) {
        properties.put(name, value);
    }

    @Override
    public void acknowledge() {
        throw new UnsupportedOperationException("a message that is only sent is never acknowledged");
    }

    @Override
    public void clearBody() throws JMSException {
        // There is no body.
    }

    @Override
    public <T> T getBody(Class<T> type) throws JMSException {
        return null;
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public boolean isBodyAssignableTo(Class type) throws JMSException {
        return true;
    }
}
