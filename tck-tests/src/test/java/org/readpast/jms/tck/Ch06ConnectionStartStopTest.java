package org.readpast.jms.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Elsewhere;
import org.readpast.jms.tck.harness.Inbox;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.OfTheClient;

/** §6.1.4, §6.1.5: starting a connection and pausing its delivery. */
@OfTheClient
class Ch06ConnectionStartStopTest {

    /** §6.1.4 */
    @ContractTest
    void connection_begins_stopped(Jms jms) throws Exception {
        jms.send(jms.queue(), "waiting");
        Connection connection = jms.stoppedConnection();
        MessageConsumer consumer = connection.createSession().createConsumer(jms.queue());
        jms.assertNothingArrives(consumer);
        assertThat(consumer.receiveNoWait()).isNull();
        connection.start();
        assertThat(jms.receiveText(consumer)).isEqualTo("waiting");
    }

    /** §6.1.4 */
    @ContractTest
    void listener_hears_nothing_before_start(Jms jms) throws Exception {
        jms.send(jms.queue(), "waiting");
        Connection connection = jms.stoppedConnection();
        Inbox inbox = new Inbox();
        connection.createSession().createConsumer(jms.queue()).setMessageListener(inbox);
        inbox.assertNothingMore();
        connection.start();
        assertThat(inbox.next().text()).isEqualTo("waiting");
    }

    /** §6.1.4 */
    @ContractTest
    void stopped_connection_sends(Jms jms) throws Exception {
        Session session = jms.stoppedConnection().createSession();
        session.createProducer(jms.queue()).send(session.createTextMessage("sent"));
        jms.assertHolds(jms.queue(), "sent");
    }

    /** §6.1.4: a receive that began before the start goes on with it. */
    @ContractTest
    void pending_receive_returns_after_start(Jms jms) throws Exception {
        jms.send(jms.queue(), "waiting");
        Connection connection = jms.stoppedConnection();
        MessageConsumer consumer = connection.createSession().createConsumer(jms.queue());
        Elsewhere<String> receiving = jms.elsewhere(() -> Jms.text(consumer.receive()));
        receiving.assertKeepsRunning();
        connection.start();
        assertThat(receiving.result()).isEqualTo("waiting");
    }

    /** §6.1.5: the receive timers of a stopped connection continue to advance. */
    @ContractTest
    void receive_times_out_while_stopped(Jms jms) throws Exception {
        jms.send(jms.queue(), "waiting");
        MessageConsumer consumer = jms.stoppedConnection().createSession().createConsumer(jms.queue());
        assertThat(jms.elsewhere(() -> consumer.receive(50)).result()).isNull();
    }

    /** §6.1.5 */
    @ContractTest
    void stop_pauses_synchronous_receives(Jms jms) throws Exception {
        Connection connection = jms.connection();
        MessageConsumer consumer = connection.createSession().createConsumer(jms.queue());
        jms.send(jms.queue(), "first");
        assertThat(jms.receiveText(consumer)).isEqualTo("first");
        connection.stop();
        jms.send(jms.queue(), "second");
        jms.assertNothingArrives(consumer);
        assertThat(consumer.receiveNoWait()).isNull();
        connection.start();
        assertThat(jms.receiveText(consumer)).isEqualTo("second");
    }

    /** §6.1.5: a thread that waits in receive does not return with a message until the connection is restarted. */
    @ContractTest
    void stop_holds_back_a_pending_receive(Jms jms) throws Exception {
        Connection connection = jms.connection();
        MessageConsumer consumer = connection.createSession().createConsumer(jms.queue());
        Elsewhere<String> receiving = jms.elsewhere(() -> Jms.text(consumer.receive()));
        receiving.awaitInside("receive");
        connection.stop();
        jms.send(jms.queue(), "late");
        receiving.assertKeepsRunning();
        connection.start();
        assertThat(receiving.result()).isEqualTo("late");
    }

    /** §6.1.5 */
    @ContractTest
    void stop_pauses_listeners(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        Inbox inbox = new Inbox();
        connection.createSession().createConsumer(jms.queue()).setMessageListener(inbox);
        connection.start();
        jms.send(jms.queue(), "first");
        assertThat(inbox.next().text()).isEqualTo("first");
        connection.stop();
        jms.send(jms.queue(), "second");
        inbox.assertNothingMore();
        connection.start();
        assertThat(inbox.next().text()).isEqualTo("second");
    }

