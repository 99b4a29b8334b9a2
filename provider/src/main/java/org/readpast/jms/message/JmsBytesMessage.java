package org.readpast.jms.message;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UTFDataFormatException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Function;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.BodyKind;

/**
 * A message whose body is bytes. It is write-only at first, and read-only once {@code reset} or received. A large body exists
 * once: it is read where it was received, and the array it was written into is what is sent, unless that is longer than the body.
 */
public final class JmsBytesMessage extends JmsMessage implements BytesMessage {

    private static final byte[] NOTHING = {};
    private static final int LONGEST = Integer.MAX_VALUE - 8;
    private static final int SHORTEST_BUFFER = 128;

    /** While writing, its position is the length of the body; while reading, its limit is. Big-endian, as the API has it. */
    private ByteBuffer content;

    /** Whether an encoded message refers to the same array, so that it must be copied before it is written to. */
    private boolean shared;

    /** An empty one, to be filled and sent. */
    public JmsBytesMessage() {
        content = ByteBuffer.wrap(NOTHING);
    }

    /** One whose body is this array, which nobody may change any more; it is written on where the array ends. */
    JmsBytesMessage(byte[] bytes) {
        content = ByteBuffer.wrap(bytes).position(bytes.length);
        shared = true;
    }

    /** A received one, ready to be read; null stands for no bytes. */
    static JmsBytesMessage received(byte[] bytes) {
        JmsBytesMessage message = new JmsBytesMessage(bytes == null ? NOTHING : bytes);
        message.reset();
        return message;
    }

    @Override
    BodyKind kind() {
        return BodyKind.BYTES;
    }

    /** Hands over the array itself, cut to its length; whoever writes on gets a new one. */
    @Override
    Body body() {
        if (content.array().length != length()) {
            ByteBuffer exact = ByteBuffer.wrap(Arrays.copyOf(content.array(), length()));
            content = exact.position(content.position());
        }
        shared = true;
        return new Body.Binary(content.array());
    }

    private int length() {
        return isBodyReadOnly() ? content.limit() : content.position();
    }

    @Override
    Class<?> bodyClass() {
        return length() == 0 ? null : byte[].class;
    }

    /** Resets the message, as the API demands, an empty one too. */
    @Override
    public <T> T getBody(Class<T> wanted) throws JMSException {
        T body = super.getBody(wanted);
        reset();
        return body;
    }

    @Override
    Object copyOfBody() {
        return Arrays.copyOf(content.array(), length());
    }

    @Override
    public void clearBody() throws JMSException {
        super.clearBody();
        content = ByteBuffer.wrap(NOTHING);
        shared = false;
    }

    @Override
    public void reset() {
        if (isBodyReadOnly()) {
            content.rewind();
        } else {
            content.flip();
            setBodyReadOnly(true);
        }
    }

    @Override
    public long getBodyLength() throws JMSException {
        return readable().limit();
    }

    private ByteBuffer readable() throws MessageNotReadableException {
        if (!isBodyReadOnly()) {
            throw new MessageNotReadableException("The body of " + this + " is write-only; call reset first");
        }
        return content;
    }

    /** Reads; a read beyond the end leaves the position. */
    private <T> T read(Function<ByteBuffer, T> value) throws JMSException {
        try {
            return value.apply(readable());
        } catch (BufferUnderflowException e) {
            throw endOfBody();
        }
    }

    private MessageEOFException endOfBody() {
        return new MessageEOFException(
                "The body of " + this + " has only " + content.remaining() + " bytes left, too few for this read");
    }

    private byte[] copy(int capacity) throws MessageFormatException {
        try {
            return Arrays.copyOf(content.array(), capacity);
        } catch (OutOfMemoryError e) {
            throw Unreadable.tooLarge(this, e);
        }
    }

    /** Where to write the next bytes: grows by half, but to no more than a single large write needs. */
    private ByteBuffer writable(int count) throws JMSException {
        checkBodyWriteable();
        int length = content.position();
        int capacity = content.capacity();
        if (count > capacity - length || shared) {
            long needed = (long) length + count;
            if (needed > LONGEST) {
                throw new MessageFormatException(
                        "The body of " + this + " cannot be longer than " + LONGEST + " bytes");
            }
            long grown = length == 0 && count >= SHORTEST_BUFFER ? needed : Math.max(SHORTEST_BUFFER, length * 3L / 2);
            long wanted = Math.min(LONGEST, Math.max(needed, grown));
            content = ByteBuffer.wrap(copy((int) wanted)).position(length);
            shared = false;
        }
        return content;
    }

    @Override
    public boolean readBoolean() throws JMSException {
        return readByte() != 0;
    }

