package org.readpast.jms.races;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.readpast.jms.MemoryFactories;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.MessageStore;

/**
 * Listeners of one queue that are combined at one moment and listen each for himself at the next: each gets the messages of each sender in the
 * order in which they were sent (§6.2.9), whatever the threads do.
 */
@Timeout(180)
class ListenersInOrderTest {

    private static final int LISTENERS = 24;
    private static final int SENDERS = 3;
    private static final int EACH = 600;

    /** Not moved to a lease without need, nor read with the claim where little is. */
    private static final String LONG = "x".repeat(5_000);

    private final MemoryFactories factories = new MemoryFactories(ListenersInOrderTest::combining);
    private final Random random = new Random();
    private final String queue = "order." + UUID.randomUUID();
    private final AtomicInteger handled = new AtomicInteger();
    private final Queue<String> problems = new ConcurrentLinkedQueue<>();

    /** The same store, and claims from it are combined, as on a server. */
    private static MessageStore combining(MessageStore store) {
        return (MessageStore) Proxy.newProxyInstance(
                MessageStore.class.getClassLoader(), new Class<?>[] {MessageStore.class}, (proxy, method, args) -> {
                    if (method.getName().equals("isCombined") && args[0] instanceof ClaimRequest) {
                        return true;
                    }
                    try {
                        return method.invoke(store, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void listen(Session session, Random mood) throws JMSException {
        Map<Integer, Integer> last = new HashMap<>();
        session.createConsumer(session.createQueue(queue)).setMessageListener(message -> {
            try {
                int sender = message.getIntProperty("sender");
                int number = message.getIntProperty("number");
                Integer before = last.put(sender, number);
                if (before != null && before > number) {
                    problems.add(session + " got " + number + " of sender " + sender + " behind " + before);
                }
            } catch (JMSException e) {
                problems.add(e.toString());
            }
            if (mood.nextInt(20) == 0) {
                LockSupport.parkNanos(mood.nextInt(300_000));
            }
            handled.incrementAndGet();
        });
    }

    /** Some messages in each transaction, of which one in so many is long. */
    private void send(Connection connection, int sender, int oneInLong, Random mood) {
        try (Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            for (int number = 0; number < EACH; number++) {
                Message message = session.createTextMessage(mood.nextInt(oneInLong) == 0 ? LONG : "");
                message.setIntProperty("sender", sender);
                message.setIntProperty("number", number);
                producer.send(message);
                if (mood.nextInt(30) == 0) {
                    session.commit();
                }
            }
            session.commit();
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @CsvSource({"1000000,100000", "1000000,100000", "1000000,100000", "100,100000", "1,100000", "100,1000", "1,1000"})
    void each_gets_the_messages_of_each_sender_in_order(int oneInLong, int maxInlineBody) throws Exception {
        String options = "idleCloseMillis=0&maxInlineBody=" + maxInlineBody;
        try (Connection connection = factories.factory(options).createConnection()) {
            for (int i = 0; i < LISTENERS; i++) {
                listen(connection.createSession(Session.AUTO_ACKNOWLEDGE), new Random(random.nextLong()));
            }
            connection.start();
            List<CompletableFuture<Void>> senders = IntStream.range(0, SENDERS)
                    .mapToObj(sender -> {
                        Random mood = new Random(random.nextLong());
                        return CompletableFuture.runAsync(() -> send(connection, sender, oneInLong, mood));
                    })
                    .toList();
            senders.forEach(CompletableFuture::join);
            await().forever().until(() -> handled.get() == SENDERS * EACH || !problems.isEmpty());
        }
        assertThat(problems).isEmpty();
        assertThat(handled).hasValue(SENDERS * EACH);
    }
}
