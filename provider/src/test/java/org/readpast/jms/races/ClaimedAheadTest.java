package org.readpast.jms.races;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.MemoryFactories;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.MessageStore;

/** A session with two listeners, one of which takes turns with those of other sessions. */
@Timeout(180)
class ClaimedAheadTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** With one more, sessions take turns. */
    private static final int ALONE = 8;

    /** After so many calls that return at once a listener is known for it. */
    private static final int QUICK = 50;

    /** Claims are combined, as on a server. */
    private final MemoryFactories factories = new MemoryFactories(store -> Replaced.by(
            MessageStore.class,
            (method, args) -> method.getName().equals("isCombined") && args[0] instanceof ClaimRequest
                    ? true
                    : Replaced.call(store, method, args)));

    private static void send(Connection connection, String queue, int count) throws JMSException {
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            for (int i = 0; i < count; i++) {
                session.createProducer(session.createQueue(queue)).send(session.createMessage());
            }
        }
    }

    /** What was claimed ahead for a listener is free when it listens no more, though its session works for another one. */
    @Test
    void message_is_free_whose_listener_ends_while_its_session_takes_turns() throws Exception {
        AtomicBoolean isHalted = new AtomicBoolean();
        CountDownLatch mayReturn = new CountDownLatch(1);
        AtomicInteger halted = new AtomicInteger();
        List<AtomicInteger> counts = new ArrayList<>();
        try (Connection others = factories.factory("idleCloseMillis=0").createConnection();
                Connection connection = factories.factory("idleCloseMillis=0").createConnection()) {
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            MessageConsumer ending = session.createConsumer(session.createQueue("ending"));
            AtomicInteger ends = new AtomicInteger();
            ending.setMessageListener(message -> {
                if (ends.incrementAndGet() == 2) {
                    end(ending);
                }
            });
            for (int i = 0; i <= ALONE; i++) {
                Session listening = i == 0 ? session : others.createSession(Session.AUTO_ACKNOWLEDGE);
                AtomicInteger count = new AtomicInteger();
                counts.add(count);
                listening.createConsumer(listening.createQueue("shared")).setMessageListener(message -> {
                    count.incrementAndGet();
                    if (isHalted.get()) {
                        halted.incrementAndGet();
                        await().atMost(PATIENCE).until(() -> mayReturn.getCount() == 0);
                    }
                });
            }
            others.start();
            connection.start();
            for (int sent = 0; counts.stream().anyMatch(count -> count.get() < QUICK); sent += QUICK) {
                int all = sent + QUICK;
                send(others, "shared", QUICK);
                await().atMost(PATIENCE)
                        .pollInterval(Duration.ofMillis(1))
                        .until(() ->
                                counts.stream().mapToInt(AtomicInteger::get).sum() == all);
            }
            connection.stop();
            isHalted.set(true);
            send(others, "shared", ALONE);
            await().atMost(PATIENCE).until(() -> halted.get() == ALONE);
            send(others, "shared", 1);
            // Behind the first one it only looks, since there was no more when it handled one before.
            send(others, "ending", 3);
            connection.start();
            await().atMost(PATIENCE).until(() -> halted.get() > ALONE);
            try (Session receiving = others.createSession(Session.AUTO_ACKNOWLEDGE)) {
                MessageConsumer consumer = receiving.createConsumer(receiving.createQueue("ending"));
                assertThat(consumer.receiveNoWait()).isNotNull();
            } finally {
                mayReturn.countDown();
            }
        }
    }

    private static void end(MessageConsumer consumer) {
        try {
            consumer.setMessageListener(null);
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }
}
