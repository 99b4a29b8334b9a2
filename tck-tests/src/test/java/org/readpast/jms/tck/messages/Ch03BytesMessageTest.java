package org.readpast.jms.tck.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.readpast.jms.tck.harness.CasesFrom;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.Line;
import org.readpast.jms.tck.harness.TargetId;

/** §3.11 and the contract of {@code BytesMessage}. */
class Ch03BytesMessageTest {

    /** A call on a BytesMessage, with the method's name. */
    record Call(String name, Action action) {
        /** What is called. */
        @FunctionalInterface
        interface Action {
            void on(BytesMessage message) throws JMSException;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static List<Call> readers() {
        return List.of(
                new Call("readBoolean", BytesMessage::readBoolean),
                new Call("readByte", BytesMessage::readByte),
                new Call("readUnsignedByte", BytesMessage::readUnsignedByte),
                new Call("readShort", BytesMessage::readShort),
                new Call("readUnsignedShort", BytesMessage::readUnsignedShort),
                new Call("readChar", BytesMessage::readChar),
                new Call("readInt", BytesMessage::readInt),
                new Call("readLong", BytesMessage::readLong),
                new Call("readFloat", BytesMessage::readFloat),
                new Call("readDouble", BytesMessage::readDouble),
                new Call("readUTF", BytesMessage::readUTF),
                new Call("readBytes", message -> message.readBytes(new byte[1])),
                new Call("readBytes with a length", message -> message.readBytes(new byte[1], 1)),
                new Call("getBodyLength", BytesMessage::getBodyLength));
    }

    static List<Call> readersThatMeetTheEnd() {
        return readers().subList(0, 11);
    }

    static List<Call> writers() {
        return List.of(
                new Call("writeBoolean", message -> message.writeBoolean(true)),
                new Call("writeByte", message -> message.writeByte((byte) 1)),
                new Call("writeShort", message -> message.writeShort((short) 1)),
                new Call("writeChar", message -> message.writeChar('c')),
                new Call("writeInt", message -> message.writeInt(1)),
                new Call("writeLong", message -> message.writeLong(1)),
                new Call("writeFloat", message -> message.writeFloat(1)),
                new Call("writeDouble", message -> message.writeDouble(1)),
                new Call("writeUTF", message -> message.writeUTF("1")),
                new Call("writeBytes", message -> message.writeBytes(new byte[1])),
                new Call("writeBytes of a part", message -> message.writeBytes(new byte[1], 0, 1)),
                new Call("writeObject", message -> message.writeObject(1)));
    }

    @ContractTest
    void every_type_is_read_as_it_was_written(Jms jms) throws Exception {
        Line line = Line.open(jms);
        BytesMessage sent = line.session().createBytesMessage();
        writeEveryType(sent);
        BytesMessage received = line.carry(sent, BytesMessage.class);
        assertEveryType(received);
        received.reset();
        assertEveryType(received);
    }

    private static void writeEveryType(BytesMessage message) throws JMSException {
        message.writeBoolean(true);
        message.writeByte((byte) -2);
        message.writeByte((byte) -2);
        message.writeShort((short) -3);
        message.writeShort((short) -3);
        message.writeChar('\u20ac');
        message.writeInt(Integer.MIN_VALUE);
        message.writeLong(Long.MIN_VALUE);
        message.writeFloat(1.1f);
        message.writeDouble(-2.2);
        message.writeUTF("Gr\u00fc\u00dfe \u65e5\u672c\ud83d\ude80 \u0000");
        message.writeBytes(new byte[] {1, 2, 3});
        message.writeBytes(new byte[] {9, 4, 5, 9}, 1, 2);
    }

