package org.readpast.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.readpast.jms.codec.Body;

class JmsBytesMessageTest {

    private final JmsBytesMessage message = new JmsBytesMessage();

    private static byte[] bytesOf(JmsBytesMessage message) {
        return ((Body.Binary) message.body()).bytes();
    }

    @Test
    void values_are_encoded_as_data_streams_encode_them() throws JMSException, IOException {
        message.writeBoolean(true);
        message.writeByte((byte) -2);
        message.writeShort((short) -3);
        message.writeChar('é');
        message.writeInt(-5);
        message.writeLong(-6L);
        message.writeFloat(1.5f);
        message.writeDouble(-2.5);
        message.writeUTF("a\0é😀");
        message.writeBytes(new byte[] {1, 2, 3});
        message.writeBytes(new byte[] {1, 2, 3}, 1, 1);

        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream data = new DataOutputStream(bytes);
        data.writeBoolean(true);
        data.writeByte(-2);
        data.writeShort(-3);
        data.writeChar('é');
        data.writeInt(-5);
        data.writeLong(-6L);
        data.writeFloat(1.5f);
        data.writeDouble(-2.5);
        data.writeUTF("a\0é😀");
        data.write(new byte[] {1, 2, 3, 2});
        assertThat(bytesOf(message)).isEqualTo(bytes.toByteArray());

        message.reset();
        assertThat(message.getBodyLength()).isEqualTo(bytes.size());
        assertThat(message.readBoolean()).isTrue();
        assertThat(message.readByte()).isEqualTo((byte) -2);
        assertThat(message.readUnsignedShort()).isEqualTo(65_533);
        assertThat(message.readChar()).isEqualTo('é');
        assertThat(message.readInt()).isEqualTo(-5);
        assertThat(message.readLong()).isEqualTo(-6L);
        assertThat(message.readFloat()).isEqualTo(1.5f);
        assertThat(message.readDouble()).isEqualTo(-2.5);
        assertThat(message.readUTF()).isEqualTo("a\0é😀");
        assertThat(message.readUnsignedByte()).isEqualTo(1);
        assertThat(message.readShort()).isEqualTo((short) 0x0203);
        assertThat(message.readByte()).isEqualTo((byte) 2);
        assertThatThrownBy(message::readByte).isInstanceOf(MessageEOFException.class);
    }

    @Test
    void asking_for_an_empty_body_resets_too() throws JMSException {
        assertThat((Object) message.getBody(byte[].class)).isNull();
        assertThat(message.getBodyLength()).isZero();
        assertThatThrownBy(() -> message.writeByte((byte) 1)).isInstanceOf(MessageNotWriteableException.class);
    }

    @Test
    void objects_are_written_as_their_primitives() throws JMSException {
        for (Object value : new Object[] {true, (byte) 1, (short) 1, 'a', 1, 1L, 1f, 1.0, "ab", new byte[] {9}}) {
            message.writeObject(value);
        }
        assertThat(bytesOf(message)).hasSize(1 + 1 + 2 + 2 + 4 + 8 + 4 + 8 + 4 + 1);
        assertThatThrownBy(() -> message.writeObject(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> message.writeObject(new Object())).isInstanceOf(MessageFormatException.class);
        message.reset();
        assertThatThrownBy(() -> message.writeObject(new Object())).isInstanceOf(MessageNotWriteableException.class);
    }

    @Test
    void it_is_written_first_and_read_after_reset() throws JMSException {
        message.writeInt(1);
        assertThatThrownBy(message::readInt).isInstanceOf(MessageNotReadableException.class);
        assertThatThrownBy(message::getBodyLength).isInstanceOf(MessageNotReadableException.class);
        assertThatThrownBy(() -> message.readBytes(new byte[1])).isInstanceOf(MessageNotReadableException.class);
        assertThatThrownBy(message::readUTF).isInstanceOf(MessageNotReadableException.class);
        message.reset();
        assertThatThrownBy(() -> message.writeInt(1)).isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> message.writeUTF("")).isInstanceOf(MessageNotWriteableException.class);
        assertThat(message.readInt()).isEqualTo(1);
        message.reset();
        assertThat(message.readInt()).isEqualTo(1);
        message.clearBody();
        assertThatThrownBy(message::readInt).isInstanceOf(MessageNotReadableException.class);
        message.writeByte((byte) 3);
        assertThat(bytesOf(message)).containsExactly(3);
    }

    @Test
    void reads_beyond_the_end_leave_the_position() throws JMSException {
        message.writeShort((short) 0x0105);
        message.reset();
        assertThatThrownBy(message::readInt).isInstanceOf(MessageEOFException.class);
        assertThatThrownBy(message::readUTF).isInstanceOf(MessageEOFException.class);
        assertThat(message.readShort()).isEqualTo((short) 0x0105);
    }

