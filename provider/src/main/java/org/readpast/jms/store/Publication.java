package org.readpast.jms.store;

import java.util.Collection;
import java.util.List;

/**
 * What makes a message one for a topic: who publishes it, and, once it is stored, whom it reached. Which subscriptions get it is
 * decided when it is stored and not when it is sent, so the answer comes after the message. Thread-safe.
 */
public final class Publication {

    private final String origin;
    private volatile List<Integer> reached = List.of();

    /**
     * @param origin what identifies the publishing connection; subscriptions that leave out this origin do not get the message
     */
    public Publication(String origin) {
        this.origin = origin;
    }

    public String origin() {
        return origin;
    }

    /** The subscriptions that have got a copy; empty before the message is stored. */
    public Collection<Integer> reached() {
        return reached;
    }

    /** Told by the store. */
    public void reached(Collection<Integer> subscriptionIds) {
        reached = List.copyOf(subscriptionIds);
    }
}
