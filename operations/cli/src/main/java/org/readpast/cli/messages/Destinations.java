package org.readpast.cli.messages;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import org.readpast.jms.destination.ReadpastQueue;

/** Names of destinations on the command line. */
public final class Destinations {

    private static final String TOPIC = "topic://";

    private Destinations() {}

    /** A queue, or a topic where the name begins with {@code topic://}. */
    public static Destination of(Session session, String name) throws JMSException {
        if (name.startsWith(TOPIC)) {
            return session.createTopic(name);
        }
        return session.createQueue(name);
    }

    /** The name of a queue without the {@code queue://} or {@code queue:///} that it may have. */
    public static String nameOfQueue(String name) {
        return new ReadpastQueue(name).getQueueName();
    }
}
