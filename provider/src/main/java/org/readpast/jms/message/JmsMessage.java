package org.readpast.jms.message;

import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import java.util.Enumeration;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.BodyKind;
import org.readpast.jms.codec.CorrelationId;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.codec.Shown;

/**
 * A message with header and properties (§3). By itself it is one without a body; the other five kinds extend it. Not
 * thread-safe, as sessions are not (§2.14).
 */
public sealed class JmsMessage implements Message
        permits JmsTextMessage, JmsBytesMessage, JmsMapMessage, JmsStreamMessage, JmsObjectMessage {

    private final MessageProperties properties = new MessageProperties();
    private String messageId;
    private long timestamp;
    private String correlationId;
    private Destination replyTo;
    private Destination destination;
    // As they were stored, until they are asked for: one that was written wrongly by hand must not make its message
    // unreceivable.
    private String replyToText;
    private String destinationText;
    private int deliveryMode = DEFAULT_DELIVERY_MODE;
    private boolean redelivered;
    private String type;
    private long expiration;
    private long deliveryTime;
    private int priority = DEFAULT_PRIORITY;
    private boolean bodyReadOnly;
    private Acknowledger acknowledger;
    // Set and cleared by different threads; see setBeingSent.
    private volatile boolean beingSent;

    /** A message to be filled and sent. */
    public JmsMessage() {}

    /**
     * The same message, if it is one of ours, or else a copy of what an application can set in it (§3.12). Of a bytes or stream
     * message, {@code reset} is called, as sending it to its own provider would.
     *
     * @throws JMSException if the foreign message fails to be read, or holds what ours cannot
     */
    public static JmsMessage from(Message message) throws JMSException {
        return message instanceof JmsMessage ours ? ours : ForeignMessage.copy(message);
    }

    /** Makes this the header and properties of a received message; its body, which is in place already, read-only. */
    final void received(EncodedMessage message, int deliveryCount, long receivedMillis, Acknowledger session) {
        messageId = message.messageId();
        timestamp = message.timestamp();
        correlationId = message.correlationId();
        replyToText = message.replyTo();
        destinationText = message.destination();
        deliveryMode = message.deliveryMode();
        redelivered = deliveryCount > 1;
        type = message.type();
        expiration = message.expiration();
        deliveryTime = message.deliveryTime();
        priority = message.priority();
        properties.received(message, deliveryCount, receivedMillis);
        bodyReadOnly = true;
        acknowledger = session;
    }

    final MessageProperties properties() {
        return properties;
    }

    /** Which kind of message it is stored as. */
    BodyKind kind() {
        return BodyKind.MESSAGE;
    }

    /** A snapshot of the body. */
    Body body() throws JMSException {
        return Body.EMPTY;
    }

    /** The class {@link #getBody} returns an instance of, or null where there is no body. */
    Class<?> bodyClass() throws JMSException {
        return null;
    }

    /** A copy of the body; called only where there is one. */
    Object copyOfBody() throws JMSException {
        throw new MessageFormatException(this + " has no body");
    }

    /**
     * Says whether an asynchronous send of this object waits for its completion. Meanwhile the application must not use it
     * (§7.3.9); here whatever would change it is refused, sending it once more included. Reading it does no harm.
     */
    public final void setBeingSent(boolean waiting) {
        beingSent = waiting;
    }

    private void checkNotBeingSent() throws IllegalStateException {
        if (beingSent) {
            throw new IllegalStateException(
                    this + " is being sent; it cannot be changed before its CompletionListener was called (§7.3.9)");
        }
    }

    final boolean isBodyReadOnly() {
        return bodyReadOnly;
    }

    final void setBodyReadOnly(boolean readOnly) {
        bodyReadOnly = readOnly;
    }

    final void checkBodyWriteable() throws JMSException {
        checkNotBeingSent();
        if (bodyReadOnly) {
            throw new MessageNotWriteableException("The body of " + this + " is read-only; call clearBody first");
        }
    }

    /** Empties the body; overriding methods call this one. */
    @Override
    public void clearBody() throws JMSException {
        checkNotBeingSent();
        bodyReadOnly = false;
    }

    @Override
    public <T> T getBody(Class<T> wanted) throws JMSException {
        Class<?> actual = bodyClass();
        if (actual == null) {
            return null;
        }
        if (!wanted.isAssignableFrom(actual)) {
            throw notAssignable(wanted, actual);
        }
        return wanted.cast(copyOfBody());
    }

    final MessageFormatException notAssignable(Class<?> wanted, Class<?> actual) {
        return new MessageFormatException(
                "The body of " + this + " is a " + actual.getName() + ", which is no " + wanted.getName());
    }

    @Override
    @SuppressWarnings("rawtypes") // the interface has it so
    public boolean isBodyAssignableTo(Class wanted) throws JMSException {
        Class<?> actual = bodyClass();
        return actual == null || ((Class<?>) wanted).isAssignableFrom(actual);
    }

    /** Acknowledges what the session it was received by has consumed (§6.2.10); does nothing if it was never received. */
    @Override
    public void acknowledge() throws JMSException {
        if (acknowledger != null) {
            acknowledger.acknowledge();
        }
    }

    @Override
    public String getJMSMessageID() {
        return messageId;
    }

    @Override
    public void setJMSMessageID(String id) throws JMSException {
        checkNotBeingSent();
        messageId = id;
    }

    @Override
    public long getJMSTimestamp() {
        return timestamp;
    }

    @Override
    public void setJMSTimestamp(long millis) throws JMSException {
        checkNotBeingSent();
        timestamp = millis;
    }

    /** The bytes that were set; of a correlation id that was set as text its UTF-8. */
    @Override
    public byte[] getJMSCorrelationIDAsBytes() {
        return CorrelationId.toBytes(correlationId);
    }

    /** Sets it to bytes, of which {@link CorrelationId} tells what they are as text. */
    @Override
    public void setJMSCorrelationIDAsBytes(byte[] id) throws JMSException {
        checkNotBeingSent();
        correlationId = CorrelationId.ofBytes(id);
    }

    @Override
    public String getJMSCorrelationID() {
        return correlationId;
    }

    @Override
    public void setJMSCorrelationID(String id) throws JMSException {
        checkNotBeingSent();
        correlationId = id;
    }

    @Override
    public Destination getJMSReplyTo() throws JMSException {
        if (replyToText != null) {
            replyTo = Destinations.parse(replyToText, "JMSReplyTo");
            replyToText = null;
        }
        return replyTo;
    }

    /** Sets it; a queue or topic of another provider is sent as ours of the same name. */
    @Override
    public void setJMSReplyTo(Destination reply) throws JMSException {
        checkNotBeingSent();
        Destinations.check(reply, "JMSReplyTo");
        replyTo = reply;
        replyToText = null;
    }

    @Override
    public Destination getJMSDestination() throws JMSException {
        if (destinationText != null) {
            destination = Destinations.parse(destinationText, "JMSDestination");
            destinationText = null;
        }
        return destination;
    }

    @Override
    public void setJMSDestination(Destination target) throws JMSException {
        checkNotBeingSent();
        destination = target;
        destinationText = null;
    }

    @Override
    public int getJMSDeliveryMode() {
        return deliveryMode;
    }

    @Override
    public void setJMSDeliveryMode(int mode) throws JMSException {
        checkNotBeingSent();
        if (mode != DeliveryMode.PERSISTENT && mode != DeliveryMode.NON_PERSISTENT) {
            throw new JMSException("JMSDeliveryMode must be PERSISTENT (2) or NON_PERSISTENT (1), not " + mode);
        }
        deliveryMode = mode;
    }

    @Override
    public boolean getJMSRedelivered() {
        return redelivered;
    }

    @Override
    public void setJMSRedelivered(boolean again) throws JMSException {
        checkNotBeingSent();
        redelivered = again;
    }

    @Override
    public String getJMSType() {
        return type;
    }

    @Override
    public void setJMSType(String name) throws JMSException {
        checkNotBeingSent();
        type = name;
    }

    @Override
    public long getJMSExpiration() {
        return expiration;
    }

    @Override
    public void setJMSExpiration(long millis) throws JMSException {
        checkNotBeingSent();
        expiration = millis;
    }

    @Override
    public long getJMSDeliveryTime() {
        return deliveryTime;
    }

    @Override
    public void setJMSDeliveryTime(long millis) throws JMSException {
        checkNotBeingSent();
        deliveryTime = millis;
    }

    @Override
    public int getJMSPriority() {
        return priority;
    }

    @Override
    public void setJMSPriority(int level) throws JMSException {
        checkNotBeingSent();
        if (level < 0 || level > 9) {
            throw new JMSException("JMSPriority must be 0 to 9, not " + level);
        }
        priority = level;
    }

    /** Clears them; those the provider set on receive go too (§3.5.7). */
    @Override
    public void clearProperties() throws JMSException {
        checkNotBeingSent();
        properties.clear();
    }

    @Override
    public boolean propertyExists(String name) throws JMSException {
        return properties.exists(name);
    }

    @Override
    public Object getObjectProperty(String name) throws JMSException {
        return properties.get(name);
    }

    @Override
    public Enumeration<String> getPropertyNames() throws JMSException {
        return properties.names();
    }

    @Override
    public boolean getBooleanProperty(String name) throws JMSException {
        return properties.get(name, Boolean.class);
    }

    @Override
    public byte getByteProperty(String name) throws JMSException {
        return properties.get(name, Byte.class);
    }

    @Override
    public short getShortProperty(String name) throws JMSException {
        return properties.get(name, Short.class);
    }

    @Override
    public int getIntProperty(String name) throws JMSException {
        return properties.get(name, Integer.class);
    }

    @Override
    public long getLongProperty(String name) throws JMSException {
        return properties.get(name, Long.class);
    }

    @Override
    public float getFloatProperty(String name) throws JMSException {
        return properties.get(name, Float.class);
    }

    @Override
    public double getDoubleProperty(String name) throws JMSException {
        return properties.get(name, Double.class);
    }

    @Override
    public String getStringProperty(String name) throws JMSException {
        return properties.get(name, String.class);
    }

    @Override
    public void setBooleanProperty(String name, boolean value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setByteProperty(String name, byte value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setShortProperty(String name, short value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setIntProperty(String name, int value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setLongProperty(String name, long value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setFloatProperty(String name, float value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setDoubleProperty(String name, double value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setStringProperty(String name, String value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setObjectProperty(String name, Object value) throws JMSException {
        set(name, value);
    }

    private void set(String name, Object value) throws JMSException {
        checkNotBeingSent();
        properties.set(name, value);
    }

    /** Kind and id only: properties and body are the application's secrets. */
    @Override
    public final String toString() {
        return getClass().getSimpleName() + "["
                + (messageId == null ? "without JMSMessageID" : Shown.inOneLine(messageId)) + "]";
    }
}
