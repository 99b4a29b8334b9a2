package org.readpast.jms.tck.messages;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSContext;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.List;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.Line;
import org.readpast.jms.tck.harness.OfTheClient;
import org.readpast.jms.tck.harness.TargetId;
import org.readpast.jms.tck.messages.foreign.ForeignBytesMessage;
import org.readpast.jms.tck.messages.foreign.ForeignMapMessage;
import org.readpast.jms.tck.messages.foreign.ForeignMessage;
import org.readpast.jms.tck.messages.foreign.ForeignObjectMessage;
import org.readpast.jms.tck.messages.foreign.ForeignStreamMessage;
import org.readpast.jms.tck.messages.foreign.ForeignTextMessage;

/** §3.12: "A provider must be prepared to accept, from a client, a message whose implementation is not one of its own." */
@OfTheClient
class Ch03ForeignMessageTest {

    @ContractTest
    void foreign_plain_message_arrives_with_its_properties(Jms jms) throws Exception {
        Line line = Line.open(jms);
        ForeignMessage sent = new ForeignMessage();
        sent.setBooleanProperty("flag", true);
        sent.setByteProperty("b", (byte) 1);
        sent.setShortProperty("s", (short) 2);
        sent.setIntProperty("i", 3);
        sent.setLongProperty("l", 4L);
        sent.setFloatProperty("f", 5.5f);
        sent.setDoubleProperty("d", 6.5);
        sent.setStringProperty("text", "seven");
        Message received = line.carry(sent);
        assertThat(received.getObjectProperty("flag")).isEqualTo(true);
        assertThat(received.getObjectProperty("b")).isEqualTo((byte) 1);
        assertThat(received.getObjectProperty("s")).isEqualTo((short) 2);
        assertThat(received.getObjectProperty("i")).isEqualTo(3);
        assertThat(received.getObjectProperty("l")).isEqualTo(4L);
        assertThat(received.getObjectProperty("f")).isEqualTo(5.5f);
        assertThat(received.getObjectProperty("d")).isEqualTo(6.5);
        assertThat(received.getObjectProperty("text")).isEqualTo("seven");
    }

    @ContractTest
    void foreign_message_gets_its_headers_from_send(Jms jms) throws Exception {
        Line line = Line.open(jms);
        ForeignTextMessage sent = new ForeignTextMessage();
        sent.setJMSMessageID("ID:foreign");
        sent.setJMSTimestamp(1);
        sent.setJMSPriority(1);
        sent.setJMSExpiration(1);
        long before = System.currentTimeMillis();
        line.producer().send(sent, DeliveryMode.NON_PERSISTENT, 7, 3_600_000);
        long after = System.currentTimeMillis();
        Message received = jms.receive(line.consumer());
        for (Message message : List.of(sent, received)) {
            assertThat(message.getJMSMessageID()).startsWith("ID:").isNotEqualTo("ID:foreign");
            assertThat(message.getJMSTimestamp()).isBetween(before, after);
            assertThat(message.getJMSPriority()).isEqualTo(7);
            assertThat(message.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
            assertThat(message.getJMSExpiration()).isBetween(before + 3_600_000, after + 3_600_000);
            assertThat(message.getJMSDestination()).isEqualTo(line.queue());
        }
        assertThat(received.getJMSMessageID()).isEqualTo(sent.getJMSMessageID());
        assertThat(received.getJMSExpiration()).isEqualTo(sent.getJMSExpiration());
    }

    @ContractTest
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "§3.4.11, §3.4.13",
            why = "it does not set the delivery time of a foreign message")
    void foreign_message_gets_its_delivery_time_from_send(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        producer.setDeliveryDelay(3_600_000);
        ForeignMessage sent = new ForeignMessage();
        long before = System.currentTimeMillis();
        producer.send(sent);
        long after = System.currentTimeMillis();
        assertThat(sent.getJMSDeliveryTime()).isBetween(before + 3_600_000, after + 3_600_000);
    }

