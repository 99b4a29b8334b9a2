package org.readpast.jms.tck.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.util.List;
import org.readpast.jms.tck.harness.CasesFrom;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.Line;
import org.readpast.jms.tck.harness.TargetId;

/** §3.9, §3.10: what the sender and the receiver may do to a message, and what the other does not see of it. */
class Ch03SentMessageTest {

    /** A kind of message, and how to give it a body; twice the same body, or another. */
    enum Kind {
        TEXT {
            @Override
            Message create(Session session) throws JMSException {
                return session.createTextMessage();
            }

            @Override
            void fill(Message message, int content) throws JMSException {
                ((TextMessage) message).setText("content " + content);
            }

            @Override
            Object content(Message message) throws JMSException {
                return ((TextMessage) message).getText();
            }
        },
        BYTES {
            @Override
            Message create(Session session) throws JMSException {
                return session.createBytesMessage();
            }

            @Override
            void fill(Message message, int content) throws JMSException {
                message.clearBody();
                ((BytesMessage) message).writeUTF("content " + content);
            }

            @Override
            Object content(Message message) throws JMSException {
                ((BytesMessage) message).reset();
                return ((BytesMessage) message).readUTF();
            }
        },
        MAP {
            @Override
            Message create(Session session) throws JMSException {
                return session.createMapMessage();
            }

            @Override
            void fill(Message message, int content) throws JMSException {
                ((MapMessage) message).setString("entry", "content " + content);
            }

            @Override
            Object content(Message message) throws JMSException {
                return ((MapMessage) message).getString("entry");
            }
        },
        STREAM {
            @Override
            Message create(Session session) throws JMSException {
                return session.createStreamMessage();
            }

            @Override
            void fill(Message message, int content) throws JMSException {
                message.clearBody();
                ((StreamMessage) message).writeString("content " + content);
            }

            @Override
            Object content(Message message) throws JMSException {
                ((StreamMessage) message).reset();
                return ((StreamMessage) message).readString();
            }
        },
        OBJECT {
            @Override
            Message create(Session session) throws JMSException {
                return session.createObjectMessage();
            }

            @Override
            void fill(Message message, int content) throws JMSException {
                ((ObjectMessage) message).setObject("content " + content);
            }

            @Override
            Object content(Message message) throws JMSException {
                return ((ObjectMessage) message).getObject();
            }
        };

        abstract Message create(Session session) throws JMSException;

        abstract void fill(Message message, int content) throws JMSException;

        abstract Object content(Message message) throws JMSException;
    }

    static List<Kind> kinds() {
        return List.of(Kind.values());
    }

    @ContractTest
    @CasesFrom("kinds")
    void message_that_is_changed_after_the_send_arrives_as_it_was(Jms jms, Kind kind) throws Exception {
        Line line = Line.open(jms);
        Message sent = kind.create(line.session());
        kind.fill(sent, 1);
        sent.setIntProperty("p", 1);
        sent.setJMSCorrelationID("1");
        line.producer().send(sent);
        kind.fill(sent, 2);
        sent.setIntProperty("p", 2);
        sent.setJMSCorrelationID("2");
        assertIsTheFirst(kind, jms.receive(line.consumer()));
        assertThat(kind.content(sent)).isEqualTo("content 2");
    }

    @ContractTest
    @CasesFrom("kinds")
    void message_that_is_changed_between_send_and_commit_arrives_as_it_was(Jms jms, Kind kind) throws Exception {
        Session session = jms.transacted();
        MessageProducer producer = session.createProducer(jms.queue());
        Message sent = kind.create(session);
        kind.fill(sent, 1);
        sent.setIntProperty("p", 1);
        sent.setJMSCorrelationID("1");
        producer.send(sent);
        kind.fill(sent, 2);
        sent.setIntProperty("p", 2);
        sent.setJMSCorrelationID("2");
        session.commit();
        assertIsTheFirst(kind, jms.receive(jms.session().createConsumer(jms.queue())));
    }

