package org.readpast.jms.tck;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.DeliveryMode;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Inbox;
import org.readpast.jms.tck.harness.Jms;

/** §6.2.9: the order of messages. */
class Ch06MessageOrderTest {
    private static final List<String> FIFTY =
            IntStream.range(0, 50).mapToObj(i -> "m" + i).toList();

    /** §6.2.9.1 */
    @ContractTest
    void messages_of_one_session_arrive_in_the_order_of_sending(Jms jms) throws Exception {
        jms.send(jms.queue(), FIFTY.toArray(String[]::new));
        MessageConsumer consumer = jms.session().createConsumer(jms.queue());
        assertThat(jms.receiveTexts(consumer, 50)).isEqualTo(FIFTY);
    }

    /** §6.2.9.1 */
    @ContractTest
    void listener_hears_messages_in_the_order_of_sending(Jms jms) throws Exception {
        Inbox inbox = new Inbox();
        jms.session().createConsumer(jms.queue()).setMessageListener(inbox);
        jms.send(jms.queue(), FIFTY.toArray(String[]::new));
        assertThat(inbox.nextTexts(50)).isEqualTo(FIFTY);
    }

    /** §6.2.9.1: the order is the session's, also across its producers for one queue. */
    @ContractTest
    void two_producers_of_one_session_keep_the_order(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer one = session.createProducer(jms.queue());
        MessageProducer two = session.createProducer(null);
        for (int i = 0; i < 20; i++) {
            if (i % 2 == 0) {
                one.send(session.createTextMessage("m" + i));
            } else {
                two.send(jms.queue(), session.createTextMessage("m" + i));
            }
        }
        MessageConsumer consumer = session.createConsumer(jms.queue());
        assertThat(jms.receiveTexts(consumer, 20)).isEqualTo(FIFTY.subList(0, 20));
    }

    /** §6.2.9.2: order within a delivery mode. */
    @ContractTest
    void order_holds_within_each_delivery_mode(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        for (int i = 0; i < 20; i++) {
            producer.setDeliveryMode(i % 3 == 0 ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
            producer.send(session.createTextMessage((i % 3 == 0 ? "p" : "n") + (char) ('a' + i)));
        }
        List<String> received = jms.receiveTexts(session.createConsumer(jms.queue()), 20);
        assertThat(received).filteredOn(text -> text.startsWith("p")).hasSize(7).isSorted();
        assertThat(received)
                .filteredOn(text -> text.startsWith("n"))
                .hasSize(13)
                .isSorted();
    }

    /** §6.2.9.2: a transaction's order of messages to a destination is significant. */
    @ContractTest
    void transaction_keeps_its_order(Jms jms) throws Exception {
        Session session = jms.transacted();
        MessageProducer producer = session.createProducer(jms.queue());
        for (String text : FIFTY) {
            producer.send(session.createTextMessage(text));
        }
        session.commit();
        assertThat(jms.receiveTexts(session.createConsumer(jms.queue()), 50)).isEqualTo(FIFTY);
        session.commit();
    }

    /** §6.2.9.1: two consumers of one session together get the queue in order, each within what it got. */
    @ContractTest
    void consumers_of_one_session_each_get_theirs_in_order(Jms jms) throws Exception {
        Session session = jms.session();
        MessageConsumer one = session.createConsumer(jms.queue());
        MessageConsumer two = session.createConsumer(jms.queue());
        jms.send(jms.queue(), IntStream.range(10, 30).mapToObj(i -> "m" + i).toArray(String[]::new));
        List<String> ofOne = new ArrayList<>();
        List<String> ofTwo = new ArrayList<>();
        while (ofOne.size() + ofTwo.size() < 20) {
            var first = one.receive(50);
            if (first != null) {
                ofOne.add(Jms.text(first));
            }
            var second = two.receive(50);
            if (second != null) {
                ofTwo.add(Jms.text(second));
            }
        }
        assertThat(ofOne).isSorted();
        assertThat(ofTwo).isSorted();
        assertThat(ofOne).doesNotContainAnyElementsOf(ofTwo);
    }

    /** §4.1.2: messages that a selector passes over stay, in order. */
    @ContractTest
    void order_holds_on_both_sides_of_a_selector(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        for (int i = 0; i < 10; i++) {
            var message = session.createTextMessage("m" + i);
            message.setBooleanProperty("even", i % 2 == 0);
            producer.send(message);
        }
        MessageConsumer even = session.createConsumer(jms.queue(), "even = TRUE");
        assertThat(jms.receiveTexts(even, 5)).containsExactly("m0", "m2", "m4", "m6", "m8");
        jms.assertNothingArrives(even);
        even.close();
        jms.assertHolds(jms.queue(), "m1", "m3", "m5", "m7", "m9");
    }
}
