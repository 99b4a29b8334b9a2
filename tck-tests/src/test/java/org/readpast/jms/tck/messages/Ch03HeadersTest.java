package org.readpast.jms.tck.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.readpast.jms.tck.harness.CasesFrom;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.Line;
import org.readpast.jms.tck.harness.TargetId;

/** §3.4: the header fields, who sets them, and what of them the receiver sees. */
class Ch03HeadersTest {
    private static final long HOUR = 3_600_000;

    // §3.4.1 JMSDestination

    @ContractTest
    void destination_is_set_by_send_and_is_equal_at_the_receiver(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        Message received = line.carry(sent);
        assertThat(sent.getJMSDestination()).isEqualTo(line.queue());
        assertThat(received.getJMSDestination()).isInstanceOf(Queue.class).isEqualTo(line.queue());
    }

    @ContractTest
    void destination_that_the_client_had_set_is_overwritten_by_send(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        sent.setJMSDestination(jms.queue("other"));
        Message received = line.carry(sent);
        assertThat(sent.getJMSDestination()).isEqualTo(line.queue());
        assertThat(received.getJMSDestination()).isEqualTo(line.queue());
    }

    @ContractTest
    void destination_is_that_of_the_send_call_when_the_producer_has_none(Jms jms) throws Exception {
        Session session = jms.session();
        Queue queue = jms.queue();
        Message sent = session.createMessage();
        session.createProducer(null).send(queue, sent);
        assertThat(sent.getJMSDestination()).isEqualTo(queue);
        assertThat(jms.receive(session.createConsumer(queue)).getJMSDestination())
                .isEqualTo(queue);
    }