    private static void assertIsTheFirst(Kind kind, Message received) throws JMSException {
        assertThat(kind.content(received)).isEqualTo("content 1");
        assertThat(received.getIntProperty("p")).isEqualTo(1);
        assertThat(received.getJMSCorrelationID()).isEqualTo("1");
    }

    @ContractTest
    @CasesFrom("kinds")
    void message_can_be_sent_twice_and_is_two_messages(Jms jms, Kind kind) throws Exception {
        Line line = Line.open(jms);
        Message sent = kind.create(line.session());
        kind.fill(sent, 1);
        line.producer().send(sent);
        String firstId = sent.getJMSMessageID();
        line.producer().send(sent);
        String secondId = sent.getJMSMessageID();
        assertThat(secondId).isNotEqualTo(firstId);
        Message first = jms.receive(line.consumer());
        Message second = jms.receive(line.consumer());
        assertThat(first.getJMSMessageID()).isEqualTo(firstId);
        assertThat(second.getJMSMessageID()).isEqualTo(secondId);
        assertThat(kind.content(first)).isEqualTo("content 1");
        assertThat(kind.content(second)).isEqualTo("content 1");
    }

    @ContractTest
    void messages_sent_in_one_transaction_from_one_object_are_as_many_messages(Jms jms) throws Exception {
        Session session = jms.transacted();
        MessageProducer producer = session.createProducer(jms.queue());
        TextMessage message = session.createTextMessage();
        for (int i = 0; i < 5; i++) {
            message.setText("text " + i);
            message.setIntProperty("i", i);
            producer.send(message);
        }
        session.commit();
        MessageConsumer consumer = jms.session().createConsumer(jms.queue());
        for (int i = 0; i < 5; i++) {
            Message received = jms.receive(consumer);
            assertThat(Jms.text(received)).isEqualTo("text " + i);
            assertThat(received.getIntProperty("i")).isEqualTo(i);
        }
    }

    @ContractTest
    @CasesFrom("kinds")
    void received_message_can_be_sent_on_as_it_is(Jms jms, Kind kind) throws Exception {
        Line line = Line.open(jms);
        Queue next = jms.queue("next");
        Message sent = kind.create(line.session());
        kind.fill(sent, 1);
        sent.setStringProperty("p", "v");
        sent.setJMSType("type");
        sent.setJMSCorrelationID("id");
        sent.setJMSReplyTo(line.queue());
        Message received = line.carry(sent);
        line.session().createProducer(next).send(received);
        Message forwarded = jms.receive(line.session().createConsumer(next));
        assertThat(kind.content(forwarded)).isEqualTo("content 1");
        assertThat(forwarded.getStringProperty("p")).isEqualTo("v");
        assertThat(forwarded.getJMSType()).isEqualTo("type");
        assertThat(forwarded.getJMSCorrelationID()).isEqualTo("id");
        assertThat(forwarded.getJMSReplyTo()).isEqualTo(line.queue());
        assertThat(forwarded.getJMSDestination()).isEqualTo(next);
        assertThat(forwarded.getJMSMessageID()).isNotEqualTo(sent.getJMSMessageID());
    }

