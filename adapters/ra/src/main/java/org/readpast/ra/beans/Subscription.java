package org.readpast.ra.beans;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.ra.database.MessageDatabase;

/**
 * What a message-driven bean receives.
 *
 * @param selector null for all messages
 * @param clientId null if it has none
 * @param name of a durable or shared subscription; null otherwise
 * @param sessions how many messages are delivered side by side
 * @param toleratedFailures after how many failures in a row the next one pauses the bean; -1 for never
 */
public record Subscription(
        MessageDatabase database,
        ReadpastDestination destination,
        String selector,
        String clientId,
        String name,
        boolean durable,
        boolean shared,
        int sessions,
        int toleratedFailures) {

    /** Makes the connection known by its client id, and begins to deliver to its consumers. */
    void start(Connection connection) throws JMSException {
        if (clientId != null) {
            connection.setClientID(clientId);
        }
        connection.start();
    }

    MessageConsumer consumer(Session session) throws JMSException {
        if (destination instanceof Topic topic && name != null) {
            if (shared) {
                return durable
                        ? session.createSharedDurableConsumer(topic, name, selector)
                        : session.createSharedConsumer(topic, name, selector);
            }
            return session.createDurableConsumer(topic, name, selector, false);
        }
        return session.createConsumer(destination, selector);
    }
}
