package org.readpast.jms.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.readpast.jms.tck.harness.TargetId.ARTEMIS;

import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Inbox;
import org.readpast.jms.tck.harness.Jms;

/** §3.4, §7.4, §7.7, §7.8, §7.9: what is set with a send, and its effect. */
class Ch07DeliveryOptionsTest {
    /** A delay that a case can see through, and that a slow machine does not miss. */
    private static final long SOME_DELAY = 1_500;

    /** A delay which no case waits for. */
    private static final long FOR_EVER = 3_600_000;

    /** A time to live that is over as soon as a case looks. */
    private static final long SHORT_LIFE = 50;

    private static void send(Session session, MessageProducer producer, String text, int priority) throws JMSException {
        producer.setPriority(priority);
        producer.send(session.createTextMessage(text));
    }

    /** §3.4.10: Readpast orders strictly by priority, and within it by order of sending. */
    @ContractTest
    void higher_priorities_come_first(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        send(session, producer, "low 1", 0);
        send(session, producer, "normal 1", 4);
        send(session, producer, "high 1", 9);
        send(session, producer, "low 2", 0);
        send(session, producer, "normal 2", 4);
        send(session, producer, "high 2", 9);
        jms.assertHolds(jms.queue(), "high 1", "high 2", "normal 1", "normal 2", "low 1", "low 2");
    }

    /** §3.4.10: ten levels. */
    @ContractTest
    void every_priority_has_its_place(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        for (int priority : new int[] {3, 7, 0, 9, 5, 1, 8, 2, 6, 4}) {
            send(session, producer, "p" + priority, priority);
        }
        jms.assertHolds(jms.queue(), "p9", "p8", "p7", "p6", "p5", "p4", "p3", "p2", "p1", "p0");
    }

    /** §3.4.10, in one transaction, where the messages are inserted together. */
    @ContractTest
    void priorities_hold_within_a_transaction(Jms jms) throws Exception {
        Session session = jms.transacted();
        MessageProducer producer = session.createProducer(jms.queue());
        send(session, producer, "low", 1);
        send(session, producer, "high", 8);
        session.commit();
        jms.assertHolds(jms.queue(), "high", "low");
    }

