package org.readpast.jms.tck.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.readpast.jms.tck.harness.CasesFrom;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.Line;
import org.readpast.jms.tck.harness.TargetId;

/** §3.11 and the contract of {@code MapMessage}. */
class Ch03MapMessageTest {

    // §3.11.3 Table 3-7

    static List<Cell> cells() {
        return Cell.ofBodies();
    }

    @ContractTest
    @CasesFrom(value = "cells", matrix = true)
    void entry(Jms jms, Cell cell) throws Exception {
        Line line = Line.open(jms);
        MapMessage sent = line.session().createMapMessage();
        ValueAccess.set(sent, "e", cell.written(), cell.value());
        assertConverts(sent, cell);
        assertConverts(line.carry(sent, MapMessage.class), cell);
    }

    private static void assertConverts(MapMessage message, Cell cell) throws JMSException {
        if (cell.expected().isPresent()) {
            assertThat(ValueAccess.get(message, "e", cell.read()))
                    .isEqualTo(cell.expected().get());
        } else {
            assertThatExceptionOfType(MessageFormatException.class)
                    .isThrownBy(() -> ValueAccess.get(message, "e", cell.read()));
        }
    }

    static List<BadNumber> badNumbers() {
        return BadNumber.ALL;
    }

    @ContractTest
    @CasesFrom(value = "badNumbers", matrix = true)
    void text_that_is_no_number_is_a_NumberFormatException(Jms jms, BadNumber bad) throws Exception {
        Line line = Line.open(jms);
        MapMessage sent = line.session().createMapMessage();
        sent.setString("e", bad.text());
        MapMessage received = line.carry(sent, MapMessage.class);
        assertThatExceptionOfType(NumberFormatException.class)
                .isThrownBy(() -> ValueAccess.get(received, "e", bad.read()));
    }

    static List<NullRead> nullReads() {
        return NullRead.ofBodies();
    }

    @ContractTest
    @CasesFrom(value = "nullReads", matrix = true)
    void entry_that_was_not_set_is_read_as_null_is(Jms jms, NullRead read) throws Exception {
        Line line = Line.open(jms);
        MapMessage sent = line.session().createMapMessage();
        read.assertOutcome(() -> ValueAccess.get(sent, "absent", read.type()));
        MapMessage received = line.carry(sent, MapMessage.class);
        read.assertOutcome(() -> ValueAccess.get(received, "absent", read.type()));
        assertThat(received.getObject("absent")).isNull();
        assertThat(received.itemExists("absent")).isFalse();
    }

    @ContractTest
    @CasesFrom(value = "nullReads", matrix = true)
    void entry_with_a_null_value_is_read_as_null_is(Jms jms, NullRead read) throws Exception {
        Line line = Line.open(jms);
        MapMessage sent = line.session().createMapMessage();
        sent.setObject("e", null);
        read.assertOutcome(() -> ValueAccess.get(sent, "e", read.type()));
        MapMessage received = line.carry(sent, MapMessage.class);
        read.assertOutcome(() -> ValueAccess.get(received, "e", read.type()));
        assertThat(received.getObject("e")).isNull();
    }

    @ContractTest
    void null_string_and_null_bytes_arrive_as_null(Jms jms) throws Exception {
        Line line = Line.open(jms);
        MapMessage sent = line.session().createMapMessage();
        sent.setString("string", null);
        sent.setBytes("bytes", null);
        MapMessage received = line.carry(sent, MapMessage.class);
        assertThat(received.getString("string")).isNull();
        assertThat(received.getBytes("bytes")).isNull();
        assertThat(received.itemExists("string")).isTrue();
        assertThat(received.itemExists("bytes")).isTrue();
    }

    // Objects

    static List<Named<Object>> values() {
        return Named.each(
                true,
                Byte.MIN_VALUE,
                Short.MAX_VALUE,
                'c',
                '\u0000',
                '\uffff',
                Integer.MIN_VALUE,
                9_007_199_254_740_993L,
                Float.NaN,
                Float.MIN_VALUE,
                -0.0d,
                Double.MAX_VALUE,
                "",
                "nul \u0000 and \u65e5\u672c \ud83d\ude80",
                "long ".repeat(20_000),
                new byte[0],
                new byte[] {0, -1, 127},
                new byte[70_000]);
    }

    @ContractTest
    @CasesFrom("values")
    void object_arrives_with_its_value_and_its_type(Jms jms, Named<Object> value) throws Exception {
        Line line = Line.open(jms);
        MapMessage sent = line.session().createMapMessage();
        sent.setObject("e", value.value());
        assertThat(sent.getObject("e")).isEqualTo(value.value());
        assertThat(line.carry(sent, MapMessage.class).getObject("e")).isEqualTo(value.value());
    }

    static List<Named<Object>> noValues() {
        return Named.each(BigDecimal.ONE, List.of("a"), Map.of(), Instant.EPOCH);
    }

