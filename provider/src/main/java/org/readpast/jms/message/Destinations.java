package org.readpast.jms.message;

import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.Topic;
import org.readpast.jms.codec.Shown;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.destination.ReadpastQueue;
import org.readpast.jms.destination.ReadpastTemporaryQueue;
import org.readpast.jms.destination.ReadpastTemporaryTopic;
import org.readpast.jms.destination.ReadpastTopic;

/** Destinations in header fields. Those of another provider's class become ours of the same kind and name (§3.12). */
final class Destinations {

    private Destinations() {}

    /** @throws InvalidDestinationException if it is neither null nor a queue nor a topic */
    static void check(Destination destination, String header) throws InvalidDestinationException {
        if (destination != null && !(destination instanceof Queue) && !(destination instanceof Topic)) {
            throw new InvalidDestinationException(header + " is neither a queue nor a topic but a "
                    + destination.getClass().getName());
        }
    }

    /**
     * The text form under which a destination is stored.
     *
     * @return null for null
     * @throws InvalidDestinationException if it is neither a queue nor a topic, or has no name
     */
    static String text(Destination destination, String header) throws JMSException {
        if (destination == null) {
            return null;
        }
        check(destination, header);
        ReadpastDestination ours = ours(destination);
        if (ours.getName() == null || ours.getName().isEmpty()) {
            throw new InvalidDestinationException(header + " is a destination without a name");
        }
        return ours.text();
    }

    private static ReadpastDestination ours(Destination destination) throws JMSException {
        if (destination instanceof ReadpastDestination ours) {
            return ours;
        }
        if (destination instanceof TemporaryQueue queue) {
            return new ReadpastTemporaryQueue(queue.getQueueName());
        }
        if (destination instanceof TemporaryTopic topic) {
            return new ReadpastTemporaryTopic(topic.getTopicName());
        }
        return destination instanceof Queue queue
                ? named("queue://", queue.getQueueName(), new ReadpastQueue())
                : named("topic://", ((Topic) destination).getTopicName(), new ReadpastTopic());
    }

    /** With the name as it is: what looks like options in it means nothing to us. */
    private static ReadpastDestination named(String scheme, String name, ReadpastDestination nameless) {
        return name == null ? nameless : ReadpastDestination.parse(scheme + name);
    }

    /** The destination a text form stands for, or null for null. */
    static Destination parse(String text, String header) throws InvalidDestinationException {
        try {
            return ReadpastDestination.parse(text);
        } catch (IllegalArgumentException e) {
            String shown = Shown.inOneLine(text);
            InvalidDestinationException invalid = new InvalidDestinationException(header + " was stored as '" + shown
                    + "', which names no destination; it should read queue://" + shown);
            invalid.initCause(e);
            invalid.setLinkedException(e);
            throw invalid;
        }
    }
}
