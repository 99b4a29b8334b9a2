package org.readpast.jms.tck.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.JMSContext;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.ObjectMessage;
import java.io.Serializable;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.readpast.jms.tck.harness.CasesFrom;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.Line;
import org.readpast.jms.tck.harness.TargetId;

/**
 * §3.11 and the contract of {@code ObjectMessage}. The targets are told to trust the packages {@code java.lang},
 * {@code java.util}, {@code java.math}, {@code java.time} and the suite's own.
 */
class Ch03ObjectMessageTest {

    /** An object of an application. */
    record Order(long number, String customer, List<String> items) implements Serializable {}

    static List<Named<Object>> objects() {
        return Named.each(
                "text",
                42,
                9_007_199_254_740_993L,
                new BigDecimal("1234567890.0123456789"),
                Instant.EPOCH,
                new ArrayList<>(List.of("a", "b")),
                new HashMap<>(Map.of("k", 1)),
                new Order(7, "M\u00fcller", new ArrayList<>(List.of("bolt", "nut"))),
                "long ".repeat(40_000));
    }

    @ContractTest
    @CasesFrom("objects")
    void object_arrives_equal(Jms jms, Named<Object> object) throws Exception {
        Line line = Line.open(jms);
        ObjectMessage sent = line.session().createObjectMessage((Serializable) object.value());
        ObjectMessage received = line.carry(sent, ObjectMessage.class);
        assertThat(received.getObject()).isEqualTo(object.value());
        assertThat(received.getBody(Serializable.class)).isEqualTo(object.value());
    }

    @ContractTest
    void byte_array_arrives_equal(Jms jms) throws Exception {
        Line line = Line.open(jms);
        byte[] bytes = {0, -1, 1};
        assertThat(line.carry(line.session().createObjectMessage(bytes), ObjectMessage.class)
                        .getObject())
                .isEqualTo(bytes);
    }

    @ContractTest
    void object_that_was_never_set_is_null(Jms jms) throws Exception {
        Line line = Line.open(jms);
        ObjectMessage sent = line.session().createObjectMessage();
        assertThat(sent.getObject()).isNull();
        ObjectMessage received = line.carry(sent, ObjectMessage.class);
        assertThat(received.getObject()).isNull();
        assertThat(received.isBodyAssignableTo(Integer.class)).isTrue();
        assertThat(received.getBody(Integer.class)).isNull();
    }

    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§3.12", why = "it keeps the object that was there")
    void object_that_was_set_to_null_is_null(Jms jms) throws Exception {
        Line line = Line.open(jms);
        ObjectMessage sent = line.session().createObjectMessage("text");
        sent.setObject(null);
        assertThat(line.carry(sent, ObjectMessage.class).getObject()).isNull();
    }

    @ContractTest
    void object_is_taken_as_it_is_when_it_is_set(Jms jms) throws Exception {
        Line line = Line.open(jms);
        ArrayList<String> list = new ArrayList<>(List.of("before"));
        ObjectMessage sent = line.session().createObjectMessage();
        sent.setObject(list);
        list.add("after");
        ObjectMessage received = line.carry(sent, ObjectMessage.class);
        assertThat(received.getObject()).isEqualTo(List.of("before"));
    }

    @ContractTest
    void object_given_to_createObjectMessage_is_taken_as_it_is_then(Jms jms) throws Exception {
        Line line = Line.open(jms);
        ArrayList<String> list = new ArrayList<>(List.of("before"));
        ObjectMessage sent = line.session().createObjectMessage(list);
        list.add("after");
        assertThat(line.carry(sent, ObjectMessage.class).getObject()).isEqualTo(List.of("before"));
    }

    @ContractTest
    void object_that_was_got_is_a_copy(Jms jms) throws Exception {
        Line line = Line.open(jms);
        ObjectMessage received =
                line.carry(line.session().createObjectMessage(new ArrayList<>(List.of("a"))), ObjectMessage.class);
        ((ArrayList<?>) received.getObject()).clear();
        assertThat(received.getObject()).isEqualTo(List.of("a"));
    }

    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "ObjectMessage.setObject", why = "it throws a plain JMSException")
    void object_that_cannot_be_serialized_is_refused(Jms jms) throws Exception {
        ObjectMessage message = jms.session().createObjectMessage();
        ArrayList<Object> list = new ArrayList<>(List.of(new Object()));
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> message.setObject(list));
    }

    @ContractTest
    void received_object_is_read_only_until_it_is_cleared(Jms jms) throws Exception {
        Line line = Line.open(jms);
        ObjectMessage received = line.carry(line.session().createObjectMessage("old"), ObjectMessage.class);
        assertThatExceptionOfType(MessageNotWriteableException.class).isThrownBy(() -> received.setObject("new"));
        assertThat(received.getObject()).isEqualTo("old");
        received.clearBody();
        assertThat(received.getObject()).isNull();
        received.setObject("new");
        assertThat(received.getObject()).isEqualTo("new");
    }

    static List<Class<?>> assignable() {
        return List.of(BigDecimal.class, Number.class, Comparable.class, Serializable.class, Object.class);
    }

    @ContractTest
    @CasesFrom(value = "assignable", matrix = true)
    void getBody_takes_a_type_that_the_object_can_be_assigned_to(Jms jms, Class<?> type) throws Exception {
        Line line = Line.open(jms);
        ObjectMessage received = line.carry(line.session().createObjectMessage(BigDecimal.TEN), ObjectMessage.class);
        assertThat(received.isBodyAssignableTo(type)).isTrue();
        assertThat((Object) received.getBody(type)).isEqualTo(BigDecimal.TEN);
    }

    static List<Class<?>> unassignable() {
        return List.of(Integer.class, String.class, List.class);
    }

    @ContractTest
    @CasesFrom(value = "unassignable", matrix = true)
    void getBody_refuses_a_type_that_the_object_cannot_be_assigned_to(Jms jms, Class<?> type) throws Exception {
        Line line = Line.open(jms);
        ObjectMessage received = line.carry(line.session().createObjectMessage(BigDecimal.TEN), ObjectMessage.class);
        assertThat(received.isBodyAssignableTo(type)).isFalse();
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> received.getBody(type));
    }

    @ContractTest
    void body_handed_to_a_JMSProducer_arrives_as_an_object_message(Jms jms) throws Exception {
        JMSContext context = jms.context();
        context.createProducer().send(jms.queue(), (Serializable) BigDecimal.TEN);
        ObjectMessage received = (ObjectMessage) jms.receive(context.createConsumer(jms.queue()));
        assertThat(received.getObject()).isEqualTo(BigDecimal.TEN);
    }
}
