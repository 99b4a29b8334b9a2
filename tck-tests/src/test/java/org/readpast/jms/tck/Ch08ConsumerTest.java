package org.readpast.jms.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.readpast.jms.tck.harness.TargetId.ARTEMIS;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.QueueReceiver;
import jakarta.jms.Session;
import java.util.concurrent.CountDownLatch;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Elsewhere;
import org.readpast.jms.tck.harness.Inbox;
import org.readpast.jms.tck.harness.Jms;

/** §8.1, §8.2, §8.5, §8.8: consumers, synchronous receiving, closing. */
class Ch08ConsumerTest {

    /** §8.5 */
    @ContractTest
    void receive_waits_for_a_message(Jms jms) throws Exception {
        MessageConsumer consumer = jms.session().createConsumer(jms.queue());
        Elsewhere<Message> receiving = jms.elsewhere(consumer::receive);
        receiving.awaitInside("receive");
        jms.send(jms.queue(), "sent");
        assertThat(Jms.text(receiving.result())).isEqualTo("sent");
    }

    /** §8.5 */
    @ContractTest
    void receive_with_a_time_limit_waits_for_a_message(Jms jms) throws Exception {
        MessageConsumer consumer = jms.session().createConsumer(jms.queue());
        Elsewhere<Message> receiving = jms.elsewhere(() -> consumer.receive(50_000));
        receiving.awaitInside("receive");
        jms.send(jms.queue(), "sent");
        assertThat(Jms.text(receiving.result())).isEqualTo("sent");
    }

    /** §8.5 */
    @ContractTest
    void receive_with_a_time_limit_ends_with_null(Jms jms) throws Exception {
        MessageConsumer consumer = jms.session().createConsumer(jms.queue());
        assertThat(jms.elsewhere(() -> consumer.receive(1)).result()).isNull();
        assertThat(jms.elsewhere(() -> consumer.receive(100)).result()).isNull();
    }

    /** MessageConsumer.receive(long): a time-out of zero never expires. */
    @ContractTest
    void receive_with_zero_waits_without_limit(Jms jms) throws Exception {
        MessageConsumer consumer = jms.session().createConsumer(jms.queue());
        Elsewhere<Message> receiving = jms.elsewhere(() -> consumer.receive(0));
        receiving.assertKeepsRunning();
        jms.send(jms.queue(), "sent");
        assertThat(Jms.text(receiving.result())).isEqualTo("sent");
    }

    /** §8.5 */
    @ContractTest
    void receive_no_wait_returns_at_once(Jms jms) throws Exception {
        MessageConsumer consumer = jms.session().createConsumer(jms.queue());
        assertThat(jms.elsewhere(consumer::receiveNoWait).result()).isNull();
    }

    /** §8.5: a message that is on the queue is immediately available. */
    @ContractTest
    void receive_no_wait_finds_what_is_there(Jms jms) throws Exception {
        jms.send(jms.queue(), "first", "second");
        MessageConsumer consumer = jms.session().createConsumer(jms.queue());
        assertThat(Jms.text(consumer.receiveNoWait())).isEqualTo("first");
        assertThat(Jms.text(consumer.receiveNoWait())).isEqualTo("second");
        assertThat(consumer.receiveNoWait()).isNull();
    }

    /** §8.5: of two that wait, each gets one. */
    @ContractTest
    void two_pending_receives_get_a_message_each(Jms jms) throws Exception {
        MessageConsumer one = jms.session().createConsumer(jms.queue());
        MessageConsumer two = jms.session().createConsumer(jms.queue());
        Elsewhere<Message> first = jms.elsewhere(one::receive);
        Elsewhere<Message> second = jms.elsewhere(two::receive);
        first.awaitInside("receive");
        second.awaitInside("receive");
        jms.send(jms.queue(), "a", "b");
        assertThat(new String[] {Jms.text(first.result()), Jms.text(second.result())})
                .containsExactlyInAnyOrder("a", "b");
    }

    /** §4.1.2 */
    @ContractTest
    void selector_lets_through_what_matches(Jms jms) throws Exception {
        Session session = jms.session();
        MessageConsumer red = session.createConsumer(jms.queue(), "colour = 'red'");
        for (String colour : new String[] {"blue", "red"}) {
            Message message = session.createTextMessage(colour);
            message.setStringProperty("colour", colour);
            session.createProducer(jms.queue()).send(message);
        }
        assertThat(jms.receiveText(red)).isEqualTo("red");
        jms.assertNothingArrives(red);
        red.close();
        jms.assertHolds(jms.queue(), "blue");
    }

    /** §3.8.1: null and the empty string are no selector. */
    @ContractTest
    void empty_selector_is_none(Jms jms) throws Exception {
        Session session = jms.session();
        for (String none : new String[] {null, ""}) {
            jms.send(jms.queue(), "sent");
            MessageConsumer consumer = session.createConsumer(jms.queue(), none);
            assertThat(jms.receiveText(consumer)).isEqualTo("sent");
            assertThat(consumer.getMessageSelector()).isNullOrEmpty();
            consumer.close();
        }
    }

