package org.readpast.jms.tck.cost;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;

/** Sends requests, and waits for the reply to each on a temporary queue. */
final class Requester {

    /** For all who take part: nobody looks unasked, and however slow the machine is, the next receive comes in time. */
    static final String[] OPTIONS = {"pollFloorMillis=3600000", "pollCeilingMillis=3600000", "idleCloseMillis=0"};

    private static final long PATIENCE_MILLIS = 60_000;

    private final Session session;
    private final MessageProducer producer;
    private final TemporaryQueue replies;
    private final MessageConsumer consumer;

    Requester(Connection connection, String queue) throws JMSException {
        session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
        producer = session.createProducer(session.createQueue(queue));
        replies = session.createTemporaryQueue();
        consumer = session.createConsumer(replies);
        connection.start();
    }

    /** Sends a request and tells whether a reply came. */
    boolean isAnswered() throws JMSException {
        Message request = session.createTextMessage("request");
        request.setJMSReplyTo(replies);
        producer.send(request);
        return consumer.receive(PATIENCE_MILLIS) != null;
    }

    /** Takes replies that came too late. */
    void drain() throws JMSException {
        Message late = consumer.receiveNoWait();
        while (late != null) {
            late = consumer.receiveNoWait();
        }
    }
}
