package org.readpast.jms.tck.messages.foreign;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;

/** A bytes message of nobody's provider. It can be read after {@link #reset}, as any can. */
public final class ForeignBytesMessage extends ForeignMessage implements BytesMessage {
    private ByteArrayOutputStream written = new ByteArrayOutputStream();
    private DataInputStream in;

    /** Something read from the bytes. */
    @FunctionalInterface
    private interface Reading<T> {
        T from(DataInputStream in) throws IOException;
    }

    /** Something written to the bytes. */
    @FunctionalInterface
    private interface Writing {
        void to(DataOutputStream out) throws IOException;
    }

    private <T> T read(Reading<T> reading) throws JMSException {
        if (in == null) {
            throw new MessageNotReadableException("the bytes are being written");
        }
        try {
            return reading.from(in);
        } catch (EOFException e) {
            throw new MessageEOFException(e.getMessage());
        } catch (IOException e) {
            throw new JMSException(e.getMessage());
        }
    }

    private void write(Writing writing) throws JMSException {
        if (in != null) {
            throw new MessageNotWriteableException("the bytes are being read");
        }
        try {
            writing.to(new DataOutputStream(written));
        } catch (IOException e) {
            throw new JMSException(e.getMessage());
        }
    }

    @Override
    public long getBodyLength() throws JMSException {
        if (in == null) {
            throw new MessageNotReadableException("the bytes are being written");
        }
        return written.size();
    }

    @Override
    public boolean readBoolean() throws JMSException {
        return read(DataInputStream::readBoolean);
    }

    @Override
    public byte readByte() throws JMSException {
        return read(DataInputStream::readByte);
    }

    @Override
    public int readUnsignedByte() throws JMSException {
        return read(DataInputStream::readUnsignedByte);
    }

    @Override
    public short readShort() throws JMSException {
        return read(DataInputStream::readShort);
    }

    @Override
    public int readUnsignedShort() throws JMSException {
        return read(DataInputStream::readUnsignedShort);
    }

    @Override
    public char readChar() throws JMSException {
        return read(DataInputStream::readChar);
    }

    @Override
    public int readInt() throws JMSException {
        return read(DataInputStream::readInt);
    }

    @Override
    public long readLong() throws JMSException {
        return read(DataInputStream::readLong);
    }

    @Override
    public float readFloat() throws JMSException {
        return read(DataInputStream::readFloat);
    }

    @Override
    public double readDouble() throws JMSException {
        return read(DataInputStream::readDouble);
    }

    @Override
    public String readUTF() throws JMSException {
        return read(from -> from.readUTF());
    }

    @Override
    public int readBytes(byte[] value) throws JMSException {
        return readBytes(value, value.length);
    }

    @Override
    public int readBytes(byte[] value, int length) throws JMSException {
        return read(from -> from.read(value, 0, length));
    }

    @Override
    public void writeBoolean(boolean value) throws JMSException {
        write(out -> out.writeBoolean(value));
    }

    @Override
    public void writeByte(byte value) throws JMSException {
        write(out -> out.writeByte(value));
    }

    @Override
    public void writeShort(short value) throws JMSException {
        write(out -> out.writeShort(value));
    }

    @Override
    public void writeChar(char value) throws JMSException {
        write(out -> out.writeChar(value));
    }

    @Override
    public void writeInt(int value) throws JMSException {
        write(out -> out.writeInt(value));
    }

    @Override
    public void writeLong(long value) throws JMSException {
        write(out -> out.writeLong(value));
    }

    @Override
    public void writeFloat(float value) throws JMSException {
        write(out -> out.writeFloat(value));
    }

    @Override
    public void writeDouble(double value) throws JMSException {
        write(out -> out.writeDouble(value));
    }

    @Override
    public void writeUTF(String value) throws JMSException {
        write(out -> out.writeUTF(value));
    }

    @Override
    public void writeBytes(byte[] value) throws JMSException {
        write(out -> out.write(value));
    }

    @Override
    public void writeBytes(byte[] value, int offset, int length) throws JMSException {
        write(out -> out.write(value, offset, length));
    }

    @Override
    public void writeObject(Object value) {
        throw new UnsupportedOperationException("the suite writes foreign bytes by type");
    }

    @Override
    public void reset() {
        in = new DataInputStream(new ByteArrayInputStream(written.toByteArray()));
    }

    @Override
    public void clearBody() {
        written = new ByteArrayOutputStream();
        in = null;
    }

    @Override
    public <T> T getBody(Class<T> type) {
        reset();
        return type.cast(written.toByteArray());
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public boolean isBodyAssignableTo(Class type) {
        return type == byte[].class || type == Object.class;
    }
}
