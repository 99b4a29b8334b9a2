package org.readpast.benchmarks.system.jms;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import org.readpast.benchmarks.system.Payload;

/** A listener that sends each text back, on its own session. */
final class JmsResponder extends JmsClient {

    private final MessageProducer producer;

    JmsResponder(Connection connection, String queue) throws JMSException {
        super(connection, Session.AUTO_ACKNOWLEDGE);
        producer = session().createProducer(null);
        session().createConsumer(session().createQueue(queue)).setMessageListener(this::reply);
        connection.start();
    }

    private void reply(Message request) {
        try {
            Message reply = message(Payload.text(read(request)));
            reply.setJMSCorrelationID(request.getJMSMessageID());
            producer.send(request.getJMSReplyTo(), reply);
        } catch (JMSException e) {
            throw unchecked(e);
        }
    }
}
