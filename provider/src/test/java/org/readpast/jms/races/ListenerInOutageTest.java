package org.readpast.jms.races;

import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.MemoryFactories;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;

/** The database is away, and a listener tries again and again. */
@Timeout(180)
class ListenerInOutageTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final MemoryFactories factories = new MemoryFactories(this::away);

    private volatile boolean away;

    /** Whether a claim does not fail at once, but waits for a connection. */
    private volatile boolean waits;

    private final CountDownLatch back = new CountDownLatch(1);
    private final AtomicInteger attempts = new AtomicInteger();
    private final AtomicInteger delivered = new AtomicInteger();

    private MessageStore away(MessageStore store) {
        return Replaced.by(MessageStore.class, (method, args) -> {
            if (away && method.getName().equals("checkReachable")) {
                attempts.incrementAndGet();
                throw lost();
            }
            Object answer = Replaced.call(store, method, args);
            return answer instanceof StoreTransaction transaction ? away(transaction) : answer;
        });
    }

    private StoreTransaction away(StoreTransaction transaction) {
        return Replaced.by(StoreTransaction.class, (method, args) -> {
            if (away && method.getName().equals("claim")) {
                if (waits) {
                    attempts.addAndGet(2);
                    back.await();
                }
                transaction.rollback();
                throw lost();
            }
            return Replaced.call(transaction, method, args);
        });
    }

    private static StoreException lost() {
        return new StoreException(Failure.CONNECTION_LOST, "The database is away, as the test wants it", null);
    }

    /** It is the lock of the listeners of other databases too. */
    @Test
    void listener_does_not_wait_for_its_database_with_the_lock_of_its_session() throws Exception {
        try (Connection connection = factories
                        .factory("idleCloseMillis=0&recoveryDelayMillis=10&recoveryCeilingMillis=10")
                        .createConnection();
                Session sending = connection.createSession();
                Session session = connection.createSession()) {
            CountDownLatch told = new CountDownLatch(1);
            connection.setExceptionListener(problem -> told.countDown());
            Queue queue = session.createQueue("away." + UUID.randomUUID());
            session.createConsumer(queue).setMessageListener(message -> delivered.incrementAndGet());
            connection.start();

            away = true;
            sending.createProducer(queue).send(sending.createMessage());
            await().atMost(PATIENCE).until(() -> told.getCount() == 0);
            waits = true;
            int before = attempts.get();
            // The first one may have begun before.
            await().atMost(PATIENCE).until(() -> attempts.get() >= before + 2);
            try {
                CompletableFuture.runAsync(() -> stop(connection)).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            } finally {
                away = false;
                back.countDown();
            }
            connection.start();
            await().atMost(PATIENCE).until(() -> delivered.get() == 1);
        }
    }

    private static void stop(Connection connection) {
        try {
            connection.stop();
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }
}