    @ContractTest
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "an extension: AMQ_SCHEDULED_DELAY",
            why = "to it that is a property as any other")
    void delay_by_property_is_not_repeated_when_the_received_message_is_sent_on(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        sent.setLongProperty("AMQ_SCHEDULED_DELAY", 1);
        sent.setStringProperty("p", "v");
        Message received = line.carry(sent);
        assertThat(sent.getJMSDeliveryTime()).isEqualTo(sent.getJMSTimestamp() + 1);
        assertThat(sent.getLongProperty("AMQ_SCHEDULED_DELAY")).isEqualTo(1);
        assertThat(received.propertyExists("AMQ_SCHEDULED_DELAY")).isFalse();
        assertThat(received.getStringProperty("p")).isEqualTo("v");
        line.producer().send(received);
        assertThat(received.getJMSDeliveryTime()).isEqualTo(received.getJMSTimestamp());
        jms.receive(line.consumer());
    }

    @ContractTest
    @CasesFrom("kinds")
    void received_message_that_was_changed_is_redelivered_as_it_was(Jms jms, Kind kind) throws Exception {
        Session session = jms.transacted();
        Message sent = kind.create(session);
        kind.fill(sent, 1);
        sent.setStringProperty("p", "original");
        sent.setJMSCorrelationID("original");
        session.createProducer(jms.queue()).send(sent);
        session.commit();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        Message first = jms.receive(consumer);
        first.clearBody();
        first.clearProperties();
        kind.fill(first, 2);
        first.setStringProperty("p", "changed");
        first.setJMSCorrelationID("changed");
        session.rollback();
        Message second = jms.receive(consumer);
        assertThat(kind.content(second)).isEqualTo("content 1");
        assertThat(second.getStringProperty("p")).isEqualTo("original");
        assertThat(second.getJMSCorrelationID()).isEqualTo("original");
        assertThat(second.getJMSMessageID()).isEqualTo(sent.getJMSMessageID());
        assertThatExceptionOfType(MessageNotWriteableException.class)
                .isThrownBy(() -> second.setStringProperty("p", "changed"));
        session.commit();
    }

    @ContractTest
    void message_made_by_a_session_can_be_sent_by_another_connection(Jms jms) throws Exception {
        Message message = jms.session().createTextMessage("made elsewhere");
        Session session = jms.session();
        session.createProducer(jms.queue()).send(message);
        assertThat(jms.receiveText(session.createConsumer(jms.queue()))).isEqualTo("made elsewhere");
    }

    @ContractTest
    void message_outlives_the_session_that_received_it(Jms jms) throws Exception {
        jms.send(jms.queue(), "text");
        Session session = jms.session();
        Message received = jms.receive(session.createConsumer(jms.queue()));
        session.close();
        assertThat(Jms.text(received)).isEqualTo("text");
        assertThat(received.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    }

    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "MessageProducer.send", why = "it throws a NullPointerException")
    void null_message_cannot_be_sent(Jms jms) throws Exception {
        MessageProducer producer = jms.session().createProducer(jms.queue());
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> producer.send(null));
    }

    @ContractTest
    void acknowledge_is_ignored_when_acknowledgment_is_automatic(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message received = line.carry(line.session().createTextMessage("text"));
        received.acknowledge();
        jms.assertNothingArrives(line.consumer());
    }

    @ContractTest
    @CasesFrom("kinds")
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "§3.11.1",
            why = "it fails to send it, with an IndexOutOfBoundsException",
            cases = {"MAP"})
    void received_message_can_be_cleared_filled_anew_and_sent_on(Jms jms, Kind kind) throws Exception {
        Line line = Line.open(jms);
        Message sent = kind.create(line.session());
        kind.fill(sent, 1);
        sent.setStringProperty("old", "v");
        Message received = line.carry(sent);
        received.clearBody();
        received.clearProperties();
        kind.fill(received, 2);
        received.setStringProperty("new", "w");
        Message again = line.carry(received);
        assertThat(kind.content(again)).isEqualTo("content 2");
        assertThat(again.propertyExists("old")).isFalse();
        assertThat(again.getStringProperty("new")).isEqualTo("w");
    }

    @ContractTest
    @CasesFrom("kinds")
    void message_without_a_body_arrives_as_its_kind(Jms jms, Kind kind) throws Exception {
        Line line = Line.open(jms);
        Message sent = kind.create(line.session());
        Message received = line.carry(sent);
        assertThat(received).hasSameClassAs(sent);
    }

    @ContractTest
    void message_with_very_many_properties_arrives_whole(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        for (int i = 0; i < 1_000; i++) {
            sent.setStringProperty("property" + i, "value " + i);
        }
        Message received = line.carry(sent);
        for (int i = 0; i < 1_000; i++) {
            assertThat(received.getStringProperty("property" + i)).isEqualTo("value " + i);
        }
    }
}
