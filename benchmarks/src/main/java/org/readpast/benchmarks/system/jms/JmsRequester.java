package org.readpast.benchmarks.system.jms;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import org.readpast.benchmarks.system.Payload;
import org.readpast.benchmarks.system.SystemUnderTest.Requester;

/** Requests with a temporary queue for the replies. */
final class JmsRequester extends JmsClient implements Requester {

    private static final long PATIENCE_MILLIS = 30_000;

    private final MessageProducer producer;
    private final TemporaryQueue replies;
    private final MessageConsumer consumer;

    JmsRequester(Connection connection, String queue) throws JMSException {
        super(connection, Session.AUTO_ACKNOWLEDGE);
        producer = session().createProducer(session().createQueue(queue));
        replies = session().createTemporaryQueue();
        consumer = session().createConsumer(replies);
        connection.start();
    }

    @Override
    public void request(Payload payload) throws JMSException {
        Message request = message(payload);
        request.setJMSReplyTo(replies);
        producer.send(request);
        Message reply = consumer.receive(PATIENCE_MILLIS);
        if (reply == null) {
            throw new IllegalStateException("A request was not answered");
        }
        read(reply);
    }
}