    private static void assertEveryType(BytesMessage message) throws JMSException {
        assertThat(message.readBoolean()).isTrue();
        assertThat(message.readByte()).isEqualTo((byte) -2);
        assertThat(message.readUnsignedByte()).isEqualTo(254);
        assertThat(message.readShort()).isEqualTo((short) -3);
        assertThat(message.readUnsignedShort()).isEqualTo(65_533);
        assertThat(message.readChar()).isEqualTo('\u20ac');
        assertThat(message.readInt()).isEqualTo(Integer.MIN_VALUE);
        assertThat(message.readLong()).isEqualTo(Long.MIN_VALUE);
        assertThat(message.readFloat()).isEqualTo(1.1f);
        assertThat(message.readDouble()).isEqualTo(-2.2);
        assertThat(message.readUTF()).isEqualTo("Gr\u00fc\u00dfe \u65e5\u672c\ud83d\ude80 \u0000");
        byte[] rest = new byte[6];
        assertThat(message.readBytes(rest)).isEqualTo(5);
        assertThat(Arrays.copyOf(rest, 5)).containsExactly(1, 2, 3, 4, 5);
        assertThat(message.readBytes(rest)).isEqualTo(-1);
    }

    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "BytesMessage.writeBoolean", why = "it writes true as -1, not 1")
    void layout_is_that_of_DataOutputStream(Jms jms) throws Exception {
        Line line = Line.open(jms);
        BytesMessage sent = line.session().createBytesMessage();
        writeEveryType(sent);
        BytesMessage received = line.carry(sent, BytesMessage.class);
        assertThat(received.getBody(byte[].class)).isEqualTo(everyTypeInJava());
        assertThat(received.getBodyLength()).isEqualTo(everyTypeInJava().length);
    }

    private static byte[] everyTypeInJava() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeBoolean(true);
        out.writeByte(-2);
        out.writeByte(-2);
        out.writeShort(-3);
        out.writeShort(-3);
        out.writeChar('\u20ac');
        out.writeInt(Integer.MIN_VALUE);
        out.writeLong(Long.MIN_VALUE);
        out.writeFloat(1.1f);
        out.writeDouble(-2.2);
        out.writeUTF("Gr\u00fc\u00dfe \u65e5\u672c\ud83d\ude80 \u0000");
        out.write(new byte[] {1, 2, 3, 4, 5});
        return bytes.toByteArray();
    }

    @ContractTest
    void writeObject_writes_as_the_method_of_the_type_does(Jms jms) throws Exception {
        Line line = Line.open(jms);
        BytesMessage byType = line.session().createBytesMessage();
        writeEveryType(byType);
        BytesMessage byObject = line.session().createBytesMessage();
        for (Object value : List.<Object>of(
                true,
                (byte) -2,
                (byte) -2,
                (short) -3,
                (short) -3,
                '\u20ac',
                Integer.MIN_VALUE,
                Long.MIN_VALUE,
                1.1f,
                -2.2,
                "Gr\u00fc\u00dfe \u65e5\u672c\ud83d\ude80 \u0000",
                new byte[] {1, 2, 3, 4, 5})) {
            byObject.writeObject(value);
        }
        assertThat(line.carry(byObject, BytesMessage.class).getBody(byte[].class))
                .isEqualTo(line.carry(byType, BytesMessage.class).getBody(byte[].class));
    }

    @ContractTest
    void writeObject_of_null_is_a_NullPointerException(Jms jms) throws Exception {
        BytesMessage message = jms.session().createBytesMessage();
        assertThatNullPointerException().isThrownBy(() -> message.writeObject(null));
    }

    static List<Named<Object>> noValues() {
        return Named.each(BigDecimal.ONE, List.of("a"), Instant.EPOCH);
    }

