package org.readpast.jms.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.readpast.jms.tck.harness.TargetId.ARTEMIS;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Inbox;
import org.readpast.jms.tck.harness.Jms;

/** §6.2.1 to §6.2.5, §6.2.13, §6.2.14: what a session makes, and the thread that it belongs to. */
class Ch06SessionTest {

    /** §6.2.3 */
    @ContractTest
    void session_makes_a_queue_of_a_name(Jms jms) throws Exception {
        Session session = jms.session();
        Queue queue = session.createQueue(jms.uniqueName("made"));
        assertThat(queue.getQueueName()).isEqualTo(jms.uniqueName("made"));
        session.createProducer(queue).send(session.createTextMessage("sent"));
        jms.assertHolds(jms.queue("made"), "sent");
    }

    /** §6.2.3: two objects of one name are one queue. */
    @ContractTest
    void queues_of_one_name_are_equal(Jms jms) throws Exception {
        Session session = jms.session();
        assertThat(session.createQueue(jms.uniqueName("made"))).isEqualTo(session.createQueue(jms.uniqueName("made")));
        assertThat(session.createQueue(jms.uniqueName("made")))
                .hasSameHashCodeAs(session.createQueue(jms.uniqueName("made")));
        assertThat(session.createQueue(jms.uniqueName("made")))
                .isNotEqualTo(session.createQueue(jms.uniqueName("other")));
    }

    /** §6.2.4: the message of one session may be sent by another. */
    @ContractTest
    void message_may_be_sent_by_another_session(Jms jms) throws Exception {
        TextMessage message = jms.session().createTextMessage("travels");
        jms.session().createProducer(jms.queue()).send(message);
        jms.assertHolds(jms.queue(), "travels");
    }