    @Test
    void bytes_are_read_in_stretches() throws JMSException {
        message.writeBytes(new byte[] {1, 2, 3, 4, 5});
        message.reset();
        byte[] buffer = new byte[3];
        assertThat(message.readBytes(buffer)).isEqualTo(3);
        assertThat(buffer).containsExactly(1, 2, 3);
        assertThat(message.readBytes(buffer, 1)).isEqualTo(1);
        assertThat(message.readBytes(buffer)).isEqualTo(1);
        assertThat(buffer[0]).isEqualTo((byte) 5);
        assertThat(message.readBytes(buffer)).isEqualTo(-1);
        message.reset();
        assertThatThrownBy(() -> message.readBytes(buffer, 4)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> message.readBytes(buffer, -1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(message.readByte()).isEqualTo((byte) 1);
    }

    @Test
    void texts_too_long_for_writeUTF_are_refused() {
        assertThatThrownBy(() -> message.writeUTF("x".repeat(65_536))).isInstanceOf(MessageFormatException.class);
        assertThat(bytesOf(message)).isEmpty();
    }

    @Test
    void text_that_is_no_utf_is_refused_and_the_position_left() throws JMSException {
        message.writeBytes(new byte[] {0, 1, (byte) 0xff});
        message.reset();
        assertThatThrownBy(message::readUTF).isInstanceOf(MessageFormatException.class);
        assertThat(message.readByte()).isEqualTo((byte) 0);
    }

    @Test
    void what_was_sent_does_not_change_when_the_sender_writes_on() throws JMSException {
        message.writeBytes(new byte[] {1, 2});
        byte[] sent = bytesOf(message);
        message.writeByte((byte) 3);
        byte[] sentAgain = bytesOf(message);
        message.reset();
        assertThat(message.readShort()).isEqualTo((short) 0x0102);
        byte[] sentInReadMode = bytesOf(message);
        assertThat(message.readByte()).isEqualTo((byte) 3);
        message.clearBody();
        message.writeByte((byte) 9);
        assertThat(sent).containsExactly(1, 2);
        assertThat(sentAgain).containsExactly(1, 2, 3);
        assertThat(sentInReadMode).containsExactly(1, 2, 3);
        assertThat(bytesOf(message)).containsExactly(9);
    }

    @Test
    void a_body_written_at_once_or_already_cut_is_not_copied_to_be_sent() throws JMSException {
        message.writeBytes(new byte[1_000_000]);
        byte[] sent = bytesOf(message);
        assertThat(bytesOf(message)).isSameAs(sent);
        message.writeByte((byte) 1);
        byte[] cut = bytesOf(message);
        assertThat(cut).hasSize(1_000_001);
        assertThat(bytesOf(message)).isSameAs(cut);
    }

    @Test
    void many_small_and_large_writes_make_one_body() throws JMSException {
        Random random = new Random(3);
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        for (int i = 0; i < 2_000; i++) {
            byte[] bytes = new byte[random.nextInt(random.nextInt(40) == 0 ? 5_000 : 20)];
            random.nextBytes(bytes);
            message.writeBytes(bytes);
            expected.writeBytes(bytes);
            if (random.nextInt(50) == 0) {
                assertThat(bytesOf(message)).isEqualTo(expected.toByteArray());
            }
        }
        assertThat(bytesOf(message)).isEqualTo(expected.toByteArray());
    }

    @Test
    void the_whole_body_is_a_copy_and_reading_it_resets() throws JMSException {
        message.writeBytes(new byte[] {1, 2, 3});
        assertThat(message.isBodyAssignableTo(byte[].class)).isTrue();
        assertThat(message.isBodyAssignableTo(Object.class)).isTrue();
        assertThat(message.isBodyAssignableTo(String.class)).isFalse();
        assertThatThrownBy(() -> message.getBody(String.class)).isInstanceOf(MessageFormatException.class);
        byte[] body = message.getBody(byte[].class);
        assertThat(body).containsExactly(1, 2, 3);
        Arrays.fill(body, (byte) 0);
        assertThat(message.readByte()).isEqualTo((byte) 1);
        assertThat((byte[]) message.getBody(Object.class)).containsExactly(1, 2, 3);
        assertThat(message.readByte()).as("position after getBody").isEqualTo((byte) 1);
        message.clearBody();
        assertThat(message.getBody(String.class)).isNull();
        assertThat(message.isBodyAssignableTo(String.class)).isTrue();
    }
}