    /** MessageConsumer.getMessageSelector */
    @ContractTest
    void consumer_knows_its_selector_and_listener(Jms jms) throws Exception {
        MessageConsumer consumer = jms.session().createConsumer(jms.queue(), "a = 1");
        assertThat(consumer.getMessageSelector()).isEqualTo("a = 1");
        assertThat(consumer.getMessageListener()).isNull();
        Inbox inbox = new Inbox();
        consumer.setMessageListener(inbox);
        assertThat(consumer.getMessageListener()).isSameAs(inbox);
    }

    /** §8.1: in the point-to-point domain a consumer is a QueueReceiver; one of a plain session may be, too. */
    @ContractTest
    void consumer_of_the_point_to_point_domain_knows_its_queue(Jms jms) throws Exception {
        Queue queue = jms.queue();
        QueueReceiver receiver = jms.queueConnection()
                .createQueueSession(false, Session.AUTO_ACKNOWLEDGE)
                .createReceiver(queue);
        assertThat(receiver.getQueue()).isEqualTo(queue);
    }

    /** §8.8: a blocked receive returns null when the consumer is closed. */
    @ContractTest
    void close_ends_a_pending_receive_with_null(Jms jms) throws Exception {
        MessageConsumer consumer = jms.session().createConsumer(jms.queue());
        Elsewhere<Message> receiving = jms.elsewhere(consumer::receive);
        receiving.awaitInside("receive");
        consumer.close();
        assertThat(receiving.result()).isNull();
    }

    /** §8.8 */
    @ContractTest
    void close_ends_a_pending_receive_with_time_limit_with_null(Jms jms) throws Exception {
        MessageConsumer consumer = jms.session().createConsumer(jms.queue());
        Elsewhere<Message> receiving = jms.elsewhere(() -> consumer.receive(50_000));
        receiving.awaitInside("receive");
        consumer.close();
        assertThat(receiving.result()).isNull();
    }

    /** §8.8 */
    @ContractTest
    void closed_consumer_is_of_no_use(Jms jms) throws Exception {
        MessageConsumer consumer = jms.session().createConsumer(jms.queue());
        consumer.close();
        assertThatThrownBy(consumer::receive).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> consumer.receive(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(consumer::receiveNoWait).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> consumer.setMessageListener(new Inbox())).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(consumer::getMessageSelector).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(consumer::getMessageListener).isInstanceOf(IllegalStateException.class);
        assertThatCode(consumer::close).doesNotThrowAnyException();
    }

    /** §8.8 */
    @ContractTest
    void close_waits_for_the_running_listener(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        MessageConsumer consumer = connection.createSession().createConsumer(jms.queue());
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        Inbox inbox = new Inbox(message -> {
            entered.countDown();
            leave.await();
        });
        consumer.setMessageListener(inbox);
        connection.start();
        jms.send(jms.queue(), "first");
        entered.await();
        Elsewhere<Void> closing = jms.elsewhere(() -> {
            consumer.close();
            return null;
        });
        closing.assertKeepsRunning();
        leave.countDown();
        closing.result();
        assertThat(inbox.next().text()).isEqualTo("first");
        jms.assertEmpty(jms.queue());
    }

    /** §8.8: called from the consumer's own listener, close returns and the listener completes. */
    @ContractTest
    @Deviation(
            target = ARTEMIS,
            clause = "§8.8",
            why = "does not acknowledge the message whose listener closes the consumer")
    void listener_may_close_its_own_consumer(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        Inbox inbox = new Inbox(message -> consumer.close());
        consumer.setMessageListener(inbox);
        jms.send(jms.queue(), "first", "second");
        connection.start();
        assertThat(inbox.next().text()).isEqualTo("first");
        inbox.assertNothingMore();
        connection.close();
        jms.assertHolds(jms.queue(), "second");
    }

    /** §8.8: what was not delivered when the consumer was closed is for others. */
    @ContractTest
    void closed_consumer_gives_up_what_it_did_not_deliver(Jms jms) throws Exception {
        jms.send(jms.queue(), "first", "second", "third");
        Session session = jms.session();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        assertThat(jms.receiveText(consumer)).isEqualTo("first");
        consumer.close();
        Message second = jms.receive(jms.session().createConsumer(jms.queue()));
        assertThat(Jms.text(second)).isEqualTo("second");
        assertThat(second.getJMSRedelivered()).isFalse();
        assertThat(second.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    }

    /** §8.8 */
    @ContractTest
    void close_of_one_consumer_leaves_the_session_alone(Jms jms) throws Exception {
        Session session = jms.session();
        session.createConsumer(jms.queue()).close();
        jms.send(jms.queue(), "sent");
        assertThat(jms.receiveText(session.createConsumer(jms.queue()))).isEqualTo("sent");
    }

    /** §2.8, AutoCloseable */
    @ContractTest
    void try_with_resources_closes_the_consumer(Jms jms) throws Exception {
        jms.send(jms.queue(), "sent");
        MessageConsumer kept;
        try (MessageConsumer consumer = jms.session().createConsumer(jms.queue())) {
            kept = consumer;
            assertThat(jms.receiveText(consumer)).isEqualTo("sent");
        }
        assertThatThrownBy(kept::receiveNoWait).isInstanceOf(IllegalStateException.class);
    }
}
