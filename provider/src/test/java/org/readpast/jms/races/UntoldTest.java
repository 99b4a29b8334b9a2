package org.readpast.jms.races;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.MemoryFactories;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.Presence;

/** Others cannot be told of what was committed, and it is committed all the same. */
@Timeout(120)
class UntoldTest {

    private static final int MANY = 20;

    private final MemoryFactories factories = new MemoryFactories(this::untold);
    private final AtomicInteger attempts = new AtomicInteger();
    private volatile boolean fails;
    private Connection connection;
    private Session session;

    /** The same store, used by another JVM too, for which the bell cannot be rung. */
    private MessageStore untold(MessageStore store) {
        return Replaced.by(MessageStore.class, (method, args) -> {
            if (method.getName().equals("hasBell") && fails) {
                attempts.incrementAndGet();
                throw new InternalError("made to fail");
            }
            Object made = Replaced.call(store, method, args);
            return made instanceof Presence presence
                    ? Replaced.by(
                            Presence.class,
                            (step, with) -> step.getName().equals("others")
                                    ? List.of(new Presence.Other("other", "there", null))
                                    : Replaced.call(presence, step, with))
                    : made;
        });
    }

    @BeforeEach
    void connect() throws Exception {
        connection = factories.factory("idleCloseMillis=0").createConnection();
        connection.start();
        session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
        fails = true;
    }

    @AfterEach
    void close() throws Exception {
        fails = false;
        connection.close();
    }

    private MessageProducer producer(Session of) throws JMSException {
        return of.createProducer(of.createQueue("a"));
    }

    private int received() throws JMSException {
        MessageConsumer consumer = session.createConsumer(session.createQueue("a"));
        int received = 0;
        while (consumer.receiveNoWait() != null) {
            received++;
        }
        return received;
    }

    @Test
    void send_does_not_fail_of_which_nobody_can_be_told() throws Exception {
        producer(session).send(session.createMessage());
        assertThat(attempts).hasPositiveValue();
        assertThat(received()).isOne();
    }

    @Test
    void commit_does_not_fail_of_which_nobody_can_be_told() throws Exception {
        Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
        producer(transacted).send(transacted.createMessage());
        producer(transacted).send(transacted.createMessage());
        transacted.commit();
        assertThat(attempts).hasPositiveValue();
        assertThat(received()).isEqualTo(2);
    }

    @Test
    void asynchronous_sends_of_which_nobody_can_be_told_are_stored_once_and_completed() throws Exception {
        Queue<String> told = new ConcurrentLinkedQueue<>();
        MessageProducer producer = producer(session);
        for (int i = 0; i < MANY; i++) {
            producer.send(session.createMessage(), new CompletionListener() {
                @Override
                public void onCompletion(Message message) {
                    told.add("sent");
                }

                @Override
                public void onException(Message message, Exception problem) {
                    told.add(problem.toString());
                }
            });
        }
        await().atMost(Duration.ofSeconds(60)).until(() -> told.size() == MANY);
        assertThat(told).containsOnly("sent");
        assertThat(attempts).hasPositiveValue();
        assertThat(received()).isEqualTo(MANY);
    }
}
