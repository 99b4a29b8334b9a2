package org.readpast.jms.tck.messages.foreign;

import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;

/** A map message of nobody's provider. */
public final class ForeignMapMessage extends ForeignMessage implements MapMessage {
    private final Map<String, Object> entries = new LinkedHashMap<>();

    @Override
    public boolean getBoolean(String name) throws JMSException {
        return cast(entries.get(name), Boolean.class);
    }

    @Override
    public void setBoolean(String name, boolean value) {
        entries.put(name, value);
    }

    @Override
    public byte getByte(String name) throws JMSException {
        return cast(entries.get(name), Byte.class);
    }

    @Override
    public void setByte(String name, byte value) {
        entries.put(name, value);
    }

    @Override
    public short getShort(String name) throws JMSException {
        return cast(entries.get(name), Short.class);
    }

    @Override
    public void setShort(String name, short value) {
        entries.put(name, value);
    }

    @Override
    public char getChar(String name) throws JMSException {
        return cast(entries.get(name), Character.class);
    }

    @Override
    public void setChar(String name, char value) {
        entries.put(name, value);
    }

    @Override
    public int getInt(String name) throws JMSException {
        return cast(entries.get(name), Integer.class);
    }

    @Override
    public void setInt(String name, int value) {
        entries.put(name, value);
    }

    @Override
    public long getLong(String name) throws JMSException {
        return cast(entries.get(name), Long.class);
    }

    @Override
    public void setLong(String name, long value) {
        entries.put(name, value);
    }

    @Override
    public float getFloat(String name) throws JMSException {
        return cast(entries.get(name), Float.class);
    }

    @Override
    public void setFloat(String name, float value) {
        entries.put(name, value);
    }

    @Override
    public double getDouble(String name) throws JMSException {
        return cast(entries.get(name), Double.class);
    }

    @Override
    public void setDouble(String name, double value) {
        entries.put(name, value);
    }

    @Override
    public String getString(String name) {
        Object value = entries.get(name);
        return value == null ? null : value.toString();
    }

    @Override
    public void setString(String name, String value) {
        entries.put(name, value);
    }

    @Override
    public byte[] getBytes(String name) throws JMSException {
        Object value = entries.get(name);
        return value == null ? null : cast(value, byte[].class).clone();
    }

    @Override
    public void setBytes(String name, byte[] value) {
        entries.put(name, value == null ? null : value.clone());
    }

    @Override
    public void setBytes(String name, byte[] value, int offset, int length) {
        entries.put(name, Arrays.copyOfRange(value, offset, offset + length));
    }

    @Override
    public Object getObject(String name) {
        return entries.get(name);
    }

    @Override
    public void setObject(String name, Object value) {
        entries.put(name, value);
    }

    @Override
    public Enumeration<String> getMapNames() {
        return Collections.enumeration(entries.keySet());
    }

    @Override
    public boolean itemExists(String name) {
        return entries.containsKey(name);
    }

    @Override
    public void clearBody() {
        entries.clear();
    }

    @Override
    public <T> T getBody(Class<T> type) {
        return type.cast(new LinkedHashMap<>(entries));
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public boolean isBodyAssignableTo(Class type) {
        return type == Map.class || type == Object.class;
    }
}
