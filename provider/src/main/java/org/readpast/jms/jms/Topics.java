package org.readpast.jms.jms;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Topic;
import org.readpast.jms.destination.ReadpastTopic;
import org.readpast.jms.engine.source.Subscription;
import org.readpast.jms.engine.source.Subscription.Kind;

/** From what an application asks of a topic to a subscription, with the arguments checked (§8.3). */
final class Topics {

    private Topics() {}

    /** One without a name that ends with its consumer (§8.3.1). */
    static Subscription unshared(Topic topic, String selector, boolean noLocal) throws JMSException {
        return new Subscription(Destinations.topic(topic), Kind.UNSHARED, null, Selectors.parse(selector), noLocal);
    }

    /**
     * One with a name (§8.3.2 to §8.3.4).
     *
     * @throws InvalidDestinationException if the topic is null, not ours, or a temporary one that cannot outlive its connection
     * @throws JMSException if the name is null or empty
     */
    static Subscription named(Kind kind, Topic topic, String name, String selector, boolean noLocal)
            throws JMSException {
        ReadpastTopic ours = Destinations.topic(topic);
        if (kind.isDurable() && ours.isTemporary()) {
            throw new InvalidDestinationException(ours + " is temporary and cannot have a durable subscription");
        }
        if (name == null || name.isEmpty()) {
            throw new JMSException(
                    "A subscription of " + ours + " needs a name, which is " + (name == null ? "null" : "empty"));
        }
        return new Subscription(ours, kind, name, Selectors.parse(selector), noLocal);
    }
}
