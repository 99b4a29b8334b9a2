package org.readpast.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import org.junit.jupiter.api.Test;

class JmsStreamMessageTest {

    private final JmsStreamMessage message = new JmsStreamMessage();

    @Test
    void it_is_written_first_and_read_after_reset() throws JMSException {
        message.writeInt(1);
        assertThatThrownBy(message::readInt).isInstanceOf(MessageNotReadableException.class);
        assertThatThrownBy(message::readObject).isInstanceOf(MessageNotReadableException.class);
        assertThatThrownBy(() -> message.readBytes(new byte[1])).isInstanceOf(MessageNotReadableException.class);
        message.reset();
        assertThatThrownBy(() -> message.writeInt(1)).isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> message.writeObject(new Object())).isInstanceOf(MessageNotWriteableException.class);
        assertThat(message.readInt()).isEqualTo(1);
        assertThatThrownBy(message::readInt).isInstanceOf(MessageEOFException.class);
        message.reset();
        assertThat(message.readObject()).isEqualTo(1);
        message.clearBody();
        message.writeString("new");
        message.reset();
        assertThat(message.readString()).isEqualTo("new");
    }

    @Test
    void a_byte_array_is_read_in_stretches_up_to_a_shorter_one() throws JMSException {
        message.writeBytes(new byte[] {1, 2, 3, 4, 5});
        message.writeInt(6);
        message.reset();
        byte[] buffer = new byte[2];
        assertThat(message.readBytes(buffer)).isEqualTo(2);
        assertThatThrownBy(message::readInt).isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(message::readObject).isInstanceOf(MessageFormatException.class);
        assertThat(message.readBytes(buffer)).isEqualTo(2);
        assertThat(buffer).containsExactly(3, 4);
        assertThat(message.readBytes(buffer)).isEqualTo(1);
        assertThat(buffer[0]).isEqualTo((byte) 5);
        assertThat(message.readInt()).isEqualTo(6);
    }

    @Test
    void a_buffer_filled_exactly_must_be_followed_by_one_more_read() throws JMSException {
        message.writeBytes(new byte[] {1, 2, 3, 4});
        message.writeInt(6);
        message.reset();
        byte[] buffer = new byte[4];
        assertThat(message.readBytes(buffer)).isEqualTo(4);
        assertThatThrownBy(message::readInt).isInstanceOf(MessageFormatException.class);
        assertThat(message.readBytes(buffer)).isEqualTo(-1);
        assertThat(message.readInt()).isEqualTo(6);
    }

    @Test
    void empty_and_null_byte_arrays_and_neighbours_are_told_apart() throws JMSException {
        message.writeBytes(new byte[0]);
        message.writeBytes(null);
        message.writeBytes(new byte[] {1});
        message.writeBytes(new byte[] {9, 2, 9}, 1, 1);
        message.writeString(null);
        message.reset();
        byte[] buffer = new byte[3];
        assertThat(message.readBytes(buffer)).isZero();
        assertThat(message.readBytes(buffer)).isEqualTo(-1);
        assertThat(message.readBytes(buffer)).isEqualTo(1);
        assertThat((byte[]) message.readObject()).containsExactly(2);
        assertThat(message.readString()).isNull();
        assertThatThrownBy(() -> message.readBytes(buffer)).isInstanceOf(MessageEOFException.class);
    }

    @Test
    void a_value_of_another_type_is_not_read_as_bytes() throws JMSException {
        message.writeString("text");
        message.reset();
        assertThatThrownBy(() -> message.readBytes(new byte[9])).isInstanceOf(MessageFormatException.class);
        assertThat(message.readString()).isEqualTo("text");
    }

    @Test
    void arrays_are_copied_in_and_out() throws JMSException {
        byte[] bytes = {1};
        message.writeBytes(bytes);
        message.writeObject(bytes);
        bytes[0] = 2;
        message.reset();
        ((byte[]) message.readObject())[0] = 3;
        message.reset();
        assertThat((byte[]) message.readObject()).containsExactly(1);
        assertThat((byte[]) message.readObject()).containsExactly(1);
    }

    @Test
    void it_has_no_body_as_a_whole() throws JMSException {
        assertThat(message.isBodyAssignableTo(Object.class)).isFalse();
        assertThatThrownBy(() -> message.getBody(Object.class)).isInstanceOf(MessageFormatException.class);
        message.writeInt(1);
        assertThat(message.isBodyAssignableTo(Object.class)).isFalse();
    }
}
