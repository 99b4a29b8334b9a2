package org.readpast.jms.message;

import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.MessageFormatException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.BodyKind;
import org.readpast.jms.codec.MalformedJsonException;
import org.readpast.jms.codec.PropertiesJson;

/** A message whose body is named values, kept in the order in which they were set first. */
public final class JmsMapMessage extends JmsMessage implements MapMessage {

    private static final String ENTRY = "Entry";

    /** The stored form of the body, until it is asked for. */
    private String unread;

    private Map<String, Object> entries = new LinkedHashMap<>();

    /** An empty one, to be filled and sent. */
    public JmsMapMessage() {}

    /** One whose body is the JSON text that {@link PropertiesJson} wrote, or null for none. */
    JmsMapMessage(String json) {
        unread = json;
    }

    @Override
    BodyKind kind() {
        return BodyKind.MAP;
    }

    @Override
    Body body() {
        String json = unread == null ? PropertiesJson.write(entries) : unread;
        return json == null ? Body.EMPTY : new Body.Text(json);
    }

    /** Null where there are no entries, as to which any type will do. */
    @Override
    Class<?> bodyClass() throws MessageFormatException {
        return entries().isEmpty() ? null : Map.class;
    }

    /** Who asks for a map gets one, also without entries. */
    @Override
    public <T> T getBody(Class<T> wanted) throws JMSException {
        return wanted.isAssignableFrom(Map.class) ? wanted.cast(copyOfBody()) : super.getBody(wanted);
    }

    @Override
    Object copyOfBody() throws MessageFormatException {
        Map<String, Object> copy = new LinkedHashMap<>(entries());
        copy.replaceAll((name, value) -> Conversions.copy(value));
        return copy;
    }

    @Override
    public void clearBody() throws JMSException {
        super.clearBody();
        unread = null;
        entries = new LinkedHashMap<>();
    }

    private Map<String, Object> entries() throws MessageFormatException {
        if (unread != null) {
            try {
                entries = PropertiesJson.read(unread);
            } catch (MalformedJsonException e) {
                throw Unreadable.because(
                        "The body of " + this + " is not a JSON object; whoever wrote its row must correct it: "
                                + e.getMessage(),
                        e);
            } catch (OutOfMemoryError e) {
                throw Unreadable.tooLarge(this, e);
            }
            unread = null;
        }
        return entries;
    }

    private <T> T get(String name, Class<T> type) throws MessageFormatException {
        return Conversions.convert(entries().get(name), type, ENTRY, name);
    }

    private void set(String name, Object value) throws JMSException {
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException("The name of an entry must be neither null nor empty");
        }
        checkBodyWriteable();
        entries().put(name, value);
    }

    @Override
    public boolean itemExists(String name) throws JMSException {
        return entries().containsKey(name);
    }

    @Override
    public Enumeration<String> getMapNames() throws JMSException {
        return Collections.enumeration(List.copyOf(entries().keySet()));
    }

    @Override
    public Object getObject(String name) throws JMSException {
        return Conversions.copy(entries().get(name));
    }

    @Override
    public void setObject(String name, Object value) throws JMSException {
        checkBodyWriteable();
        if (!Conversions.isBodyValue(value)) {
            throw Conversions.notHeld(value, ENTRY, name);
        }
        set(name, Conversions.copy(value));
    }

    @Override
    public byte[] getBytes(String name) throws JMSException {
        return get(name, byte[].class);
    }

    @Override
    public void setBytes(String name, byte[] value) throws JMSException {
        set(name, Conversions.copy(value));
    }

    @Override
    public void setBytes(String name, byte[] value, int offset, int length) throws JMSException {
        set(name, Conversions.copy(value, offset, length));
    }

    @Override
    public boolean getBoolean(String name) throws JMSException {
        return get(name, Boolean.class);
    }

    @Override
    public byte getByte(String name) throws JMSException {
        return get(name, Byte.class);
    }

    @Override
    public short getShort(String name) throws JMSException {
        return get(name, Short.class);
    }

    @Override
    public char getChar(String name) throws JMSException {
        return get(name, Character.class);
    }

    @Override
    public int getInt(String name) throws JMSException {
        return get(name, Integer.class);
    }

    @Override
    public long getLong(String name) throws JMSException {
        return get(name, Long.class);
    }

    @Override
    public float getFloat(String name) throws JMSException {
        return get(name, Float.class);
    }

    @Override
    public double getDouble(String name) throws JMSException {
        return get(name, Double.class);
    }

    @Override
    public String getString(String name) throws JMSException {
        return get(name, String.class);
    }

    @Override
    public void setBoolean(String name, boolean value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setByte(String name, byte value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setShort(String name, short value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setChar(String name, char value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setInt(String name, int value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setLong(String name, long value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setFloat(String name, float value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setDouble(String name, double value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setString(String name, String value) throws JMSException {
        set(name, value);
    }
}
