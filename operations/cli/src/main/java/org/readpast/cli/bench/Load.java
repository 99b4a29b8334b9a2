package org.readpast.cli.bench;

import com.sun.management.OperatingSystemMXBean;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sends messages into a queue and receives them at the same time, as fast as it goes, by as many senders as receivers.
 *
 * @param connection has been started, and is closed where a measurement fails; the queue is empty
 * @param seconds how long is sent
 */
record Load(Connection connection, String queue, int size, int seconds) {

    private static final long WAIT_MILLIS = 200;
    private static final long GIVE_UP_NANOS = TimeUnit.SECONDS.toNanos(30);

    /**
     * What was measured.
     *
     * @param together messages in a transaction of the senders, and at most of the receivers; 1 is no transaction
     * @param sessions that sent, and as many that received
     * @param perSecond messages that were sent and received
     * @param busyPercent how busy the processors of this machine were
     */
    record Measured(int together, int sessions, long perSecond, long busyPercent) {}

    /** Each is used by one thread, which closes the session. */
    private record Sender(Session session, MessageProducer producer) {}

    private record Receiver(Session session, MessageConsumer consumer) {}

    /** What the threads of one measurement share. */
    private record Flow(
            int together, Semaphore room, AtomicLong sent, AtomicLong received, AtomicLong senders, long endNanos) {

        boolean isOver() {
            return senders.get() == 0 && received.get() == sent.get();
        }
    }

    /** Measures with so many sessions on either side. It returns when all messages are received again. */
    Measured measure(int sessions, int together) throws Exception {
        OperatingSystemMXBean machine = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        ExecutorService threads = Executors.newFixedThreadPool(2 * sessions);
        try {
            List<Sender> sending = new ArrayList<>();
            List<Receiver> receiving = new ArrayList<>();
            for (int i = 0; i < sessions; i++) {
                sending.add(sender(together));
                receiving.add(receiver(together));
            }
            // What opening them takes is not measured.
            long begin = System.nanoTime();
            Flow flow = new Flow(
                    together,
                    // What has not been received stays little, so that the end of the sending is nearly the end of all.
                    new Semaphore(4 * sessions * together),
                    new AtomicLong(),
                    new AtomicLong(),
                    new AtomicLong(sessions),
                    begin + TimeUnit.SECONDS.toNanos(seconds));
            List<Callable<Void>> work = new ArrayList<>();
            sending.forEach(sender -> work.add(() -> send(flow, sender)));
            receiving.forEach(receiver -> work.add(() -> receive(flow, receiver)));
            // The first answer is of the time since the last question.
            machine.getCpuLoad();
            for (Future<Void> ended : threads.invokeAll(work)) {
                ended.get();
            }
            double busy = machine.getCpuLoad();
            long perSecond = Math.round(flow.received().get() * 1e9 / (System.nanoTime() - begin));
            return new Measured(together, sessions, perSecond, Math.round(100 * busy));
        } finally {
            threads.shutdownNow();
        }
    }

    private Session session(int together) throws JMSException {
        return connection.createSession(together > 1 ? Session.SESSION_TRANSACTED : Session.AUTO_ACKNOWLEDGE);
    }

    private Sender sender(int together) throws JMSException {
        Session session = session(together);
        return new Sender(session, session.createProducer(session.createQueue(queue)));
    }

    private Receiver receiver(int together) throws JMSException {
        Session session = session(together);
        return new Receiver(session, session.createConsumer(session.createQueue(queue)));
    }

    private Void send(Flow flow, Sender sender) throws Exception {
        int together = flow.together();
        try (Session session = sender.session()) {
            TextMessage message = session.createTextMessage("x".repeat(size));
            while (System.nanoTime() < flow.endNanos()) {
                if (!flow.room().tryAcquire(together, WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
                    continue;
                }
                for (int i = 0; i < together; i++) {
                    sender.producer().send(message);
                }
                if (together > 1) {
                    session.commit();
                }
                flow.sent().addAndGet(together);
            }
        } finally {
            flow.senders().decrementAndGet();
        }
        return null;
    }

    private Void receive(Flow flow, Receiver receiver) throws JMSException {
        int together = flow.together();
        try (Session session = receiver.session()) {
            MessageConsumer consumer = receiver.consumer();
            long last = System.nanoTime();
            while (!flow.isOver()) {
                int taken = 0;
                while (taken < together && consumer.receive(taken == 0 ? WAIT_MILLIS : 1) != null) {
                    taken++;
                }
                if (together > 1) {
                    session.commit();
                }
                flow.received().addAndGet(taken);
                flow.room().release(taken);
                last = taken > 0 ? System.nanoTime() : last;
                if (System.nanoTime() - Math.max(last, flow.endNanos()) > GIVE_UP_NANOS) {
                    throw new JMSException("A message that was sent did not come within 30 s");
                }
            }
        }
        return null;
    }
}