    @ContractTest
    void foreign_message_keeps_the_headers_of_the_client(Jms jms) throws Exception {
        Line line = Line.open(jms);
        ForeignTextMessage sent = new ForeignTextMessage();
        sent.setJMSType("type");
        sent.setJMSReplyTo(line.queue());
        Message received = line.carry(sent);
        assertThat(received.getJMSType()).isEqualTo("type");
        assertThat(received.getJMSReplyTo()).isEqualTo(line.queue());
    }

    @ContractTest
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "§3.12",
            why = "it takes the id over as bytes, and gives it back as bytes only")
    void foreign_message_keeps_its_correlation_id(Jms jms) throws Exception {
        Line line = Line.open(jms);
        ForeignTextMessage sent = new ForeignTextMessage();
        sent.setJMSCorrelationID("correlation");
        assertThat(line.carry(sent).getJMSCorrelationID()).isEqualTo("correlation");
    }

    @ContractTest
    void foreign_message_without_any_header_arrives(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message received = line.carry(new ForeignTextMessage());
        assertThat(received.getJMSCorrelationID()).isNull();
        assertThat(received.getJMSType()).isNull();
        assertThat(received.getJMSReplyTo()).isNull();
        assertThat(received.getJMSRedelivered()).isFalse();
    }

    @ContractTest
    void foreign_text_arrives(Jms jms) throws Exception {
        Line line = Line.open(jms);
        ForeignTextMessage sent = new ForeignTextMessage();
        sent.setText("text \u20ac");
        assertThat(line.carry(sent, TextMessage.class).getText()).isEqualTo("text \u20ac");
    }

    @ContractTest
    void foreign_text_that_is_null_arrives_as_null(Jms jms) throws Exception {
        Line line = Line.open(jms);
        assertThat(line.carry(new ForeignTextMessage(), TextMessage.class).getText())
                .isNull();
    }

    @ContractTest
    void foreign_bytes_arrive(Jms jms) throws Exception {
        Line line = Line.open(jms);
        ForeignBytesMessage sent = new ForeignBytesMessage();
        sent.writeLong(42);
        sent.writeUTF("text");
        sent.writeBytes(new byte[100_000]);
        BytesMessage received = line.carry(sent, BytesMessage.class);
        assertThat(received.getBodyLength()).isEqualTo(8 + 2 + 4 + 100_000);
        assertThat(received.readLong()).isEqualTo(42);
        assertThat(received.readUTF()).isEqualTo("text");
    }

    @ContractTest
    void foreign_bytes_that_were_partly_read_arrive_whole(Jms jms) throws Exception {
        Line line = Line.open(jms);
        ForeignBytesMessage sent = new ForeignBytesMessage();
        sent.writeInt(1);
        sent.writeInt(2);
        sent.reset();
        sent.readInt();
        BytesMessage received = line.carry(sent, BytesMessage.class);
        assertThat(received.readInt()).isEqualTo(1);
        assertThat(received.readInt()).isEqualTo(2);
    }

    @ContractTest
    void foreign_map_arrives_with_its_types(Jms jms) throws Exception {
        Line line = Line.open(jms);
        ForeignMapMessage sent = new ForeignMapMessage();
        sent.setBoolean("flag", true);
        sent.setByte("b", (byte) 1);
        sent.setShort("s", (short) 2);
        sent.setChar("c", 'c');
        sent.setInt("i", 3);
        sent.setLong("l", 4);
        sent.setFloat("f", 5.5f);
        sent.setDouble("d", 6.5);
        sent.setString("text", "seven");
        sent.setBytes("bytes", new byte[] {8, 9});
        MapMessage received = line.carry(sent, MapMessage.class);
        assertThat(received.getObject("flag")).isEqualTo(true);
        assertThat(received.getObject("b")).isEqualTo((byte) 1);
        assertThat(received.getObject("s")).isEqualTo((short) 2);
        assertThat(received.getObject("c")).isEqualTo('c');
        assertThat(received.getObject("i")).isEqualTo(3);
        assertThat(received.getObject("l")).isEqualTo(4L);
        assertThat(received.getObject("f")).isEqualTo(5.5f);
        assertThat(received.getObject("d")).isEqualTo(6.5);
        assertThat(received.getObject("text")).isEqualTo("seven");
        assertThat(received.getObject("bytes")).isEqualTo(new byte[] {8, 9});
    }

    @ContractTest
    void foreign_map_with_a_null_arrives_with_it(Jms jms) throws Exception {
        Line line = Line.open(jms);
        ForeignMapMessage sent = new ForeignMapMessage();
        sent.setString("nothing", null);
        MapMessage received = line.carry(sent, MapMessage.class);
        assertThat(received.itemExists("nothing")).isTrue();
        assertThat(received.getString("nothing")).isNull();
    }

    @ContractTest
    void foreign_stream_arrives_with_its_types(Jms jms) throws Exception {
        Line line = Line.open(jms);
        List<Object> fields = List.of(
                true, (byte) 1, (short) 2, 'c', 3, 4L, 5.5f, 6.5, "seven", new byte[] {8, 9}, "after the bytes");
        ForeignStreamMessage sent = new ForeignStreamMessage();
        fields.forEach(sent::writeObject);
        StreamMessage received = line.carry(sent, StreamMessage.class);
        for (Object field : fields) {
            assertThat(received.readObject()).isEqualTo(field);
        }
    }

    @ContractTest
    void foreign_stream_with_a_null_arrives_with_it(Jms jms) throws Exception {
        Line line = Line.open(jms);
        ForeignStreamMessage sent = new ForeignStreamMessage();
        sent.writeString(null);
        sent.writeInt(7);
        StreamMessage received = line.carry(sent, StreamMessage.class);
        assertThat(received.readString()).isNull();
        assertThat(received.readInt()).isEqualTo(7);
    }

    @ContractTest
    void foreign_object_arrives(Jms jms) throws Exception {
        Line line = Line.open(jms);
        ForeignObjectMessage sent = new ForeignObjectMessage();
        sent.setObject(new ArrayList<>(List.of("a", "b")));
        assertThat(line.carry(sent, ObjectMessage.class).getObject()).isEqualTo(List.of("a", "b"));
    }

    @ContractTest
    void foreign_object_that_is_null_arrives_as_null(Jms jms) throws Exception {
        Line line = Line.open(jms);
        assertThat(line.carry(new ForeignObjectMessage(), ObjectMessage.class).getObject())
                .isNull();
    }

    @ContractTest
    void foreign_message_that_is_changed_after_the_send_arrives_as_it_was(Jms jms) throws Exception {
        Session session = jms.transacted();
        MessageProducer producer = session.createProducer(jms.queue());
        ForeignTextMessage message = new ForeignTextMessage();
        message.setText("first");
        message.setIntProperty("p", 1);
        producer.send(message);
        message.setText("second");
        message.setIntProperty("p", 2);
        producer.send(message);
        session.commit();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        Message first = jms.receive(consumer);
        assertThat(Jms.text(first)).isEqualTo("first");
        assertThat(first.getIntProperty("p")).isEqualTo(1);
        Message second = jms.receive(consumer);
        assertThat(Jms.text(second)).isEqualTo("second");
        assertThat(second.getIntProperty("p")).isEqualTo(2);
        session.commit();
    }

    @ContractTest
    void foreign_message_can_be_selected_by_its_properties(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        for (int i = 0; i < 3; i++) {
            ForeignTextMessage message = new ForeignTextMessage();
            message.setText("text " + i);
            message.setIntProperty("i", i);
            producer.send(message);
        }
        assertThat(jms.receiveText(session.createConsumer(jms.queue(), "i = 1")))
                .isEqualTo("text 1");
    }

    @ContractTest
    void foreign_message_is_sent_by_a_JMSProducer_too(Jms jms) throws Exception {
        JMSContext context = jms.context();
        ForeignTextMessage message = new ForeignTextMessage();
        message.setText("text");
        message.setStringProperty("p", "message's");
        context.createProducer().setProperty("q", "producer's").send(jms.queue(), message);
        assertThat(message.getJMSMessageID()).startsWith("ID:");
        Message received = jms.receive(context.createConsumer(jms.queue()));
        assertThat(Jms.text(received)).isEqualTo("text");
        assertThat(received.getStringProperty("p")).isEqualTo("message's");
        assertThat(received.getStringProperty("q")).isEqualTo("producer's");
    }
}
