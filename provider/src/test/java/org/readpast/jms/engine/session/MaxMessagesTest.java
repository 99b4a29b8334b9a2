package org.readpast.jms.engine.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.ServerSession;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.MemoryFactories;

/** How many messages a connection consumer assigns to a session at one time. */
@Timeout(90)
class MaxMessagesTest {

    private static final int MOST = 4;

    private final MemoryFactories factories = new MemoryFactories();

    /** Of the session that is running, since when it was started last. */
    private final AtomicInteger delivered = new AtomicInteger();

    private final List<Integer> runs = new CopyOnWriteArrayList<>();

    private static void send(Connection connection, String queue, int priority, int count) throws JMSException {
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            producer.setPriority(priority);
            for (int i = 0; i < count; i++) {
                producer.send(session.createMessage());
            }
        }
    }

    private void run(Session session) {
        delivered.set(0);
        session.run();
        try {
            session.commit();
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
        runs.add(delivered.get());
    }

    /** The session holds what it has delivered, which is not among what a claim for it is to get. */
    @Test
    void session_gets_no_more_than_the_maximum_where_urgent_messages_come_while_it_runs() throws Exception {
        Semaphore free = new Semaphore(1);
        ExecutorService threads = Executors.newCachedThreadPool();
        try (Connection connection = factories.factory("idleCloseMillis=0").createConnection()) {
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            session.setMessageListener(message -> {
                if (delivered.incrementAndGet() == 1 && isOrdinary(message)) {
                    send(connection);
                }
            });
            ServerSession server = new ServerSession() {
                @Override
                public Session getSession() {
                    return session;
                }

                @Override
                public void start() {
                    threads.execute(() -> {
                        run(session);
                        free.release();
                    });
                }
            };
            Queue queue = session.createQueue("a");
            send(connection, "a", 4, 1);
            connection.createConnectionConsumer(
                    queue,
                    null,
                    () -> {
                        free.acquireUninterruptibly();
                        return server;
                    },
                    MOST);
            connection.start();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> runs.stream().mapToInt(Integer::intValue).sum() == 21);
            assertThat(runs).allSatisfy(messages -> assertThat(messages).isLessThanOrEqualTo(MOST));
            free.release(1_000);
        } finally {
            threads.shutdownNow();
        }
    }

    private static boolean isOrdinary(Message message) {
        try {
            return message.getJMSPriority() == 4;
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void send(Connection connection) {
        try {
            send(connection, "a", 9, 20);
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }
}
