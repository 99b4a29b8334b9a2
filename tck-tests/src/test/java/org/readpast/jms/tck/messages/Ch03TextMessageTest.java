package org.readpast.jms.tck.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.TextMessage;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.readpast.jms.tck.harness.CasesFrom;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.Line;
import org.readpast.jms.tck.harness.TargetId;

/** §3.11: text bodies, and messages without a body. */
class Ch03TextMessageTest {

    static List<Named<Object>> texts() {
        return Named.each(
                "",
                " ",
                "plain",
                "lines\r\nand\n\ttabs ",
                "Gr\u00fc\u00dfe \u0416 \u65e5\u672c\u8a9e \ud83d\ude80",
                "nul \u0000 and control \u0001\u001f\u007f",
                "'; DROP TABLE messages; --",
                "\ufeffbyte order mark \uffff",
                "x".repeat(3_999),
                "\u00e9".repeat(4_001),
                "long ".repeat(40_000));
    }

    @ContractTest
    @CasesFrom("texts")
    void text_arrives_as_it_was_sent(Jms jms, Named<Object> text) throws Exception {
        Line line = Line.open(jms);
        TextMessage received = line.carry(line.session().createTextMessage((String) text.value()), TextMessage.class);
        assertThat(received.getText()).isEqualTo(text.value());
        assertThat(received.getBody(String.class)).isEqualTo(text.value());
    }

    /** A Java String may hold one (§3.11), an encoding of Unicode may not; what must not be is that it is altered. */
    @ContractTest
    void half_a_surrogate_pair_arrives_as_it_was_sent_or_is_refused(Jms jms) throws Exception {
        Line line = Line.open(jms);
        String text = "half \ud83d of a pair";
        TextMessage sent = line.session().createTextMessage(text);
        try {
            line.producer().send(sent);
        } catch (MessageFormatException e) {
            jms.assertNothingArrives(line.consumer());
            return;
        }
        assertThat(jms.receiveText(line.consumer())).isEqualTo(text);
    }

    @ContractTest
    void text_that_was_never_set_is_null(Jms jms) throws Exception {
        Line line = Line.open(jms);
        TextMessage sent = line.session().createTextMessage();
        assertThat(sent.getText()).isNull();
        assertThat(line.carry(sent, TextMessage.class).getText()).isNull();
    }

    @ContractTest
    void text_that_was_set_to_null_is_null(Jms jms) throws Exception {
        Line line = Line.open(jms);
        TextMessage sent = line.session().createTextMessage("text");
        sent.setText(null);
        assertThat(line.carry(sent, TextMessage.class).getText()).isNull();
    }

    @ContractTest
    void received_text_is_read_only_until_it_is_cleared(Jms jms) throws Exception {
        Line line = Line.open(jms);
        TextMessage received = line.carry(line.session().createTextMessage("old"), TextMessage.class);
        assertThatExceptionOfType(MessageNotWriteableException.class).isThrownBy(() -> received.setText("new"));
        assertThat(received.getText()).isEqualTo("old");
        received.clearBody();
        assertThat(received.getText()).isNull();
        received.setText("new");
        assertThat(received.getText()).isEqualTo("new");
    }

    @ContractTest
    void text_message_of_the_sender_stays_writable(Jms jms) throws Exception {
        Line line = Line.open(jms);
        TextMessage sent = line.session().createTextMessage("first");
        line.producer().send(sent);
        sent.setText("second");
        sent.setStringProperty("p", "v");
        assertThat(sent.getText()).isEqualTo("second");
    }

    static List<Class<?>> assignable() {
        return List.of(String.class, CharSequence.class, Comparable.class, Serializable.class, Object.class);
    }

    @ContractTest
    @CasesFrom(value = "assignable", matrix = true)
    void getBody_takes_a_type_that_a_string_can_be_assigned_to(Jms jms, Class<?> type) throws Exception {
        Line line = Line.open(jms);
        Message received = line.carry(line.session().createTextMessage("text"));
        assertThat(received.isBodyAssignableTo(type)).isTrue();
        assertThat((Object) received.getBody(type)).isEqualTo("text");
    }

    static List<Class<?>> unassignable() {
        return List.of(Integer.class, StringBuilder.class, Map.class, byte[].class);
    }

    @ContractTest
    @CasesFrom(value = "unassignable", matrix = true)
    void getBody_refuses_a_type_that_a_string_cannot_be_assigned_to(Jms jms, Class<?> type) throws Exception {
        Line line = Line.open(jms);
        Message received = line.carry(line.session().createTextMessage("text"));
        assertThat(received.isBodyAssignableTo(type)).isFalse();
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> received.getBody(type));
    }

    @ContractTest
    void getBody_of_a_text_message_without_a_text_is_null_for_any_type(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message received = line.carry(line.session().createTextMessage());
        assertThat(received.isBodyAssignableTo(Integer.class)).isTrue();
        assertThat(received.getBody(Integer.class)).isNull();
        assertThat(received.getBody(String.class)).isNull();
    }

    @ContractTest
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "Message.getBody",
            why = "it tries to deserialize an object and fails")
    void plain_message_is_no_other_kind_and_has_no_body(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        sent.setStringProperty("p", "v");
        Message received = line.carry(sent);
        assertThat(received).isNotInstanceOf(TextMessage.class);
        assertThat(received.getStringProperty("p")).isEqualTo("v");
        assertThat(received.isBodyAssignableTo(Integer.class)).isTrue();
        assertThat(received.getBody(Integer.class)).isNull();
        assertThat(received.getBody(Object.class)).isNull();
    }

    @ContractTest
    void clearBody_of_a_plain_message_does_nothing(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        sent.setJMSType("type");
        sent.setIntProperty("p", 1);
        Message received = line.carry(sent);
        received.clearBody();
        assertThat(received.getJMSType()).isEqualTo("type");
        assertThat(received.getIntProperty("p")).isEqualTo(1);
    }

    @ContractTest
    void body_handed_to_a_JMSProducer_arrives_as_a_text_message(Jms jms) throws Exception {
        JMSContext context = jms.context();
        context.createProducer().send(jms.queue(), "text");
        assertThat(Jms.text(jms.receive(context.createConsumer(jms.queue())))).isEqualTo("text");
    }

    @ContractTest
    void null_text_handed_to_a_JMSProducer_arrives_as_a_text_message_without_a_text(Jms jms) throws Exception {
        JMSContext context = jms.context();
        context.createProducer().send(jms.queue(), (String) null);
        assertThat(Jms.text(jms.receive(context.createConsumer(jms.queue())))).isNull();
    }
}