    @Override
    public byte readByte() throws JMSException {
        return read(ByteBuffer::get);
    }

    @Override
    public int readUnsignedByte() throws JMSException {
        return Byte.toUnsignedInt(readByte());
    }

    @Override
    public short readShort() throws JMSException {
        return read(ByteBuffer::getShort);
    }

    @Override
    public int readUnsignedShort() throws JMSException {
        return Short.toUnsignedInt(readShort());
    }

    @Override
    public char readChar() throws JMSException {
        return read(ByteBuffer::getChar);
    }

    @Override
    public int readInt() throws JMSException {
        return read(ByteBuffer::getInt);
    }

    @Override
    public long readLong() throws JMSException {
        return read(ByteBuffer::getLong);
    }

    @Override
    public float readFloat() throws JMSException {
        return read(ByteBuffer::getFloat);
    }

    @Override
    public double readDouble() throws JMSException {
        return read(ByteBuffer::getDouble);
    }

    @Override
    public String readUTF() throws JMSException {
        int available = readable().remaining();
        ByteArrayInputStream rest = new ByteArrayInputStream(content.array(), content.position(), available);
        try {
            String text = new DataInputStream(rest).readUTF();
            content.position(content.limit() - rest.available());
            return text;
        } catch (EOFException e) {
            throw endOfBody();
        } catch (IOException e) {
            throw Unreadable.because("The body of " + this + " has no UTF text here", e);
        }
    }

    @Override
    public int readBytes(byte[] value) throws JMSException {
        return readBytes(value, value.length);
    }

    @Override
    public int readBytes(byte[] value, int length) throws JMSException {
        ByteBuffer from = readable();
        Objects.checkFromIndexSize(0, length, value.length);
        if (!from.hasRemaining()) {
            return -1;
        }
        int count = Math.min(length, from.remaining());
        from.get(value, 0, count);
        return count;
    }

    @Override
    public void writeBoolean(boolean value) throws JMSException {
        writeByte((byte) (value ? 1 : 0));
    }

    @Override
    public void writeByte(byte value) throws JMSException {
        writable(Byte.BYTES).put(value);
    }

    @Override
    public void writeShort(short value) throws JMSException {
        writable(Short.BYTES).putShort(value);
    }

    @Override
    public void writeChar(char value) throws JMSException {
        writable(Character.BYTES).putChar(value);
    }

    @Override
    public void writeInt(int value) throws JMSException {
        writable(Integer.BYTES).putInt(value);
    }

    @Override
    public void writeLong(long value) throws JMSException {
        writable(Long.BYTES).putLong(value);
    }

    @Override
    public void writeFloat(float value) throws JMSException {
        writeInt(Float.floatToIntBits(value));
    }

    @Override
    public void writeDouble(double value) throws JMSException {
        writeLong(Double.doubleToLongBits(value));
    }

    @Override
    public void writeUTF(String value) throws JMSException {
        checkBodyWriteable();
        ByteArrayOutputStream encoded = new ByteArrayOutputStream(value.length() + 2);
        try {
            new DataOutputStream(encoded).writeUTF(value);
        } catch (UTFDataFormatException e) {
            throw Unreadable.because("writeUTF takes no text of more than 65535 bytes; use writeBytes", e);
        } catch (IOException e) {
            throw Unreadable.because("The text could not be encoded", e);
        }
        writeBytes(encoded.toByteArray());
    }

    @Override
    public void writeBytes(byte[] value) throws JMSException {
        writeBytes(value, 0, value.length);
    }

    @Override
    public void writeBytes(byte[] value, int offset, int length) throws JMSException {
        Objects.checkFromIndexSize(offset, length, value.length);
        writable(length).put(value, offset, length);
    }

    @Override
    public void writeObject(Object value) throws JMSException {
        Objects.requireNonNull(value, "A bytes message cannot hold null (§3.12)");
        checkBodyWriteable();
        if (value instanceof Boolean bool) {
            writeBoolean(bool);
        } else if (value instanceof Byte number) {
            writeByte(number);
        } else if (value instanceof Short number) {
            writeShort(number);
        } else if (value instanceof Character character) {
            writeChar(character);
        } else if (value instanceof Integer number) {
            writeInt(number);
        } else if (value instanceof Long number) {
            writeLong(number);
        } else if (value instanceof Float number) {
            writeFloat(number);
        } else if (value instanceof Double number) {
            writeDouble(number);
        } else if (value instanceof String text) {
            writeUTF(text);
        } else if (value instanceof byte[] bytes) {
            writeBytes(bytes);
        } else {
            throw Conversions.notHeld(value, "Body", this);
        }
    }
}
