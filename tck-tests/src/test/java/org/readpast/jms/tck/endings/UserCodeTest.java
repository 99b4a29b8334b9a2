package org.readpast.jms.tck.endings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.ServerSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.readpast.jms.tck.harness.CasesFrom;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Inbox;
import org.readpast.jms.tck.harness.Inbox.Heard;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.ReadpastOptions;

/** Whatever the application's code throws, and whatever it does to its thread, concerns one delivery and not its session. */
@ReadpastOptions("redelivery.maximumDeliveries=3&redelivery.deadLetterDestination=DLQ.*&recoveryDelayMillis=10")
class UserCodeTest {

    /** Something that a listener may do. */
    private record Misdeed(String name, Runnable deed) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** Of which nothing can be told. */
    private static final class Untold extends Error {

        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new Untold();
        }
    }

    private static final Misdeed ERROR = new Misdeed("error", () -> {
        throw new AssertionError("an assertion of the application's");
    });

    static List<Misdeed> misdeeds() {
        return List.of(
                ERROR,
                new Misdeed("deep recursion", () -> {
                    throw new StackOverflowError("the application's");
                }),
                new Misdeed("missing class", () -> {
                    throw new NoClassDefFoundError("org/example/Missing");
                }),
                new Misdeed("error that cannot be told", () -> {
                    throw new Untold();
                }),
                new Misdeed("checked exception", () -> {
                    throw Thrown.sneakily(new IOException("not declared"));
                }));
    }

    static List<Integer> modes() {
        return List.of(
                Session.AUTO_ACKNOWLEDGE,
                Session.DUPS_OK_ACKNOWLEDGE,
                Session.CLIENT_ACKNOWLEDGE,
                Session.SESSION_TRANSACTED);
    }

    static List<Integer> acknowledging() {
        return List.of(Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE);
    }

    private static BlockingQueue<JMSException> told(Connection connection) throws JMSException {
        BlockingQueue<JMSException> told = new LinkedBlockingQueue<>();
        connection.setExceptionListener(told::add);
        return told;
    }

    private static JMSException next(BlockingQueue<JMSException> told) throws InterruptedException {
        JMSException next = told.poll(Jms.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(next).as("what the exception listener is told").isNotNull();
        return next;
    }

    @ContractTest
    @CasesFrom("modes")
    void error_of_a_listener_does_not_end_its_session(Jms jms, Integer mode) throws Exception {
        Connection connection = jms.stoppedConnection();
        BlockingQueue<JMSException> told = told(connection);
        AtomicInteger errors = new AtomicInteger();
        Inbox inbox = new Inbox(message -> {
            if (Jms.text(message).equals("two") && errors.getAndIncrement() == 0) {
                throw new AssertionError("an assertion of the application's");
            }
        });
        connection.createSession(mode).createConsumer(jms.queue()).setMessageListener(inbox);
        jms.send(jms.queue(), "one", "two", "three", "four", "five");
        connection.start();

        List<String> heard = new ArrayList<>(inbox.nextTexts(5));
        boolean acknowledgesByItself = mode == Session.AUTO_ACKNOWLEDGE || mode == Session.DUPS_OK_ACKNOWLEDGE;
        if (acknowledgesByItself) {
            heard.addAll(inbox.nextTexts(1));
        }

        assertThat(heard).contains("one", "two", "three", "four", "five").hasSize(acknowledgesByItself ? 6 : 5);
        assertThat(next(told)).hasRootCauseInstanceOf(AssertionError.class).hasMessageContaining("listener");
    }

    @ContractTest
    @CasesFrom("misdeeds")
    void message_whose_listener_always_fails_is_counted_and_becomes_a_dead_letter(Jms jms, Misdeed misdeed)
            throws Exception {
        Connection connection = jms.connection();
        BlockingQueue<JMSException> told = told(connection);
        Inbox inbox = new Inbox();
        connection.createSession().createConsumer(jms.queue()).setMessageListener(message -> {
            inbox.onMessage(message);
            misdeed.deed().run();
        });
        jms.send(jms.queue(), "one");

        assertThat(List.of(inbox.next(), inbox.next(), inbox.next()))
                .extracting(Heard::deliveryCount)
                .containsExactly(1, 2, 3);
        Session session = jms.session();
        Queue deadLetters = session.createQueue("DLQ." + jms.queue().getQueueName());
        assertThat(jms.receiveText(session.createConsumer(deadLetters))).isEqualTo("one");
        for (int i = 0; i < 3; i++) {
            assertThat(next(told)).hasRootCauseInstanceOf(Throwable.class);
        }
    }

    private static Queue queueWithoutDeadLetters(Jms jms) {
        String name = jms.uniqueName("long");
        // DLQ.* makes it longer than a name may be.
        return jms.context().createQueue(name + "x".repeat(398 - name.length()));
    }

    @ContractTest
    @CasesFrom("acknowledging")
    void message_for_which_there_is_no_dead_letter_queue_is_counted_kept_and_told_of(Jms jms, Integer mode)
            throws Exception {
        Queue queue = queueWithoutDeadLetters(jms);
        Connection connection = jms.connection();
        BlockingQueue<JMSException> told = told(connection);
        Inbox inbox = new Inbox();
        connection.createSession(mode).createConsumer(queue).setMessageListener(message -> {
            inbox.onMessage(message);
            throw new IllegalStateException("the application's");
        });
        jms.send(queue, "one");

        assertThat(List.of(inbox.next(), inbox.next(), inbox.next()))
                .extracting(Heard::deliveryCount)
                .containsExactly(1, 2, 3);
        assertThat(next(told)).isInstanceOf(InvalidDestinationException.class).hasMessageContaining("DLQ.");
        connection.close();
        assertThat(Jms.text((Message)
                        jms.session().createBrowser(queue).getEnumeration().nextElement()))
                .isEqualTo("one");
    }

    @ContractTest
    void rollback_counts_all_though_there_is_no_dead_letter_queue_for_some(Jms jms) throws Exception {
        Queue queue = queueWithoutDeadLetters(jms);
        Session session = jms.transacted();
        MessageConsumer consumer = session.createConsumer(queue);
        jms.send(queue, "one");
        for (int i = 1; i < 3; i++) {
            assertThat(jms.receive(consumer).getIntProperty("JMSXDeliveryCount"))
                    .isEqualTo(i);
            session.rollback();
        }
        jms.send(queue, "two");
        assertThat(jms.receiveTexts(consumer, 2)).containsExactly("one", "two");
        session.rollback();
        assertThatThrownBy(() -> consumer.receive(Jms.PATIENCE.toMillis()))
                .isInstanceOf(InvalidDestinationException.class)
                .hasMessageContaining("DLQ.");
        assertThat(jms.receive(consumer).getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
    }

    @ContractTest
    @CasesFrom("modes")
    void listener_that_interrupts_its_thread_goes_on(Jms jms, Integer mode) throws Exception {
        Session session = jms.session(mode);
        Inbox inbox = new Inbox(message -> Thread.currentThread().interrupt());
        session.createConsumer(jms.queue()).setMessageListener(inbox);
        jms.send(jms.queue(), "one", "two");
        assertThat(inbox.nextTexts(2)).containsExactly("one", "two");
        jms.send(jms.queue(), "three");
        assertThat(inbox.nextTexts(1)).containsExactly("three");
    }

    /** Keeps count of its calls, and does something at each. */
    private static final class Completions implements CompletionListener {
        private final CountDownLatch calls;
        private final Runnable deed;

        Completions(int calls, Runnable deed) {
            this.calls = new CountDownLatch(calls);
            this.deed = deed;
        }

        @Override
        public void onCompletion(Message message) {
            calls.countDown();
            deed.run();
        }

        @Override
        public void onException(Message message, Exception exception) {
            calls.countDown();
            deed.run();
        }
    }

    private static void assertAllAreCompleted(Jms jms, int mode, Runnable deed) throws Exception {
        Connection connection = jms.connection();
        Session session = connection.createSession(mode);
        MessageProducer producer = session.createProducer(jms.queue());
        Completions completions = new Completions(5, deed);
        for (String text : List.of("one", "two", "three", "four", "five")) {
            producer.send(session.createTextMessage(text), completions);
        }
        if (mode == Session.SESSION_TRANSACTED) {
            session.commit();
        }
        assertThat(completions.calls.await(Jms.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as("all are completed")
                .isTrue();
        connection.close();
        jms.assertHolds(jms.queue(), "one", "two", "three", "four", "five");
    }

    @ContractTest
    @CasesFrom("misdeeds")
    void completion_listener_that_throws_stops_no_other_send(Jms jms, Misdeed misdeed) throws Exception {
        assertAllAreCompleted(jms, Session.AUTO_ACKNOWLEDGE, misdeed.deed());
    }

    @ContractTest
    void completion_listener_of_a_transaction_may_throw_too(Jms jms) throws Exception {
        assertAllAreCompleted(jms, Session.SESSION_TRANSACTED, ERROR.deed());
    }

    @ContractTest
    void completion_listener_that_interrupts_its_thread_stops_no_other_send(Jms jms) throws Exception {
        assertAllAreCompleted(
                jms, Session.AUTO_ACKNOWLEDGE, () -> Thread.currentThread().interrupt());
    }

    @ContractTest
    void completion_listeners_error_is_told(Jms jms) throws Exception {
        Connection connection = jms.connection();
        BlockingQueue<JMSException> told = told(connection);
        Session session = connection.createSession();
        session.createProducer(jms.queue()).send(session.createTextMessage("one"), new Completions(1, ERROR.deed()));
        assertThat(next(told)).hasRootCauseInstanceOf(AssertionError.class).hasMessageContaining("CompletionListener");
    }

    @ContractTest
    void exception_listener_that_throws_is_told_of_the_next_trouble(Jms jms) throws Exception {
        Connection connection = jms.connection();
        CountDownLatch calls = new CountDownLatch(3);
        connection.setExceptionListener(problem -> {
            calls.countDown();
            throw new AssertionError("the exception listener's own");
        });
        connection
                .createSession()
                .createConsumer(jms.queue())
                .setMessageListener(new Inbox(message -> ERROR.deed().run()));
        jms.send(jms.queue(), "one");
        assertThat(calls.await(Jms.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    /** §11.2.3: what the application server throws does not end the connection consumer. */
    @ContractTest
    void server_session_pool_that_throws_is_asked_again(Jms jms) throws Exception {
        Connection connection = jms.connection();
        Inbox inbox = new Inbox();
        Session session = connection.createSession();
        session.setMessageListener(inbox);
        AtomicInteger asked = new AtomicInteger();
        ServerSessionPool pool = () -> {
            if (asked.getAndIncrement() == 0) {
                throw Thrown.sneakily(new IOException("not declared"));
            }
            return new ServerSession() {
                @Override
                public Session getSession() {
                    return session;
                }

                @Override
                public void start() {
                    session.run();
                }
            };
        };
        connection.createConnectionConsumer(jms.queue(), null, pool, 1);
        jms.send(jms.queue(), "one");
        assertThat(inbox.next().text()).isEqualTo("one");
    }
}
