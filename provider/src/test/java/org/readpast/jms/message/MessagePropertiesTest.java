package org.readpast.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.BodyKind;
import org.readpast.jms.codec.EncodedMessage;

class MessagePropertiesTest {

    private final JmsMessage message = new JmsMessage();

    static JmsMessage received(String properties, String groupId, int deliveryCount) throws JMSException {
        EncodedMessage encoded = new EncodedMessage(
                "ID:1",
                "queue://q",
                null,
                null,
                null,
                2,
                4,
                0,
                0,
                0,
                groupId,
                properties,
                BodyKind.MESSAGE,
                Body.EMPTY);
        return MessageDecoder.decode(encoded, deliveryCount, 1_234L, ObjectTrust.VALUES, () -> {});
    }

    @ParameterizedTest
    @NullAndEmptySource
    void a_name_is_needed(String name) {
        assertThatThrownBy(() -> message.setIntProperty(name, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> message.setObjectProperty(name, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1a", "a-b", "a.b", " a", "a b", "a'", "NULL", "true", "False", "not", "AND", "Or", "between", "LIKE",
                "in", "Is", "escape"
            })
    void names_a_selector_could_not_use_are_refused(String name) {
        assertThatThrownBy(() -> message.setStringProperty(name, "x"))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("'" + name + "'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "_a",
                "$a",
                "a1",
                "größe",
                "\u0131s",
                "l\u0131ke",
                "e\u017fcape",
                "NULLS",
                "inner",
                "jms",
                "jmsx",
                "JMS_ACME_x",
                "_AMQ_DUPL_ID",
                "class"
            })
    void names_a_selector_can_use_are_taken(String name) throws JMSException {
        message.setStringProperty(name, "x");
        assertThat(message.getStringProperty(name)).isEqualTo("x");
        assertThat(message.propertyExists(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"JMSXFoo", "JMSFoo", "JMSPriority", "JMSXgroupid", "JMS"})
    void the_prefix_JMS_is_reserved(String name) {
        assertThatThrownBy(() -> message.setStringProperty(name, "x"))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("reserved");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "JMSXUserID",
                "JMSXAppID",
                "JMSXDeliveryCount",
                "JMSXProducerTXID",
                "JMSXConsumerTXID",
                "JMSXRcvTimestamp",
                "JMSXState"
            })
    void what_a_provider_sets_an_application_cannot(String name) throws JMSException {
        message.setObjectProperty(name, 5);
        assertThat(message.propertyExists(name)).isFalse();
    }

    @Test
    void groups_have_the_types_the_specification_gives_them() throws JMSException {
        message.setStringProperty("JMSXGroupID", "g");
        message.setIntProperty("JMSXGroupSeq", 3);
        assertThat(message.getObjectProperty("JMSXGroupID")).isEqualTo("g");
        assertThat(message.getObjectProperty("JMSXGroupSeq")).isEqualTo(3);
        message.setIntProperty("JMSXGroupID", 7);
        message.setShortProperty("JMSXGroupSeq", (short) 4);
        assertThat(message.getObjectProperty("JMSXGroupID")).isEqualTo("7");
        assertThat(message.getObjectProperty("JMSXGroupSeq")).isEqualTo(4);
        assertThatThrownBy(() -> message.setLongProperty("JMSXGroupSeq", 1)).isInstanceOf(MessageFormatException.class);
        message.setStringProperty("JMSXGroupID", null);
        assertThat(message.getObjectProperty("JMSXGroupID")).isNull();
    }

    @Test
    void a_property_set_to_null_exists() throws JMSException {
        message.setStringProperty("x", null);
        assertThat(message.propertyExists("x")).isTrue();
        assertThat(message.getStringProperty("x")).isNull();
        assertThat(message.propertyExists("y")).isFalse();
    }

    @Test
    void received_properties_are_read_only_until_cleared() throws JMSException {
        JmsMessage received = received("{\"a\":1}", null, 1);
        assertThatThrownBy(() -> received.setIntProperty("b", 1)).isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> received.setObjectProperty("JMSXGroupID", "g"))
                .isInstanceOf(MessageNotWriteableException.class);
        assertThat(received.getIntProperty("a")).isEqualTo(1);
        received.clearProperties();
        assertThat(received.getPropertyNames().hasMoreElements()).isFalse();
        received.setIntProperty("b", 1);
        assertThat(Collections.list(received.getPropertyNames())).containsExactly("b");
    }

    @Test
    void what_is_set_on_receive_can_be_read() throws JMSException {
        JmsMessage received = received("{\"a\":1,\"JMSXDeliveryCount\":99}", "g", 3);
        assertThat(received.getIntProperty("JMSXDeliveryCount")).isEqualTo(3);
        assertThat(received.getLongProperty("JMSXRcvTimestamp")).isEqualTo(1_234L);
        assertThat(received.getStringProperty("JMSXGroupID")).isEqualTo("g");
        assertThat(received.getJMSRedelivered()).isTrue();
        assertThat(received("{}", null, 1).getJMSRedelivered()).isFalse();
        assertThat(Collections.list(received.getPropertyNames()))
                .containsExactlyInAnyOrder("a", "JMSXDeliveryCount", "JMSXRcvTimestamp", "JMSXGroupID");
        assertThat(received(null, null, 0).propertyExists("JMSXDeliveryCount")).isFalse();
    }

    @Test
    void all_properties_of_a_received_message_can_be_copied_to_a_new_one() throws JMSException {
        JmsMessage received = received("{\"a\":1,\"b\":null,\"c\":\"x\"}", "g", 3);
        for (String name : Collections.list(received.getPropertyNames())) {
            message.setObjectProperty(name, received.getObjectProperty(name));
        }
        assertThat(Collections.list(message.getPropertyNames()))
                .containsExactlyInAnyOrder("a", "b", "c", "JMSXGroupID");
    }

    @Test
    void properties_somebody_spoilt_harm_only_those_who_ask_for_them() throws JMSException {
        JmsMessage received = received("{a:1}", null, 1);
        assertThat(received.getJMSMessageID()).isEqualTo("ID:1");
        assertThatThrownBy(() -> received.getIntProperty("a"))
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining("ID:1")
                .hasMessageContaining("character 2");
        assertThatCode(received::clearProperties).doesNotThrowAnyException();
        assertThat(received.propertyExists("a")).isFalse();
    }

    @Test
    void clearing_properties_leaves_the_body_and_the_other_way_round() throws JMSException {
        JmsTextMessage text = new JmsTextMessage("t");
        text.setIntProperty("a", 1);
        text.clearProperties();
        assertThat(text.getText()).isEqualTo("t");
        text.setIntProperty("a", 1);
        text.clearBody();
        assertThat(text.getText()).isNull();
        assertThat(text.getIntProperty("a")).isEqualTo(1);
    }

    @Test
    void names_that_are_iterated_cannot_be_used_to_change_the_message() throws JMSException {
        message.setIntProperty("a", 1);
        message.getPropertyNames()
                .asIterator()
                .forEachRemaining(name -> assertThat(name).isEqualTo("a"));
        assertThat(message.propertyExists("a")).isTrue();
    }
}
