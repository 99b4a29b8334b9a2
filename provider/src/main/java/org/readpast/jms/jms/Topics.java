package org.readpast.jms.jms;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.destination.ReadpastTemporaryTopic;
import org.readpast.jms.destination.ReadpastTopic;

/**
 * The seam for the publish/subscribe domain: whatever needs a topic arrives here with its arguments checked, and is refused,
 * because this release carries queues only.
 */
final class Topics {

    private Topics() {}

    /** @throws JMSException always, in this release */
    static JmsConsumer subscribe(Subscription subscription) throws JMSException {
        throw later("subscribing to " + subscription.topic());
    }

    /** @throws InvalidDestinationException always: without topics no durable subscription exists (§8.3.3) */
    static void unsubscribe(String name) throws JMSException {
        throw new InvalidDestinationException(
                "There is no durable subscription '" + name + "': topics come with a later release of Readpast");
    }

    /** @throws JMSException always, in this release */
    static ReadpastTemporaryTopic createTemporary() throws JMSException {
        throw later("creating a temporary topic");
    }

    /** @throws JMSException if the destination is a topic */
    static void checkSend(ReadpastDestination destination) throws JMSException {
        if (destination instanceof ReadpastTopic) {
            throw later("sending to " + destination);
        }
    }

    private static JMSException later(String what) {
        return new JMSException(
                "Topics come with a later release of Readpast; " + what + " is not possible yet, use a queue");
    }
}
