package org.readpast.jms.message;

import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.StreamMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.BodyKind;
import org.readpast.jms.codec.MalformedJsonException;
import org.readpast.jms.codec.StreamJson;

/**
 * A message whose body is a sequence of typed values. It is write-only at first, and read-only once {@code reset} or received. A
 * read that fails leaves the position where it was (§3.11.3).
 */
public final class JmsStreamMessage extends JmsMessage implements StreamMessage {

    private static final String VALUE = "Value";
    private static final int NOT_BEGUN = -1;

    /** The stored form of the body, until it is asked for. */
    private String unread;

    private List<Object> values = new ArrayList<>();
    private int position;
    /** How much {@link #readBytes} has read of the byte array at the position. */
    private int bytesRead = NOT_BEGUN;

    /** An empty one, to be filled and sent. */
    public JmsStreamMessage() {}

    /** One whose body is the JSON text that {@link StreamJson} wrote, or null for none. */
    JmsStreamMessage(String json) {
        unread = json;
    }

    @Override
    BodyKind kind() {
        return BodyKind.STREAM;
    }

    @Override
    Body body() {
        String json = unread == null ? StreamJson.write(values) : unread;
        return json == null ? Body.EMPTY : new Body.Text(json);
    }

    @Override
    public <T> T getBody(Class<T> wanted) throws JMSException {
        throw new MessageFormatException("The body of a StreamMessage must be read value by value");
    }

    @Override
    @SuppressWarnings("rawtypes") // the interface has it so
    public boolean isBodyAssignableTo(Class wanted) {
        return false;
    }

    @Override
    public void clearBody() throws JMSException {
        super.clearBody();
        unread = null;
        values = new ArrayList<>();
        rewind();
    }

    @Override
    public void reset() {
        setBodyReadOnly(true);
        rewind();
    }

    private void rewind() {
        position = 0;
        bytesRead = NOT_BEGUN;
    }

    private List<Object> values() throws MessageFormatException {
        if (unread != null) {
            try {
                values = StreamJson.read(unread);
            } catch (MalformedJsonException e) {
                throw Unreadable.because(
                        "The body of " + this + " is not a JSON array; whoever wrote its row must correct it: "
                                + e.getMessage(),
                        e);
            } catch (OutOfMemoryError e) {
                throw Unreadable.tooLarge(this, e);
            }
            unread = null;
        }
        return values;
    }

    /** The value at the position. */
    private Object current() throws JMSException {
        if (!isBodyReadOnly()) {
            throw new MessageNotReadableException("The body of " + this + " is write-only; call reset first");
        }
        if (position == values().size()) {
            throw new MessageEOFException("The body of " + this + " has no value after its " + position);
        }
        return values().get(position);
    }

    private <T> T read(Class<T> type) throws JMSException {
        Object value = currentAsAWhole();
        T converted = Conversions.convert(value, type, VALUE, position);
        position++;
        return converted;
    }

    private Object currentAsAWhole() throws JMSException {
        Object value = current();
        if (bytesRead != NOT_BEGUN) {
            throw new MessageFormatException(VALUE + " '" + position
                    + "' is a byte array that has been read in part; call readBytes until it returns less than the buffer's"
                    + " length");
        }
        return value;
    }

    private void write(Object value) throws JMSException {
        checkBodyWriteable();
        values.add(value);
    }

    @Override
    public int readBytes(byte[] buffer) throws JMSException {
        Object value = current();
        Objects.requireNonNull(buffer, "buffer");
        if (value == null) {
            position++;
            return -1;
        }
        if (!(value instanceof byte[] bytes)) {
            throw new MessageFormatException(VALUE + " '" + position + "' is a "
                    + value.getClass().getSimpleName() + " and cannot be read as a byte[]");
        }
        int from = Math.max(bytesRead, 0);
        int count = Math.min(bytes.length - from, buffer.length);
        System.arraycopy(bytes, from, buffer, 0, count);
        if (count < buffer.length || bytes.length == 0) {
            boolean nothingMore = bytesRead != NOT_BEGUN && count == 0;
            bytesRead = NOT_BEGUN;
            position++;
            return nothingMore ? -1 : count;
        }
        bytesRead = from + count;
        return count;
    }

    @Override
    public Object readObject() throws JMSException {
        Object value = currentAsAWhole();
        position++;
        return Conversions.copy(value);
    }

    @Override
    public void writeObject(Object value) throws JMSException {
        checkBodyWriteable();
        if (!Conversions.isBodyValue(value)) {
            throw Conversions.notHeld(value, VALUE, values.size());
        }
        write(Conversions.copy(value));
    }

    @Override
    public void writeBytes(byte[] value) throws JMSException {
        write(Conversions.copy(value));
    }

    @Override
    public void writeBytes(byte[] value, int offset, int length) throws JMSException {
        write(Conversions.copy(value, offset, length));
    }

    @Override
    public boolean readBoolean() throws JMSException {
        return read(Boolean.class);
    }

    @Override
    public byte readByte() throws JMSException {
        return read(Byte.class);
    }

    @Override
    public short readShort() throws JMSException {
        return read(Short.class);
    }

    @Override
    public char readChar() throws JMSException {
        return read(Character.class);
    }

    @Override
    public int readInt() throws JMSException {
        return read(Integer.class);
    }

    @Override
    public long readLong() throws JMSException {
        return read(Long.class);
    }

    @Override
    public float readFloat() throws JMSException {
        return read(Float.class);
    }

    @Override
    public double readDouble() throws JMSException {
        return read(Double.class);
    }

    @Override
    public String readString() throws JMSException {
        return read(String.class);
    }

    @Override
    public void writeBoolean(boolean value) throws JMSException {
        write(value);
    }

    @Override
    public void writeByte(byte value) throws JMSException {
        write(value);
    }

    @Override
    public void writeShort(short value) throws JMSException {
        write(value);
    }

    @Override
    public void writeChar(char value) throws JMSException {
        write(value);
    }

    @Override
    public void writeInt(int value) throws JMSException {
        write(value);
    }

    @Override
    public void writeLong(long value) throws JMSException {
        write(value);
    }

    @Override
    public void writeFloat(float value) throws JMSException {
        write(value);
    }

    @Override
    public void writeDouble(double value) throws JMSException {
        write(value);
    }

    @Override
    public void writeString(String value) throws JMSException {
        write(value);
    }
}
