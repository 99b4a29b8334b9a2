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

    /**
     * Begins to deliver to the connection's consumers. It is known by its client id only where the subscription is to have one consumer: one
     * connection at a time may have it, and the bean may be on several nodes.
     */
    void start(Connection connection) throws JMSException {
        if (durable && !shared) {
            connection.setClientID(clientId);
        }
        connection.start();
    }

    MessageConsumer consumer(Session session) throws JMSException {
        if (destination instanceof Topic topic && name != null) {
            if (shared) {
                String ofAll = clientId == null ? name : clientId + "." + name;
                return durable
                        ? session.createSharedDurableConsumer(topic, ofAll, selector)
                        : session.createSharedConsumer(topic, ofAll, selector);
            }
            return session.createDurableConsumer(topic, name, selector, false);
        }
        return session.createConsumer(destination, selector);
    }
}
