package org.readpast.jms.tck.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.readpast.jms.tck.harness.CasesFrom;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.TargetId;

/** §6.2.9, §3.4.10: messages come by priority, then in the order of sending. */
class Ch06QueueOrderTest {

    private static final Comparator<String> BY_PRIORITY = Comparator.comparing(text -> '9' - text.charAt(0));

    /** Sends texts of a priority and a running number, with that priority. */
    private static List<String> sendMixed(Session session, MessageProducer producer, int count) throws JMSException {
        Random random = new Random(count);
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int priority = random.nextInt(10);
            String text = priority + " " + i;
            producer.send(session.createTextMessage(text), DeliveryMode.PERSISTENT, priority, 0);
            sent.add(text);
        }
        return sent;
    }

    @ContractTest
    void messages_come_in_the_order_of_sending(Jms jms) throws Exception {
        String[] texts = IntStream.range(0, 300).mapToObj(i -> "text " + i).toArray(String[]::new);
        jms.send(jms.queue(), texts);
        assertThat(jms.receiveTexts(jms.session().createConsumer(jms.queue()), 300))
                .containsExactly(texts);
    }

    @ContractTest
    void messages_of_ten_priorities_come_by_priority_then_in_the_order_of_sending(Jms jms) throws Exception {
        Session session = jms.session();
        List<String> sent = sendMixed(session, session.createProducer(jms.queue()), 100);
        List<String> received = jms.receiveTexts(session.createConsumer(jms.queue()), 100);
        assertThat(received).isEqualTo(sent.stream().sorted(BY_PRIORITY).toList());
    }

    @ContractTest
    void messages_of_one_transaction_come_by_priority_then_in_the_order_of_sending(Jms jms) throws Exception {
        Session session = jms.transacted();
        List<String> sent = sendMixed(session, session.createProducer(jms.queue()), 100);
        session.commit();
        List<String> received = jms.receiveTexts(session.createConsumer(jms.queue()), 100);
        session.commit();
        assertThat(received).isEqualTo(sent.stream().sorted(BY_PRIORITY).toList());
    }

    @ContractTest
    void messages_of_successive_transactions_come_in_the_order_of_sending(Jms jms) throws Exception {
        Session session = jms.transacted();
        MessageProducer producer = session.createProducer(jms.queue());
        List<String> sent = new ArrayList<>();
        for (int transaction = 0; transaction < 5; transaction++) {
            for (int i = 0; i < 4; i++) {
                String text = transaction + "." + i;
                producer.send(session.createTextMessage(text));
                sent.add(text);
            }
            session.commit();
        }
        assertThat(jms.receiveTexts(jms.session().createConsumer(jms.queue()), 20))
                .isEqualTo(sent);
    }

    static List<Integer> modes() {
        return List.of(DeliveryMode.PERSISTENT, DeliveryMode.NON_PERSISTENT);
    }

    @ContractTest
    @CasesFrom("modes")
    void messages_of_one_delivery_mode_come_in_the_order_of_sending(Jms jms, int mode) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            String text = "text " + i;
            producer.send(
                    session.createTextMessage(text),
                    i % 2 == 0 ? mode : DeliveryMode.PERSISTENT + DeliveryMode.NON_PERSISTENT - mode,
                    4,
                    0);
            if (i % 2 == 0) {
                sent.add(text);
            }
        }
        List<String> received = jms.receiveTexts(session.createConsumer(jms.queue()), 40);
        assertThat(received).containsSubsequence(sent);
    }

    @ContractTest
    void rolled_back_messages_come_again_in_their_order_and_before_the_others(Jms jms) throws Exception {
        jms.send(jms.queue(), "a", "b", "c", "d");
        Session session = jms.transacted();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        assertThat(jms.receiveTexts(consumer, 2)).containsExactly("a", "b");
        session.rollback();
        assertThat(jms.receiveTexts(consumer, 4)).containsExactly("a", "b", "c", "d");
        session.commit();
    }

    @ContractTest
    void later_message_of_a_higher_priority_comes_first_when_it_is_there(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        producer.send(session.createTextMessage("normal"), DeliveryMode.PERSISTENT, 4, 0);
        producer.send(session.createTextMessage("expedited"), DeliveryMode.PERSISTENT, 9, 0);
        producer.send(session.createTextMessage("low"), DeliveryMode.PERSISTENT, 0, 0);
        assertThat(jms.receiveTexts(session.createConsumer(jms.queue()), 3))
                .containsExactly("expedited", "normal", "low");
    }

    @ContractTest
    void delayed_message_comes_behind_what_was_sent_later_and_is_due_earlier(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        // What is due at once comes in the order of the sends: so long that a busy machine has received the other one
        // by then.
        producer.setDeliveryDelay(7_000);
        producer.send(session.createTextMessage("later"));
        producer.setDeliveryDelay(2_000);
        producer.send(session.createTextMessage("sooner"));
        producer.setDeliveryDelay(0);
        producer.send(session.createTextMessage("now"));
        assertThat(jms.receiveTexts(session.createConsumer(jms.queue()), 3)).containsExactly("now", "sooner", "later");
    }

    @ContractTest
    void two_queues_do_not_mix(Jms jms) throws Exception {
        jms.send(jms.queue(), "a", "b");
        jms.send(jms.queue("other"), "x", "y");
        jms.assertHolds(jms.queue("other"), "x", "y");
        jms.assertHolds(jms.queue(), "a", "b");
    }

    @ContractTest
    void consumers_of_one_queue_get_each_message_once(Jms jms) throws Exception {
        Session session = jms.session();
        List<MessageConsumer> consumers = List.of(
                jms.session().createConsumer(jms.queue()),
                jms.session().createConsumer(jms.queue()),
                jms.session().createConsumer(jms.queue()));
        MessageProducer producer = session.createProducer(jms.queue());
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            producer.send(session.createTextMessage("text " + i));
            sent.add("text " + i);
        }
        List<String> received = new ArrayList<>();
        for (MessageConsumer consumer : consumers) {
            for (var message = consumer.receive(500); message != null; message = consumer.receive(500)) {
                received.add(Jms.text(message));
            }
        }
        assertThat(received).containsExactlyInAnyOrderElementsOf(sent);
    }

    @ContractTest
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "§6.2.9.1",
            why = "messages that become due at about the same time come in another order",
            nowAndThen = true)
    void delayed_messages_of_one_delay_come_in_the_order_of_sending(Jms jms) throws Exception {
        Session session = jms.transacted();
        MessageProducer producer = session.createProducer(jms.queue());
        producer.setDeliveryDelay(400);
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            producer.send(session.createTextMessage("text " + i));
            sent.add("text " + i);
        }
        session.commit();
        awaitDepth(session.createBrowser(jms.queue()), 150);
        assertThat(jms.receiveTexts(jms.session().createConsumer(jms.queue()), 150))
                .isEqualTo(sent);
    }

    @ContractTest
    void delayed_messages_that_are_due_come_by_priority(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        producer.setDeliveryDelay(300);
        sendMixed(session, producer, 30);
        awaitDepth(session.createBrowser(jms.queue()), 30);
        assertThat(jms.receiveTexts(session.createConsumer(jms.queue()), 30)).isSortedAccordingTo(BY_PRIORITY);
    }

    @ContractTest
    void delayed_message_of_a_transaction_that_is_rolled_back_never_comes(Jms jms) throws Exception {
        Session session = jms.transacted();
        MessageProducer producer = session.createProducer(jms.queue());
        producer.setDeliveryDelay(100);
        producer.send(session.createTextMessage("rolled back"));
        session.rollback();
        producer.send(session.createTextMessage("committed"));
        session.commit();
        MessageConsumer consumer = jms.session().createConsumer(jms.queue());
        assertThat(jms.receiveText(consumer)).isEqualTo("committed");
        jms.assertNothingArrives(consumer);
    }

    @ContractTest
    void delayed_message_is_redelivered_at_once_after_a_rollback(Jms jms) throws Exception {
        Session session = jms.transacted();
        MessageProducer producer = session.createProducer(jms.queue());
        producer.setDeliveryDelay(300);
        producer.send(session.createTextMessage("delayed"));
        session.commit();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        long due = jms.receive(consumer).getJMSDeliveryTime();
        session.rollback();
        assertThat(jms.receive(consumer).getJMSDeliveryTime()).isEqualTo(due);
        session.commit();
    }

    @ContractTest
    void rolled_back_message_comes_behind_one_of_a_higher_priority(Jms jms) throws Exception {
        Session session = jms.transacted();
        MessageProducer producer = session.createProducer(jms.queue());
        producer.send(session.createTextMessage("normal"));
        session.commit();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        assertThat(jms.receiveText(consumer)).isEqualTo("normal");
        Session other = jms.session();
        other.createProducer(jms.queue()).send(other.createTextMessage("expedited"), DeliveryMode.PERSISTENT, 9, 0);
        session.rollback();
        consumer.close();
        assertThat(jms.receiveTexts(session.createConsumer(jms.queue()), 2)).containsExactly("expedited", "normal");
        session.commit();
    }

    private static void awaitDepth(QueueBrowser browser, int depth) {
        await().atMost(Jms.PATIENCE).until(() -> {
            Enumeration<?> messages = browser.getEnumeration();
            return Collections.list(messages).size() == depth;
        });
    }
}
