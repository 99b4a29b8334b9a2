package org.readpast.jms.tck.appserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.readpast.jms.tck.appserver.TestPool.created;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Inbox;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.TargetId;

/** §11.2.1: a session with a listener of its own, what it acknowledges, and how it is run. */
class Ch11ServerSessionTest {

    private static final String OPTIONAL = "the facility is optional: creating a ConnectionConsumer returns null";

    private static final String NO_LISTENER = "the facility is optional: Session.setMessageListener does nothing";

    private static final int AUTO = Session.AUTO_ACKNOWLEDGE;

    /** Session.setMessageListener: no other form of receipt can be used; all forms of sending can. */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§11.2.1", why = NO_LISTENER)
    void session_with_a_listener_of_its_own_receives_in_no_other_way(Jms jms) throws Exception {
        Session session = jms.session();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        assertThat(session.getMessageListener()).isNull();
        MessageListener listener = new Inbox();
        session.setMessageListener(listener);
        assertThat(session.getMessageListener()).isSameAs(listener);
        assertThatThrownBy(consumer::receiveNoWait).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> consumer.receive(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> consumer.setMessageListener(new Inbox())).isInstanceOf(IllegalStateException.class);
        session.createProducer(jms.queue()).send(session.createTextMessage("sent"));
        session.setMessageListener(null);
        assertThat(session.getMessageListener()).isNull();
        assertThat(jms.receiveText(consumer)).isEqualTo("sent");
    }

    /** Session.setMessageListener */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§11.2.1", why = NO_LISTENER)
    void session_whose_consumer_has_a_listener_gets_none_of_its_own(Jms jms) throws Exception {
        Session session = jms.session();
        Inbox inbox = new Inbox();
        session.createConsumer(jms.queue()).setMessageListener(inbox);
        assertThatThrownBy(() -> session.setMessageListener(new Inbox())).isInstanceOf(IllegalStateException.class);
        jms.send(jms.queue(), "one");
        assertThat(inbox.next().text()).isEqualTo("one");
    }

    /** §6.2.15 */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§11.2.1", why = NO_LISTENER)
    void closed_session_has_no_listener_and_is_not_run(Jms jms) throws Exception {
        Session session = jms.session();
        session.setMessageListener(new Inbox());
        session.close();
        assertThatThrownBy(session::getMessageListener).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.setMessageListener(null)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(session::run).isInstanceOf(JMSRuntimeException.class);
    }

    /** §11.2.1: run returns when the last of the messages assigned has been processed. */
    @ContractTest
    void run_of_a_session_that_was_assigned_nothing_returns(Jms jms) throws Exception {
        jms.send(jms.queue(), "stays");
        Session session = jms.session();
        session.run();
        Inbox inbox = new Inbox();
        session.setMessageListener(inbox);
        session.run();
        inbox.assertNothingMore();
        session.close();
        jms.assertHolds(jms.queue(), "stays");
    }