    /** §10.3 */
    @ContractTest
    void null_destination_is_refused(Jms jms) throws Exception {
        Session session = jms.session();
        assertThatThrownBy(() -> session.createConsumer(null)).isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createConsumer(null, "a = 1")).isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createBrowser(null)).isInstanceOf(InvalidDestinationException.class);
    }

    /** §10.3: a destination that is not understood by the provider. */
    @ContractTest
    void foreign_destination_is_refused(Jms jms) throws Exception {
        Session session = jms.session();
        Queue foreign = () -> "foreign";
        assertThatThrownBy(() -> session.createConsumer(foreign)).isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createProducer(foreign)).isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createBrowser(foreign)).isInstanceOf(InvalidDestinationException.class);
    }

    /** §10.3 */
    @ContractTest
    void selector_with_invalid_syntax_is_refused(Jms jms) throws Exception {
        Session session = jms.session();
        assertThatThrownBy(() -> session.createConsumer(jms.queue(), "this is not a selector"))
                .isInstanceOf(InvalidSelectorException.class);
        assertThatThrownBy(() -> session.createBrowser(jms.queue(), "a = "))
                .isInstanceOf(InvalidSelectorException.class);
    }

    /** §6.2.10, Session.recover, commit and rollback: legal in their own kind of session only. */
    @ContractTest
    void commit_and_rollback_need_a_transacted_session(Jms jms) throws Exception {
        for (int mode : new int[] {Session.AUTO_ACKNOWLEDGE, Session.CLIENT_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE}) {
            Session session = jms.session(mode);
            assertThatThrownBy(session::commit).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(session::rollback).isInstanceOf(IllegalStateException.class);
        }
    }

    /** Session.recover */
    @ContractTest
    void recover_is_refused_by_a_transacted_session(Jms jms) throws Exception {
        Session session = jms.transacted();
        assertThatThrownBy(session::recover).isInstanceOf(IllegalStateException.class);
    }

    /** §6.2.5: either the listeners' thread has the session, or the client's. */
    @ContractTest
    void synchronous_receive_is_refused_on_the_consumer_with_a_listener(Jms jms) throws Exception {
        MessageConsumer consumer = jms.session().createConsumer(jms.queue());
        consumer.setMessageListener(new Inbox());
        assertThatThrownBy(() -> consumer.receive(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(consumer::receive).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(consumer::receiveNoWait).isInstanceOf(IllegalStateException.class);
    }

    /** §6.2.5 */
    @ContractTest
    @Deviation(target = ARTEMIS, clause = "§6.2.5", why = "looks at the one consumer only")
    void synchronous_receive_is_refused_on_any_consumer_of_a_session_with_a_listener(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        Session session = connection.createSession();
        MessageConsumer receiving = session.createConsumer(jms.queue("other"));
        session.createConsumer(jms.queue()).setMessageListener(new Inbox());
        connection.start();
        assertThatThrownBy(() -> receiving.receive(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(receiving::receiveNoWait).isInstanceOf(IllegalStateException.class);
    }

    /** §6.2.5: a session whose listener has been taken away may receive again. */
    @ContractTest
    void synchronous_receive_is_allowed_again_without_listener(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        consumer.setMessageListener(new Inbox());
        consumer.setMessageListener(null);
        connection.start();
        jms.send(jms.queue(), "sent");
        assertThat(jms.receiveText(consumer)).isEqualTo("sent");
    }

    /** §6.2.13: one thread runs all listeners of a session, one at a time. */
    @ContractTest
    void listeners_of_one_session_run_one_at_a_time(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        Session session = connection.createSession();
        Set<Thread> inside = ConcurrentHashMap.newKeySet();
        Inbox inbox = new Inbox(message -> {
            inside.add(Thread.currentThread());
            assertThat(inside).containsExactly(Thread.currentThread());
            inside.remove(Thread.currentThread());
        });
        Queue left = jms.queue("left");
        Queue right = jms.queue("right");
        session.createConsumer(left).setMessageListener(inbox);
        session.createConsumer(right).setMessageListener(inbox);
        for (int i = 0; i < 5; i++) {
            jms.send(left, "left " + i);
            jms.send(right, "right " + i);
        }
        connection.start();
        List<String> texts = inbox.nextTexts(10);
        assertThat(texts).filteredOn(text -> text.startsWith("left")).isSorted().hasSize(5);
        assertThat(texts)
                .filteredOn(text -> text.startsWith("right"))
                .isSorted()
                .hasSize(5);
        inbox.assertNothingMore();
    }

    /** §6.2.14: sessions are independent of each other; two listeners can be within onMessage at once. */
    @ContractTest
    void listeners_of_two_sessions_run_at_the_same_time(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        CountDownLatch both = new CountDownLatch(2);
        Inbox inbox = new Inbox(message -> {
            both.countDown();
            assertThat(both.await(Jms.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("the other listener came in as well")
                    .isTrue();
        });
        Queue left = jms.queue("left");
        Queue right = jms.queue("right");
        connection.createSession().createConsumer(left).setMessageListener(inbox);
        connection.createSession().createConsumer(right).setMessageListener(inbox);
        jms.send(left, "left");
        jms.send(right, "right");
        connection.start();
        assertThat(inbox.nextTexts(2)).containsExactlyInAnyOrder("left", "right");
        inbox.assertNothingMore();
    }

    /** §6.2.13: client code is not run concurrently with itself: a listener is not on the sender's thread. */
    @ContractTest
    void listener_has_a_thread_of_its_own(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        Session session = connection.createSession();
        Inbox inbox = new Inbox();
        session.createConsumer(jms.queue()).setMessageListener(inbox);
        connection.start();
        Session sender = connection.createSession();
        sender.createProducer(jms.queue()).send(sender.createTextMessage("sent"));
        assertThat(inbox.next().thread()).isNotSameAs(Thread.currentThread());
    }

    /** §6.2.5: within a listener, the session's producers and its other facilities may be used. */
    @ContractTest
    void listener_uses_its_session(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        Session session = connection.createSession();
        Inbox inbox = new Inbox(message -> session.createProducer(jms.queue("replies"))
                .send(session.createTextMessage("re: " + Jms.text(message))));
        session.createConsumer(jms.queue()).setMessageListener(inbox);
        connection.start();
        jms.send(jms.queue(), "one", "two");
        inbox.nextTexts(2);
        jms.assertHolds(jms.queue("replies"), "re: one", "re: two");
    }

    /** §6.2.5: another thread may use the session when the first has done with it. */
    @ContractTest
    void session_may_pass_from_thread_to_thread(Jms jms) throws Exception {
        Session session = jms.transacted();
        jms.elsewhere(() -> {
                    session.createProducer(jms.queue()).send(session.createTextMessage("sent"));
                    return null;
                })
                .result();
        session.commit();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        assertThat(jms.elsewhere(() -> jms.receiveText(consumer)).result()).isEqualTo("sent");
        assertThatCode(session::commit).doesNotThrowAnyException();
        jms.assertEmpty(jms.queue());
    }

    /** §4.1.2: a queue's messages are shared out among its consumers, each to one. */
    @ContractTest
    void two_consumers_of_a_queue_get_each_message_once(Jms jms) throws Exception {
        Inbox inbox = new Inbox();
        Connection connection = jms.stoppedConnection();
        connection.createSession().createConsumer(jms.queue()).setMessageListener(inbox);
        connection.createSession().createConsumer(jms.queue()).setMessageListener(inbox);
        connection.start();
        String[] texts = IntStream.range(0, 50).mapToObj(i -> "m" + i).toArray(String[]::new);
        jms.send(jms.queue(), texts);
        assertThat(inbox.nextTexts(50)).containsExactlyInAnyOrder(texts);
        inbox.assertNothingMore();
    }
}
