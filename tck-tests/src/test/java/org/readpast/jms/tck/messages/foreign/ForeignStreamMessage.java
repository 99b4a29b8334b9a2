package org.readpast.jms.tck.messages.foreign;

import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.StreamMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A stream message of nobody's provider. It can be read after {@link #reset}, as any can. */
public final class ForeignStreamMessage extends ForeignMessage implements StreamMessage {
    private final List<Object> fields = new ArrayList<>();
    private boolean readable;
    private int next;
    private byte[] bytes;
    private int bytesRead;

    private Object take() throws JMSException {
        if (!readable) {
            throw new MessageNotReadableException("the stream is being written");
        }
        if (next == fields.size()) {
            throw new MessageEOFException("there are " + next + " fields");
        }
        return fields.get(next++);
    }

    @Override
    public boolean readBoolean() throws JMSException {
        return cast(take(), Boolean.class);
    }

    @Override
    public void writeBoolean(boolean value) {
        fields.add(value);
    }

    @Override
    public byte readByte() throws JMSException {
        return cast(take(), Byte.class);
    }

    @Override
    public void writeByte(byte value) {
        fields.add(value);
    }

    @Override
    public short readShort() throws JMSException {
        return cast(take(), Short.class);
    }

    @Override
    public void writeShort(short value) {
        fields.add(value);
    }

    @Override
    public char readChar() throws JMSException {
        return cast(take(), Character.class);
    }

    @Override
    public void writeChar(char value) {
        fields.add(value);
    }

    @Override
    public int readInt() throws JMSException {
        return cast(take(), Integer.class);
    }

    @Override
    public void writeInt(int value) {
        fields.add(value);
    }

    @Override
    public long readLong() throws JMSException {
        return cast(take(), Long.class);
    }

    @Override
    public void writeLong(long value) {
        fields.add(value);
    }

    @Override
    public float readFloat() throws JMSException {
        return cast(take(), Float.class);
    }

    @Override
    public void writeFloat(float value) {
        fields.add(value);
    }

    @Override
    public double readDouble() throws JMSException {
        return cast(take(), Double.class);
    }

    @Override
    public void writeDouble(double value) {
        fields.add(value);
    }

    @Override
    public String readString() throws JMSException {
        Object value = take();
        return value == null ? null : value.toString();
    }

    @Override
    public void writeString(String value) {
        fields.add(value);
    }

    @Override
    public int readBytes(byte[] buffer) throws JMSException {
        if (bytes == null) {
            Object value = take();
            if (value == null) {
                return -1;
            }
            bytes = cast(value, byte[].class);
            bytesRead = 0;
            if (bytes.length == 0) {
                bytes = null;
                return 0;
            }
        }
        int count = Math.min(buffer.length, bytes.length - bytesRead);
        System.arraycopy(bytes, bytesRead, buffer, 0, count);
        bytesRead += count;
        if (count < buffer.length) {
            bytes = null;
        }
        return count == 0 ? -1 : count;
    }

    @Override
    public void writeBytes(byte[] value) {
        fields.add(value == null ? null : value.clone());
    }

    @Override
    public void writeBytes(byte[] value, int offset, int length) {
        fields.add(Arrays.copyOfRange(value, offset, offset + length));
    }

    @Override
    public Object readObject() throws JMSException {
        return take();
    }

    @Override
    public void writeObject(Object value) {
        fields.add(value);
    }

    @Override
    public void reset() {
        readable = true;
        next = 0;
        bytes = null;
    }

    @Override
    public void clearBody() {
        fields.clear();
        readable = false;
        next = 0;
        bytes = null;
    }

    @Override
    public <T> T getBody(Class<T> type) throws JMSException {
        throw new MessageFormatException("a stream has no body that can be assigned");
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public boolean isBodyAssignableTo(Class type) {
        return false;
    }
}
