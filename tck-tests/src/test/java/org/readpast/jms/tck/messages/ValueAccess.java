package org.readpast.jms.tck.messages;

import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.StreamMessage;
import java.util.Arrays;

/** The typed getters and setters of messages, addressed by {@link ValueType}, so that tables can drive them. */
final class ValueAccess {

    private ValueAccess() {}

    static void setProperty(Message message, String name, ValueType type, Object value) throws JMSException {
        switch (type) {
            case BOOLEAN -> message.setBooleanProperty(name, (Boolean) value);
            case BYTE -> message.setByteProperty(name, (Byte) value);
            case SHORT -> message.setShortProperty(name, (Short) value);
            case INT -> message.setIntProperty(name, (Integer) value);
            case LONG -> message.setLongProperty(name, (Long) value);
            case FLOAT -> message.setFloatProperty(name, (Float) value);
            case DOUBLE -> message.setDoubleProperty(name, (Double) value);
            case STRING -> message.setStringProperty(name, (String) value);
            case CHAR, BYTES -> throw new IllegalArgumentException("there are no properties of type " + type);
        }
    }

    static Object getProperty(Message message, String name, ValueType type) throws JMSException {
        return switch (type) {
            case BOOLEAN -> message.getBooleanProperty(name);
            case BYTE -> message.getByteProperty(name);
            case SHORT -> message.getShortProperty(name);
            case INT -> message.getIntProperty(name);
            case LONG -> message.getLongProperty(name);
            case FLOAT -> message.getFloatProperty(name);
            case DOUBLE -> message.getDoubleProperty(name);
            case STRING -> message.getStringProperty(name);
            case CHAR, BYTES -> throw new IllegalArgumentException("there are no properties of type " + type);
        };
    }

    static void set(MapMessage message, String name, ValueType type, Object value) throws JMSException {
        switch (type) {
            case BOOLEAN -> message.setBoolean(name, (Boolean) value);
            case BYTE -> message.setByte(name, (Byte) value);
            case SHORT -> message.setShort(name, (Short) value);
            case CHAR -> message.setChar(name, (Character) value);
            case INT -> message.setInt(name, (Integer) value);
            case LONG -> message.setLong(name, (Long) value);
            case FLOAT -> message.setFloat(name, (Float) value);
            case DOUBLE -> message.setDouble(name, (Double) value);
            case STRING -> message.setString(name, (String) value);
            case BYTES -> message.setBytes(name, (byte[]) value);
        }
    }

    static Object get(MapMessage message, String name, ValueType type) throws JMSException {
        return switch (type) {
            case BOOLEAN -> message.getBoolean(name);
            case BYTE -> message.getByte(name);
            case SHORT -> message.getShort(name);
            case CHAR -> message.getChar(name);
            case INT -> message.getInt(name);
            case LONG -> message.getLong(name);
            case FLOAT -> message.getFloat(name);
            case DOUBLE -> message.getDouble(name);
            case STRING -> message.getString(name);
            case BYTES -> message.getBytes(name);
        };
    }

    static void write(StreamMessage message, ValueType type, Object value) throws JMSException {
        switch (type) {
            case BOOLEAN -> message.writeBoolean((Boolean) value);
            case BYTE -> message.writeByte((Byte) value);
            case SHORT -> message.writeShort((Short) value);
            case CHAR -> message.writeChar((Character) value);
            case INT -> message.writeInt((Integer) value);
            case LONG -> message.writeLong((Long) value);
            case FLOAT -> message.writeFloat((Float) value);
            case DOUBLE -> message.writeDouble((Double) value);
            case STRING -> message.writeString((String) value);
            case BYTES -> message.writeBytes((byte[]) value);
        }
    }

    /** Reads the next field. A byte[] is read as the contract of readBytes says, until it returns less than it could. */
    static Object read(StreamMessage message, ValueType type) throws JMSException {
        return switch (type) {
            case BOOLEAN -> message.readBoolean();
            case BYTE -> message.readByte();
            case SHORT -> message.readShort();
            case CHAR -> message.readChar();
            case INT -> message.readInt();
            case LONG -> message.readLong();
            case FLOAT -> message.readFloat();
            case DOUBLE -> message.readDouble();
            case STRING -> message.readString();
            case BYTES -> {
                byte[] buffer = new byte[1024];
                int length = message.readBytes(buffer);
                yield length < 0 ? null : Arrays.copyOf(buffer, length);
            }
        };
    }
}
