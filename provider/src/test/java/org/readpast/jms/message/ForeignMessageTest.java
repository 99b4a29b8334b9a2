package org.readpast.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.readpast.jms.destination.ReadpastQueue;

class ForeignMessageTest {

    /** The same message behind a class that is not ours. */
    private static <M extends Message> M foreign(Class<M> type, JmsMessage behind) {
        return type.cast(Proxy.newProxyInstance(
                ForeignMessageTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        return method.invoke(behind, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    @Test
    void ours_are_not_copied() throws JMSException {
        JmsMessage ours = new JmsTextMessage("t");
        assertThat(JmsMessage.from(ours)).isSameAs(ours);
    }

    @Test
    void headers_the_application_sets_and_properties_are_copied() throws JMSException {
        JmsMessage behind = new JmsMessage();
        behind.setJMSCorrelationID("c");
        behind.setJMSType("t");
        behind.setJMSReplyTo((Queue) () -> "answers");
        behind.setJMSMessageID("ID:theirs");
        behind.setObjectProperty("a", 5L);
        behind.setObjectProperty("n", null);
        behind.setObjectProperty("JMSXGroupID", "g");
        behind.setObjectProperty("JMS_THEIRS_x", 1);
        JmsMessage copy = JmsMessage.from(foreign(Message.class, behind));
        assertThat(copy).hasSameClassAs(behind).isNotSameAs(behind);
        assertThat(copy.getJMSCorrelationID()).isEqualTo("c");
        assertThat(copy.getJMSType()).isEqualTo("t");
        assertThat(copy.getJMSMessageID()).isNull();
        assertThat(Collections.list(copy.getPropertyNames())).containsExactly("a", "n", "JMSXGroupID", "JMS_THEIRS_x");
        assertThat(copy.getObjectProperty("a")).isEqualTo(5L);
        assertThat(MessageEncoder.encode(copy).replyTo()).isEqualTo(new ReadpastQueue("answers").text());
    }

    /** As Artemis' client has it: an id of bytes is not a String as well. */
    private static Message withCorrelationId(Callable<byte[]> bytes) {
        JmsMessage behind = new JmsMessage();
        return (Message) Proxy.newProxyInstance(
                ForeignMessageTest.class.getClassLoader(),
                new Class<?>[] {Message.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getJMSCorrelationID" -> null;
                    case "getJMSCorrelationIDAsBytes" -> bytes.call();
                    default -> method.invoke(behind, arguments);
                });
    }

    @Test
    void correlation_ids_of_bytes_are_copied() throws JMSException {
        byte[] id = {1, 0, (byte) 0xff};
        assertThat(JmsMessage.from(withCorrelationId(() -> id)).getJMSCorrelationIDAsBytes())
                .isEqualTo(id);
        assertThat(JmsMessage.from(withCorrelationId(() -> null)).getJMSCorrelationID())
                .isNull();
        assertThat(JmsMessage.from(withCorrelationId(() -> {
                            throw new UnsupportedOperationException("Not every provider has them (§3.4.5)");
                        }))
                        .getJMSCorrelationID())
                .isNull();
    }

    @Test
    void what_their_provider_set_on_receive_stays_behind() throws JMSException {
        JmsMessage received = MessagePropertiesTest.received("{\"a\":1,\"JMSXTheirs\":2}", null, 4);
        JmsMessage copy = JmsMessage.from(foreign(Message.class, received));
        assertThat(Collections.list(copy.getPropertyNames())).containsExactly("a");
        copy.setIntProperty("b", 2);
    }

    @Test
    void texts_maps_and_objects_are_copied() throws JMSException {
        JmsMessage text = JmsMessage.from(foreign(TextMessage.class, new JmsTextMessage("t")));
        assertThat(text.getBody(String.class)).isEqualTo("t");

        JmsMapMessage map = new JmsMapMessage();
        map.setLong("a", 1);
        map.setString("n", null);
        JmsMapMessage mapCopy = (JmsMapMessage) JmsMessage.from(foreign(MapMessage.class, map));
        assertThat((Object) mapCopy.getBody(Map.class)).isEqualTo(map.getBody(Map.class));

        JmsObjectMessage object = new JmsObjectMessage(new ArrayList<>(List.of(1)));
        JmsMessage objectCopy = JmsMessage.from(foreign(ObjectMessage.class, object));
        assertThat((Object) objectCopy.getBody(List.class)).isEqualTo(List.of(1));
    }

    @Test
    void bytes_are_copied_from_the_start_whether_written_or_read() throws JMSException {
        JmsBytesMessage bytes = new JmsBytesMessage();
        bytes.writeInt(5);
        BytesMessage foreign = foreign(BytesMessage.class, bytes);
        JmsBytesMessage copy = (JmsBytesMessage) JmsMessage.from(foreign);
        assertThat(copy.getBody(byte[].class)).containsExactly(0, 0, 0, 5);
        foreign.readShort();
        assertThat(JmsMessage.from(foreign).getBody(byte[].class)).containsExactly(0, 0, 0, 5);
        assertThat(foreign.readInt()).as("can still be read").isEqualTo(5);
        JmsBytesMessage empty = new JmsBytesMessage();
        assertThat(JmsMessage.from(foreign(BytesMessage.class, empty)).getBody(byte[].class))
                .isNull();
    }

    @Test
    void streams_are_copied_from_the_start_whether_written_or_read() throws JMSException {
        JmsStreamMessage stream = new JmsStreamMessage();
        stream.writeLong(5);
        stream.writeBytes(new byte[] {1});
        StreamMessage foreign = foreign(StreamMessage.class, stream);
        JmsStreamMessage copy = (JmsStreamMessage) JmsMessage.from(foreign);
        copy.reset();
        assertThat(copy.readObject()).isEqualTo(5L);
        assertThat((byte[]) copy.readObject()).containsExactly(1);
        assertThat(foreign.readLong()).as("can still be read").isEqualTo(5);
    }

    @Test
    void the_copy_is_the_applications_to_change() throws JMSException {
        JmsMessage received = MessagePropertiesTest.received("{\"a\":1}", null, 1);
        assertThatThrownBy(() -> received.setIntProperty("a", 2)).isInstanceOf(MessageNotWriteableException.class);
        JmsMessage copy = JmsMessage.from(foreign(Message.class, received));
        copy.setIntProperty("a", 2);
        assertThat(received.getIntProperty("a")).isEqualTo(1);
    }

    @Test
    void a_reply_address_that_is_neither_queue_nor_topic_is_refused() {
        Message foreign = (Message) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Message.class},
                (proxy, method, arguments) ->
                        method.getName().equals("getJMSReplyTo") ? new jakarta.jms.Destination() {} : null);
        assertThatThrownBy(() -> JmsMessage.from(foreign)).isInstanceOf(InvalidDestinationException.class);
    }
}
