package org.readpast.jms.tck.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import org.readpast.jms.tck.harness.CasesFrom;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.Line;
import org.readpast.jms.tck.harness.TargetId;

/** §3.5: properties, their names, types and conversions. */
class Ch03PropertiesTest {

    // §3.5.4 Table 3-2

    static List<Cell> cells() {
        return Cell.ofProperties();
    }

    @ContractTest
    @CasesFrom(value = "cells", matrix = true)
    void property(Jms jms, Cell cell) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        ValueAccess.setProperty(sent, "p", cell.written(), cell.value());
        assertConverts(sent, cell);
        assertConverts(line.carry(sent), cell);
    }

    private static void assertConverts(Message message, Cell cell) throws JMSException {
        if (cell.expected().isPresent()) {
            assertThat(ValueAccess.getProperty(message, "p", cell.read()))
                    .isEqualTo(cell.expected().get());
        } else {
            assertThatExceptionOfType(MessageFormatException.class)
                    .isThrownBy(() -> ValueAccess.getProperty(message, "p", cell.read()));
        }
    }

    static List<BadNumber> badNumbers() {
        return BadNumber.ALL;
    }

    @ContractTest
    @CasesFrom(value = "badNumbers", matrix = true)
    void text_that_is_no_number_is_a_NumberFormatException(Jms jms, BadNumber bad) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        sent.setStringProperty("p", bad.text());
        assertThatExceptionOfType(NumberFormatException.class)
                .isThrownBy(() -> ValueAccess.getProperty(sent, "p", bad.read()));
        Message received = line.carry(sent);
        assertThatExceptionOfType(NumberFormatException.class)
                .isThrownBy(() -> ValueAccess.getProperty(received, "p", bad.read()));
    }

    @ContractTest
    void text_other_than_true_is_false(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        sent.setStringProperty("yes", "yes");
        sent.setStringProperty("mixed", "tRuE");
        Message received = line.carry(sent);
        assertThat(received.getBooleanProperty("yes")).isFalse();
        assertThat(received.getBooleanProperty("mixed")).isTrue();
    }

    static List<NullRead> nullReads() {
        return NullRead.ofProperties();
    }

    @ContractTest
    @CasesFrom(value = "nullReads", matrix = true)
    void property_that_was_not_set_is_read_as_null_is(Jms jms, NullRead read) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        read.assertOutcome(() -> ValueAccess.getProperty(sent, "absent", read.type()));
        Message received = line.carry(sent);
        read.assertOutcome(() -> ValueAccess.getProperty(received, "absent", read.type()));
        assertThat(received.propertyExists("absent")).isFalse();
    }

    @ContractTest
    @CasesFrom(value = "nullReads", matrix = true)
    void property_with_a_null_value_is_read_as_null_is(Jms jms, NullRead read) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        sent.setStringProperty("nothing", null);
        read.assertOutcome(() -> ValueAccess.getProperty(sent, "nothing", read.type()));
        Message received = line.carry(sent);
        read.assertOutcome(() -> ValueAccess.getProperty(received, "nothing", read.type()));
    }

    // §3.5.2, §3.5.5: values and objects

    static List<Named<Object>> values() {
        return Named.each(
                true,
                false,
                Byte.MIN_VALUE,
                Byte.MAX_VALUE,
                Short.MIN_VALUE,
                Short.MAX_VALUE,
                Integer.MIN_VALUE,
                Integer.MAX_VALUE,
                Long.MIN_VALUE,
                Long.MAX_VALUE,
                9_007_199_254_740_993L,
                0.1f,
                Float.MIN_VALUE,
                Float.MAX_VALUE,
                Float.NaN,
                Float.NEGATIVE_INFINITY,
                -0.0f,
                0.1d,
                Double.MIN_VALUE,
                Double.MAX_VALUE,
                Double.NaN,
                Double.POSITIVE_INFINITY,
                -0.0d,
                1d,
                "",
                " blank at both ends ",
                "it's {\"json\": [1]} \\ and <xml/>",
                "lines\r\nand\ttabs",
                "Gr\u00fc\u00dfe \u65e5\u672c\u8a9e \ud83d\ude80",
                "nul \u0000 and control \u0001",
                "long ".repeat(20_000));
    }

    @ContractTest
    @CasesFrom("values")
    void property_object_arrives_with_its_value_and_its_type(Jms jms, Named<Object> value) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        sent.setObjectProperty("p", value.value());
        Message received = line.carry(sent);
        assertThat(sent.getObjectProperty("p")).isEqualTo(value.value());
        assertThat(received.getObjectProperty("p")).isEqualTo(value.value());
        assertThat(received.propertyExists("p")).isTrue();
    }

    static List<Named<Object>> noValues() {
        return Named.each('c', new byte[] {1}, BigDecimal.ONE, Instant.EPOCH, List.of("a"), Map.of());
    }

    @ContractTest
    @CasesFrom(value = "noValues", matrix = true)
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "§3.5.5",
            why = "it stores characters and byte arrays as properties",
            cases = {"Character c", "byte[] of 1"})
    void property_object_of_another_class_is_refused(Jms jms, Named<Object> value) throws Exception {
        Message message = jms.session().createMessage();
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> message.setObjectProperty("p", value.value()));
        assertThat(message.propertyExists("p")).isFalse();
    }

    @ContractTest
    void property_object_that_does_not_exist_is_null(Jms jms) throws Exception {
        Line line = Line.open(jms);
        assertThat(line.carry(line.session().createMessage()).getObjectProperty("absent"))
                .isNull();
    }

    @ContractTest
    void property_is_overwritten_by_a_later_value_of_another_type(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        sent.setStringProperty("p", "text");
        sent.setIntProperty("p", 2);
        assertThat(line.carry(sent).getObjectProperty("p")).isEqualTo(2);
    }

    // §3.5.1 names

    static List<Named<Object>> badNames() {
        return Named.each(
                "1a", "a-b", "a b", "a.b", "a'", "a=1", " ", "NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN",
                "LIKE", "IN", "IS", "ESCAPE", "null", "True", "not", "aNd", "escape");
    }

    @ContractTest
    @CasesFrom(value = "badNames", matrix = true)
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "§3.5.1, §3.8.1.1",
            why = "it knows the reserved words in upper case only",
            cases = {"String null", "String True", "String not", "String aNd", "String escape"})
    void property_name_that_is_no_identifier_is_refused(Jms jms, Named<Object> name) throws Exception {
        Message message = jms.session().createMessage();
        assertThatThrownBy(() -> message.setIntProperty((String) name.value(), 1))
                .isInstanceOfAny(JMSException.class, JMSRuntimeException.class, IllegalArgumentException.class);
    }

    static List<PropertySetter> setters() {
        return PropertySetter.ALL;
    }

    @ContractTest
    @CasesFrom(value = "setters", matrix = true)
    void property_name_that_is_null_or_empty_is_an_IllegalArgumentException(Jms jms, PropertySetter setter)
            throws Exception {
        Message message = jms.session().createMessage();
        assertThatIllegalArgumentException().isThrownBy(() -> setter.set(message, null));
        assertThatIllegalArgumentException().isThrownBy(() -> setter.set(message, ""));
    }

    static List<Named<Object>> goodNames() {
        return Named.each(
                "a", "_a", "$a", "a1", "aB", "stra\u00dfe", "\u65e5\u672c", "NULLs", "INs", "ISO", "x".repeat(1000));
    }

    @ContractTest
    @CasesFrom("goodNames")
    void property_name_that_is_an_identifier_is_accepted(Jms jms, Named<Object> name) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        sent.setIntProperty((String) name.value(), 1);
        assertThat(line.carry(sent).getIntProperty((String) name.value())).isEqualTo(1);
    }

    @ContractTest
    void property_names_differ_in_case(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        sent.setStringProperty("colour", "lower");
        sent.setStringProperty("Colour", "upper");
        Message received = line.carry(sent);
        assertThat(received.getStringProperty("colour")).isEqualTo("lower");
        assertThat(received.getStringProperty("Colour")).isEqualTo("upper");
        assertThat(received.getStringProperty("COLOUR")).isNull();
    }

    // §3.5.6 iteration

    @ContractTest
    void property_names_are_listed_without_the_header_fields(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        sent.setJMSType("type");
        sent.setJMSCorrelationID("id");
        sent.setJMSReplyTo(line.queue());
        sent.setStringProperty("first", "1");
        sent.setIntProperty("second", 2);
        Message received = line.carry(sent);
        assertThat(names(received))
                .contains("first", "second")
                .doesNotHaveDuplicates()
                .allMatch(name -> name.equals("first") || name.equals("second") || name.startsWith("JMSX"));
    }

    @ContractTest
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "§3.5.9, Table 3-3",
            why = "it lists JMSXDeliveryCount before the message was received")
    void new_message_has_no_property_names(Jms jms) throws Exception {
        assertThat(names(jms.session().createMessage())).isEmpty();
    }

    // §3.5.3, §3.5.7, §3.10: read-only and cleared

    @ContractTest
    @CasesFrom(value = "setters", matrix = true)
    void properties_of_a_received_message_are_read_only(Jms jms, PropertySetter setter) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        sent.setIntProperty("there", 1);
        Message received = line.carry(sent);
        assertThatExceptionOfType(MessageNotWriteableException.class).isThrownBy(() -> setter.set(received, "other"));
        assertThat(received.propertyExists("other")).isFalse();
        assertThat(received.getIntProperty("there")).isEqualTo(1);
    }

    @ContractTest
    void clearProperties_empties_and_makes_writable_and_leaves_the_body(Jms jms) throws Exception {
        Line line = Line.open(jms);
        TextMessage sent = line.session().createTextMessage("body");
        sent.setIntProperty("old", 1);
        TextMessage received = line.carry(sent, TextMessage.class);
        received.clearProperties();
        assertThat(received.propertyExists("old")).isFalse();
        assertThat(received.getObjectProperty("old")).isNull();
        assertThat(received.getText()).isEqualTo("body");
        received.setStringProperty("fresh", "value");
        assertThat(received.getStringProperty("fresh")).isEqualTo("value");
        assertThatExceptionOfType(MessageNotWriteableException.class).isThrownBy(() -> received.setText("other"));
    }

    @ContractTest
    void clearProperties_before_sending_sends_none(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createTextMessage("body");
        sent.setIntProperty("old", 1);
        sent.clearProperties();
        assertThat(names(sent)).doesNotContain("old");
        sent.setIntProperty("kept", 2);
        Message received = line.carry(sent);
        assertThat(received.propertyExists("old")).isFalse();
        assertThat(received.getIntProperty("kept")).isEqualTo(2);
        assertThat(Jms.text(received)).isEqualTo("body");
    }

    @ContractTest
    void clearProperties_leaves_the_header_fields(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        sent.setJMSType("type");
        sent.setJMSCorrelationID("id");
        sent.setJMSReplyTo(line.queue());
        Message received = line.carry(sent);
        received.clearProperties();
        assertThat(received.getJMSType()).isEqualTo("type");
        assertThat(received.getJMSCorrelationID()).isEqualTo("id");
        assertThat(received.getJMSReplyTo()).isEqualTo(line.queue());
        assertThat(received.getJMSMessageID()).isEqualTo(sent.getJMSMessageID());
    }

    @ContractTest
    void clearBody_leaves_the_properties_read_only(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createTextMessage("body");
        sent.setIntProperty("p", 1);
        Message received = line.carry(sent);
        received.clearBody();
        assertThat(received.getIntProperty("p")).isEqualTo(1);
        assertThatExceptionOfType(MessageNotWriteableException.class).isThrownBy(() -> received.setIntProperty("p", 2));
    }

    // §3.5.9, §3.5.11 JMSX properties

    @ContractTest
    void delivery_count_is_one_at_the_first_delivery(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message received = line.carry(line.session().createMessage());
        assertThat(received.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        assertThat(received.getObjectProperty("JMSXDeliveryCount")).isEqualTo(1);
        assertThat(received.propertyExists("JMSXDeliveryCount")).isTrue();
    }

    @ContractTest
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "§3.5.4",
            why = "it reads the delivery count as a byte as if it were null")
    void delivery_count_converts_as_an_int_does(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message received = line.carry(line.session().createMessage());
        assertThat(received.getLongProperty("JMSXDeliveryCount")).isEqualTo(1);
        assertThat(received.getStringProperty("JMSXDeliveryCount")).isEqualTo("1");
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> received.getByteProperty("JMSXDeliveryCount"));
    }

    @ContractTest
    void delivery_count_starts_anew_when_a_received_message_is_sent_on(Jms jms) throws Exception {
        jms.send(jms.queue(), "text");
        Session session = jms.transacted();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        jms.receive(consumer);
        session.rollback();
        Message twice = jms.receive(consumer);
        assertThat(twice.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        session.createProducer(jms.queue("next")).send(twice);
        session.commit();
        Message next = jms.receive(session.createConsumer(jms.queue("next")));
        assertThat(next.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        assertThat(next.getJMSRedelivered()).isFalse();
        session.commit();
    }

    @ContractTest
    void group_id_and_sequence_are_kept(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        sent.setStringProperty("JMSXGroupID", "customer 7");
        sent.setIntProperty("JMSXGroupSeq", 3);
        Message received = line.carry(sent);
        assertThat(received.getStringProperty("JMSXGroupID")).isEqualTo("customer 7");
        assertThat(received.getIntProperty("JMSXGroupSeq")).isEqualTo(3);
        assertThat(received.getObjectProperty("JMSXGroupSeq")).isEqualTo(3);
        assertThat(received.propertyExists("JMSXGroupID")).isTrue();
        assertThat(names(received)).contains("JMSXGroupID", "JMSXGroupSeq");
    }

    @ContractTest
    void group_id_that_was_not_set_is_not_there(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message received = line.carry(line.session().createMessage());
        assertThat(received.propertyExists("JMSXGroupID")).isFalse();
        assertThat(received.getStringProperty("JMSXGroupID")).isNull();
        assertThat(names(received)).doesNotContain("JMSXGroupID", "JMSXGroupSeq");
    }

    @ContractTest
    void group_id_is_kept_when_the_message_is_redelivered(Jms jms) throws Exception {
        Session session = jms.transacted();
        Message sent = session.createMessage();
        sent.setStringProperty("JMSXGroupID", "g");
        session.createProducer(jms.queue()).send(sent);
        session.commit();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        jms.receive(consumer);
        session.rollback();
        assertThat(jms.receive(consumer).getStringProperty("JMSXGroupID")).isEqualTo("g");
        session.commit();
    }

    @ContractTest
    void meta_data_names_the_JMSX_properties_that_are_mandatory(Jms jms) throws Exception {
        Enumeration<?> names = jms.connection().getMetaData().getJMSXPropertyNames();
        assertThat(Collections.list(names).stream().map(String.class::cast).toList())
                .contains("JMSXDeliveryCount", "JMSXGroupID", "JMSXGroupSeq");
    }

    // §7.5 properties of a JMSProducer

    @ContractTest
    void properties_of_a_JMSProducer_travel_with_any_body(Jms jms) throws Exception {
        JMSContext context = jms.context();
        context.createProducer()
                .setProperty("flag", true)
                .setProperty("b", (byte) 1)
                .setProperty("s", (short) 2)
                .setProperty("i", 3)
                .setProperty("l", 4L)
                .setProperty("f", 5.5f)
                .setProperty("d", 6.5d)
                .setProperty("text", "seven")
                .setProperty("object", (Object) 8)
                .send(jms.queue(), "body");
        Message received = jms.receive(context.createConsumer(jms.queue()));
        assertThat(received.getObjectProperty("flag")).isEqualTo(true);
        assertThat(received.getObjectProperty("b")).isEqualTo((byte) 1);
        assertThat(received.getObjectProperty("s")).isEqualTo((short) 2);
        assertThat(received.getObjectProperty("i")).isEqualTo(3);
        assertThat(received.getObjectProperty("l")).isEqualTo(4L);
        assertThat(received.getObjectProperty("f")).isEqualTo(5.5f);
        assertThat(received.getObjectProperty("d")).isEqualTo(6.5d);
        assertThat(received.getObjectProperty("text")).isEqualTo("seven");
        assertThat(received.getObjectProperty("object")).isEqualTo(8);
    }

    @ContractTest
    void properties_of_a_JMSProducer_override_those_of_the_message(Jms jms) throws Exception {
        JMSContext context = jms.context();
        TextMessage message = context.createTextMessage("body");
        message.setStringProperty("whose", "message's");
        message.setStringProperty("other", "message's");
        context.createProducer().setProperty("whose", "producer's").send(jms.queue(), message);
        Message received = jms.receive(context.createConsumer(jms.queue()));
        assertThat(received.getStringProperty("whose")).isEqualTo("producer's");
        assertThat(received.getStringProperty("other")).isEqualTo("message's");
    }

    @ContractTest
    void property_can_be_set_for_each_name_while_the_names_are_read(Jms jms) throws Exception {
        Message message = jms.session().createMessage();
        message.setStringProperty("a", "1");
        message.setStringProperty("b", "2");
        Enumeration<?> names = message.getPropertyNames();
        while (names.hasMoreElements()) {
            String name = (String) names.nextElement();
            message.setStringProperty("before_" + name, message.getStringProperty(name));
        }
        assertThat(names(message)).contains("before_a", "before_b");
    }

    private static List<String> names(Message message) throws JMSException {
        List<String> names = new ArrayList<>();
        Enumeration<?> enumeration = message.getPropertyNames();
        while (enumeration.hasMoreElements()) {
            names.add((String) enumeration.nextElement());
        }
        return names;
    }
}