    @ContractTest
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "§3.4.1",
            why = "the received destination is a queue that is not temporary")
    void destination_that_is_a_temporary_queue_arrives_as_one(Jms jms) throws Exception {
        Session session = jms.session();
        TemporaryQueue queue = session.createTemporaryQueue();
        session.createProducer(queue).send(session.createMessage());
        assertThat(jms.receive(session.createConsumer(queue)).getJMSDestination())
                .isInstanceOf(TemporaryQueue.class)
                .isEqualTo(queue);
    }

    // §3.4.2 JMSDeliveryMode

    @ContractTest
    void delivery_mode_is_persistent_unless_said_otherwise(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        Message received = line.carry(sent);
        assertThat(sent.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(received.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
    }

    @ContractTest
    void delivery_mode_of_the_producer_is_set_by_send(Jms jms) throws Exception {
        Line line = Line.open(jms);
        line.producer().setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        Message sent = line.session().createMessage();
        Message received = line.carry(sent);
        assertThat(sent.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(received.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
    }

    @ContractTest
    void delivery_mode_that_the_client_had_set_on_the_message_is_ignored(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        sent.setJMSDeliveryMode(DeliveryMode.NON_PERSISTENT);
        Message received = line.carry(sent);
        assertThat(sent.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(received.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
    }

    // §3.4.3 JMSMessageID

    @ContractTest
    void message_id_begins_with_ID_and_is_the_same_at_the_receiver(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        Message received = line.carry(sent);
        assertThat(sent.getJMSMessageID()).startsWith("ID:");
        assertThat(received.getJMSMessageID()).isEqualTo(sent.getJMSMessageID());
    }

    @ContractTest
    void message_ids_are_unique_across_sessions_and_connections(Jms jms) throws Exception {
        Queue queue = jms.queue();
        Set<String> ids = new HashSet<>();
        for (int s = 0; s < 4; s++) {
            Session session = jms.session();
            MessageProducer producer = session.createProducer(queue);
            for (int i = 0; i < 10; i++) {
                Message message = session.createMessage();
                producer.send(message);
                ids.add(message.getJMSMessageID());
            }
        }
        assertThat(ids).hasSize(40);
    }

    @ContractTest
    void message_id_that_the_client_had_set_is_overwritten_by_send(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        sent.setJMSMessageID("ID:mine");
        Message received = line.carry(sent);
        assertThat(sent.getJMSMessageID()).startsWith("ID:").isNotEqualTo("ID:mine");
        assertThat(received.getJMSMessageID()).isEqualTo(sent.getJMSMessageID());
    }

    @ContractTest
    void message_id_that_is_disabled_is_null_or_an_id_as_ever(Jms jms) throws Exception {
        Line line = Line.open(jms);
        line.producer().setDisableMessageID(true);
        Message sent = line.session().createMessage();
        Message received = line.carry(sent);
        assertThat(received.getJMSMessageID()).isEqualTo(sent.getJMSMessageID());
        assertThat(sent.getJMSMessageID())
                .satisfiesAnyOf(
                        id -> assertThat(id).isNull(), id -> assertThat(id).startsWith("ID:"));
    }

    // §3.4.4 JMSTimestamp

    @ContractTest
    void timestamp_lies_between_the_call_of_send_and_its_return(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        sent.setJMSTimestamp(1);
        long before = System.currentTimeMillis();
        line.producer().send(sent);
        long after = System.currentTimeMillis();
        assertThat(sent.getJMSTimestamp()).isBetween(before, after);
        assertThat(jms.receive(line.consumer()).getJMSTimestamp()).isEqualTo(sent.getJMSTimestamp());
    }

    @ContractTest
    void timestamp_of_a_transacted_send_is_that_of_the_send_not_of_the_commit(Jms jms) throws Exception {
        Session session = jms.transacted();
        Message sent = session.createMessage();
        session.createProducer(jms.queue()).send(sent);
        long after = System.currentTimeMillis();
        waitForTheClockToPass(after);
        session.commit();
        Session receiver = jms.session();
        assertThat(jms.receive(receiver.createConsumer(jms.queue())).getJMSTimestamp())
                .isEqualTo(sent.getJMSTimestamp())
                .isLessThanOrEqualTo(after);
    }

    @ContractTest
    void timestamp_that_is_disabled_is_zero_or_a_timestamp_as_ever(Jms jms) throws Exception {
        Line line = Line.open(jms);
        line.producer().setDisableMessageTimestamp(true);
        Message sent = line.session().createMessage();
        long before = System.currentTimeMillis();
        Message received = line.carry(sent);
        long after = System.currentTimeMillis();
        assertThat(received.getJMSTimestamp()).isEqualTo(sent.getJMSTimestamp());
        assertThat(sent.getJMSTimestamp())
                .satisfiesAnyOf(
                        time -> assertThat(time).isZero(),
                        time -> assertThat(time).isBetween(before, after));
    }

    // §3.4.5 JMSCorrelationID

    static List<String> correlationIds() {
        return List.of(
                "order-17",
                "",
                " blanks around ",
                "Pr\u00fcfung \u65e5\u672c \ud83d\ude80",
                "quote ' and \" and \\",
                "x".repeat(400));
    }

    @ContractTest
    @CasesFrom("correlationIds")
    void correlation_id_of_the_application_arrives_as_it_was_set(Jms jms, String id) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        sent.setJMSCorrelationID(id);
        Message received = line.carry(sent);
        assertThat(received.getJMSCorrelationID()).isEqualTo(id);
        assertThat(sent.getJMSCorrelationID()).isEqualTo(id);
    }

    @ContractTest
    void correlation_id_may_be_the_message_id_of_another_message(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message request = line.carry(line.session().createMessage());
        Message reply = line.session().createMessage();
        reply.setJMSCorrelationID(request.getJMSMessageID());
        assertThat(line.carry(reply).getJMSCorrelationID()).isEqualTo(request.getJMSMessageID());
    }

    @ContractTest
    void correlation_id_that_was_not_set_is_null(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message received = line.carry(line.session().createMessage());
        assertThat(received.getJMSCorrelationID()).isNull();
    }

    @ContractTest
    void correlation_id_can_be_taken_away_again(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        sent.setJMSCorrelationID("first");
        sent.setJMSCorrelationID(null);
        assertThat(line.carry(sent).getJMSCorrelationID()).isNull();
    }

    @ContractTest
    void correlation_id_in_bytes_arrives_byte_for_byte(Jms jms) throws Exception {
        byte[] id = {0, 1, -1, 127, -128, 'a'};
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        sent.setJMSCorrelationIDAsBytes(id);
        assertThat(line.carry(sent).getJMSCorrelationIDAsBytes()).isEqualTo(id);
    }

    @ContractTest
    void correlation_id_in_bytes_is_not_that_of_the_array_after_the_send(Jms jms) throws Exception {
        byte[] id = "native".getBytes(StandardCharsets.UTF_8);
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        sent.setJMSCorrelationIDAsBytes(id);
        line.producer().send(sent);
        id[0] = 'X';
        assertThat(jms.receive(line.consumer()).getJMSCorrelationIDAsBytes())
                .isEqualTo("native".getBytes(StandardCharsets.UTF_8));
    }

    // §3.4.6 JMSReplyTo

    @ContractTest
    void reply_to_arrives_as_an_equal_queue_that_can_be_replied_to(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Queue replies = jms.queue("replies");
        Message request = line.session().createMessage();
        request.setJMSReplyTo(replies);
        Message received = line.carry(request);
        assertThat(received.getJMSReplyTo()).isInstanceOf(Queue.class).isEqualTo(replies);
        assertThat(((Queue) received.getJMSReplyTo()).getQueueName()).isEqualTo(replies.getQueueName());
        line.session()
                .createProducer(received.getJMSReplyTo())
                .send(line.session().createTextMessage("reply"));
        assertThat(jms.receiveText(line.session().createConsumer(replies))).isEqualTo("reply");
    }

    @ContractTest
    void reply_to_a_temporary_queue_arrives_as_one_and_anyone_can_reply(Jms jms) throws Exception {
        Session requester = jms.session();
        TemporaryQueue replies = requester.createTemporaryQueue();
        MessageConsumer replyConsumer = requester.createConsumer(replies);
        Message request = requester.createMessage();
        request.setJMSReplyTo(replies);
        requester.createProducer(jms.queue()).send(request);

        Session replier = jms.session();
        Message received = jms.receive(replier.createConsumer(jms.queue()));
        assertThat(received.getJMSReplyTo()).isInstanceOf(TemporaryQueue.class).isEqualTo(replies);
        replier.createProducer(received.getJMSReplyTo()).send(replier.createTextMessage("reply"));
        assertThat(jms.receiveText(replyConsumer)).isEqualTo("reply");
    }

    @ContractTest
    void reply_to_that_was_not_set_is_null(Jms jms) throws Exception {
        Line line = Line.open(jms);
        assertThat(line.carry(line.session().createMessage()).getJMSReplyTo()).isNull();
    }

    @ContractTest
    void reply_to_can_be_taken_away_again(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        sent.setJMSReplyTo(line.queue());
        sent.setJMSReplyTo(null);
        assertThat(line.carry(sent).getJMSReplyTo()).isNull();
    }

    // §3.4.7 JMSRedelivered

    @ContractTest
    void redelivered_is_false_at_the_first_delivery_and_true_at_the_second(Jms jms) throws Exception {
        jms.send(jms.queue(), "again");
        Session session = jms.transacted();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        assertThat(jms.receive(consumer).getJMSRedelivered()).isFalse();
        session.rollback();
        Message second = jms.receive(consumer);
        assertThat(second.getJMSRedelivered()).isTrue();
        assertThat(second.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        session.commit();
    }

    @ContractTest
    void redelivered_that_the_client_had_set_does_not_travel(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        sent.setJMSRedelivered(true);
        assertThat(line.carry(sent).getJMSRedelivered()).isFalse();
    }

    // §3.4.8 JMSType

    static List<String> types() {
        return List.of("order", "", "urn:example:order/2", "\u578b \u00e4\u00f6\u00fc", "it's \"quoted\"");
    }

    @ContractTest
    @CasesFrom("types")
    void type_arrives_as_it_was_set(Jms jms, String type) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        sent.setJMSType(type);
        assertThat(line.carry(sent).getJMSType()).isEqualTo(type);
    }

    @ContractTest
    void type_that_was_not_set_is_null(Jms jms) throws Exception {
        Line line = Line.open(jms);
        assertThat(line.carry(line.session().createMessage()).getJMSType()).isNull();
    }

    // §3.4.9 JMSExpiration

    @ContractTest
    void expiration_is_zero_without_a_time_to_live(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        sent.setJMSExpiration(1);
        Message received = line.carry(sent);
        assertThat(sent.getJMSExpiration()).isZero();
        assertThat(received.getJMSExpiration()).isZero();
    }

    @ContractTest
    void expiration_is_the_time_of_sending_plus_the_time_to_live(Jms jms) throws Exception {
        Line line = Line.open(jms);
        line.producer().setTimeToLive(HOUR);
        Message sent = line.session().createMessage();
        long before = System.currentTimeMillis();
        line.producer().send(sent);
        long after = System.currentTimeMillis();
        assertThat(sent.getJMSExpiration()).isBetween(before + HOUR, after + HOUR);
        assertThat(jms.receive(line.consumer()).getJMSExpiration()).isEqualTo(sent.getJMSExpiration());
    }

    @ContractTest
    void expiration_counts_from_the_send_not_from_the_commit(Jms jms) throws Exception {
        Session session = jms.transacted();
        MessageProducer producer = session.createProducer(jms.queue());
        producer.setTimeToLive(HOUR);
        Message sent = session.createMessage();
        producer.send(sent);
        long after = System.currentTimeMillis();
        waitForTheClockToPass(after);
        session.commit();
        Session receiver = jms.session();
        assertThat(jms.receive(receiver.createConsumer(jms.queue())).getJMSExpiration())
                .isEqualTo(sent.getJMSExpiration())
                .isLessThanOrEqualTo(after + HOUR);
    }

    @ContractTest
    void expired_message_is_not_received_and_the_one_behind_it_is(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        Message brief = session.createTextMessage("brief");
        producer.send(brief, DeliveryMode.PERSISTENT, 4, 100);
        producer.send(session.createTextMessage("lasting"));
        Jms.awaitExpiry(brief);
        assertThat(jms.receiveText(session.createConsumer(jms.queue()))).isEqualTo("lasting");
    }

    @ContractTest
    void message_whose_time_to_live_ended_before_the_commit_is_not_received(Jms jms) throws Exception {
        Session session = jms.transacted();
        MessageProducer producer = session.createProducer(jms.queue());
        Message brief = session.createTextMessage("brief");
        producer.send(brief, DeliveryMode.PERSISTENT, 4, 100);
        producer.send(session.createTextMessage("lasting"));
        Jms.awaitExpiry(brief);
        session.commit();
        assertThat(jms.receiveText(jms.session().createConsumer(jms.queue()))).isEqualTo("lasting");
    }

    @ContractTest
    void message_with_a_delay_and_a_longer_time_to_live_arrives_in_between(Jms jms) throws Exception {
        Line line = Line.open(jms);
        line.producer().setDeliveryDelay(300);
        line.producer().setTimeToLive(HOUR);
        Message sent = line.session().createMessage();
        Message received = line.carry(sent);
        assertThat(received.getJMSExpiration()).isEqualTo(sent.getJMSExpiration());
        assertThat(received.getJMSExpiration() - received.getJMSTimestamp()).isEqualTo(HOUR);
        assertThat(received.getJMSDeliveryTime() - received.getJMSTimestamp()).isEqualTo(300);
    }

    @ContractTest
    void message_that_expires_while_a_consumer_waits_for_another_is_not_received(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        Message brief = session.createTextMessage("brief");
        brief.setBooleanProperty("wanted", false);
        producer.send(brief, DeliveryMode.PERSISTENT, 4, 150);
        MessageConsumer waiting = session.createConsumer(jms.queue(), "wanted");
        assertThat(waiting.receive(400)).isNull();
        Jms.awaitExpiry(brief);
        waiting.close();
        jms.assertEmpty(jms.queue());
    }

    // §3.4.10 JMSPriority

    static List<Integer> priorities() {
        return IntStream.rangeClosed(0, 9).boxed().toList();
    }

    @ContractTest
    @CasesFrom("priorities")
    void priority_of_the_producer_is_set_by_send(Jms jms, int priority) throws Exception {
        Line line = Line.open(jms);
        line.producer().setPriority(priority);
        Message sent = line.session().createMessage();
        Message received = line.carry(sent);
        assertThat(sent.getJMSPriority()).isEqualTo(priority);
        assertThat(received.getJMSPriority()).isEqualTo(priority);
    }

    @ContractTest
    void priority_is_four_unless_said_otherwise_and_that_of_the_message_is_ignored(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        sent.setJMSPriority(9);
        Message received = line.carry(sent);
        assertThat(sent.getJMSPriority()).isEqualTo(4);
        assertThat(received.getJMSPriority()).isEqualTo(4);
    }

    // §3.4.13 JMSDeliveryTime

    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§3.4.13", why = "without a delay its delivery time is 0")
    void delivery_time_is_the_time_of_sending_when_there_is_no_delay(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        long before = System.currentTimeMillis();
        line.producer().send(sent);
        long after = System.currentTimeMillis();
        assertThat(sent.getJMSDeliveryTime()).isBetween(before, after);
        assertThat(jms.receive(line.consumer()).getJMSDeliveryTime()).isEqualTo(sent.getJMSDeliveryTime());
    }

    @ContractTest
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "§3.4.11, §3.4.13",
            why = "it takes the delivery time of the message for a delay")
    void delivery_time_that_the_client_had_set_is_ignored(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        sent.setJMSDeliveryTime(System.currentTimeMillis() + HOUR);
        line.producer().send(sent);
        assertThat(sent.getJMSDeliveryTime()).isLessThanOrEqualTo(System.currentTimeMillis());
        assertThat(jms.receive(line.consumer()).getJMSDeliveryTime()).isEqualTo(sent.getJMSDeliveryTime());
    }

    @ContractTest
    void delivery_time_is_the_time_of_sending_plus_the_delay_and_nothing_comes_before_it(Jms jms) throws Exception {
        Line line = Line.open(jms);
        line.producer().setDeliveryDelay(700);
        Message sent = line.session().createMessage();
        long before = System.currentTimeMillis();
        line.producer().send(sent);
        long after = System.currentTimeMillis();
        Message received = jms.receive(line.consumer());
        long arrived = System.currentTimeMillis();
        assertThat(sent.getJMSDeliveryTime()).isBetween(before + 700, after + 700);
        assertThat(received.getJMSDeliveryTime()).isEqualTo(sent.getJMSDeliveryTime());
        assertThat(arrived).isGreaterThanOrEqualTo(sent.getJMSDeliveryTime());
    }

    @ContractTest
    void delivery_delay_of_a_transacted_send_counts_from_the_send(Jms jms) throws Exception {
        Session session = jms.transacted();
        MessageProducer producer = session.createProducer(jms.queue());
        producer.setDeliveryDelay(HOUR);
        Message sent = session.createMessage();
        long before = System.currentTimeMillis();
        producer.send(sent);
        long after = System.currentTimeMillis();
        session.commit();
        assertThat(sent.getJMSDeliveryTime()).isBetween(before + HOUR, after + HOUR);
    }

    @ContractTest
    void undue_message_does_not_hold_up_the_one_behind_it(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        producer.setDeliveryDelay(HOUR);
        producer.send(session.createTextMessage("in an hour"));
        producer.setDeliveryDelay(0);
        producer.send(session.createTextMessage("now"));
        MessageConsumer consumer = session.createConsumer(jms.queue());
        assertThat(jms.receiveText(consumer)).isEqualTo("now");
        jms.assertNothingArrives(consumer);
    }

    @ContractTest
    void message_that_expires_before_it_is_due_never_comes(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        producer.setDeliveryDelay(400);
        producer.setTimeToLive(100);
        producer.send(session.createTextMessage("stillborn"));
        producer.setTimeToLive(0);
        producer.send(session.createTextMessage("due"));
        MessageConsumer consumer = session.createConsumer(jms.queue());
        assertThat(jms.receiveText(consumer)).isEqualTo("due");
        jms.assertNothingArrives(consumer);
    }

    // §3.4.11, §7.4, §7.6: who sets what

    @ContractTest
    void arguments_of_send_override_the_producer(Jms jms) throws Exception {
        Line line = Line.open(jms);
        line.producer().setDeliveryMode(DeliveryMode.PERSISTENT);
        line.producer().setPriority(1);
        line.producer().setTimeToLive(0);
        Message sent = line.session().createMessage();
        long before = System.currentTimeMillis();
        line.producer().send(sent, DeliveryMode.NON_PERSISTENT, 8, HOUR);
        long after = System.currentTimeMillis();
        Message received = jms.receive(line.consumer());
        for (Message message : List.of(sent, received)) {
            assertThat(message.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
            assertThat(message.getJMSPriority()).isEqualTo(8);
            assertThat(message.getJMSExpiration()).isBetween(before + HOUR, after + HOUR);
        }
    }

    @ContractTest
    void headers_of_a_JMSProducer_override_those_of_the_message(Jms jms) throws Exception {
        JMSContext context = jms.context();
        Queue queue = jms.queue();
        Queue replies = jms.queue("replies");
        TextMessage message = context.createTextMessage("text");
        message.setJMSCorrelationID("message's");
        message.setJMSType("message's");
        message.setJMSReplyTo(queue);
        context.createProducer()
                .setJMSCorrelationID("producer's")
                .setJMSType("producer's")
                .setJMSReplyTo(replies)
                .send(queue, message);
        Message received = jms.receive(context.createConsumer(queue));
        assertThat(received.getJMSCorrelationID()).isEqualTo("producer's");
        assertThat(received.getJMSType()).isEqualTo("producer's");
        assertThat(received.getJMSReplyTo()).isEqualTo(replies);
    }

    @ContractTest
    void correlation_id_in_bytes_can_be_set_on_a_JMSProducer(Jms jms) throws Exception {
        byte[] id = {5, 0, -5};
        JMSContext context = jms.context();
        context.createProducer().setJMSCorrelationIDAsBytes(id).send(jms.queue(), "text");
        assertThat(jms.receive(context.createConsumer(jms.queue())).getJMSCorrelationIDAsBytes())
                .isEqualTo(id);
    }

    @ContractTest
    void options_of_a_JMSProducer_become_headers(Jms jms) throws Exception {
        JMSContext context = jms.context();
        TextMessage sent = context.createTextMessage("text");
        long before = System.currentTimeMillis();
        context.createProducer()
                .setDeliveryMode(DeliveryMode.NON_PERSISTENT)
                .setPriority(7)
                .setTimeToLive(HOUR)
                .send(jms.queue(), sent);
        long after = System.currentTimeMillis();
        JMSConsumer consumer = context.createConsumer(jms.queue());
        Message received = jms.receive(consumer);
        for (Message message : List.of(sent, received)) {
            assertThat(message.getJMSMessageID())
                    .isEqualTo(sent.getJMSMessageID())
                    .startsWith("ID:");
            assertThat(message.getJMSDestination()).isEqualTo(jms.queue());
            assertThat(message.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
            assertThat(message.getJMSPriority()).isEqualTo(7);
            assertThat(message.getJMSTimestamp()).isBetween(before, after);
            assertThat(message.getJMSExpiration()).isBetween(before + HOUR, after + HOUR);
        }
    }

    @ContractTest
    void headers_of_a_received_message_can_be_changed(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message received = line.carry(line.session().createMessage());
        received.setJMSCorrelationID("changed");
        received.setJMSType("changed");
        received.setJMSReplyTo(line.queue());
        received.setJMSPriority(1);
        received.setJMSTimestamp(42);
        received.setJMSMessageID("ID:changed");
        assertThat(received.getJMSCorrelationID()).isEqualTo("changed");
        assertThat(received.getJMSType()).isEqualTo("changed");
        assertThat(received.getJMSReplyTo()).isEqualTo(line.queue());
        assertThat(received.getJMSPriority()).isEqualTo(1);
        assertThat(received.getJMSTimestamp()).isEqualTo(42);
        assertThat(received.getJMSMessageID()).isEqualTo("ID:changed");
    }

    static List<Integer> invalidPriorities() {
        return List.of(-1, 10);
    }

    @ContractTest
    @CasesFrom("invalidPriorities")
    void priority_outside_zero_to_nine_is_refused(Jms jms, int priority) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> producer.setPriority(priority));
        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(() -> producer.send(session.createMessage(), DeliveryMode.PERSISTENT, priority, 0));
    }

    @ContractTest
    void delivery_mode_that_does_not_exist_is_refused(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> producer.setDeliveryMode(0));
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> producer.setDeliveryMode(3));
    }

    private static void waitForTheClockToPass(long time) {
        await().atMost(Jms.PATIENCE).until(() -> System.currentTimeMillis() > time);
    }
}
