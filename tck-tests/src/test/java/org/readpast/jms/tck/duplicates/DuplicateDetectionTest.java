package org.readpast.jms.tck.duplicates;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.List;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Elsewhere;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.TargetId;

/** A message that is sent again with the same {@code _AMQ_DUPL_ID}: an extension, as Artemis has it. */
class DuplicateDetectionTest {

    private static final String ID = "_AMQ_DUPL_ID";

    @ContractTest
    @Deviation(target = TargetId.MEMORY, clause = "_AMQ_DUPL_ID", why = "it keeps no ids of what was sent")
    void second_message_with_the_same_id_is_dropped(Jms jms) throws JMSException {
        Queue queue = jms.queue();
        Session session = jms.session();
        send(session, queue, "a", "id");
        send(session, queue, "b", "id");
        send(jms.session(), queue, "c", "id");
        send(session, queue, "d", "other");

        jms.assertHolds(queue, "a", "d");
        send(session, queue, "e", "id");
        jms.assertEmpty(queue);
    }

    @ContractTest
    void id_stays_on_the_message(Jms jms) throws JMSException {
        Session session = jms.session();
        send(session, jms.queue(), "a", "id");

        assertThat(jms.receive(session.createConsumer(jms.queue())).getStringProperty(ID))
                .isEqualTo("id");
    }

    @ContractTest
    void ids_of_different_queues_are_different(Jms jms) throws JMSException {
        Session session = jms.session();
        send(session, jms.queue(), "a", "id");
        send(session, jms.queue("other"), "b", "id");

        jms.assertHolds(jms.queue(), "a");
        jms.assertHolds(jms.queue("other"), "b");
    }

    @ContractTest
    void rolled_back_send_frees_its_id(Jms jms) throws JMSException {
        Session session = jms.transacted();
        send(session, jms.queue(), "a", "id");
        session.rollback();
        send(session, jms.queue(), "b", "id");
        session.commit();

        jms.assertHolds(jms.queue(), "b");
    }

    @ContractTest
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "an extension: duplicate detection",
            why = "a duplicate in a transaction fails the whole transaction")
    @Deviation(target = TargetId.MEMORY, clause = "_AMQ_DUPL_ID", why = "it keeps no ids of what was sent")
    void duplicate_in_a_transaction_is_dropped_and_the_rest_is_committed(Jms jms) throws JMSException {
        Session session = jms.transacted();
        send(session, jms.queue(), "a", "id");
        session.commit();
        send(session, jms.queue(), "b", "id");
        send(session, jms.queue(), "c", "new");
        send(session, jms.queue(), "d", "new");
        session.commit();

        jms.assertHolds(jms.queue(), "a", "c");
    }

    @ContractTest
    @Deviation(target = TargetId.MEMORY, clause = "_AMQ_DUPL_ID", why = "it keeps no ids of what was sent")
    void publication_reaches_each_subscription_once(Jms jms) throws JMSException {
        Topic topic = jms.topic();
        Session session = jms.session();
        List<MessageConsumer> consumers = List.of(session.createConsumer(topic), session.createConsumer(topic));
        send(session, topic, "a", "id");
        send(session, topic, "b", "id");
        send(session, topic, "c", "other");

        for (MessageConsumer consumer : consumers) {
            assertThat(jms.receiveTexts(consumer, 2)).containsExactly("a", "c");
            jms.assertNothingArrives(consumer);
        }
    }

    @ContractTest
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "an extension: duplicate detection",
            why = "of several sessions that send the same id at once, now and then two succeed",
            nowAndThen = true)
    @Deviation(target = TargetId.MEMORY, clause = "_AMQ_DUPL_ID", why = "it keeps no ids of what was sent")
    void of_several_senders_at_once_one_succeeds(Jms jms) throws Exception {
        Queue queue = jms.queue();
        List<Elsewhere<Void>> senders = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Session session = jms.session();
            senders.add(jms.elsewhere(() -> {
                for (int j = 0; j < 20; j++) {
                    send(session, queue, "m" + j, "id " + j);
                }
                return null;
            }));
        }
        for (Elsewhere<Void> sender : senders) {
            sender.result();
        }

        MessageConsumer consumer = jms.session().createConsumer(queue);
        assertThat(jms.receiveTexts(consumer, 20)).doesNotHaveDuplicates();
        jms.assertNothingArrives(consumer);
    }

    @ContractTest
    @Deviation(target = TargetId.MEMORY, clause = "_AMQ_DUPL_ID", why = "it keeps no ids of what was sent")
    void asynchronous_duplicates_are_completed_and_dropped(Jms jms) throws JMSException {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        Completions completions = new Completions();
        for (int i = 0; i < 6; i++) {
            producer.send(message(session, "m" + i, "id " + i / 2), completions);
        }

        assertThat(completions.await(6)).containsExactly("m0", "m1", "m2", "m3", "m4", "m5");
        jms.assertHolds(jms.queue(), "m0", "m2", "m4");
    }

    private static void send(Session session, Destination destination, String text, Object id) throws JMSException {
        try (MessageProducer producer = session.createProducer(destination)) {
            producer.send(message(session, text, id));
        }
    }

    private static Message message(Session session, String text, Object id) throws JMSException {
        TextMessage message = session.createTextMessage(text);
        message.setObjectProperty(ID, id);
        return message;
    }
}
