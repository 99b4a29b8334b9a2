package org.readpast.jms.store.jdbc;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * JMS clients that send to a queue and receive from it, at most a thousand messages a second, from its start until it is stopped. They note
 * how long each transaction of sends took, and how long each message was on its way. Thread-safe.
 */
final class Traffic {

    private static final int PAIRS = 4;

    /** So many messages are sent or received in a transaction. */
    private static final int TOGETHER = 10;

    private static final long NANOS_BETWEEN_SENDS = TimeUnit.SECONDS.toNanos(PAIRS * TOGETHER) / 1_000;
    private static final String SENT_AT = "sentAt";

    private final ConnectionFactory factory;
    private final String queue;
    private final ExecutorService threads = Executors.newFixedThreadPool(2 * PAIRS);
    private final List<Future<?>> senders = new ArrayList<>();
    private final List<Future<?>> receivers = new ArrayList<>();
    private final Set<String> underWay = ConcurrentHashMap.newKeySet();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong longestSend = new AtomicLong();
    private final AtomicLong longestWay = new AtomicLong();
    private volatile boolean sends = true;

    private Traffic(ConnectionFactory factory, String queue) {
        this.factory = factory;
        this.queue = queue;
    }

    static Traffic start(ConnectionFactory factory, String queue) {
        Traffic traffic = new Traffic(factory, queue);
        for (int i = 0; i < PAIRS; i++) {
            String sender = "s" + i + "-";
            traffic.senders.add(traffic.threads.submit(() -> traffic.send(sender)));
            traffic.receivers.add(traffic.threads.submit(traffic::receive));
        }
        return traffic;
    }

    private void send(String sender) {
        try (JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED)) {
            Queue to = context.createQueue(queue);
            long next = System.nanoTime();
            for (int number = 0; sends; ) {
                LockSupport.parkNanos(next - System.nanoTime());
                next = Math.max(next + NANOS_BETWEEN_SENDS, System.nanoTime() - NANOS_BETWEEN_SENDS);
                long begin = System.nanoTime();
                for (int i = 0; i < TOGETHER; i++, number++) {
                    underWay.add(sender + number);
                    context.createProducer().setProperty(SENT_AT, begin).send(to, sender + number);
                }
                context.commit();
                longestSend.accumulateAndGet(System.nanoTime() - begin, Math::max);
                sent.addAndGet(TOGETHER);
            }
        }
    }

    private void receive() {
        try (JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED)) {
            JMSConsumer consumer = context.createConsumer(context.createQueue(queue));
            while (sends || !underWay.isEmpty()) {
                Message message = consumer.receive(1_000);
                for (int i = 1; message != null; i++) {
                    arrived(message);
                    message = i < TOGETHER ? consumer.receiveNoWait() : null;
                }
                context.commit();
            }
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    private void arrived(Message message) throws JMSException {
        longestWay.accumulateAndGet(System.nanoTime() - message.getLongProperty(SENT_AT), Math::max);
        String text = message.getBody(String.class);
        if (!underWay.remove(text)) {
            throw new IllegalStateException(text + " was received twice");
        }
        received.incrementAndGet();
    }

    /** How many messages were received so far; throws what a client has failed with. */
    long received() throws Exception {
        for (Future<?> sender : senders) {
            if (sender.isDone()) {
                sender.get();
            }
        }
        for (Future<?> receiver : receivers) {
            if (receiver.isDone()) {
                receiver.get();
            }
        }
        return received.get();
    }

    /** Sends no more, and returns when each message was received, once. */
    void stop() throws Exception {
        sends = false;
        try {
            for (Future<?> sender : senders) {
                sender.get(1, TimeUnit.MINUTES);
            }
            for (Future<?> receiver : receivers) {
                receiver.get(1, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Override
    public String toString() {
        return sent + " messages sent, " + received + " received, the longest transaction of sends "
                + TimeUnit.NANOSECONDS.toMillis(longestSend.get()) + " ms, the longest from there to a receive "
                + TimeUnit.NANOSECONDS.toMillis(longestWay.get()) + " ms";
    }
}
