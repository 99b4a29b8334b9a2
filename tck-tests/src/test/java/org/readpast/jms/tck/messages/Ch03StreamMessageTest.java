package org.readpast.jms.tck.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.StreamMessage;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.readpast.jms.tck.harness.CasesFrom;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.Line;
import org.readpast.jms.tck.harness.TargetId;

/** §3.11 and the contract of {@code StreamMessage}. */
class Ch03StreamMessageTest {

    // §3.11.3 Table 3-7

    static List<Cell> cells() {
        return Cell.ofBodies();
    }

    @ContractTest
    @CasesFrom(value = "cells", matrix = true)
    void field(Jms jms, Cell cell) throws Exception {
        Line line = Line.open(jms);
        StreamMessage sent = line.session().createStreamMessage();
        ValueAccess.write(sent, cell.written(), cell.value());
        StreamMessage received = line.carry(sent, StreamMessage.class);
        if (cell.expected().isPresent()) {
            assertThat(ValueAccess.read(received, cell.read()))
                    .isEqualTo(cell.expected().get());
        } else {
            assertThatExceptionOfType(MessageFormatException.class)
                    .isThrownBy(() -> ValueAccess.read(received, cell.read()));
        }
    }

    static List<Cell> refusals() {
        return Cell.ofBodies().stream()
                .filter(cell -> cell.expected().isEmpty())
                .toList();
    }