    @ContractTest
    @CasesFrom(value = "noValues", matrix = true)
    void writeObject_of_another_class_is_refused(Jms jms, Named<Object> value) throws Exception {
        BytesMessage message = jms.session().createBytesMessage();
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> message.writeObject(value.value()));
    }

    static List<Integer> sizes() {
        return List.of(0, 1, 255, 256, 4_095, 4_096, 8_000, 8_001, 65_535, 65_536, 1_000_000);
    }

    @ContractTest
    @CasesFrom("sizes")
    void bytes_of_any_number_arrive_as_they_were_sent(Jms jms, int size) throws Exception {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        Line line = Line.open(jms);
        BytesMessage sent = line.session().createBytesMessage();
        sent.writeBytes(bytes);
        BytesMessage received = line.carry(sent, BytesMessage.class);
        assertThat(received.getBodyLength()).isEqualTo(size);
        byte[] read = new byte[size + 1];
        assertThat(received.readBytes(read)).isEqualTo(size == 0 ? -1 : size);
        assertThat(Arrays.copyOf(read, size)).isEqualTo(bytes);
    }

    // Modes

    @ContractTest
    @CasesFrom(value = "readers", matrix = true)
    void new_message_is_write_only(Jms jms, Call reader) throws Exception {
        BytesMessage message = jms.session().createBytesMessage();
        message.writeUTF("text");
        assertThatExceptionOfType(MessageNotReadableException.class)
                .isThrownBy(() -> reader.action().on(message));
    }

    @ContractTest
    @CasesFrom(value = "writers", matrix = true)
    void received_message_is_read_only(Jms jms, Call writer) throws Exception {
        Line line = Line.open(jms);
        BytesMessage sent = line.session().createBytesMessage();
        sent.writeInt(1);
        BytesMessage received = line.carry(sent, BytesMessage.class);
        assertThatExceptionOfType(MessageNotWriteableException.class)
                .isThrownBy(() -> writer.action().on(received));
        assertThat(received.getBodyLength()).isEqualTo(4);
        assertThat(received.readInt()).isEqualTo(1);
    }

    @ContractTest
    @CasesFrom(value = "writers", matrix = true)
    void message_that_was_reset_is_read_only(Jms jms, Call writer) throws Exception {
        BytesMessage message = jms.session().createBytesMessage();
        message.writeInt(1);
        message.reset();
        assertThatExceptionOfType(MessageNotWriteableException.class)
                .isThrownBy(() -> writer.action().on(message));
        assertThat(message.readInt()).isEqualTo(1);
    }

    @ContractTest
    @CasesFrom(value = "readers", matrix = true)
    void received_message_is_write_only_after_clearBody(Jms jms, Call reader) throws Exception {
        Line line = Line.open(jms);
        BytesMessage sent = line.session().createBytesMessage();
        sent.writeLong(1);
        BytesMessage received = line.carry(sent, BytesMessage.class);
        received.clearBody();
        assertThatExceptionOfType(MessageNotReadableException.class)
                .isThrownBy(() -> reader.action().on(received));
    }

    @ContractTest
    void cleared_message_holds_only_what_is_written_afterwards(Jms jms) throws Exception {
        Line line = Line.open(jms);
        BytesMessage sent = line.session().createBytesMessage();
        sent.writeLong(1);
        BytesMessage received = line.carry(sent, BytesMessage.class);
        received.clearBody();
        received.writeByte((byte) 7);
        received.reset();
        assertThat(received.getBodyLength()).isEqualTo(1);
        assertThat(received.readByte()).isEqualTo((byte) 7);
    }

    @ContractTest
    void reset_goes_back_to_the_beginning(Jms jms) throws Exception {
        Line line = Line.open(jms);
        BytesMessage sent = line.session().createBytesMessage();
        sent.writeInt(1);
        sent.writeInt(2);
        BytesMessage received = line.carry(sent, BytesMessage.class);
        assertThat(received.readInt()).isEqualTo(1);
        received.reset();
        assertThat(received.readInt()).isEqualTo(1);
        assertThat(received.readInt()).isEqualTo(2);
    }

    @ContractTest
    void sender_can_clear_and_write_again_and_send_again(Jms jms) throws Exception {
        Line line = Line.open(jms);
        BytesMessage message = line.session().createBytesMessage();
        message.writeInt(1);
        BytesMessage first = line.carry(message, BytesMessage.class);
        message.clearBody();
        message.writeInt(2);
        BytesMessage second = line.carry(message, BytesMessage.class);
        assertThat(first.readInt()).isEqualTo(1);
        assertThat(second.readInt()).isEqualTo(2);
        assertThat(second.getBodyLength()).isEqualTo(4);
    }

    @ContractTest
    void getBodyLength_does_not_move_the_reader(Jms jms) throws Exception {
        Line line = Line.open(jms);
        BytesMessage sent = line.session().createBytesMessage();
        sent.writeInt(1);
        sent.writeInt(2);
        BytesMessage received = line.carry(sent, BytesMessage.class);
        received.readInt();
        assertThat(received.getBodyLength()).isEqualTo(8);
        assertThat(received.readInt()).isEqualTo(2);
    }

    // The end

    @ContractTest
    @CasesFrom(value = "readersThatMeetTheEnd", matrix = true)
    void reading_at_the_end_is_a_MessageEOFException(Jms jms, Call reader) throws Exception {
        Line line = Line.open(jms);
        BytesMessage sent = line.session().createBytesMessage();
        sent.writeByte((byte) 1);
        BytesMessage received = line.carry(sent, BytesMessage.class);
        received.readByte();
        assertThatExceptionOfType(MessageEOFException.class)
                .isThrownBy(() -> reader.action().on(received));
    }

    @ContractTest
    void reading_a_type_that_is_longer_than_the_rest_is_a_MessageEOFException(Jms jms) throws Exception {
        Line line = Line.open(jms);
        BytesMessage sent = line.session().createBytesMessage();
        sent.writeShort((short) 1);
        BytesMessage received = line.carry(sent, BytesMessage.class);
        assertThatExceptionOfType(MessageEOFException.class).isThrownBy(received::readLong);
    }

    @ContractTest
    void readBytes_fills_the_array_piece_by_piece(Jms jms) throws Exception {
        Line line = Line.open(jms);
        BytesMessage sent = line.session().createBytesMessage();
        sent.writeBytes(new byte[] {1, 2, 3, 4, 5});
        BytesMessage received = line.carry(sent, BytesMessage.class);
        byte[] piece = new byte[2];
        assertThat(received.readBytes(piece)).isEqualTo(2);
        assertThat(piece).containsExactly(1, 2);
        assertThat(received.readBytes(piece)).isEqualTo(2);
        assertThat(piece).containsExactly(3, 4);
        assertThat(received.readBytes(piece)).isEqualTo(1);
        assertThat(piece[0]).isEqualTo((byte) 5);
        assertThat(received.readBytes(piece)).isEqualTo(-1);
    }

    @ContractTest
    void readBytes_of_exactly_the_rest_is_followed_by_minus_one(Jms jms) throws Exception {
        Line line = Line.open(jms);
        BytesMessage sent = line.session().createBytesMessage();
        sent.writeBytes(new byte[] {1, 2});
        BytesMessage received = line.carry(sent, BytesMessage.class);
        assertThat(received.readBytes(new byte[2])).isEqualTo(2);
        assertThat(received.readBytes(new byte[2])).isEqualTo(-1);
    }

    @ContractTest
    void readBytes_with_a_length_reads_no_more_than_that(Jms jms) throws Exception {
        Line line = Line.open(jms);
        BytesMessage sent = line.session().createBytesMessage();
        sent.writeBytes(new byte[] {1, 2, 3});
        BytesMessage received = line.carry(sent, BytesMessage.class);
        byte[] array = new byte[3];
        assertThat(received.readBytes(array, 2)).isEqualTo(2);
        assertThat(array).containsExactly(1, 2, 0);
        assertThat(received.readBytes(array, 2)).isEqualTo(1);
    }

    @ContractTest
    void readBytes_with_a_length_outside_the_array_reads_nothing(Jms jms) throws Exception {
        Line line = Line.open(jms);
        BytesMessage sent = line.session().createBytesMessage();
        sent.writeBytes(new byte[] {1, 2, 3});
        BytesMessage received = line.carry(sent, BytesMessage.class);
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> received.readBytes(new byte[2], 3));
        assertThat(received.readByte()).isEqualTo((byte) 1);
    }

    @ContractTest
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "BytesMessage.readBytes",
            why = "it throws an IllegalArgumentException")
    void readBytes_with_a_negative_length_reads_nothing(Jms jms) throws Exception {
        Line line = Line.open(jms);
        BytesMessage sent = line.session().createBytesMessage();
        sent.writeBytes(new byte[] {1, 2, 3});
        BytesMessage received = line.carry(sent, BytesMessage.class);
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> received.readBytes(new byte[2], -1));
        assertThat(received.readByte()).isEqualTo((byte) 1);
    }

    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§3.11.1", why = "a body without bytes arrives as one of four bytes")
    void message_into_which_nothing_was_written_arrives_empty(Jms jms) throws Exception {
        Line line = Line.open(jms);
        BytesMessage received = line.carry(line.session().createBytesMessage(), BytesMessage.class);
        assertThat(received.getBodyLength()).isZero();
        assertThatExceptionOfType(MessageEOFException.class).isThrownBy(received::readByte);
    }

    // getBody

    @ContractTest
    void getBody_takes_a_byte_array_or_an_object(Jms jms) throws Exception {
        Line line = Line.open(jms);
        BytesMessage sent = line.session().createBytesMessage();
        sent.writeBytes(new byte[] {1, 2});
        BytesMessage received = line.carry(sent, BytesMessage.class);
        assertThat(received.isBodyAssignableTo(byte[].class)).isTrue();
        assertThat(received.isBodyAssignableTo(Object.class)).isTrue();
        assertThat(received.getBody(byte[].class)).containsExactly(1, 2);
        assertThat(received.getBody(Object.class)).isEqualTo(new byte[] {1, 2});
    }

    static List<Class<?>> unassignable() {
        return List.of(String.class, int[].class, List.class, Byte[].class);
    }

    @ContractTest
    @CasesFrom(value = "unassignable", matrix = true)
    void getBody_refuses_another_type(Jms jms, Class<?> type) throws Exception {
        Line line = Line.open(jms);
        BytesMessage sent = line.session().createBytesMessage();
        sent.writeBytes(new byte[] {1, 2});
        BytesMessage received = line.carry(sent, BytesMessage.class);
        assertThat(received.isBodyAssignableTo(type)).isFalse();
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> received.getBody(type));
    }

    @ContractTest
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "Message.getBody",
            why = "it resets before the body is read, and not afterwards")
    void getBody_resets_before_and_after(Jms jms) throws Exception {
        Line line = Line.open(jms);
        BytesMessage sent = line.session().createBytesMessage();
        sent.writeBytes(new byte[] {1, 2});
        BytesMessage received = line.carry(sent, BytesMessage.class);
        received.readByte();
        assertThat(received.getBody(byte[].class)).containsExactly(1, 2);
        assertThat(received.readByte()).isEqualTo((byte) 1);
    }

    @ContractTest
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "Message.getBody",
            why = "a body without bytes arrives as one of four bytes")
    void getBody_of_a_message_without_bytes_is_null_for_any_type(Jms jms) throws Exception {
        Line line = Line.open(jms);
        BytesMessage received = line.carry(line.session().createBytesMessage(), BytesMessage.class);
        assertThat(received.isBodyAssignableTo(String.class)).isTrue();
        assertThat(received.getBody(String.class)).isNull();
        assertThat(received.getBody(byte[].class)).isNull();
    }

    @ContractTest
    void getBody_gives_a_copy(Jms jms) throws Exception {
        Line line = Line.open(jms);
        BytesMessage sent = line.session().createBytesMessage();
        sent.writeBytes(new byte[] {1, 2});
        BytesMessage received = line.carry(sent, BytesMessage.class);
        received.getBody(byte[].class)[0] = 9;
        assertThat(received.getBody(byte[].class)).containsExactly(1, 2);
    }

    @ContractTest
    void body_handed_to_a_JMSProducer_arrives_as_a_bytes_message(Jms jms) throws Exception {
        JMSContext context = jms.context();
        context.createProducer().send(jms.queue(), new byte[] {1, 2});
        BytesMessage received = (BytesMessage) jms.receive(context.createConsumer(jms.queue()));
        assertThat(received.getBody(byte[].class)).containsExactly(1, 2);
    }
}
