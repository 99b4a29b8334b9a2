package org.readpast.cli.messages;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Session;

/** Names of destinations on the command line. */
public final class Destinations {

    private static final String TOPIC = "topic://";
    private static final String QUEUE = "queue://";

    private Destinations() {}

    /** A queue, or a topic where the name begins with {@code topic://}. */
    public static Destination of(Session session, String name) throws JMSException {
        if (name.startsWith(TOPIC)) {
            return session.createTopic(name.substring(TOPIC.length()));
        }
        return session.createQueue(nameOfQueue(name));
    }

    /** The name of a queue without the {@code queue://} that it may have. */
    public static String nameOfQueue(String name) {
        return name.startsWith(QUEUE) ? name.substring(QUEUE.length()) : name;
    }
}
