package org.readpast.jms.jms;

import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.Queue;
import jakarta.jms.Topic;
import java.util.function.Supplier;
import org.readpast.jms.codec.Shown;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.destination.ReadpastQueue;
import org.readpast.jms.destination.ReadpastTemporaryQueue;
import org.readpast.jms.destination.ReadpastTemporaryTopic;
import org.readpast.jms.destination.ReadpastTopic;
import org.readpast.jms.errors.JmsErrors;

/**
 * From the destinations of the API to ours. Those of another provider are refused: their name may be an address of its own
 * that means nothing, or something else, here.
 */
final class Destinations {

    private static final String TEMPORARY_QUEUE = "temp-queue://";
    private static final String TEMPORARY_TOPIC = "temp-topic://";

    private Destinations() {}

    /** @throws InvalidDestinationException if it is null, nameless, or another provider's */
    static ReadpastDestination ours(Destination destination) throws InvalidDestinationException {
        if (destination == null) {
            throw new InvalidDestinationException("The destination is null");
        }
        if (!(destination instanceof ReadpastDestination ours)) {
            throw new InvalidDestinationException("Destination " + Shown.inOneLine(String.valueOf(destination))
                    + " is of another provider's class "
                    + destination.getClass().getName() + "; create it through a session, or look up one of Readpast's");
        }
        if (ours.getName() == null || ours.getName().isBlank()) {
            throw new InvalidDestinationException("The destination has no name; set one before its first use");
        }
        return ours;
    }

    /**
     * Where messages are sent to.
     *
     * @throws InvalidDestinationException as {@link #ours}, and if it is a pattern, or has a member that is not understood
     */
    static ReadpastDestination target(Destination destination) throws InvalidDestinationException {
        ReadpastDestination ours = ours(destination);
        if (ours instanceof ReadpastTopic topic && topic.isPattern()) {
            throw new InvalidDestinationException(ours
                    + " has wildcards and can only be subscribed to; publish to one of the topics that it matches");
        }
        return understood(() -> {
            ours.members();
            return ours;
        });
    }

    /**
     * Where messages come from.
     *
     * @throws InvalidDestinationException as {@link #ours}, and if it is composite
     */
    static ReadpastDestination source(Destination destination) throws InvalidDestinationException {
        ReadpastDestination ours = ours(destination);
        if (ours.isComposite()) {
            throw new InvalidDestinationException(ours + " stands for several destinations and can only be sent to;"
                    + " consume or browse its members one by one");
        }
        return ours;
    }

    /** @throws InvalidDestinationException as {@link #source} */
    static ReadpastQueue queue(Queue queue) throws InvalidDestinationException {
        if (source(queue) instanceof ReadpastQueue ours) {
            return ours;
        }
        throw new InvalidDestinationException(queue + " is not a queue");
    }

    /** @throws InvalidDestinationException as {@link #source} */
    static ReadpastTopic topic(Topic topic) throws InvalidDestinationException {
        if (source(topic) instanceof ReadpastTopic ours) {
            return ours;
        }
        throw new InvalidDestinationException(topic + " is not a topic");
    }

    /**
     * The queue of a name, or of the text form of a queue. The text form of a temporary one is understood too, so that who kept
     * a JMSReplyTo as text can still reply.
     *
     * @throws InvalidDestinationException if the name is null or blank, or the text form of a topic, or has an option or a member
     *     that is not understood
     */
    static ReadpastQueue queueNamed(String name) throws InvalidDestinationException {
        checkName(name, "queue");
        return name.startsWith(TEMPORARY_QUEUE) && !isComposite(name)
                ? new ReadpastTemporaryQueue(afterScheme(name, TEMPORARY_QUEUE))
                : understood(() -> new ReadpastQueue(name));
    }

    /**
     * The topic of a name, or of the text form of a topic.
     *
     * @throws InvalidDestinationException if the name is null or blank, or the text form of a queue, or has an option or a member
     *     that is not understood
     */
    static ReadpastTopic topicNamed(String name) throws InvalidDestinationException {
        checkName(name, "topic");
        return name.startsWith(TEMPORARY_TOPIC) && !isComposite(name)
                ? new ReadpastTemporaryTopic(afterScheme(name, TEMPORARY_TOPIC))
                : understood(() -> new ReadpastTopic(name));
    }

    /** The members of a composite one have schemes of their own. */
    private static boolean isComposite(String name) {
        return name.indexOf(',') >= 0;
    }

    /** What takes a name apart, with what it does not understand in the words of JMS. */
    private static <D extends ReadpastDestination> D understood(Supplier<D> reading)
            throws InvalidDestinationException {
        D destination;
        try {
            destination = reading.get();
        } catch (IllegalArgumentException e) {
            throw JmsErrors.causedBy(new InvalidDestinationException(e.getMessage()), e);
        }
        checkName(destination.getName(), "destination");
        return destination;
    }

    private static String afterScheme(String text, String scheme) throws InvalidDestinationException {
        String name = text.substring(scheme.length());
        checkName(name, scheme);
        return name;
    }

    private static void checkName(String name, String what) throws InvalidDestinationException {
        if (name == null || name.isBlank()) {
            throw new InvalidDestinationException(
                    "The name of the " + what + " is " + (name == null ? "null" : "empty"));
        }
    }
}
