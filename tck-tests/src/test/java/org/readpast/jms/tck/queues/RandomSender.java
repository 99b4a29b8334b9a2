package org.readpast.jms.tck.queues;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.Random;
import org.readpast.jms.tck.harness.Elsewhere;
import org.readpast.jms.tck.harness.Jms;

/** Sends messages to a case's queue in transactions of random size, on a thread of its own: each with its sender and a running number from 0. */
final class RandomSender {

    private final Elsewhere<Void> sending;

    RandomSender(Jms jms, int sender, int messages, Random random) throws JMSException {
        Session session = jms.transacted();
        MessageProducer producer = session.createProducer(jms.queue());
        sending = jms.elsewhere(() -> {
            int number = 0;
            while (number < messages) {
                for (int i = Math.min(messages - number, 1 + random.nextInt(80)); i > 0; i--) {
                    Message message = session.createMessage();
                    message.setIntProperty("sender", sender);
                    message.setIntProperty("number", number++);
                    producer.send(message);
                }
                session.commit();
            }
            return null;
        });
    }

    /** To be called when all of its messages have arrived. */
    void awaitEnd() throws Exception {
        sending.result();
    }
}
