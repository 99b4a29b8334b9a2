package org.readpast.jms.jms;

import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import java.io.Serializable;
import java.util.Map;
import java.util.Set;
import org.readpast.jms.destination.ReadpastDestination;

/**
 * A producer of the simplified API (§7.10): the classic one with its exceptions unchecked, and properties and headers, chained. Used by one
 * thread at a time.
 */
final class JmsContextProducer implements JMSProducer {

    private final JmsSession session;
    private final JmsProducer producer;
    private final MessageTemplate template = new MessageTemplate();
    private CompletionListener async;

    JmsContextProducer(JmsSession session) throws JMSException {
        this.session = session;
        this.producer = session.createProducer(null);
    }

    @Override
    public JMSProducer send(Destination destination, Message message) {
        return chained(() -> {
            ReadpastDestination ours = Destinations.target(destination);
            if (message != null) {
                template.applyTo(message);
            }
            if (async == null) {
                producer.send(ours, message);
            } else {
                producer.send(ours, message, async);
            }
        });
    }

    @Override
    public JMSProducer send(Destination destination, String body) {
        return send(destination, Unchecked.get(() -> session.createTextMessage(body)));
    }

    @Override
    public JMSProducer send(Destination destination, Map<String, Object> body) {
        return send(destination, Unchecked.get(() -> {
            MapMessage message = session.createMapMessage();
            if (body != null) {
                for (Map.Entry<String, Object> entry : body.entrySet()) {
                    message.setObject(entry.getKey(), entry.getValue());
                }
            }
            return message;
        }));
    }

    @Override
    public JMSProducer send(Destination destination, byte[] body) {
        return send(destination, Unchecked.get(() -> {
            BytesMessage message = session.createBytesMessage();
            if (body != null) {
                message.writeBytes(body);
            }
            return message;
        }));
    }

    @Override
    public JMSProducer send(Destination destination, Serializable body) {
        return send(destination, Unchecked.get(() -> session.createObjectMessage(body)));
    }

    @Override
    public JMSProducer setAsync(CompletionListener completionListener) {
        return chained(() -> async = completionListener);
    }

    @Override
    public CompletionListener getAsync() {
        return got(() -> async);
    }

    // Settings (§7.4)

    @Override
    public JMSProducer setDisableMessageID(boolean value) {
        return chained(() -> producer.setDisableMessageID(value));
    }

    @Override
    public boolean getDisableMessageID() {
        return got(producer::getDisableMessageID);
    }

    @Override
    public JMSProducer setDisableMessageTimestamp(boolean value) {
        return chained(() -> producer.setDisableMessageTimestamp(value));
    }

    @Override
    public boolean getDisableMessageTimestamp() {
        return got(producer::getDisableMessageTimestamp);
    }

    @Override
    public JMSProducer setDeliveryMode(int deliveryMode) {
        return chained(() -> producer.setDeliveryMode(deliveryMode));
    }

    @Override
    public int getDeliveryMode() {
        return got(producer::getDeliveryMode);
    }

    @Override
    public JMSProducer setPriority(int priority) {
        return chained(() -> producer.setPriority(priority));
    }

    @Override
    public int getPriority() {
        return got(producer::getPriority);
    }

    @Override
    public JMSProducer setTimeToLive(long timeToLive) {
        return chained(() -> producer.setTimeToLive(timeToLive));
    }

    @Override
    public long getTimeToLive() {
        return got(producer::getTimeToLive);
    }

    @Override
    public JMSProducer setDeliveryDelay(long deliveryDelay) {
        return chained(() -> producer.setDeliveryDelay(deliveryDelay));
    }

    @Override
    public long getDeliveryDelay() {
        return got(producer::getDeliveryDelay);
    }

    // Properties (§7.5)

    @Override
    public JMSProducer setProperty(String name, boolean value) {
        return chained(() -> template.held().setBooleanProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, byte value) {
        return chained(() -> template.held().setByteProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, short value) {
        return chained(() -> template.held().setShortProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, int value) {
        return chained(() -> template.held().setIntProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, long value) {
        return chained(() -> template.held().setLongProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, float value) {
        return chained(() -> template.held().setFloatProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, double value) {
        return chained(() -> template.held().setDoubleProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, String value) {
        return chained(() -> template.held().setStringProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, Object value) {
        return chained(() -> template.held().setObjectProperty(name, value));
    }

    @Override
    public JMSProducer clearProperties() {
        return chained(() -> template.held().clearProperties());
    }

    @Override
    public boolean propertyExists(String name) {
        return got(() -> template.held().propertyExists(name));
    }

    @Override
    public boolean getBooleanProperty(String name) {
        return got(() -> template.held().getBooleanProperty(name));
    }

    @Override
    public byte getByteProperty(String name) {
        return got(() -> template.held().getByteProperty(name));
    }

    @Override
    public short getShortProperty(String name) {
        return got(() -> template.held().getShortProperty(name));
    }

    @Override
    public int getIntProperty(String name) {
        return got(() -> template.held().getIntProperty(name));
    }

    @Override
    public long getLongProperty(String name) {
        return got(() -> template.held().getLongProperty(name));
    }

    @Override
    public float getFloatProperty(String name) {
        return got(() -> template.held().getFloatProperty(name));
    }

    @Override
    public double getDoubleProperty(String name) {
        return got(() -> template.held().getDoubleProperty(name));
    }

    @Override
    public String getStringProperty(String name) {
        return got(() -> template.held().getStringProperty(name));
    }

    @Override
    public Object getObjectProperty(String name) {
        return got(() -> template.held().getObjectProperty(name));
    }

    @Override
    public Set<String> getPropertyNames() {
        return got(template::propertyNames);
    }

    // Headers (§7.6)

    @Override
    public JMSProducer setJMSCorrelationIDAsBytes(byte[] correlationID) {
        return chained(() -> template.held().setJMSCorrelationIDAsBytes(correlationID));
    }

    @Override
    public byte[] getJMSCorrelationIDAsBytes() {
        return got(() -> template.held().getJMSCorrelationIDAsBytes());
    }

    @Override
    public JMSProducer setJMSCorrelationID(String correlationID) {
        return chained(() -> template.held().setJMSCorrelationID(correlationID));
    }

    @Override
    public String getJMSCorrelationID() {
        return got(() -> template.held().getJMSCorrelationID());
    }

    @Override
    public JMSProducer setJMSType(String type) {
        return chained(() -> template.held().setJMSType(type));
    }

    @Override
    public String getJMSType() {
        return got(() -> template.held().getJMSType());
    }

    @Override
    public JMSProducer setJMSReplyTo(Destination replyTo) {
        return chained(() -> template.held().setJMSReplyTo(replyTo));
    }

    @Override
    public Destination getJMSReplyTo() {
        return got(() -> template.held().getJMSReplyTo());
    }

    private JMSProducer chained(Unchecked.Action action) {
        Unchecked.run(() -> {
            session.checkOpen();
            action.run();
        });
        return this;
    }

    private <T> T got(Unchecked.Call<T> value) {
        return Unchecked.get(() -> {
            session.checkOpen();
            return value.get();
        });
    }
}
