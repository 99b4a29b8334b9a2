package org.readpast.jms.engine.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.MemoryFactories;

/** What closing waits for has everything at its service until it returns (§7.3.4). */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class CallbackWhileClosingTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final MemoryFactories factories = new MemoryFactories();

    /** A callback that goes on as soon as its session is being closed. */
    private static final class Callback implements CompletionListener {

        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch leave = new CountDownLatch(1);
        private final CompletableFuture<Void> outcome = new CompletableFuture<>();
        private final ThrowingRunnable action;

        Callback(ThrowingRunnable action) {
            this.action = action;
        }

        @Override
        public void onCompletion(Message message) {
            try {
                entered.countDown();
                leave.await();
                action.run();
                outcome.complete(null);
            } catch (Throwable e) {
                outcome.completeExceptionally(e);
            }
        }

        @Override
        public void onException(Message message, Exception exception) {
            outcome.completeExceptionally(exception);
        }

        /** @param use is refused from when closing has begun */
        void assertCompletes(AutoCloseable closed, ThrowingRunnable use) throws Exception {
            entered.await();
            CompletableFuture<Void> closing = CompletableFuture.runAsync(() -> {
                try {
                    closed.close();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            Awaitility.await().atMost(PATIENCE).until(() -> isRefused(use));
            leave.countDown();
            closing.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(outcome).isCompleted();
        }

        private static boolean isRefused(ThrowingRunnable use) throws Exception {
            try {
                use.run();
                return false;
            } catch (IllegalStateException | IllegalStateRuntimeException e) {
                return true;
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        }
    }

    private void assertSent(int count) throws JMSException {
        try (Connection connection = factories.factory("").createConnection();
                Session session = connection.createSession()) {
            connection.start();
            for (int i = 0; i < count; i++) {
                assertThat(session.createConsumer(session.createQueue("sent")).receive(PATIENCE.toMillis()))
                        .isNotNull();
            }
        }
    }

    private static Callback sendingAgain(Session session, MessageProducer producer) throws JMSException {
        Callback callback = new Callback(() -> {
            producer.send(session.createTextMessage("second"));
            session.createProducer(session.createQueue("sent")).send(session.createMessage());
        });
        producer.send(session.createTextMessage("first"), callback);
        return callback;
    }

    @Test
    void may_use_its_session_that_is_being_closed() throws Exception {
        try (Connection connection = factories.factory("").createConnection()) {
            Session session = connection.createSession();
            MessageProducer producer = session.createProducer(session.createQueue("sent"));
            sendingAgain(session, producer).assertCompletes(session, session::createMessage);
            assertThatThrownBy(session::createMessage).isInstanceOf(IllegalStateException.class);
            assertSent(3);
        }
    }

    /** As a sender does that has so many sends under way and no more. */
    @Test
    void cannot_put_off_the_end_by_sending_on_and_on() throws Exception {
        try (Connection connection = factories.factory("").createConnection()) {
            Session session = connection.createSession();
            MessageProducer producer = session.createProducer(session.createQueue("sent"));
            CountDownLatch refused = new CountDownLatch(1);
            CompletionListener endless = new CompletionListener() {
                @Override
                public void onCompletion(Message message) {
                    try {
                        producer.send(message, this);
                    } catch (JMSException e) {
                        refused.countDown();
                    }
                }

                @Override
                public void onException(Message message, Exception exception) {
                    refused.countDown();
                }
            };
            producer.send(session.createMessage(), endless);
            session.close();
            assertThat(refused.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void may_use_its_session_whose_connection_is_being_closed() throws Exception {
        try (Connection open = factories.factory("").createConnection()) {
            Connection connection = factories.factory("").createConnection();
            Session session = connection.createSession();
            MessageProducer producer = session.createProducer(session.createQueue("sent"));
            Callback callback = new Callback(() -> {
                producer.send(session.createTextMessage("second"));
                try (Session another = connection.createSession()) {
                    another.createProducer(another.createQueue("sent")).send(another.createMessage());
                }
            });
            producer.send(session.createTextMessage("first"), callback);
            MessageProducer others = session.createProducer(session.createQueue("others"));
            Callback another = new Callback(() -> {});
            another.leave.countDown();
            // Who sends on and on does not keep it from being closed.
            callback.assertCompletes(connection, () -> others.send(session.createMessage(), another));
            assertThatThrownBy(session::createMessage).isInstanceOf(IllegalStateException.class);
            open.createSession();
            assertSent(3);
        }
    }

    /**
     * Which waits for the callback, for longer than the test does.
     *
     * @param early whether the callback closes it before the listener begins to wait
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void may_close_another_consumer_of_its_session_while_a_listener_waits_for_it(boolean early) throws Exception {
        try (Connection connection =
                        factories.factory("closeTimeoutMillis=70000").createConnection();
                Session session = connection.createSession()) {
            MessageConsumer another = session.createConsumer(session.createQueue("another"));
            CompletableFuture<Void> outcome = new CompletableFuture<>();
            session.createConsumer(session.createQueue("sent")).setMessageListener(message -> {
                try {
                    Callback callback = new Callback(another::close);
                    MessageProducer producer = session.createProducer(session.createQueue("answers"));
                    producer.send(session.createMessage(), callback);
                    if (early) {
                        callback.leave.countDown();
                        Awaitility.await()
                                .atMost(PATIENCE)
                                .until(() -> Callback.isRefused(another::getMessageSelector));
                    }
                    callback.leave.countDown();
                    producer.close();
                    callback.outcome.get();
                    outcome.complete(null);
                } catch (Exception e) {
                    outcome.completeExceptionally(e);
                }
            });
            connection.start();
            session.createProducer(session.createQueue("sent")).send(session.createMessage());
            outcome.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Test
    void may_use_its_context_that_is_being_closed() throws Exception {
        try (JMSContext open = factories.factory("").createContext()) {
            JMSContext context = open.createContext(JMSContext.AUTO_ACKNOWLEDGE);
            JMSProducer producer = context.createProducer();
            Callback callback = new Callback(() -> context.createProducer()
                    .setProperty("n", 2)
                    .send(context.createQueue("sent"), context.createTextMessage("second")));
            producer.setAsync(callback).send(context.createQueue("sent"), "first");
            callback.assertCompletes(context, context::createMessage);
            assertThatThrownBy(context::createMessage).isInstanceOf(IllegalStateRuntimeException.class);
            assertSent(2);
        }
    }
}