    /** §11.2: that is what the facility is for. */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§11.2", why = OPTIONAL)
    void sessions_of_a_pool_work_at_the_same_time(Jms jms) throws Exception {
        jms.send(jms.queue(), "1", "2", "3", "4");
        CyclicBarrier allAtOnce = new CyclicBarrier(4);
        Inbox inbox = new Inbox(message -> allAtOnce.await(Jms.PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
        TestPool pool = new TestPool(jms);
        Connection connection = jms.connection();
        pool.with(4, connection, AUTO, session -> inbox);
        created(connection.createConnectionConsumer(jms.queue(), null, pool, 1));
        assertThat(inbox.nextTexts(4)).containsExactlyInAnyOrder("1", "2", "3", "4");
        inbox.assertNothingMore();
    }

    /** §8.7 and §6.2.10, in the sessions that acknowledge by themselves. */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§11.2.1", why = OPTIONAL)
    void message_whose_listener_threw_is_redelivered_in_auto_and_dups_ok(Jms jms) throws Exception {
        for (int mode : new int[] {AUTO, Session.DUPS_OK_ACKNOWLEDGE}) {
            Queue queue = jms.queue("mode" + mode);
            jms.send(queue, "bad", "good");
            Set<String> failed = ConcurrentHashMap.newKeySet();
            Inbox inbox = new Inbox(message -> {
                if (Jms.text(message).equals("bad") && failed.add("bad")) {
                    throw new IllegalArgumentException("the listener fails on purpose");
                }
            });
            TestPool pool = new TestPool(jms);
            Connection connection = jms.connection();
            pool.with(1, connection, mode, session -> inbox);
            created(connection.createConnectionConsumer(queue, null, pool, 2));
            assertNext(inbox, "bad", 1);
            assertNext(inbox, "bad", 2);
            assertNext(inbox, "good", 1);
            inbox.assertNothingMore();
            assertThat(pool.failures()).isEmpty();
            connection.close();
            jms.assertEmpty(queue);
        }
    }

    /** §8.7 says nothing of Errors: they are the failure of one delivery as other exceptions are, and no acknowledgement. */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§11.2.1", why = OPTIONAL)
    void message_whose_listener_throws_an_error_is_redelivered(Jms jms) throws Exception {
        jms.send(jms.queue(), "bad", "good");
        Inbox inbox = new Inbox();
        TestPool pool = new TestPool(jms);
        Connection connection = jms.stoppedConnection();
        pool.with(1, connection, AUTO, session -> message -> {
            inbox.onMessage(message);
            Modes.done(() -> {
                if (Jms.text(message).equals("bad") && !message.getJMSRedelivered()) {
                    throw new NoClassDefFoundError("the listener fails on purpose");
                }
            });
        });
        created(connection.createConnectionConsumer(jms.queue(), null, pool, 5));
        connection.start();
        assertNext(inbox, "bad", 1);
        assertNext(inbox, "bad", 2);
        assertNext(inbox, "good", 1);
        inbox.assertNothingMore();
        assertThat(pool.failures()).isEmpty();
        connection.close();
        jms.assertEmpty(jms.queue());
    }

    private static void assertNext(Inbox inbox, String text, int deliveryCount) throws Exception {
        Inbox.Heard next = inbox.next();
        assertThat(next.text()).isEqualTo(text);
        assertThat(next.deliveryCount()).isEqualTo(deliveryCount);
        assertThat(next.redelivered()).isEqualTo(deliveryCount > 1);
    }

    /** §6.2.10 */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§6.2.10", why = OPTIONAL)
    void what_the_listener_does_not_acknowledge_or_commit_comes_back(Jms jms) throws Exception {
        for (int mode : new int[] {Session.CLIENT_ACKNOWLEDGE, Session.SESSION_TRANSACTED}) {
            Queue queue = jms.queue("mode" + mode);
            jms.send(queue, "one", "two", "three");
            Inbox inbox = new Inbox();
            TestPool pool = new TestPool(jms);
            Connection connection = jms.connection();
            pool.with(2, connection, mode, session -> inbox);
            created(connection.createConnectionConsumer(queue, null, pool, 5));
            assertThat(inbox.nextTexts(3)).containsExactlyInAnyOrder("one", "two", "three");
            inbox.assertNothingMore();
            connection.close();
            jms.assertHolds(queue, "one", "two", "three");
        }
    }

    /** §6.2.7: what a session was assigned and what it sent are one transaction, which the application server may end. */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§6.2.7", why = OPTIONAL)
    void transaction_of_a_run_is_committed_after_it(Jms jms) throws Exception {
        Queue answers = jms.queue("answers");
        jms.send(jms.queue(), "1", "2", "3", "4", "5");
        Inbox inbox = new Inbox();
        TestPool pool = new TestPool(jms).afterRun(Session::commit);
        Connection connection = jms.stoppedConnection();
        pool.with(1, connection, Session.SESSION_TRANSACTED, session -> {
            MessageProducer producer = session.createProducer(answers);
            return message -> {
                Modes.done(() -> producer.send(session.createTextMessage("answer to " + Jms.text(message))));
                inbox.onMessage(message);
            };
        });
        created(connection.createConnectionConsumer(jms.queue(), null, pool, 3));
        connection.start();
        assertThat(inbox.nextTexts(5)).containsExactly("1", "2", "3", "4", "5");
        await().atMost(Jms.PATIENCE).until(pool::isAtRest);
        assertThat(pool.runs()).containsExactly(3, 2);
        connection.close();
        jms.assertEmpty(jms.queue());
        jms.assertHolds(answers, "answer to 1", "answer to 2", "answer to 3", "answer to 4", "answer to 5");
    }

    /** §6.2.7 */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§6.2.7", why = OPTIONAL)
    void rolled_back_run_is_redelivered_and_what_it_sent_is_not_sent(Jms jms) throws Exception {
        Queue answers = jms.queue("answers");
        jms.send(jms.queue(), "one", "two");
        Inbox inbox = new Inbox();
        AtomicInteger runs = new AtomicInteger();
        TestPool pool = new TestPool(jms).afterRun(session -> {
            if (runs.incrementAndGet() == 1) {
                session.rollback();
            } else {
                session.commit();
            }
        });
        Connection connection = jms.stoppedConnection();
        pool.with(1, connection, Session.SESSION_TRANSACTED, session -> {
            MessageProducer producer = session.createProducer(answers);
            return message -> {
                Modes.done(() -> producer.send(session.createTextMessage(
                        Jms.text(message) + " at delivery " + message.getIntProperty("JMSXDeliveryCount"))));
                inbox.onMessage(message);
            };
        });
        created(connection.createConnectionConsumer(jms.queue(), null, pool, 10));
        connection.start();
        assertNext(inbox, "one", 1);
        assertNext(inbox, "two", 1);
        assertNext(inbox, "one", 2);
        assertNext(inbox, "two", 2);
        inbox.assertNothingMore();
        connection.close();
        jms.assertEmpty(jms.queue());
        jms.assertHolds(answers, "one at delivery 2", "two at delivery 2");
    }

    /** §6.2.10: recover delivers again what was not acknowledged. */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§6.2.10", why = OPTIONAL)
    void recovered_messages_are_delivered_again(Jms jms) throws Exception {
        jms.send(jms.queue(), "one");
        Inbox inbox = new Inbox();
        TestPool pool = new TestPool(jms);
        Connection connection = jms.connection();
        pool.with(1, connection, Session.CLIENT_ACKNOWLEDGE, session -> message -> {
            inbox.onMessage(message);
            Modes.done(() -> {
                if (message.getJMSRedelivered()) {
                    message.acknowledge();
                } else {
                    session.recover();
                }
            });
        });
        created(connection.createConnectionConsumer(jms.queue(), null, pool, 1));
        assertNext(inbox, "one", 1);
        assertNext(inbox, "one", 2);
        inbox.assertNothingMore();
        assertThat(pool.failures()).isEmpty();
        connection.close();
        jms.assertEmpty(jms.queue());
    }

    /** §11.2.1: messages are processed serially; a listener cannot have its session run. */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§11.2.1", why = OPTIONAL)
    void run_from_within_the_sessions_listener_is_refused(Jms jms) throws Exception {
        jms.send(jms.queue(), "one");
        TestPool pool = new TestPool(jms);
        Connection connection = jms.connection();
        Session session = connection.createSession(AUTO);
        Inbox inbox = new Inbox(message -> assertThatThrownBy(session::run).isInstanceOf(JMSRuntimeException.class));
        pool.add(session, inbox);
        created(connection.createConnectionConsumer(jms.queue(), null, pool, 1));
        assertThat(inbox.next().text()).isEqualTo("one");
        inbox.assertNothingMore();
        connection.close();
        jms.assertEmpty(jms.queue());
    }
}