    @ContractTest
    @CasesFrom(value = "noValues", matrix = true)
    void object_of_another_class_is_refused(Jms jms, Named<Object> value) throws Exception {
        MapMessage message = jms.session().createMapMessage();
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> message.setObject("e", value.value()));
        assertThat(message.itemExists("e")).isFalse();
    }

    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§3.12", why = "it keeps the array it was given")
    void bytes_are_copied_when_they_are_set(Jms jms) throws Exception {
        Line line = Line.open(jms);
        byte[] bytes = {1, 2, 3};
        MapMessage sent = line.session().createMapMessage();
        sent.setBytes("whole", bytes);
        sent.setObject("object", bytes);
        sent.setBytes("part", bytes, 1, 2);
        bytes[1] = 9;
        MapMessage received = line.carry(sent, MapMessage.class);
        assertThat(received.getBytes("whole")).containsExactly(1, 2, 3);
        assertThat(received.getBytes("object")).containsExactly(1, 2, 3);
        assertThat(received.getBytes("part")).containsExactly(2, 3);
    }

    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§3.12", why = "it hands out its own array")
    void bytes_that_were_got_are_a_copy(Jms jms) throws Exception {
        Line line = Line.open(jms);
        MapMessage sent = line.session().createMapMessage();
        sent.setBytes("e", new byte[] {1, 2});
        MapMessage received = line.carry(sent, MapMessage.class);
        received.getBytes("e")[0] = 9;
        ((byte[]) received.getObject("e"))[1] = 9;
        assertThat(received.getBytes("e")).containsExactly(1, 2);
    }

    // Names

    /** One of the methods that set an entry. */
    record Setter(String method, Action action) {
        /** Sets the entry of that name. */
        @FunctionalInterface
        interface Action {
            void set(MapMessage message, String name) throws JMSException;
        }

        @Override
        public String toString() {
            return method;
        }
    }

    static List<Setter> setters() {
        return List.of(
                new Setter("setBoolean", (message, name) -> message.setBoolean(name, true)),
                new Setter("setByte", (message, name) -> message.setByte(name, (byte) 1)),
                new Setter("setShort", (message, name) -> message.setShort(name, (short) 1)),
                new Setter("setChar", (message, name) -> message.setChar(name, '1')),
                new Setter("setInt", (message, name) -> message.setInt(name, 1)),
                new Setter("setLong", (message, name) -> message.setLong(name, 1)),
                new Setter("setFloat", (message, name) -> message.setFloat(name, 1)),
                new Setter("setDouble", (message, name) -> message.setDouble(name, 1)),
                new Setter("setString", (message, name) -> message.setString(name, "1")),
                new Setter("setBytes", (message, name) -> message.setBytes(name, new byte[1])),
                new Setter("setBytes of a part", (message, name) -> message.setBytes(name, new byte[1], 0, 1)),
                new Setter("setObject", (message, name) -> message.setObject(name, 1)));
    }

    @ContractTest
    @CasesFrom(value = "setters", matrix = true)
    void name_that_is_null_or_empty_is_an_IllegalArgumentException(Jms jms, Setter setter) throws Exception {
        MapMessage message = jms.session().createMapMessage();
        assertThatIllegalArgumentException().isThrownBy(() -> setter.action().set(message, null));
        assertThatIllegalArgumentException().isThrownBy(() -> setter.action().set(message, ""));
    }

    static List<Named<Object>> names() {
        return Named.each(
                "a", "with blanks", "1", "NULL", "a.b-c", "\u65e5\u672c \ud83d\ude80", "x".repeat(500), "JMSType");
    }

    @ContractTest
    @CasesFrom("names")
    void name_need_not_be_an_identifier(Jms jms, Named<Object> name) throws Exception {
        Line line = Line.open(jms);
        MapMessage sent = line.session().createMapMessage();
        sent.setInt((String) name.value(), 1);
        assertThat(line.carry(sent, MapMessage.class).getInt((String) name.value()))
                .isEqualTo(1);
    }

    @ContractTest
    void names_are_listed_and_differ_in_case(Jms jms) throws Exception {
        Line line = Line.open(jms);
        MapMessage sent = line.session().createMapMessage();
        sent.setInt("a", 1);
        sent.setInt("A", 2);
        sent.setString("nothing", null);
        MapMessage received = line.carry(sent, MapMessage.class);
        assertThat(entryNames(received)).containsExactlyInAnyOrder("a", "A", "nothing");
        assertThat(received.getInt("a")).isEqualTo(1);
        assertThat(received.getInt("A")).isEqualTo(2);
        assertThat(received.itemExists("a")).isTrue();
        assertThat(received.itemExists("b")).isFalse();
    }

    @ContractTest
    void later_value_replaces_the_earlier_one(Jms jms) throws Exception {
        Line line = Line.open(jms);
        MapMessage sent = line.session().createMapMessage();
        sent.setString("e", "text");
        sent.setLong("e", 2);
        MapMessage received = line.carry(sent, MapMessage.class);
        assertThat(received.getObject("e")).isEqualTo(2L);
        assertThat(entryNames(received)).containsExactly("e");
    }

    @ContractTest
    void map_without_entries_arrives_as_one(Jms jms) throws Exception {
        Line line = Line.open(jms);
        assertThat(entryNames(line.carry(line.session().createMapMessage(), MapMessage.class)))
                .isEmpty();
    }

    @ContractTest
    void map_with_many_entries_arrives_whole(Jms jms) throws Exception {
        Line line = Line.open(jms);
        MapMessage sent = line.session().createMapMessage();
        for (int i = 0; i < 2_000; i++) {
            sent.setInt("entry " + i, i);
        }
        MapMessage received = line.carry(sent, MapMessage.class);
        assertThat(entryNames(received)).hasSize(2_000);
        assertThat(received.getInt("entry 1999")).isEqualTo(1_999);
    }

    // Modes

    @ContractTest
    @CasesFrom(value = "setters", matrix = true)
    void received_map_is_read_only(Jms jms, Setter setter) throws Exception {
        Line line = Line.open(jms);
        MapMessage sent = line.session().createMapMessage();
        sent.setInt("there", 1);
        MapMessage received = line.carry(sent, MapMessage.class);
        assertThatExceptionOfType(MessageNotWriteableException.class)
                .isThrownBy(() -> setter.action().set(received, "other"));
        assertThat(entryNames(received)).containsExactly("there");
    }

    @ContractTest
    void map_can_be_read_and_written_after_clearBody(Jms jms) throws Exception {
        Line line = Line.open(jms);
        MapMessage sent = line.session().createMapMessage();
        sent.setInt("old", 1);
        MapMessage received = line.carry(sent, MapMessage.class);
        received.clearBody();
        assertThat(entryNames(received)).isEmpty();
        assertThat(received.itemExists("old")).isFalse();
        received.setInt("new", 2);
        assertThat(received.getInt("new")).isEqualTo(2);
    }

    @ContractTest
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "§3.11.1",
            why = "it fails to send it, with an IndexOutOfBoundsException")
    void received_map_can_be_sent_on_after_clearBody(Jms jms) throws Exception {
        Line line = Line.open(jms);
        MapMessage sent = line.session().createMapMessage();
        sent.setInt("old", 1);
        MapMessage received = line.carry(sent, MapMessage.class);
        received.clearBody();
        received.setInt("new", 2);
        assertThat(entryNames(line.carry(received, MapMessage.class))).containsExactly("new");
    }

    // getBody

    @ContractTest
    void getBody_takes_a_map_or_an_object(Jms jms) throws Exception {
        Line line = Line.open(jms);
        MapMessage sent = line.session().createMapMessage();
        sent.setInt("i", 1);
        sent.setString("s", "text");
        MapMessage received = line.carry(sent, MapMessage.class);
        assertThat(received.isBodyAssignableTo(Map.class)).isTrue();
        assertThat(received.isBodyAssignableTo(Object.class)).isTrue();
        assertThat((Object) received.getBody(Map.class)).isEqualTo(Map.of("i", 1, "s", "text"));
        assertThat(received.getBody(Object.class)).isEqualTo(Map.of("i", 1, "s", "text"));
    }

    static List<Class<?>> unassignable() {
        return List.of(String.class, HashMap.class, List.class);
    }

    @ContractTest
    @CasesFrom(value = "unassignable", matrix = true)
    void getBody_refuses_another_type(Jms jms, Class<?> type) throws Exception {
        Line line = Line.open(jms);
        MapMessage sent = line.session().createMapMessage();
        sent.setInt("i", 1);
        MapMessage received = line.carry(sent, MapMessage.class);
        assertThat(received.isBodyAssignableTo(type)).isFalse();
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> received.getBody(type));
    }

    @ContractTest
    void body_handed_to_a_JMSProducer_arrives_as_a_map_message(Jms jms) throws Exception {
        JMSContext context = jms.context();
        context.createProducer().send(jms.queue(), Map.of("i", 1, "s", "text"));
        MapMessage received = (MapMessage) jms.receive(context.createConsumer(jms.queue()));
        assertThat(received.getInt("i")).isEqualTo(1);
        assertThat(received.getString("s")).isEqualTo("text");
    }

    @ContractTest
    void entry_can_be_set_for_each_name_while_the_names_are_read(Jms jms) throws Exception {
        MapMessage message = jms.session().createMapMessage();
        message.setString("a", "1");
        message.setString("b", "2");
        Enumeration<?> names = message.getMapNames();
        while (names.hasMoreElements()) {
            String name = (String) names.nextElement();
            message.setString("before_" + name, message.getString(name));
        }
        assertThat(entryNames(message)).containsExactlyInAnyOrder("a", "b", "before_a", "before_b");
    }

    private static List<String> entryNames(MapMessage message) throws JMSException {
        Enumeration<?> names = message.getMapNames();
        return Collections.list(names).stream().map(String.class::cast).toList();
    }
}
