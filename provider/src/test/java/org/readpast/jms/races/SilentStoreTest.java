package org.readpast.jms.races;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.JMSException;
import jakarta.jms.ServerSession;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.MemoryFactories;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.StoreTransaction;

/** The database does not answer, and closing comes back all the same. */
@Timeout(120)
class SilentStoreTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final MemoryFactories factories = new MemoryFactories(this::silent);
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch answers = new CountDownLatch(1);

    /** The same store, in which a claim is not answered. */
    private MessageStore silent(MessageStore store) {
        return Replaced.by(MessageStore.class, (method, args) -> {
            Object made = Replaced.call(store, method, args);
            return made instanceof StoreTransaction transaction
                    ? Replaced.by(StoreTransaction.class, (step, with) -> {
                        if (step.getName().equals("claim")) {
                            asked.countDown();
                            answers.await();
                        }
                        return Replaced.call(transaction, step, with);
                    })
                    : made;
        });
    }

    private static String problemOf(ConnectionConsumer closing) {
        try {
            closing.close();
            return "none";
        } catch (JMSException e) {
            return e.getMessage();
        }
    }

    @Test
    void close_of_a_connection_consumer_does_not_wait_for_ever_for_its_claim() throws Exception {
        try (Connection connection =
                factories.factory("idleCloseMillis=0&closeTimeoutMillis=2000").createConnection()) {
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            session.setMessageListener(message -> {});
            ServerSession server = new ServerSession() {
                @Override
                public Session getSession() {
                    return session;
                }

                @Override
                public void start() {
                    // Nothing is assigned to it.
                }
            };
            ConnectionConsumer consumer =
                    connection.createConnectionConsumer(session.createQueue("a"), null, () -> server, 1);
            connection.start();
            await().atMost(PATIENCE).until(() -> asked.getCount() == 0);
            FutureTask<String> problem = new FutureTask<>(() -> problemOf(consumer));
            new Thread(problem).start();
            try {
                await().atMost(PATIENCE).until(problem::isDone);
                assertThat(problem.get()).contains("closeTimeoutMillis");
            } finally {
                answers.countDown();
            }
            // What is left of closing is done.
            await().atMost(PATIENCE).until(() -> problemOf(consumer).equals("none"));
        }
    }
}
