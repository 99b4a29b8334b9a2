package org.readpast.jms.tck.endings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.readpast.jms.tck.harness.CasesFrom;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Elsewhere;
import org.readpast.jms.tck.harness.Inbox;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.ReadpastOptions;
import org.readpast.jms.tck.rig.Threads;

/** Closing is done to its end: interrupted or not, twice at a time, while listeners are running and wait for each other. */
@ReadpastOptions("notification=false")
class ClosingTest {

    @FunctionalInterface
    private interface Callback {
        void on(Message message) throws Exception;
    }

    private static CompletionListener completion(Callback callback) {
        return new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                try {
                    callback.on(message);
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }

            @Override
            public void onException(Message message, Exception exception) {
                throw new AssertionError(exception);
            }
        };
    }

    private static void awaitLatch(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(Jms.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    /** Closes and returns whether the interrupt that was there, or came meanwhile, is there afterwards. */
    private static boolean isInterruptedAfter(AutoCloseable closing) throws Exception {
        closing.close();
        return Thread.interrupted();
    }

    @ContractTest
    void interrupt_while_closing_waits_for_a_completion_leaves_nothing_behind(Jms jms) throws Exception {
        jms.send(jms.queue(), "held");
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        jms.receive(session.createConsumer(jms.queue()));
        CountDownLatch release = new CountDownLatch(1);
        session.createProducer(jms.queue("other"))
                .send(session.createTextMessage("sent"), completion(message -> release.await()));
        AtomicReference<Thread> closer = new AtomicReference<>();
        Elsewhere<Boolean> closing = jms.elsewhere(() -> {
            closer.set(Thread.currentThread());
            return isInterruptedAfter(session);
        });
        closing.awaitInside("close");

        closer.get().interrupt();

        closing.assertKeepsRunning();
        release.countDown();
        assertThat(closing.result()).as("the interrupt is kept").isTrue();
        jms.assertHolds(jms.queue(), "held");
    }

    /** What a listener does that waits for the completion listeners of its session. */
    private record Waiting(String name, int mode, Listening listening) {
        @Override
        public String toString() {
            return name;
        }
    }

    @FunctionalInterface
    private interface Listening {
        void to(Session session, MessageProducer asynchronous) throws Exception;
    }

    static List<Waiting> waits() {
        return List.of(
                new Waiting("commit", Session.SESSION_TRANSACTED, (session, producer) -> session.commit()),
                new Waiting(
                        "close of the producer", Session.CLIENT_ACKNOWLEDGE, (session, producer) -> producer.close()),
                new Waiting(
                        "close of the producer of a transaction",
                        Session.SESSION_TRANSACTED,
                        (session, producer) -> producer.close()));
    }

    /** The listener has the session while it waits, and its completion listener needs it: it is lent. */
    @ContractTest
    @CasesFrom("waits")
    void completion_listener_may_use_the_session_while_the_listener_waits_for_it(Jms jms, Waiting waiting)
            throws Exception {
        Connection connection = jms.connection();
        Session session = connection.createSession(waiting.mode());
        CountDownLatch waited = new CountDownLatch(1);
        Inbox inbox = new Inbox(received -> {
            MessageProducer asynchronous = session.createProducer(jms.queue("first"));
            MessageProducer inCallback = session.createProducer(jms.queue("second"));
            asynchronous.send(session.createTextMessage("asynchronous"), completion(sent -> {
                inCallback.send(session.createTextMessage("by the callback"));
                received.acknowledge();
            }));
            waiting.listening().to(session, asynchronous);
            if (session.getTransacted()) {
                session.commit();
            }
            waited.countDown();
        });
        session.createConsumer(jms.queue()).setMessageListener(inbox);
        jms.send(jms.queue(), "one");
        awaitLatch(waited);
        inbox.next();
        inbox.assertNothingMore();
        connection.close();
        jms.assertHolds(jms.queue("first"), "asynchronous");
        jms.assertHolds(jms.queue("second"), "by the callback");
        jms.assertEmpty(jms.queue());
    }

    /** Some listener's session, and others that it may use until it returns (§6.1.8). */
    @ContractTest
    void closing_the_connection_takes_no_session_from_a_listener_that_runs(Jms jms) throws Exception {
        Connection connection = jms.connection();
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        List<Session> others = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            others.add(connection.createSession(Session.SESSION_TRANSACTED));
        }
        Inbox inbox = new Inbox(message -> {
            entered.countDown();
            leave.await();
            for (Session other : others) {
                other.createProducer(jms.queue("answers")).send(other.createTextMessage("answer"));
                other.commit();
            }
            connection.createSession().close();
        });
        connection.createSession().createConsumer(jms.queue()).setMessageListener(inbox);
        jms.send(jms.queue(), "one");
        awaitLatch(entered);
        Elsewhere<Void> closing = jms.elsewhere(() -> {
            connection.close();
            return null;
        });
        closing.awaitInside("close");
        closing.assertKeepsRunning();
        leave.countDown();
        closing.result();

        inbox.next();
        inbox.assertNothingMore();
        jms.assertEmpty(jms.queue());
        jms.assertHolds(
                jms.queue("answers"),
                IntStream.range(0, 20).mapToObj(i -> "answer").toArray(String[]::new));
    }

    static List<String> closeables() {
        return List.of("connection", "session");
    }

    @ContractTest
    @CasesFrom("closeables")
    void whoever_closes_second_waits_as_well(Jms jms, String what) throws Exception {
        Connection connection = jms.connection();
        Session session = connection.createSession();
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        session.createConsumer(jms.queue()).setMessageListener(new Inbox(message -> {
            entered.countDown();
            leave.await();
        }));
        jms.send(jms.queue(), "one");
        awaitLatch(entered);
        AutoCloseable closed = what.equals("session") ? session : connection;
        Elsewhere<Boolean> first = jms.elsewhere(() -> isInterruptedAfter(closed));
        first.awaitInside("close");
        Elsewhere<Boolean> second = jms.elsewhere(() -> isInterruptedAfter(closed));
        second.awaitInside("close");
        second.assertKeepsRunning();
        leave.countDown();
        assertThat(first.result()).isFalse();
        assertThat(second.result()).isFalse();
        jms.assertEmpty(jms.queue());
    }

    @ContractTest
    void whoever_closes_a_context_second_waits_as_well(Jms jms) throws Exception {
        JMSContext context = jms.context();
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        context.createConsumer(jms.queue()).setMessageListener(new Inbox(message -> {
            entered.countDown();
            leave.await();
        }));
        jms.send(jms.queue(), "one");
        awaitLatch(entered);
        Elsewhere<Boolean> first = jms.elsewhere(() -> isInterruptedAfter(context));
        first.awaitInside("close");
        Elsewhere<Boolean> second = jms.elsewhere(() -> isInterruptedAfter(context));
        second.awaitInside("close");
        second.assertKeepsRunning();
        leave.countDown();
        assertThat(first.result()).isFalse();
        assertThat(second.result()).isFalse();
    }

    @ContractTest
    void session_that_is_created_as_the_connection_closes_is_closed(Jms jms) throws Exception {
        for (int i = 0; i < 50; i++) {
            Connection connection = jms.connection();
            List<Session> created = new ArrayList<>();
            CountDownLatch begun = new CountDownLatch(1);
            Elsewhere<Exception> creating = jms.elsewhere(() -> {
                try {
                    while (true) {
                        created.add(connection.createSession());
                        begun.countDown();
                    }
                } catch (IllegalStateException closed) {
                    return closed;
                }
            });
            awaitLatch(begun);
            connection.close();
            creating.result();
            assertThat(created)
                    .allSatisfy(session ->
                            assertThatThrownBy(session::createMessage).isInstanceOf(IllegalStateException.class));
        }
    }

    @ContractTest
    void session_that_is_closed_as_its_first_listener_is_set_leaves_no_thread(Jms jms) throws Exception {
        Connection connection = jms.connection();
        Inbox inbox = new Inbox();
        for (int i = 0; i < 100; i++) {
            Session session = connection.createSession();
            MessageConsumer consumer = session.createConsumer(jms.queue());
            CountDownLatch begun = new CountDownLatch(1);
            Elsewhere<Exception> setting = jms.elsewhere(() -> {
                begun.countDown();
                try {
                    consumer.setMessageListener(inbox);
                    return null;
                } catch (IllegalStateException closed) {
                    return closed;
                }
            });
            awaitLatch(begun);
            session.close();
            setting.result();
        }
        // The connection is open: closing it would end them all.
        await().atMost(Duration.ofSeconds(30))
                .until(() -> Threads.named("readpast-session-").isEmpty());
    }

    @ContractTest
    void closed_connection_leaves_no_thread(Jms jms) throws Exception {
        Connection connection = jms.connection();
        connection.setExceptionListener(problem -> {});
        CountDownLatch completed = new CountDownLatch(1);
        Inbox inbox = new Inbox();
        for (int mode : new int[] {Session.AUTO_ACKNOWLEDGE, Session.SESSION_TRANSACTED}) {
            Session session = connection.createSession(mode);
            session.createConsumer(jms.queue()).setMessageListener(inbox);
        }
        Session sending = connection.createSession();
        sending.createProducer(jms.queue())
                .send(sending.createTextMessage("one"), completion(message -> completed.countDown()));
        awaitLatch(completed);
        inbox.next();
        connection.close();
        jms.target().assertNothingLeft();
    }
}
