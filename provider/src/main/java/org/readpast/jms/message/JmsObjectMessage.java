package org.readpast.jms.message;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.BodyKind;

/**
 * A message whose body is a serialized object, or null. Every {@code getObject} makes a new copy. Of a received message it makes
 * only what {@link ObjectTrust} allows; what was set in this process is trusted.
 */
public final class JmsObjectMessage extends JmsMessage implements ObjectMessage {

    /** Not changed once it is here, so that encoded messages can share it. */
    private byte[] serialized;

    private ObjectTrust trust = ObjectTrust.EVERYTHING;

    /** One without an object, to be filled and sent. */
    public JmsObjectMessage() {}

    /** One with this object, which is serialized at once and may be null. */
    public JmsObjectMessage(Serializable object) throws JMSException {
        serialized = serialize(object);
    }

    /** A received one. */
    JmsObjectMessage(byte[] serialized, ObjectTrust trust) {
        this.serialized = serialized;
        this.trust = trust;
    }

    @Override
    BodyKind kind() {
        return BodyKind.OBJECT;
    }

    @Override
    Body body() {
        return serialized == null ? Body.EMPTY : new Body.Binary(serialized);
    }

    @Override
    public <T> T getBody(Class<T> wanted) throws JMSException {
        Serializable object = getObject();
        if (object != null && !wanted.isInstance(object)) {
            throw notAssignable(wanted, object.getClass());
        }
        return wanted.cast(object);
    }

    /** False also if the object cannot be deserialized, or is not trusted. */
    @Override
    @SuppressWarnings("rawtypes") // the interface has it so
    public boolean isBodyAssignableTo(Class wanted) throws JMSException {
        try {
            Serializable object = getObject();
            return object == null || wanted.isInstance(object);
        } catch (MessageFormatException unreadable) {
            return false;
        }
    }

    @Override
    public void clearBody() throws JMSException {
        super.clearBody();
        serialized = null;
        trust = ObjectTrust.EVERYTHING;
    }

    @Override
    public void setObject(Serializable object) throws JMSException {
        checkBodyWriteable();
        serialized = serialize(object);
    }

    @Override
    public Serializable getObject() throws JMSException {
        if (serialized == null) {
            return null;
        }
        try {
            if (!trust.equals(ObjectTrust.EVERYTHING)) {
                SerializedForm.check(serialized, trust.limits());
            }
        } catch (InvalidObjectException e) {
            throw Unreadable.because("The object in " + this + " is not read: " + e.getMessage(), e);
        } catch (IOException | StackOverflowError e) {
            throw Unreadable.because("The body of " + this + " is not a serialized object: " + e.getMessage(), e);
        } catch (OutOfMemoryError e) {
            throw Unreadable.tooLarge(this, e);
        }
        try (TrustedObjectInput input = new TrustedObjectInput(serialized, trust)) {
            return read(input);
        } catch (IOException e) {
            throw Unreadable.because("The body of " + this + " is not a serialized object: " + e.getMessage(), e);
        } catch (OutOfMemoryError e) {
            throw Unreadable.tooLarge(this, e);
        }
    }

    /** The code of its classes may throw anything; what they nest too deeply is an error of the message and not of the JVM. */
    private Serializable read(TrustedObjectInput input) throws MessageFormatException {
        try {
            return (Serializable) input.readTrusted();
        } catch (IOException | ClassNotFoundException | RuntimeException | StackOverflowError | LinkageError e) {
            String reason = input.refused() == null
                    ? "its class must be the same here as at the sender: " + e
                    : input.refused()
                            + " is not trusted; if its senders are, add its package to the option 'trustedPackages'";
            throw Unreadable.because("The object in " + this + " cannot be read: " + reason, e);
        }
    }

    private static byte[] serialize(Serializable object) throws MessageFormatException {
        if (object == null) {
            return null;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            try (ObjectOutputStream output = new ObjectOutputStream(bytes)) {
                output.writeObject(object);
            }
            return bytes.toByteArray();
        } catch (IOException | RuntimeException | StackOverflowError e) {
            throw Unreadable.because(
                    "An object of " + object.getClass() + " cannot be serialized, and so not be sent: " + e, e);
        } catch (OutOfMemoryError e) {
            throw Unreadable.tooLarge("an ObjectMessage of " + object.getClass(), e);
        }
    }
}
