package org.readpast.jms.tck.harness;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;

/**
 * A case's queue with a producer at one end and a consumer at the other, on one session that acknowledges
 * automatically. For cases that ask what becomes of a message on its way.
 */
public record Line(Jms jms, Session session, Queue queue, MessageProducer producer, MessageConsumer consumer) {

    public static Line open(Jms jms) throws JMSException {
        Session session = jms.session();
        Queue queue = jms.queue();
        return new Line(jms, session, queue, session.createProducer(queue), session.createConsumer(queue));
    }

    /** Sends the message and returns what comes out at the other end. */
    public Message carry(Message message) throws JMSException {
        producer.send(message);
        return jms.receive(consumer);
    }

    /** Sends the message and returns what comes out at the other end, which must be of the given type. */
    public <T extends Message> T carry(Message message, Class<T> type) throws JMSException {
        return type.cast(carry(message));
    }
}
