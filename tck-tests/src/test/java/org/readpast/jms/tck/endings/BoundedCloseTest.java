package org.readpast.jms.tck.endings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.tck.harness.CasesFrom;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Inbox;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.ReadpastOptions;

/**
 * Closing comes back though a listener does not, says so, and does the rest when that one returns after all. All else is closed as patiently
 * as usual.
 */
@ReadpastOptions("closeTimeoutMillis=60000")
class BoundedCloseTest {

    private static Connection impatient(Jms jms) throws JMSException {
        return jms.target().connectionFactoryWith("closeTimeoutMillis=500").createConnection();
    }

    private record Closed(String name, What what) {
        @Override
        public String toString() {
            return name;
        }
    }

    @FunctionalInterface
    private interface What {
        AutoCloseable of(Connection connection, Session session, MessageConsumer consumer, MessageProducer producer);
    }

    private static final Closed CONNECTION =
            new Closed("connection", (connection, session, consumer, producer) -> connection);
    private static final Closed SESSION = new Closed("session", (connection, session, consumer, producer) -> session);
    private static final Closed CONSUMER =
            new Closed("consumer", (connection, session, consumer, producer) -> consumer);
    private static final Closed PRODUCER =
            new Closed("producer", (connection, session, consumer, producer) -> producer);

    static List<Closed> withMessageListener() {
        return List.of(CONNECTION, SESSION, CONSUMER);
    }

    static List<Closed> withCompletionListener() {
        return List.of(CONNECTION, SESSION, PRODUCER);
    }

    @ContractTest
    @CasesFrom("withMessageListener")
    void close_does_not_wait_for_ever_for_a_listener(Jms jms, Closed closed) throws Exception {
        Connection connection = impatient(jms);
        Session session = connection.createSession();
        Session idle = connection.createSession();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        Inbox inbox = new Inbox(message -> {
            entered.countDown();
            leave.await();
        });
        consumer.setMessageListener(inbox);
        idle.createConsumer(jms.queue("idle")).setMessageListener(new Inbox());
        connection.start();
        jms.send(jms.queue(), "one", "two");
        assertThat(entered.await(Jms.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

        AutoCloseable stuck = closed.what().of(connection, session, consumer, null);
        assertThatThrownBy(stuck::close)
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("a listener")
                .hasMessageContaining("closeTimeoutMillis");

        leave.countDown();
        assertThat(inbox.next().text()).isEqualTo("one");
        inbox.assertNothingMore();
        await().atMost(Jms.PATIENCE).until(() -> Jms.isClosed(connection));
        jms.target().assertNothingLeft();
        jms.assertHolds(jms.queue(), "two");
    }

    @ContractTest
    @CasesFrom("withCompletionListener")
    void close_does_not_wait_for_ever_for_a_completion_listener(Jms jms, Closed closed) throws Exception {
        Connection connection = impatient(jms);
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(jms.queue());
        CountDownLatch leave = new CountDownLatch(1);
        producer.send(session.createTextMessage("one"), new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                try {
                    leave.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }

            @Override
            public void onException(Message message, Exception exception) {
                throw new AssertionError(exception);
            }
        });

        AutoCloseable stuck = closed.what().of(connection, session, null, producer);
        assertThatThrownBy(stuck::close)
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("CompletionListener")
                .hasMessageContaining("closeTimeoutMillis");

        leave.countDown();
        await().atMost(Jms.PATIENCE).until(() -> Jms.isClosed(connection));
        jms.target().assertNothingLeft();
        jms.assertHolds(jms.queue(), "one");
    }
}
