package org.readpast.bridge;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where messages come from or go to, as a rule names it.
 *
 * @param isTopic whether it is a topic
 * @param name the queue or topic
 * @param subscription the durable subscription that a topic is read from; null for queues and for what is only sent to
 * @param clientId whose subscription it is; null for a shared one
 */
public record Place(boolean isTopic, String name, String subscription, String clientId) {

    private static final Pattern TOPIC =
            Pattern.compile("topic://([^?]+)(?:\\?subscription=([^&]+)(?:&clientId=([^&]+))?)?");

    /**
     * Reads {@code orders}, {@code queue://orders}, {@code topic://prices} or
     * {@code topic://prices?subscription=nightly&clientId=bank}.
     *
     * @throws IllegalArgumentException if it is none of these
     */
    public static Place parse(String text) {
        if (!text.startsWith("topic://")) {
            String name = text.replaceFirst("^queue://", "");
            if (name.isEmpty()) {
                throw new IllegalArgumentException("'" + text + "' names no queue");
            }
            return new Place(false, name, null, null);
        }
        Matcher matcher = TOPIC.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not understood: topic://NAME, or topic://NAME?subscription=S&clientId=C");
        }
        return new Place(true, matcher.group(1), matcher.group(2), matcher.group(3));
    }

    static Place queue(String name) {
        return new Place(false, name, null, null);
    }

    Destination destination(Session session) throws JMSException {
        return isTopic ? session.createTopic(name) : session.createQueue(name);
    }

    MessageConsumer consumer(Session session) throws JMSException {
        if (!isTopic) {
            return session.createConsumer(session.createQueue(name));
        }
        return clientId == null
                ? session.createSharedDurableConsumer(session.createTopic(name), subscription)
                : session.createDurableConsumer(session.createTopic(name), subscription);
    }

    @Override
    public String toString() {
        return (isTopic ? "topic://" : "queue://")
                + name
                + (subscription == null ? "" : "?subscription=" + subscription)
                + (clientId == null ? "" : "&clientId=" + clientId);
    }
}
