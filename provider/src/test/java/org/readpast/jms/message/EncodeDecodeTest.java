package org.readpast.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.Queue;
import jakarta.jms.Topic;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.BodyKind;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.destination.ReadpastQueue;
import org.readpast.jms.destination.ReadpastTemporaryQueue;
import org.readpast.jms.destination.ReadpastTopic;

class EncodeDecodeTest {

    private static JmsMessage decode(EncodedMessage encoded) throws JMSException {
        return MessageDecoder.decode(
                encoded, 1, 1_000, ObjectTrust.parse("java.util", ObjectLimits.DEFAULTS), () -> {});
    }

    @SuppressWarnings("unchecked") // the caller says what it sends
    private static <M extends JmsMessage> M trip(M message) throws JMSException {
        return (M) decode(MessageEncoder.encode(message));
    }

    private static JmsMessage empty(BodyKind kind) {
        return switch (kind) {
            case MESSAGE -> new JmsMessage();
            case TEXT -> new JmsTextMessage();
            case BYTES -> new JmsBytesMessage();
            case MAP -> new JmsMapMessage();
            case STREAM -> new JmsStreamMessage();
            case OBJECT -> new JmsObjectMessage();
        };
    }

    @Test
    void headers_arrive() throws JMSException {
        JmsMessage message = new JmsMessage();
        message.setJMSMessageID("ID:42");
        message.setJMSDestination(new ReadpastQueue("orders"));
        message.setJMSReplyTo(new ReadpastTemporaryQueue("t1"));
        message.setJMSCorrelationID("c-1");
        message.setJMSType("order");
        message.setJMSDeliveryMode(DeliveryMode.NON_PERSISTENT);
        message.setJMSPriority(7);
        message.setJMSTimestamp(1);
        message.setJMSExpiration(2);
        message.setJMSDeliveryTime(3);
        message.setJMSRedelivered(true);
        message.setStringProperty("JMSXGroupID", "g");

        EncodedMessage encoded = MessageEncoder.encode(message);
        assertThat(encoded)
                .isEqualTo(new EncodedMessage(
                        "ID:42",
                        "queue://orders",
                        "temp-queue://t1",
                        "c-1",
                        "order",
                        1,
                        7,
                        1,
                        2,
                        3,
                        "g",
                        "{\"JMSXGroupID\":\"g\"}",
                        BodyKind.MESSAGE,
                        Body.EMPTY));

        JmsMessage received = decode(encoded);
        assertThat(received.getJMSMessageID()).isEqualTo("ID:42");
        assertThat(received.getJMSDestination()).isEqualTo(new ReadpastQueue("orders"));
        assertThat(received.getJMSReplyTo()).isEqualTo(new ReadpastTemporaryQueue("t1"));
        assertThat(received.getJMSCorrelationID()).isEqualTo("c-1");
        assertThat(received.getJMSType()).isEqualTo("order");
        assertThat(received.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(received.getJMSPriority()).isEqualTo(7);
        assertThat(received.getJMSTimestamp()).isEqualTo(1);
        assertThat(received.getJMSExpiration()).isEqualTo(2);
        assertThat(received.getJMSDeliveryTime()).isEqualTo(3);
        assertThat(received.getJMSRedelivered()).isFalse();
        assertThat(MessageEncoder.encode(received)).isEqualTo(encoded);
    }

    @Test
    void properties_arrive_with_their_types() throws JMSException {
        JmsMessage message = new JmsMessage();
        Object[] values = {true, (byte) 1, (short) 2, 3, 4L, 5.5f, 6.5, "seven", null};
        for (int i = 0; i < values.length; i++) {
            message.setObjectProperty("p" + i, values[i]);
        }
        JmsMessage received = trip(message);
        for (int i = 0; i < values.length; i++) {
            assertThat(received.getObjectProperty("p" + i)).isEqualTo(values[i]);
        }
        assertThat(received.propertyExists("p8")).isTrue();
    }

    /** What sends it on can be read: only the row that it was received from cannot. */
    @Test
    void why_a_row_cannot_be_read_is_not_said_of_the_message_that_it_is_sent_on_as() throws JMSException {
        EncodedMessage row = MessageEncoder.encode(MessagePropertiesTest.received("{\"a\":1}", null, 1))
                .withBody(new Body.Unreadable("there is none", new byte[] {7}, null));
        JmsBytesMessage received = (JmsBytesMessage) decode(row);
        String name = "JMS_READPAST_Unreadable";
        assertThat(received.getStringProperty(name)).isEqualTo("there is none");
        JmsBytesMessage copy = new JmsBytesMessage();
        copy.setStringProperty(name, received.getStringProperty(name));
        assertThat(trip(copy).propertyExists(name)).isFalse();

        JmsBytesMessage forwarded = trip(received);
        assertThat(forwarded.propertyExists(name)).isFalse();
        assertThat(forwarded.getIntProperty("a")).isOne();
        assertThat(forwarded.getBody(byte[].class)).containsExactly(7);
    }

    @Test
    void what_was_set_on_receive_is_not_sent_on() throws JMSException {
        JmsMessage received = MessagePropertiesTest.received("{\"a\":1}", null, 5);
        EncodedMessage forwarded = MessageEncoder.encode(received);
        assertThat(forwarded.properties()).isEqualTo("{\"a\":1}");
        assertThat(decode(forwarded).getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    }

    @Test
    void texts_arrive() throws JMSException {
        for (String text : new String[] {"", "text", "\0é😀\r\n", null}) {
            assertThat(trip(new JmsTextMessage(text)).getText()).isEqualTo(text);
        }
        assertThat(trip(new JmsTextMessage("t")).getBody(String.class)).isEqualTo("t");
        assertThat(trip(new JmsTextMessage("t")).getBody(CharSequence.class)).isEqualTo("t");
        assertThat(trip(new JmsTextMessage("t")).isBodyAssignableTo(Integer.class))
                .isFalse();
        assertThatThrownBy(() -> trip(new JmsTextMessage("t")).getBody(Integer.class))
                .isInstanceOf(MessageFormatException.class);
    }

    @Test
    void bytes_arrive_ready_to_be_read() throws JMSException {
        JmsBytesMessage message = new JmsBytesMessage();
        message.writeInt(5);
        JmsBytesMessage received = trip(message);
        assertThat(received.getBodyLength()).isEqualTo(4);
        assertThat(received.readInt()).isEqualTo(5);
        assertThat(trip(received).getBody(byte[].class)).containsExactly(0, 0, 0, 5);
    }

    @Test
    void a_received_body_is_read_in_place() throws JMSException {
        JmsBytesMessage message = new JmsBytesMessage();
        message.writeBytes(new byte[1_000]);
        EncodedMessage encoded = MessageEncoder.encode(message);
        EncodedMessage forwarded = MessageEncoder.encode(decode(encoded));
        assertThat(((Body.Binary) forwarded.body()).bytes()).isSameAs(((Body.Binary) encoded.body()).bytes());
    }

    @Test
    void maps_arrive() throws JMSException {
        JmsMapMessage message = new JmsMapMessage();
        message.setLong("long", 5);
        message.setChar("char", 'c');
        message.setBytes("bytes", new byte[] {1});
        message.setString("null", null);
        message.setString("@types", "\ud800");
        JmsMapMessage received = trip(message);
        assertThat(MessageEncoder.encode(received).body())
                .as("sent on without being read")
                .isEqualTo(MessageEncoder.encode(message).body());
        assertThat(Collections.list(received.getMapNames())).containsExactly("long", "char", "bytes", "null", "@types");
        assertThat(received.getObject("long")).isEqualTo(5L);
        assertThat(received.getChar("char")).isEqualTo('c');
        assertThat(received.getBytes("bytes")).containsExactly(1);
        assertThat(received.itemExists("null")).isTrue();
        assertThat(received.getString("@types")).isEqualTo("\ud800");
    }

    @Test
    void streams_arrive() throws JMSException {
        JmsStreamMessage message = new JmsStreamMessage();
        Object[] values = {true, (byte) 1, (short) 2, 'c', 3, 4L, 5.5f, 6.5, "seven", null, Double.NaN};
        for (Object value : values) {
            message.writeObject(value);
        }
        JmsStreamMessage received = trip(message);
        for (Object value : values) {
            assertThat(received.readObject()).isEqualTo(value);
        }
    }

    @Test
    void objects_arrive() throws JMSException {
        assertThat(trip(new JmsObjectMessage(new ArrayList<>(List.of("a", 1)))).getObject())
                .isEqualTo(List.of("a", 1));
    }

    @ParameterizedTest
    @EnumSource
    void an_empty_message_of_any_kind_arrives_empty(BodyKind kind) throws JMSException {
        JmsMessage received = trip(empty(kind));
        assertThat(received).hasSameClassAs(empty(kind));
        if (kind != BodyKind.STREAM) {
            assertThat(received.isBodyAssignableTo(Thread.class)).isTrue();
            assertThat(received.getBody(Thread.class)).isNull();
        }
    }

    @Test
    void received_bodies_are_read_only_until_cleared() throws JMSException {
        JmsTextMessage text = trip(new JmsTextMessage("t"));
        assertThatThrownBy(() -> text.setText("x")).isInstanceOf(MessageNotWriteableException.class);
        text.clearBody();
        text.setText("x");

        JmsMapMessage map = trip(new JmsMapMessage());
        assertThatThrownBy(() -> map.setInt("a", 1)).isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> map.setObject("a", new Object())).isInstanceOf(MessageNotWriteableException.class);
        map.clearBody();
        map.setInt("a", 1);
        assertThat(map.getInt("a")).isEqualTo(1);

        JmsObjectMessage object = trip(new JmsObjectMessage("o"));
        assertThatThrownBy(() -> object.setObject("x")).isInstanceOf(MessageNotWriteableException.class);
        object.clearBody();
        object.setObject("x");

        JmsBytesMessage bytes = trip(new JmsBytesMessage());
        assertThatThrownBy(() -> bytes.writeByte((byte) 1)).isInstanceOf(MessageNotWriteableException.class);
        bytes.clearBody();
        bytes.writeByte((byte) 1);

        JmsStreamMessage stream = trip(new JmsStreamMessage());
        assertThatThrownBy(() -> stream.writeInt(1)).isInstanceOf(MessageNotWriteableException.class);
        stream.clearBody();
        stream.writeInt(1);

        JmsMessage plain = trip(new JmsMessage());
        plain.setJMSType("headers are never read-only");
        plain.clearBody();
        assertThat(plain.getJMSType()).isNotNull();
    }

    @Test
    void a_cleared_body_is_empty_though_it_was_never_read() throws JMSException {
        JmsMapMessage map = new JmsMapMessage();
        map.setInt("a", 1);
        JmsMapMessage receivedMap = trip(map);
        receivedMap.clearBody();
        assertThat(receivedMap.itemExists("a")).isFalse();
        JmsStreamMessage stream = new JmsStreamMessage();
        stream.writeInt(1);
        JmsStreamMessage receivedStream = trip(stream);
        receivedStream.clearBody();
        assertThat(MessageEncoder.encode(receivedStream).body()).isEqualTo(Body.EMPTY);
    }

    @Test
    void what_was_encoded_does_not_change_with_the_message() throws JMSException {
        JmsMapMessage message = new JmsMapMessage();
        message.setInt("a", 1);
        message.setIntProperty("p", 1);
        EncodedMessage encoded = MessageEncoder.encode(message);
        message.setInt("a", 2);
        message.setIntProperty("p", 2);
        message.setJMSType("later");
        JmsMapMessage received = (JmsMapMessage) decode(encoded);
        assertThat(received.getInt("a")).isEqualTo(1);
        assertThat(received.getIntProperty("p")).isEqualTo(1);
        assertThat(received.getJMSType()).isNull();
    }

    @Test
    void what_no_charset_and_no_column_can_hold_is_sent_all_the_same() throws JMSException {
        for (String text : new String[] {"\ud800", "a\udc00b", "\udc00\ud800", "x\ud83d", "a\0"}) {
            JmsMessage message = new JmsTextMessage(text);
            message.setJMSCorrelationID(text);
            message.setJMSType(text);
            message.setStringProperty("JMSXGroupID", text);
            JmsMessage received = trip(message);
            assertThat(received.getBody(String.class)).isEqualTo(text);
            assertThat(received.getJMSCorrelationID()).isEqualTo(text);
            assertThat(received.getJMSType()).isEqualTo(text);
            assertThat(received.getStringProperty("JMSXGroupID")).isEqualTo(text);
        }
    }

    @Test
    void correlation_ids_can_be_bytes() throws JMSException {
        JmsMessage message = new JmsMessage();
        byte[] id = {1, 0, (byte) 0xff};
        message.setJMSCorrelationIDAsBytes(id);
        id[0] = 9;
        assertThat(trip(message).getJMSCorrelationIDAsBytes()).containsExactly(1, 0, 0xff);
        message.setJMSCorrelationIDAsBytes("text".getBytes(StandardCharsets.UTF_8));
        assertThat(message.getJMSCorrelationID()).isEqualTo("text");
        message.setJMSCorrelationIDAsBytes(null);
        assertThat(message.getJMSCorrelationID()).isNull();
        assertThat(message.getJMSCorrelationIDAsBytes()).isNull();
    }

    @Test
    void destinations_of_others_become_ours_of_the_same_name() throws JMSException {
        JmsMessage message = new JmsMessage();
        Queue queue = () -> "theirs";
        message.setJMSReplyTo(queue);
        message.setJMSDestination((Topic) () -> "news");
        assertThat(message.getJMSReplyTo()).isSameAs(queue);
        JmsMessage received = trip(message);
        assertThat(received.getJMSReplyTo()).isEqualTo(new ReadpastQueue("theirs"));
        assertThat(received.getJMSDestination()).isEqualTo(new ReadpastTopic("news"));
        assertThatThrownBy(() -> message.setJMSReplyTo(new Destination() {}))
                .isInstanceOf(InvalidDestinationException.class);
        message.setJMSReplyTo(new ReadpastQueue());
        assertThatThrownBy(() -> MessageEncoder.encode(message))
                .isInstanceOf(InvalidDestinationException.class)
                .hasMessageContaining("JMSReplyTo");
    }

    @Test
    void a_reply_address_written_wrongly_by_hand_harms_only_those_who_ask_for_it() throws JMSException {
        JmsMessage received = decode(new EncodedMessage(
                "ID:1",
                "queue://q",
                "answers",
                null,
                null,
                2,
                4,
                0,
                0,
                0,
                null,
                null,
                BodyKind.TEXT,
                new Body.Text("t")));
        assertThat(((JmsTextMessage) received).getText()).isEqualTo("t");
        assertThatThrownBy(received::getJMSReplyTo)
                .isInstanceOf(InvalidDestinationException.class)
                .hasMessageContaining("queue://answers");
        received.setJMSReplyTo(null);
        assertThat(received.getJMSReplyTo()).isNull();
    }

    @Test
    void a_body_spoilt_by_hand_is_a_format_error() throws JMSException {
        EncodedMessage encoded = MessageEncoder.encode(new JmsMapMessage());
        JmsMapMessage map = (JmsMapMessage) decode(encoded.withBody(new Body.Text("[]")));
        assertThatThrownBy(() -> map.getInt("a")).isInstanceOf(MessageFormatException.class);
        JmsStreamMessage stream = (JmsStreamMessage)
                decode(MessageEncoder.encode(new JmsStreamMessage()).withBody(new Body.Text("{}")));
        assertThatThrownBy(stream::readObject).isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> decode(encoded.withBody(new Body.Binary(new byte[1]))))
                .isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> decode(encoded.withBody(new Body.Deferred(5))))
                .isInstanceOf(MessageFormatException.class);
    }

    @Test
    void acknowledging_a_received_message_asks_its_session() throws JMSException {
        int[] calls = {0};
        JmsMessage received = MessageDecoder.decode(
                MessageEncoder.encode(new JmsMessage()), 1, 0, ObjectTrust.VALUES, () -> calls[0]++);
        received.acknowledge();
        assertThat(calls[0]).isEqualTo(1);
        new JmsMessage().acknowledge();
    }

    @Test
    void header_values_that_make_no_sense_are_refused() {
        JmsMessage message = new JmsMessage();
        assertThatThrownBy(() -> message.setJMSPriority(10)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> message.setJMSPriority(-1)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> message.setJMSDeliveryMode(3)).isInstanceOf(JMSException.class);
    }

    @Test
    void neither_body_nor_properties_are_in_its_text_form() throws JMSException {
        JmsTextMessage message = new JmsTextMessage("s3cret");
        message.setStringProperty("p", "s3cret");
        message.setJMSMessageID("ID:7");
        assertThat(message).hasToString("JmsTextMessage[ID:7]");
        assertThat(MessageEncoder.encode(message).toString()).doesNotContain("s3cret");
    }
}
