package org.readpast.benchmarks.system.jms;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.readpast.benchmarks.system.Payload;
import org.readpast.benchmarks.system.SendMode;
import org.readpast.benchmarks.system.SystemUnderTest.Sender;

/** A producer of a queue. */
final class JmsSender extends JmsClient implements Sender {

    /** So many may be under way at a time. */
    private static final int WINDOW = 1000;

    private final MessageProducer producer;
    private final SendMode mode;
    private final Semaphore window = new Semaphore(WINDOW);
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private int uncommitted;

    JmsSender(Connection connection, String queue, SendMode mode) throws JMSException {
        super(connection, mode == SendMode.TRANSACTED ? Session.SESSION_TRANSACTED : Session.AUTO_ACKNOWLEDGE);
        this.mode = mode;
        this.producer = session().createProducer(session().createQueue(queue));
        producer.setDeliveryMode(
                mode == SendMode.NON_PERSISTENT ? DeliveryMode.NON_PERSISTENT : DeliveryMode.PERSISTENT);
    }

    @Override
    public void send(Payload payload) throws Exception {
        if (producer.getDeliveryDelay() != payload.delayMillis()) {
            producer.setDeliveryDelay(payload.delayMillis());
        }
        Message message = message(payload);
        if (mode == SendMode.ASYNCHRONOUSLY) {
            window.acquire();
            producer.send(message, new Completion());
            return;
        }
        producer.send(message);
        if (mode == SendMode.TRANSACTED && ++uncommitted == SendMode.BATCH) {
            flush();
        }
    }

    @Override
    public void flush() throws Exception {
        if (uncommitted > 0) {
            session().commit();
            uncommitted = 0;
        }
        window.acquire(WINDOW);
        window.release(WINDOW);
        if (failure.get() != null) {
            throw failure.get();
        }
    }

    private final class Completion implements CompletionListener {
        @Override
        public void onCompletion(Message message) {
            window.release();
        }

        @Override
        public void onException(Message message, Exception e) {
            failure.set(e);
            window.release();
        }
    }
}
