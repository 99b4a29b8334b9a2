package org.readpast.jms.tck.appserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.readpast.jms.tck.appserver.TestPool.created;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.ServerSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Elsewhere;
import org.readpast.jms.tck.harness.Inbox;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.TargetId;

/** Starting, stopping and closing what has to do with connection consumers (§6.1.4, §6.1.5, §6.1.8, §11.2.4). */
class Ch11LifeCycleTest {

    private static final String OPTIONAL = "the facility is optional: creating a ConnectionConsumer returns null";

    private static final int AUTO = Session.AUTO_ACKNOWLEDGE;

    /** A listener that stays in each message until it is let go on. */
    private static final class Held {
        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);
        private final Inbox inbox = new Inbox(message -> {
            entered.countDown();
            assertThat(released.await(Jms.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        });

        void awaitEntered() throws InterruptedException {
            assertThat(entered.await(Jms.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }

        void release() {
            released.countDown();
        }
    }

    /** §6.1.4 */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§6.1.4", why = OPTIONAL)
    void nothing_is_delivered_before_the_connection_is_started(Jms jms) throws Exception {
        jms.send(jms.queue(), "one");
        Inbox inbox = new Inbox();
        TestPool pool = new TestPool(jms);
        Connection connection = jms.stoppedConnection();
        pool.with(1, connection, AUTO, session -> inbox);
        created(connection.createConnectionConsumer(jms.queue(), null, pool, 1));
        inbox.assertNothingMore();
        connection.start();
        assertThat(inbox.next().text()).isEqualTo("one");
    }

    /** §6.1.5: stop waits for the listeners that are running, and no other one is called until start. */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§6.1.5", why = OPTIONAL)
    void stop_waits_for_running_listeners_and_start_goes_on(Jms jms) throws Exception {
        jms.send(jms.queue(), "one", "two", "three");
        Held held = new Held();
        TestPool pool = new TestPool(jms);
        Connection connection = jms.connection();
        pool.with(1, connection, AUTO, session -> held.inbox);
        created(connection.createConnectionConsumer(jms.queue(), null, pool, 5));
        held.awaitEntered();
        Elsewhere<?> stopping = jms.elsewhere(() -> {
            connection.stop();
            return true;
        });
        stopping.awaitInside("stop");
        stopping.assertKeepsRunning();
        held.release();
        stopping.result();
        assertThat(held.inbox.next().text()).isEqualTo("one");
        held.inbox.assertNothingMore();
        connection.start();
        assertThat(held.inbox.nextTexts(2)).containsExactly("two", "three");
    }

    /** §6.1.5: what a session was assigned and not yet given is there for others while the connection is stopped. */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§6.1.5", why = OPTIONAL)
    void stopped_connection_gives_back_what_was_assigned(Jms jms) throws Exception {
        jms.send(jms.queue(), "one", "two", "three");
        Held held = new Held();
        TestPool pool = new TestPool(jms).afterRun(Session::commit);
        Connection connection = jms.connection();
        pool.with(1, connection, Session.SESSION_TRANSACTED, session -> held.inbox);
        created(connection.createConnectionConsumer(jms.queue(), null, pool, 5));
        held.awaitEntered();
        Elsewhere<?> stopping = jms.elsewhere(() -> {
            connection.stop();
            return true;
        });
        stopping.awaitInside("stop");
        held.release();
        stopping.result();
        jms.assertHolds(jms.queue(), "two", "three");
        connection.start();
        jms.send(jms.queue(), "four");
        assertThat(held.inbox.nextTexts(2)).containsExactly("one", "four");
    }

    /** §6.1.8: close waits for the listeners that are running, whose messages are acknowledged; the rest stays. */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§6.1.8", why = OPTIONAL)
    void connection_close_waits_for_running_listeners_and_the_rest_stays(Jms jms) throws Exception {
        jms.send(jms.queue(), "one", "two");
        Held held = new Held();
        TestPool pool = new TestPool(jms);
        Connection connection = jms.connection();
        pool.with(1, connection, AUTO, session -> held.inbox);
        created(connection.createConnectionConsumer(jms.queue(), null, pool, 5));
        held.awaitEntered();
        Elsewhere<?> closing = jms.elsewhere(() -> {
            connection.close();
            return true;
        });
        closing.awaitInside("close");
        closing.assertKeepsRunning();
        held.release();
        closing.result();
        assertThat(held.inbox.next().text()).isEqualTo("one");
        held.inbox.assertNothingMore();
        jms.assertHolds(jms.queue(), "two");
    }

    /** §6.1.5, §6.1.8 */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§6.1.8", why = OPTIONAL)
    void listener_cannot_stop_or_close_its_connection(Jms jms) throws Exception {
        jms.send(jms.queue(), "one");
        TestPool pool = new TestPool(jms);
        Connection connection = jms.connection();
        Inbox closing = new Inbox(message -> connection.close());
        pool.with(1, connection, AUTO, session -> closing);
        ConnectionConsumer consumer = created(connection.createConnectionConsumer(jms.queue(), null, pool, 1));
        assertThat(closing.nextFailure()).isInstanceOf(IllegalStateException.class);
        await().atMost(Jms.PATIENCE).until(pool::isAtRest);
        consumer.close();
        jms.send(jms.queue("second"), "two");
        TestPool other = new TestPool(jms);
        Inbox stopping = new Inbox(message -> connection.stop());
        other.with(1, connection, AUTO, session -> stopping);
        created(connection.createConnectionConsumer(jms.queue("second"), null, other, 1));
        assertThat(stopping.nextFailure()).isInstanceOf(IllegalStateException.class);
    }

    /** §6.2.15: of the two behaviours permitted, the session refuses to be closed from its own listener. */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§6.2.15", why = OPTIONAL)
    void session_is_not_closed_by_its_own_listener(Jms jms) throws Exception {
        jms.send(jms.queue(), "one", "two");
        TestPool pool = new TestPool(jms);
        Connection connection = jms.stoppedConnection();
        Session session = connection.createSession(AUTO);
        Inbox inbox = new Inbox(message -> session.close());
        pool.add(session, inbox);
        created(connection.createConnectionConsumer(jms.queue(), null, pool, 5));
        connection.start();
        assertThat(inbox.nextTexts(2)).containsExactly("one", "two");
        assertThat(inbox.nextFailure()).isInstanceOf(IllegalStateException.class);
        connection.close();
        jms.assertEmpty(jms.queue());
    }

    /** ConnectionConsumer.close: what is running finishes its message; nothing else is consumed, and nothing is lost. */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§11.2.4", why = OPTIONAL)
    void closed_connection_consumer_consumes_no_more(Jms jms) throws Exception {
        jms.send(jms.queue(), "one", "two", "three");
        Held held = new Held();
        TestPool pool = new TestPool(jms);
        Connection connection = jms.connection();
        pool.with(1, connection, AUTO, session -> held.inbox);
        ConnectionConsumer consumer = created(connection.createConnectionConsumer(jms.queue(), null, pool, 5));
        held.awaitEntered();
        consumer.close();
        consumer.close();
        held.release();
        assertThat(held.inbox.next().text()).isEqualTo("one");
        held.inbox.assertNothingMore();
        await().atMost(Jms.PATIENCE).until(pool::isAtRest);
        jms.assertHolds(jms.queue(), "two", "three");
        // The sessions are as good as before.
        created(connection.createConnectionConsumer(jms.queue(), null, pool, 5));
        jms.send(jms.queue(), "four");
        assertThat(held.inbox.next().text()).isEqualTo("four");
    }

    /** ConnectionConsumer.close, called by two listeners of one consumer at a time. */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§11.2.4", why = OPTIONAL)
    void connection_consumer_may_be_closed_by_its_listeners(Jms jms) throws Exception {
        jms.send(jms.queue(), "one", "two", "three");
        TestPool pool = new TestPool(jms);
        Connection connection = jms.connection();
        CountDownLatch bothIn = new CountDownLatch(2);
        ConnectionConsumer[] consumer = new ConnectionConsumer[1];
        CountDownLatch made = new CountDownLatch(1);
        Inbox inbox = new Inbox(message -> {
            bothIn.countDown();
            assertThat(bothIn.await(Jms.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(made.await(Jms.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            consumer[0].close();
        });
        pool.with(2, connection, AUTO, session -> inbox);
        consumer[0] = created(connection.createConnectionConsumer(jms.queue(), null, pool, 1));
        made.countDown();
        assertThat(inbox.nextTexts(2)).containsExactlyInAnyOrder("one", "two");
        inbox.assertNothingMore();
        await().atMost(Jms.PATIENCE).until(pool::isAtRest);
        jms.assertHolds(jms.queue(), "three");
    }

    /** §11.2.3: getServerSession may block; closing does not wait for it. */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§11.2.3", why = OPTIONAL)
    void close_ends_the_wait_for_a_pool_that_has_no_session(Jms jms) throws Exception {
        jms.send(jms.queue(), "one");
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        ServerSessionPool blocking = () -> block(asked, interrupted);
        Connection connection = jms.connection();
        ConnectionConsumer consumer = created(connection.createConnectionConsumer(jms.queue(), null, blocking, 1));
        assertThat(asked.await(Jms.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        connection.stop();
        connection.start();
        jms.elsewhere(() -> {
                    consumer.close();
                    return true;
                })
                .result();
        assertThat(interrupted.await(Jms.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        jms.assertHolds(jms.queue(), "one");
    }

    /** §6.1.8 */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§6.1.8", why = OPTIONAL)
    void connection_close_ends_the_wait_for_a_pool_that_has_no_session(Jms jms) throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        ServerSessionPool blocking = () -> block(asked, interrupted);
        Connection connection = jms.connection();
        created(connection.createConnectionConsumer(jms.queue(), null, blocking, 1));
        assertThat(asked.await(Jms.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        jms.elsewhere(() -> {
                    connection.close();
                    return true;
                })
                .result();
        assertThat(interrupted.await(Jms.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
    }

    private static ServerSession block(CountDownLatch asked, CountDownLatch interrupted) throws JMSException {
        asked.countDown();
        try {
            new CountDownLatch(1).await();
            throw new JMSException("nobody counts this latch down");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            interrupted.countDown();
            throw new JMSException("interrupted while waiting for a server session");
        }
    }

    /** §11.2.3: a session that comes late, when the consumer is closed, is given back. */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§11.2.3", why = OPTIONAL)
    void session_that_comes_after_the_close_goes_back_to_the_pool(Jms jms) throws Exception {
        jms.send(jms.queue(), "one");
        Inbox inbox = new Inbox();
        TestPool pool = new TestPool(jms);
        Connection connection = jms.connection();
        pool.with(1, connection, AUTO, session -> inbox);
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        ServerSessionPool slow = () -> {
            asked.countDown();
            ServerSession session = pool.getServerSession();
            awaitUninterruptibly(closed);
            return session;
        };
        ConnectionConsumer consumer = created(connection.createConnectionConsumer(jms.queue(), null, slow, 1));
        assertThat(asked.await(Jms.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        consumer.close();
        closed.countDown();
        await().atMost(Jms.PATIENCE).until(() -> pool.asked() == 1 && pool.isAtRest());
        inbox.assertNothingMore();
        jms.assertHolds(jms.queue(), "one");
    }

    /** As a pool does that does not listen to interrupts. */
    private static void awaitUninterruptibly(CountDownLatch latch) {
        boolean interrupted = false;
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** §11.2.4: an application server may as well run the session at once, on the thread that starts it. */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§11.2.4", why = OPTIONAL)
    void session_may_be_run_on_the_thread_that_starts_it(Jms jms) throws Exception {
        jms.send(jms.queue(), "one", "two");
        Connection connection = jms.connection();
        Session session = connection.createSession(AUTO);
        Inbox inbox = new Inbox();
        session.setMessageListener(inbox);
        ServerSession direct = new ServerSession() {
            @Override
            public Session getSession() {
                return session;
            }

            @Override
            public void start() {
                session.run();
            }
        };
        created(connection.createConnectionConsumer(jms.queue(), null, () -> direct, 1));
        assertThat(inbox.nextTexts(2)).containsExactly("one", "two");
        jms.send(jms.queue(), "three");
        assertThat(inbox.next().text()).isEqualTo("three");
        inbox.assertNothingMore();
        connection.close();
        jms.assertEmpty(jms.queue());
    }

    /** Both kinds of consumers of one queue, on one connection: each message goes to one of them. */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§11.2.4", why = OPTIONAL)
    void connection_consumer_and_ordinary_consumer_share_a_queue(Jms jms) throws Exception {
        Inbox inbox = new Inbox();
        TestPool pool = new TestPool(jms);
        Connection connection = jms.connection();
        pool.with(2, connection, AUTO, session -> inbox);
        created(connection.createConnectionConsumer(jms.queue(), null, pool, 2));
        MessageConsumer ordinary = connection.createSession(AUTO).createConsumer(jms.queue());
        ordinary.setMessageListener(inbox);
        String[] texts = new String[40];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = "message " + i;
        }
        jms.send(jms.queue(), texts);
        assertThat(inbox.nextTexts(40)).containsExactlyInAnyOrder(texts);
        inbox.assertNothingMore();
    }
}
