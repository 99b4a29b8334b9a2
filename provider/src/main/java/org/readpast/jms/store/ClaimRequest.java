package org.readpast.jms.store;

import org.readpast.jms.selector.Selector;

/**
 * What to claim.
 *
 * @param destinationId the queue
 * @param max how many messages at the most, at least 1
 * @param after claim only behind this key, or null to start from the head
 * @param selector only messages that it matches, or null for all
 */
public record ClaimRequest(int destinationId, int max, MessageKey after, Selector selector) {

    public static ClaimRequest fromHead(int destinationId, int max, Selector selector) {
        return new ClaimRequest(destinationId, max, null, selector);
    }
}
