package org.readpast.jms.store.jdbc.send;

import java.util.List;
import org.readpast.jms.selector.Selector;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.row.SelectorValues;

/**
 * The subscriptions of a topic.
 *
 * @param version the topic's, when they were read; {@link #NO_TOPIC} where there is no such topic
 */
public record Audience(long version, List<Subscriber> subscribers) {

    static final long NO_TOPIC = -1;

    /**
     * One subscription, as a publisher sees it.
     *
     * @param origin whose messages it leaves out, or null
     * @param selector null for all messages
     */
    record Subscriber(int destinationId, String origin, Selector selector) {

        private boolean wants(NewMessage message, SelectorValues values) {
            return (origin == null || !origin.equals(message.publication().origin()))
                    && (selector == null || selector.matches(values));
        }
    }

    /** The subscriptions that get a copy of a message. */
    List<Integer> of(NewMessage message) {
        SelectorValues values = new SelectorValues(new StoredMessage(null, message.message(), 0));
        return subscribers.stream()
                .filter(subscriber -> subscriber.wants(message, values))
                .map(Subscriber::destinationId)
                .toList();
    }
}