    /** §7.4, §3.4.11: what send is given overrides the producer's; the message tells both sides. */
    @ContractTest
    void headers_are_set_by_send_and_equal_at_the_receiver(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        TextMessage sent = session.createTextMessage("sent");
        long before = System.currentTimeMillis();
        producer.send(sent, DeliveryMode.NON_PERSISTENT, 7, 60_000);
        long after = System.currentTimeMillis();
        Message received = jms.receive(session.createConsumer(jms.queue()));
        for (Message message : new Message[] {sent, received}) {
            assertThat(message.getJMSDestination()).isEqualTo(jms.queue());
            assertThat(message.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
            assertThat(message.getJMSPriority()).isEqualTo(7);
            assertThat(message.getJMSTimestamp()).isBetween(before, after);
            assertThat(message.getJMSExpiration()).isBetween(before + 60_000, after + 60_000);
            assertThat(message.getJMSMessageID()).startsWith("ID:");
        }
        assertThat(received.getJMSMessageID()).isEqualTo(sent.getJMSMessageID());
        assertThat(received.getJMSTimestamp()).isEqualTo(sent.getJMSTimestamp());
        assertThat(received.getJMSExpiration()).isEqualTo(sent.getJMSExpiration());
        assertThat(received.getJMSDeliveryTime()).isEqualTo(sent.getJMSDeliveryTime());
    }

    /** §3.4.11: what the application sets on the message itself is overwritten. */
    @ContractTest
    void headers_set_on_the_message_have_no_effect(Jms jms) throws Exception {
        Session session = jms.session();
        TextMessage message = session.createTextMessage("sent");
        message.setJMSPriority(9);
        message.setJMSDeliveryMode(DeliveryMode.NON_PERSISTENT);
        message.setJMSExpiration(1);
        message.setJMSDestination(jms.queue("other"));
        message.setJMSMessageID("ID:mine");
        message.setJMSTimestamp(1);
        message.setJMSRedelivered(true);
        session.createProducer(jms.queue()).send(message);
        Message received = jms.receive(session.createConsumer(jms.queue()));
        assertThat(received.getJMSPriority()).isEqualTo(4);
        assertThat(received.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(received.getJMSExpiration()).isZero();
        assertThat(received.getJMSDestination()).isEqualTo(jms.queue());
        assertThat(received.getJMSMessageID()).isNotEqualTo("ID:mine");
        assertThat(received.getJMSTimestamp()).isGreaterThan(1);
        assertThat(received.getJMSRedelivered()).isFalse();
    }

    /** §3.4.3: message identifiers are unique. */
    @ContractTest
    void message_ids_differ(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        TextMessage one = session.createTextMessage("one");
        TextMessage two = session.createTextMessage("two");
        producer.send(one);
        producer.send(two);
        assertThat(one.getJMSMessageID()).isNotEqualTo(two.getJMSMessageID());
    }

    /** MessageProducer.setDisableMessageID: taken, the id is null; ignored, it is as always. */
    @ContractTest
    void disabled_message_id_is_null_or_normal(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        producer.setDisableMessageID(true);
        producer.send(session.createTextMessage("sent"));
        String id = jms.receive(session.createConsumer(jms.queue())).getJMSMessageID();
        if (id != null) {
            assertThat(id).startsWith("ID:").hasSizeGreaterThan(3);
        }
    }

    /** MessageProducer.setDisableMessageTimestamp: taken, it is zero; ignored, it is as always. */
    @ContractTest
    void disabled_timestamp_is_zero_or_normal(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        producer.setDisableMessageTimestamp(true);
        long before = System.currentTimeMillis();
        producer.send(session.createTextMessage("sent"));
        long timestamp = jms.receive(session.createConsumer(jms.queue())).getJMSTimestamp();
        if (timestamp != 0) {
            assertThat(timestamp).isBetween(before, System.currentTimeMillis());
        }
    }

    /** §7.7 */
    @ContractTest
    void both_delivery_modes_arrive(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        MessageConsumer consumer = session.createConsumer(jms.queue());
        for (int mode : new int[] {DeliveryMode.PERSISTENT, DeliveryMode.NON_PERSISTENT}) {
            producer.setDeliveryMode(mode);
            producer.send(session.createTextMessage("sent"));
            assertThat(jms.receive(consumer).getJMSDeliveryMode()).isEqualTo(mode);
        }
    }

    /** §7.8: time to live is not ignored. */
    @ContractTest
    void expired_message_is_not_delivered(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        TextMessage dying = session.createTextMessage("dying");
        producer.send(dying, DeliveryMode.PERSISTENT, 4, SHORT_LIFE);
        producer.send(session.createTextMessage("living"));
        Jms.awaitExpiry(dying);
        jms.assertHolds(jms.queue(), "living");
    }

    /** §7.8 */
    @ContractTest
    void message_is_delivered_before_it_expires(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        producer.setTimeToLive(FOR_EVER);
        producer.send(session.createTextMessage("living"));
        jms.assertHolds(jms.queue(), "living");
    }

    /** §7.8: a time to live of zero is without limit. */
    @ContractTest
    void zero_time_to_live_means_no_expiry(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        producer.setTimeToLive(SHORT_LIFE);
        TextMessage message = session.createTextMessage("living");
        producer.send(message, DeliveryMode.PERSISTENT, 4, 0);
        assertThat(message.getJMSExpiration()).isZero();
        jms.assertHolds(jms.queue(), "living");
    }

    /** §7.8: the time counts from the send, not from the commit. */
    @ContractTest
    void time_to_live_counts_from_the_send(Jms jms) throws Exception {
        Session session = jms.transacted();
        MessageProducer producer = session.createProducer(jms.queue());
        TextMessage dying = session.createTextMessage("dying");
        producer.send(dying, DeliveryMode.PERSISTENT, 4, SHORT_LIFE);
        producer.send(session.createTextMessage("living"));
        Jms.awaitExpiry(dying);
        session.commit();
        jms.assertHolds(jms.queue(), "living");
    }

    /** §7.8 with a consumer that waits: what expired while it was stopped is not given to it. */
    @ContractTest
    void message_that_expires_while_the_consumer_is_stopped_is_not_delivered(Jms jms) throws Exception {
        var connection = jms.stoppedConnection();
        MessageConsumer consumer = connection.createSession().createConsumer(jms.queue());
        Session session = jms.session();
        TextMessage dying = session.createTextMessage("dying");
        session.createProducer(jms.queue()).send(dying, DeliveryMode.PERSISTENT, 4, SHORT_LIFE);
        Jms.awaitExpiry(dying);
        connection.start();
        jms.assertNothingArrives(consumer);
    }

    /** §7.9: never before its delivery time; and then it comes, by itself. */
    @ContractTest
    void delayed_message_comes_when_it_is_due(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        MessageConsumer consumer = jms.session().createConsumer(jms.queue());
        TextMessage sent = session.createTextMessage("delayed");
        producer.setDeliveryDelay(SOME_DELAY);
        long before = System.currentTimeMillis();
        producer.send(sent);
        long after = System.currentTimeMillis();
        assertThat(sent.getJMSDeliveryTime()).isBetween(before + SOME_DELAY, after + SOME_DELAY);
        Message received = jms.receive(consumer);
        assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(sent.getJMSDeliveryTime());
        assertThat(received.getJMSDeliveryTime()).isEqualTo(sent.getJMSDeliveryTime());
        assertThat(received.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    }

    /** §7.9, with a listener. */
    @ContractTest
    void delayed_message_reaches_a_listener_when_it_is_due(Jms jms) throws Exception {
        Inbox inbox = new Inbox();
        jms.session().createConsumer(jms.queue()).setMessageListener(inbox);
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        producer.setDeliveryDelay(SOME_DELAY);
        TextMessage sent = session.createTextMessage("delayed");
        producer.send(sent);
        assertThat(inbox.next().text()).isEqualTo("delayed");
        assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(sent.getJMSDeliveryTime());
    }

    /** §6.2.9.2: a message with a later delivery time comes after one with an earlier. */
    @ContractTest
    void delayed_message_is_overtaken(Jms jms) throws Exception {
        Session session = jms.session();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        assertThat(jms.sentBehindDelayed(session, jms.queue(), consumer)).containsExactly("now", "later");
    }

    /** §3.4.13: without a delay the delivery time is the time of the send. */
    @ContractTest
    @Deviation(target = ARTEMIS, clause = "§3.4.13", why = "leaves JMSDeliveryTime at zero where there is no delay")
    void delivery_time_without_delay_is_the_time_of_sending(Jms jms) throws Exception {
        Session session = jms.session();
        TextMessage sent = session.createTextMessage("sent");
        session.createProducer(jms.queue()).send(sent);
        assertThat(sent.getJMSDeliveryTime()).isEqualTo(sent.getJMSTimestamp());
        assertThat(jms.receive(session.createConsumer(jms.queue())).getJMSDeliveryTime())
                .isEqualTo(sent.getJMSTimestamp());
    }

    /** §7.9: the delay counts from the send, not from the commit. */
    @ContractTest
    void delivery_delay_counts_from_the_send(Jms jms) throws Exception {
        Session session = jms.transacted();
        MessageProducer producer = session.createProducer(jms.queue());
        producer.setDeliveryDelay(300);
        TextMessage sent = session.createTextMessage("delayed");
        producer.send(sent);
        await().atMost(Jms.PATIENCE).until(() -> System.currentTimeMillis() > sent.getJMSDeliveryTime());
        session.commit();
        assertThat(jms.receive(jms.session().createConsumer(jms.queue())).getJMSDeliveryTime())
                .isEqualTo(sent.getJMSDeliveryTime());
    }

    /** §7.9: a rolled back send leaves no delayed message. */
    @ContractTest
    void rolled_back_delayed_message_never_comes(Jms jms) throws Exception {
        Session session = jms.transacted();
        MessageProducer producer = session.createProducer(jms.queue());
        producer.setDeliveryDelay(100);
        TextMessage sent = session.createTextMessage("never");
        producer.send(sent);
        session.rollback();
        await().atMost(Jms.PATIENCE).until(() -> System.currentTimeMillis() > sent.getJMSDeliveryTime());
        jms.assertEmpty(jms.queue());
    }

    /** §7.8, §7.9: a time to live that ends before the delay does: the message is never delivered. */
    @ContractTest
    void message_that_dies_before_it_is_due_never_comes(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        producer.setDeliveryDelay(300);
        producer.setTimeToLive(100);
        TextMessage sent = session.createTextMessage("never");
        producer.send(sent);
        await().atMost(Jms.PATIENCE).until(() -> System.currentTimeMillis() > sent.getJMSDeliveryTime() + 100);
        jms.assertEmpty(jms.queue());
    }

    /** §4.1.6: a browser shows no message before its time, and no expired one. */
    @ContractTest
    void browser_shows_neither_undue_nor_expired_messages(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        TextMessage dying = session.createTextMessage("dying");
        producer.send(dying, DeliveryMode.PERSISTENT, 4, SHORT_LIFE);
        producer.send(session.createTextMessage("here"));
        producer.setDeliveryDelay(FOR_EVER);
        producer.send(session.createTextMessage("undue"));
        Jms.awaitExpiry(dying);
        // The reference may stop at an expired message; it goes on when it has thrown that away.
        QueueBrowser browser = session.createBrowser(jms.queue());
        await().atMost(Jms.PATIENCE).until(() -> {
            List<String> seen = new ArrayList<>();
            for (Enumeration<?> browsed = browser.getEnumeration(); browsed.hasMoreElements(); ) {
                seen.add(Jms.text((Message) browsed.nextElement()));
            }
            assertThat(seen).doesNotContain("dying", "undue");
            return seen.equals(List.of("here"));
        });
    }

    /** §7.9: a message that is not due is for nobody, whatever the form of receive. */
    @ContractTest
    void undue_message_is_not_received(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        producer.setDeliveryDelay(FOR_EVER);
        producer.send(session.createTextMessage("undue"));
        MessageConsumer consumer = session.createConsumer(jms.queue());
        assertThat(consumer.receiveNoWait()).isNull();
        jms.assertNothingArrives(consumer);
    }
}
