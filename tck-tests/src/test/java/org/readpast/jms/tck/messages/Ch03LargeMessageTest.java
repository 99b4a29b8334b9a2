package org.readpast.jms.tck.messages;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.BytesMessage;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.util.Arrays;
import java.util.Random;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.Line;

/** §3.11: bodies of 10 MiB and more, there and back. The specification sets no limit. */
class Ch03LargeMessageTest {
    private static final int SIZE = 10 * 1024 * 1024;

    private static byte[] bytes() {
        byte[] bytes = new byte[SIZE];
        new Random(42).nextBytes(bytes);
        return bytes;
    }

    private static String text() {
        StringBuilder text = new StringBuilder(SIZE);
        for (int i = 0; text.length() < SIZE; i++) {
            text.append(i).append(" \u00e4\u20ac ");
        }
        return text.toString();
    }

    @ContractTest
    void large_text_goes_there_and_back(Jms jms) throws Exception {
        Line line = Line.open(jms);
        String text = text();
        TextMessage there = line.carry(line.session().createTextMessage(text), TextMessage.class);
        assertThat(there.getText().equals(text)).as("the text is the same").isTrue();
        TextMessage back = line.carry(there, TextMessage.class);
        assertThat(back.getText().equals(text)).as("the text is the same").isTrue();
    }

    @ContractTest
    void large_bytes_go_there_and_back(Jms jms) throws Exception {
        Line line = Line.open(jms);
        byte[] bytes = bytes();
        BytesMessage sent = line.session().createBytesMessage();
        sent.writeBytes(bytes);
        BytesMessage there = line.carry(sent, BytesMessage.class);
        assertThat(there.getBodyLength()).isEqualTo(SIZE);
        BytesMessage back = line.carry(there, BytesMessage.class);
        assertThat(back.getBodyLength()).isEqualTo(SIZE);
        byte[] read = new byte[SIZE];
        assertThat(back.readBytes(read)).isEqualTo(SIZE);
        assertThat(Arrays.equals(read, bytes)).as("the bytes are the same").isTrue();
    }

    @ContractTest
    void large_bytes_are_read_piece_by_piece(Jms jms) throws Exception {
        Line line = Line.open(jms);
        byte[] bytes = bytes();
        BytesMessage sent = line.session().createBytesMessage();
        for (int i = 0; i < SIZE; i += 65_536) {
            sent.writeBytes(bytes, i, 65_536);
        }
        BytesMessage received = line.carry(sent, BytesMessage.class);
        byte[] piece = new byte[65_536];
        for (int i = 0; i < SIZE; i += 65_536) {
            assertThat(received.readBytes(piece)).isEqualTo(65_536);
            assertThat(Arrays.equals(piece, 0, 65_536, bytes, i, i + 65_536)).isTrue();
        }
        assertThat(received.readBytes(piece)).isEqualTo(-1);
    }

    @ContractTest
    void large_entry_of_a_map_arrives(Jms jms) throws Exception {
        Line line = Line.open(jms);
        byte[] bytes = bytes();
        MapMessage sent = line.session().createMapMessage();
        sent.setBytes("large", bytes);
        sent.setInt("small", 1);
        MapMessage received = line.carry(sent, MapMessage.class);
        assertThat(Arrays.equals(received.getBytes("large"), bytes)).isTrue();
        assertThat(received.getInt("small")).isEqualTo(1);
    }

    @ContractTest
    void large_field_of_a_stream_arrives(Jms jms) throws Exception {
        Line line = Line.open(jms);
        byte[] bytes = bytes();
        StreamMessage sent = line.session().createStreamMessage();
        sent.writeInt(1);
        sent.writeBytes(bytes);
        sent.writeInt(2);
        StreamMessage received = line.carry(sent, StreamMessage.class);
        assertThat(received.readInt()).isEqualTo(1);
        assertThat(Arrays.equals((byte[]) received.readObject(), bytes)).isTrue();
        assertThat(received.readInt()).isEqualTo(2);
    }

    @ContractTest
    void large_object_arrives(Jms jms) throws Exception {
        Line line = Line.open(jms);
        byte[] bytes = bytes();
        ObjectMessage received = line.carry(line.session().createObjectMessage(bytes), ObjectMessage.class);
        assertThat(Arrays.equals((byte[]) received.getObject(), bytes)).isTrue();
    }

    @ContractTest
    void large_messages_of_a_transaction_arrive_in_order_or_not_at_all(Jms jms) throws Exception {
        byte[] bytes = bytes();
        Session session = jms.transacted();
        MessageProducer producer = session.createProducer(jms.queue());
        for (boolean commit : new boolean[] {false, true}) {
            for (int i = 0; i < 3; i++) {
                BytesMessage message = session.createBytesMessage();
                message.writeBytes(bytes);
                message.setStringProperty("p", commit + " " + i);
                producer.send(message);
            }
            if (commit) {
                session.commit();
            } else {
                session.rollback();
            }
        }
        MessageConsumer consumer = session.createConsumer(jms.queue());
        for (int i = 0; i < 3; i++) {
            Message received = jms.receive(consumer);
            assertThat(received.getStringProperty("p")).isEqualTo("true " + i);
            assertThat(Arrays.equals(received.getBody(byte[].class), bytes)).isTrue();
        }
        session.commit();
        jms.assertNothingArrives(consumer);
    }

    @ContractTest
    void large_message_is_redelivered_whole(Jms jms) throws Exception {
        byte[] bytes = bytes();
        Session session = jms.transacted();
        BytesMessage sent = session.createBytesMessage();
        sent.writeBytes(bytes);
        session.createProducer(jms.queue()).send(sent);
        session.commit();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        jms.receive(consumer);
        session.rollback();
        assertThat(Arrays.equals(jms.receive(consumer).getBody(byte[].class), bytes))
                .isTrue();
        session.commit();
    }
}