    @ContractTest
    @CasesFrom(value = "refusals", matrix = true)
    @Deviation(target = TargetId.ARTEMIS, clause = "§3.11.3", why = "a read that is refused moves the position")
    void field_that_was_refused_can_be_read_as_what_it_is(Jms jms, Cell cell) throws Exception {
        Line line = Line.open(jms);
        StreamMessage sent = line.session().createStreamMessage();
        ValueAccess.write(sent, cell.written(), cell.value());
        StreamMessage received = line.carry(sent, StreamMessage.class);
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> ValueAccess.read(received, cell.read()));
        assertThat(ValueAccess.read(received, cell.written())).isEqualTo(cell.value());
    }

    static List<BadNumber> badNumbers() {
        return BadNumber.ALL;
    }

    @ContractTest
    @CasesFrom(value = "badNumbers", matrix = true)
    void text_that_is_no_number_is_a_NumberFormatException(Jms jms, BadNumber bad) throws Exception {
        Line line = Line.open(jms);
        StreamMessage sent = line.session().createStreamMessage();
        sent.writeString(bad.text());
        StreamMessage received = line.carry(sent, StreamMessage.class);
        assertThatExceptionOfType(NumberFormatException.class).isThrownBy(() -> ValueAccess.read(received, bad.read()));
    }

    @ContractTest
    @CasesFrom(value = "badNumbers", matrix = true)
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "§3.11.3",
            why = "a read that fails moves the position, except that of a byte",
            cases = {
                "'abc' read as short",
                "'32768' read as short",
                "'abc' read as int",
                "'2147483648' read as int",
                "'1.5' read as int",
                "' 1' read as int",
                "'' read as int",
                "'abc' read as long",
                "'9223372036854775808' read as long",
                "'1L' read as long",
                "'abc' read as float",
                "'abc' read as double",
                "'' read as double"
            })
    void text_that_is_no_number_can_be_read_again(Jms jms, BadNumber bad) throws Exception {
        Line line = Line.open(jms);
        StreamMessage sent = line.session().createStreamMessage();
        sent.writeString(bad.text());
        sent.writeInt(7);
        StreamMessage received = line.carry(sent, StreamMessage.class);
        assertThatExceptionOfType(NumberFormatException.class).isThrownBy(() -> ValueAccess.read(received, bad.read()));
        assertThat(received.readString()).isEqualTo(bad.text());
        assertThat(received.readInt()).isEqualTo(7);
    }

    static List<NullRead> nullReads() {
        return NullRead.ofBodies();
    }

    @ContractTest
    @CasesFrom(value = "nullReads", matrix = true)
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "StreamMessage.readBytes, §3.12",
            why = "it refuses to read a null as bytes",
            cases = {"byte[] is null"})
    void null_field_is_read_as(Jms jms, NullRead read) throws Exception {
        Line line = Line.open(jms);
        StreamMessage sent = line.session().createStreamMessage();
        sent.writeObject(null);
        sent.writeInt(7);
        StreamMessage received = line.carry(sent, StreamMessage.class);
        read.assertOutcome(() -> ValueAccess.read(received, read.type()));
    }

    /** Without byte[]: the table has no mark for a String read as byte[], and does not say what a null one is. */
    static List<NullRead> nullReadsOfStrings() {
        return NullRead.ofBodies().stream()
                .filter(read -> read.type() != ValueType.BYTES)
                .toList();
    }

    @ContractTest
    @CasesFrom(value = "nullReadsOfStrings", matrix = true)
    void null_string_is_read_as(Jms jms, NullRead read) throws Exception {
        Line line = Line.open(jms);
        StreamMessage sent = line.session().createStreamMessage();
        sent.writeString(null);
        StreamMessage received = line.carry(sent, StreamMessage.class);
        read.assertOutcome(() -> ValueAccess.read(received, read.type()));
    }

    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§3.11.3", why = "a read that fails moves the position")
    void null_that_failed_as_a_number_can_be_read_again(Jms jms) throws Exception {
        Line line = Line.open(jms);
        StreamMessage sent = line.session().createStreamMessage();
        sent.writeObject(null);
        sent.writeInt(7);
        StreamMessage received = line.carry(sent, StreamMessage.class);
        assertThatExceptionOfType(NumberFormatException.class).isThrownBy(received::readInt);
        assertThat(received.readString()).isNull();
        assertThat(received.readInt()).isEqualTo(7);
    }

    @ContractTest
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "StreamMessage.readBytes, §3.12",
            why = "it does not write null bytes")
    void null_bytes_are_read_as_minus_one_and_the_next_field_follows(Jms jms) throws Exception {
        Line line = Line.open(jms);
        StreamMessage sent = line.session().createStreamMessage();
        sent.writeBytes(null);
        sent.writeInt(7);
        StreamMessage received = line.carry(sent, StreamMessage.class);
        assertThat(received.readBytes(new byte[4])).isEqualTo(-1);
        assertThat(received.readInt()).isEqualTo(7);
    }

    // Objects

    static List<Named<Object>> values() {
        return Ch03MapMessageTest.values();
    }

    @ContractTest
    @CasesFrom("values")
    void object_arrives_with_its_value_and_its_type(Jms jms, Named<Object> value) throws Exception {
        Line line = Line.open(jms);
        StreamMessage sent = line.session().createStreamMessage();
        sent.writeObject(value.value());
        sent.writeInt(7);
        StreamMessage received = line.carry(sent, StreamMessage.class);
        assertThat(received.readObject()).isEqualTo(value.value());
        assertThat(received.readInt()).isEqualTo(7);
    }

    static List<Named<Object>> noValues() {
        return Named.each(BigDecimal.ONE, List.of("a"), Instant.EPOCH);
    }

    @ContractTest
    @CasesFrom(value = "noValues", matrix = true)
    void object_of_another_class_is_refused(Jms jms, Named<Object> value) throws Exception {
        StreamMessage message = jms.session().createStreamMessage();
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> message.writeObject(value.value()));
    }

    @ContractTest
    void fields_of_every_type_are_read_in_the_order_of_writing(Jms jms) throws Exception {
        Line line = Line.open(jms);
        List<Cell> diagonal = Cell.ofBodies().stream()
                .filter(cell -> cell.written() == cell.read())
                .toList();
        StreamMessage sent = line.session().createStreamMessage();
        for (Cell cell : diagonal) {
            ValueAccess.write(sent, cell.written(), cell.value());
        }
        StreamMessage received = line.carry(sent, StreamMessage.class);
        for (Cell cell : diagonal) {
            if (cell.read() == ValueType.BYTES) {
                assertThat(received.readObject()).isEqualTo(cell.value());
            } else {
                assertThat(ValueAccess.read(received, cell.read())).isEqualTo(cell.value());
            }
        }
        assertThatExceptionOfType(MessageEOFException.class).isThrownBy(received::readObject);
    }

    // readBytes

    @ContractTest
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "StreamMessage.readBytes",
            why = "after a short read it reports the end of the field once more")
    void readBytes_reads_one_field_piece_by_piece(Jms jms) throws Exception {
        StreamMessage received = withTwoByteFields(jms);
        byte[] piece = new byte[2];
        assertThat(received.readBytes(piece)).isEqualTo(2);
        assertThat(piece).containsExactly(1, 2);
        assertThat(received.readBytes(piece)).isEqualTo(1);
        assertThat(piece[0]).isEqualTo((byte) 3);
        // It returned less than it could, so the field has ended, and the next read is the next field's.
        assertThat(received.readBytes(piece)).isEqualTo(1);
        assertThat(piece[0]).isEqualTo((byte) 4);
    }

    @ContractTest
    void readBytes_that_fills_the_array_to_the_end_is_followed_by_minus_one(Jms jms) throws Exception {
        StreamMessage received = withTwoByteFields(jms);
        byte[] whole = new byte[3];
        assertThat(received.readBytes(whole)).isEqualTo(3);
        assertThat(received.readBytes(whole)).isEqualTo(-1);
        assertThat(received.readBytes(whole)).isEqualTo(1);
        assertThat(whole[0]).isEqualTo((byte) 4);
    }

    private static StreamMessage withTwoByteFields(Jms jms) throws JMSException {
        Line line = Line.open(jms);
        StreamMessage sent = line.session().createStreamMessage();
        sent.writeBytes(new byte[] {1, 2, 3});
        sent.writeBytes(new byte[] {9, 4, 9}, 1, 1);
        return line.carry(sent, StreamMessage.class);
    }

    @ContractTest
    void readBytes_of_an_empty_field_is_zero(Jms jms) throws Exception {
        Line line = Line.open(jms);
        StreamMessage sent = line.session().createStreamMessage();
        sent.writeBytes(new byte[0]);
        sent.writeInt(7);
        StreamMessage received = line.carry(sent, StreamMessage.class);
        assertThat(received.readBytes(new byte[4])).isZero();
        assertThat(received.readInt()).isEqualTo(7);
    }

    static List<ValueType> others() {
        return List.copyOf(EnumSet.complementOf(EnumSet.of(ValueType.BYTES)));
    }

    @ContractTest
    @CasesFrom(value = "others", matrix = true)
    @Deviation(target = TargetId.ARTEMIS, clause = "StreamMessage.readBytes", why = "it reads the next field")
    void other_reads_are_refused_in_the_middle_of_a_byte_field(Jms jms, ValueType type) throws Exception {
        StreamMessage received = withTwoByteFields(jms);
        byte[] piece = new byte[2];
        received.readBytes(piece);
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> ValueAccess.read(received, type));
        assertThat(received.readBytes(piece)).isEqualTo(1);
        assertThat(piece[0]).isEqualTo((byte) 3);
    }

    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "StreamMessage.readObject", why = "it reads the next field")
    void readObject_is_refused_in_the_middle_of_a_byte_field(Jms jms) throws Exception {
        StreamMessage received = withTwoByteFields(jms);
        received.readBytes(new byte[2]);
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(received::readObject);
        assertThat(received.readBytes(new byte[2])).isEqualTo(1);
    }

    @ContractTest
    void bytes_are_copied_when_they_are_written(Jms jms) throws Exception {
        Line line = Line.open(jms);
        byte[] bytes = {1, 2};
        StreamMessage sent = line.session().createStreamMessage();
        sent.writeBytes(bytes);
        sent.writeObject(bytes);
        bytes[0] = 9;
        StreamMessage received = line.carry(sent, StreamMessage.class);
        assertThat((byte[]) received.readObject()).containsExactly(1, 2);
        assertThat((byte[]) received.readObject()).containsExactly(1, 2);
    }

    // Modes and ends

    /** A call on a StreamMessage, with the method's name. */
    record Call(String name, Action action) {
        /** What is called. */
        @FunctionalInterface
        interface Action {
            void on(StreamMessage message) throws JMSException;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static List<Call> readers() {
        return List.of(
                new Call("readBoolean", StreamMessage::readBoolean),
                new Call("readByte", StreamMessage::readByte),
                new Call("readShort", StreamMessage::readShort),
                new Call("readChar", StreamMessage::readChar),
                new Call("readInt", StreamMessage::readInt),
                new Call("readLong", StreamMessage::readLong),
                new Call("readFloat", StreamMessage::readFloat),
                new Call("readDouble", StreamMessage::readDouble),
                new Call("readString", StreamMessage::readString),
                new Call("readBytes", message -> message.readBytes(new byte[1])),
                new Call("readObject", StreamMessage::readObject));
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
                new Call("writeString", message -> message.writeString("1")),
                new Call("writeBytes", message -> message.writeBytes(new byte[1])),
                new Call("writeBytes of a part", message -> message.writeBytes(new byte[1], 0, 1)),
                new Call("writeObject", message -> message.writeObject(1)));
    }

    @ContractTest
    @CasesFrom(value = "readers", matrix = true)
    void new_stream_is_write_only(Jms jms, Call reader) throws Exception {
        StreamMessage message = jms.session().createStreamMessage();
        message.writeString("1");
        assertThatExceptionOfType(MessageNotReadableException.class)
                .isThrownBy(() -> reader.action().on(message));
    }

    @ContractTest
    @CasesFrom(value = "writers", matrix = true)
    void received_stream_is_read_only(Jms jms, Call writer) throws Exception {
        Line line = Line.open(jms);
        StreamMessage sent = line.session().createStreamMessage();
        sent.writeInt(7);
        StreamMessage received = line.carry(sent, StreamMessage.class);
        assertThatExceptionOfType(MessageNotWriteableException.class)
                .isThrownBy(() -> writer.action().on(received));
        assertThat(received.readInt()).isEqualTo(7);
    }

    @ContractTest
    @CasesFrom(value = "writers", matrix = true)
    void stream_that_was_reset_is_read_only(Jms jms, Call writer) throws Exception {
        StreamMessage message = jms.session().createStreamMessage();
        message.writeInt(7);
        message.reset();
        assertThatExceptionOfType(MessageNotWriteableException.class)
                .isThrownBy(() -> writer.action().on(message));
        assertThat(message.readInt()).isEqualTo(7);
    }

    @ContractTest
    @CasesFrom(value = "readers", matrix = true)
    void received_stream_is_write_only_after_clearBody(Jms jms, Call reader) throws Exception {
        Line line = Line.open(jms);
        StreamMessage sent = line.session().createStreamMessage();
        sent.writeInt(7);
        StreamMessage received = line.carry(sent, StreamMessage.class);
        received.clearBody();
        assertThatExceptionOfType(MessageNotReadableException.class)
                .isThrownBy(() -> reader.action().on(received));
    }

    @ContractTest
    void cleared_stream_holds_only_what_is_written_afterwards(Jms jms) throws Exception {
        Line line = Line.open(jms);
        StreamMessage sent = line.session().createStreamMessage();
        sent.writeInt(7);
        StreamMessage received = line.carry(sent, StreamMessage.class);
        received.clearBody();
        received.writeString("new");
        StreamMessage again = line.carry(received, StreamMessage.class);
        assertThat(again.readString()).isEqualTo("new");
        assertThatExceptionOfType(MessageEOFException.class).isThrownBy(again::readObject);
    }

    @ContractTest
    @CasesFrom(value = "readers", matrix = true)
    void reading_at_the_end_is_a_MessageEOFException(Jms jms, Call reader) throws Exception {
        Line line = Line.open(jms);
        StreamMessage received = line.carry(line.session().createStreamMessage(), StreamMessage.class);
        assertThatExceptionOfType(MessageEOFException.class)
                .isThrownBy(() -> reader.action().on(received));
    }

    @ContractTest
    void reset_goes_back_to_the_beginning(Jms jms) throws Exception {
        Line line = Line.open(jms);
        StreamMessage sent = line.session().createStreamMessage();
        sent.writeInt(1);
        sent.writeString("two");
        StreamMessage received = line.carry(sent, StreamMessage.class);
        assertThat(received.readInt()).isEqualTo(1);
        received.reset();
        assertThat(received.readInt()).isEqualTo(1);
        assertThat(received.readString()).isEqualTo("two");
    }

    @ContractTest
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "StreamMessage.reset",
            why = "it goes on with the rest of the byte field")
    void reset_in_the_middle_of_a_byte_field_goes_back_to_the_beginning(Jms jms) throws Exception {
        StreamMessage received = withTwoByteFields(jms);
        received.readBytes(new byte[2]);
        received.reset();
        byte[] whole = new byte[9];
        assertThat(received.readBytes(whole)).isEqualTo(3);
        assertThat(Arrays.copyOf(whole, 3)).containsExactly(1, 2, 3);
    }

    @ContractTest
    void getBody_of_a_stream_is_refused_for_any_type(Jms jms) throws Exception {
        Line line = Line.open(jms);
        StreamMessage sent = line.session().createStreamMessage();
        sent.writeString("text");
        StreamMessage received = line.carry(sent, StreamMessage.class);
        for (Class<?> type : List.of(String.class, Object.class, byte[].class)) {
            assertThat(received.isBodyAssignableTo(type)).isFalse();
            assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> received.getBody(type));
        }
    }

    @ContractTest
    void stream_of_many_fields_arrives_whole(Jms jms) throws Exception {
        Line line = Line.open(jms);
        StreamMessage sent = line.session().createStreamMessage();
        for (int i = 0; i < 5_000; i++) {
            sent.writeInt(i);
        }
        StreamMessage received = line.carry(sent, StreamMessage.class);
        for (int i = 0; i < 5_000; i++) {
            assertThat(received.readInt()).isEqualTo(i);
        }
    }
}
