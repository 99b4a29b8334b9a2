package org.readpast.jms.engine.source;

import org.readpast.jms.codec.Shown;
import org.readpast.jms.destination.ReadpastTopic;
import org.readpast.jms.selector.Selector;

/**
 * A subscription as an application asks for it, arguments checked (§8.3).
 *
 * @param name null for an unshared non-durable one, which has none
 * @param selector null for all messages
 * @param noLocal whether messages sent through the same connection are left out
 */
public record Subscription(ReadpastTopic topic, Kind kind, String name, Selector selector, boolean noLocal) {

    /** Whether it outlives its consumers, and whether it may have several. */
    public enum Kind {
        UNSHARED,
        SHARED,
        DURABLE,
        SHARED_DURABLE;

        public boolean isDurable() {
            return this == DURABLE || this == SHARED_DURABLE;
        }

        public boolean isShared() {
            return this == SHARED || this == SHARED_DURABLE;
        }
    }

    /** For errors. */
    @Override
    public String toString() {
        return (name == null ? "the subscription" : "subscription '" + Shown.inOneLine(name) + "'") + " of " + topic;
    }
}
