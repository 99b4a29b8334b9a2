package org.readpast.benchmarks.system.jms;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import org.readpast.benchmarks.system.SystemUnderTest.Picker;

/** A consumer with a selector for each message, as programs write it that wait for one reply among many. */
final class JmsPicker extends JmsClient implements Picker {

    private static final long PATIENCE_MILLIS = 30_000;

    private final Queue queue;

    JmsPicker(Connection connection, String queue) throws JMSException {
        super(connection, Session.AUTO_ACKNOWLEDGE);
        this.queue = session().createQueue(queue);
        connection.start();
    }

    @Override
    public void pick(String correlationId) throws JMSException {
        try (MessageConsumer consumer = session().createConsumer(queue, "JMSCorrelationID = '" + correlationId + "'")) {
            Message message = consumer.receive(PATIENCE_MILLIS);
            if (message == null) {
                throw new IllegalStateException("No message has the correlation id " + correlationId);
            }
            read(message);
        }
    }
}