    /** §6.1.5: stop waits for running listeners, which have the full services of the connection meanwhile. */
    @ContractTest
    void stop_waits_for_a_running_listener(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        Session session = connection.createSession();
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        Inbox inbox = new Inbox(message -> {
            entered.countDown();
            leave.await();
            session.createProducer(jms.queue("replies")).send(session.createTextMessage("reply"));
        });
        session.createConsumer(jms.queue()).setMessageListener(inbox);
        connection.start();
        jms.send(jms.queue(), "request");
        entered.await();
        Elsewhere<Void> stopping = jms.elsewhere(() -> {
            connection.stop();
            return null;
        });
        stopping.assertKeepsRunning();
        leave.countDown();
        stopping.result();
        assertThat(inbox.next().text()).isEqualTo("request");
        jms.assertHolds(jms.queue("replies"), "reply");
    }

    /** §6.1.5: when stop has returned, no listener of the connection runs. */
    @ContractTest
    void no_listener_runs_once_stop_has_returned(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        AtomicInteger running = new AtomicInteger();
        Inbox inbox = new Inbox(message -> {
            running.incrementAndGet();
            Thread.onSpinWait();
            running.decrementAndGet();
        });
        connection.createSession().createConsumer(jms.queue()).setMessageListener(inbox);
        connection.start();
        jms.send(jms.queue(), "1", "2", "3", "4", "5", "6", "7", "8", "9", "10");
        inbox.next();
        connection.stop();
        assertThat(running).hasValue(0);
        connection.start();
        inbox.nextTexts(9);
        inbox.assertNothingMore();
    }

    /** §6.1.5 */
    @ContractTest
    void start_and_stop_may_be_repeated(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        connection.stop();
        connection.stop();
        MessageConsumer consumer = connection.createSession().createConsumer(jms.queue());
        connection.start();
        connection.start();
        jms.send(jms.queue(), "sent");
        assertThat(jms.receiveText(consumer)).isEqualTo("sent");
        connection.stop();
        connection.stop();
        connection.start();
    }

    /** §6.1.5: of the two behaviours permitted, both Readpast and the reference refuse. */
    @ContractTest
    void stop_within_the_connections_own_listener_is_refused(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        Inbox inbox = new Inbox(message -> connection.stop());
        connection.createSession().createConsumer(jms.queue()).setMessageListener(inbox);
        connection.start();
        jms.send(jms.queue(), "first", "second");
        assertThat(inbox.nextFailure()).isInstanceOf(IllegalStateException.class);
        assertThat(inbox.nextFailure()).isInstanceOf(IllegalStateException.class);
        assertThat(inbox.nextTexts(2)).containsExactly("first", "second");
    }

    /** §6.1.5: another connection may be stopped from a listener. */
    @ContractTest
    void stop_of_another_connection_within_a_listener_is_fine(Jms jms) throws Exception {
        Connection other = jms.connection();
        Connection connection = jms.stoppedConnection();
        Inbox inbox = new Inbox(message -> other.stop());
        connection.createSession().createConsumer(jms.queue()).setMessageListener(inbox);
        connection.start();
        jms.send(jms.queue(), "first");
        assertThat(inbox.next().text()).isEqualTo("first");
        inbox.assertNothingMore();
    }

    /** §6.1.4, §8.4 */
    @ContractTest
    void context_starts_by_itself_with_its_first_consumer(Jms jms) throws Exception {
        jms.send(jms.queue(), "waiting");
        JMSContext context = jms.context();
        assertThat(context.getAutoStart()).isTrue();
        JMSConsumer consumer = context.createConsumer(jms.queue());
        assertThat(Jms.text(jms.receive(consumer))).isEqualTo("waiting");
    }

    /** §6.1.4, §8.4 */
    @ContractTest
    void context_without_auto_start_waits_for_start(Jms jms) throws Exception {
        jms.send(jms.queue(), "waiting");
        JMSContext context = jms.context();
        context.setAutoStart(false);
        assertThat(context.getAutoStart()).isFalse();
        JMSConsumer consumer = context.createConsumer(jms.queue());
        jms.assertNothingArrives(consumer);
        context.start();
        assertThat(Jms.text(jms.receive(consumer))).isEqualTo("waiting");
        context.stop();
        jms.send(jms.queue(), "second");
        jms.assertNothingArrives(consumer);
        context.start();
        assertThat(Jms.text(jms.receive(consumer))).isEqualTo("second");
    }

    /** §6.1.8 */
    @ContractTest
    void closed_connection_neither_starts_nor_stops(Jms jms) throws Exception {
        Connection connection = jms.connection();
        connection.close();
        assertThatThrownBy(connection::start).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(connection::stop).isInstanceOf(IllegalStateException.class);
    }
}
