package org.readpast.jms.store.jdbc.send;

import java.util.List;
import org.readpast.jms.selector.Selector;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.row.SelectorValues;

/**
 * The subscriptions of a topic.
 *
 * @param topic as it was before they were read
 */
public record Audience(Topic topic, List<Subscriber> subscribers) {

    /**
     * A topic as publishers see it.
     *
     * @param version which each change of its subscriptions raises
     * @param name null where there is no such topic
     */
    public record Topic(long version, String name) {

        static final Topic NONE = new Topic(-1, null);

        boolean isThere() {
            return name != null;
        }

        /** Whether it is the one that a message is for. */
        boolean isOf(NewMessage message) {
            String address = message.message().destination();
            return address.substring(address.indexOf("://") + 3).equals(name);
        }
    }

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
