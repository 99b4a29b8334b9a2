package org.readpast.benchmarks.system.jms;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import org.readpast.benchmarks.system.Payload;
import org.readpast.benchmarks.system.SystemUnderTest.Publisher;

/** A producer of a topic with durable subscriptions whose consumers are away. */
final class JmsPublisher extends JmsClient implements Publisher {

    private static final String SUBSCRIPTION = "benchmark-";

    private final int subscriptions;
    private final MessageProducer producer;

    JmsPublisher(Connection connection, String name, int subscriptions) throws JMSException {
        super(withClientId(connection, name), Session.AUTO_ACKNOWLEDGE);
        this.subscriptions = subscriptions;
        Topic topic = session().createTopic(name);
        for (int i = 0; i < subscriptions; i++) {
            session().createDurableSubscriber(topic, SUBSCRIPTION + i).close();
        }
        this.producer = session().createProducer(topic);
    }

    private static Connection withClientId(Connection connection, String id) throws JMSException {
        connection.setClientID(id);
        return connection;
    }

    @Override
    public void publish(Payload payload) throws JMSException {
        producer.send(message(payload));
    }

    @Override
    public void close() {
        try {
            for (int i = 0; i < subscriptions; i++) {
                session().unsubscribe(SUBSCRIPTION + i);
            }
        } catch (JMSException e) {
            throw unchecked(e);
        } finally {
            super.close();
        }
    }
}
