package org.readpast.jms.store;

import java.util.Set;
import org.readpast.jms.selector.Selector;

/**
 * What to claim.
 *
 * @param destinationId the queue
 * @param max how many messages at the most, at least 1
 * @param after claim only behind this key, or null to start from the head; always null in a claim by groups of which there is
 *     more than one
 * @param selector only messages that it matches, or null for all
 * @param holder for whom groups are respected: no messages of groups that others have, and those of each group in order; or
 *     null for all messages, whatever their groups
 * @param held what the transaction has claimed already; told only to claims by groups
 */
public record ClaimRequest(
        int destinationId, int max, MessageKey after, Selector selector, GroupHolder holder, Set<MessageKey> held) {

    public ClaimRequest(int destinationId, int max, MessageKey after, Selector selector) {
        this(destinationId, max, after, selector, null, Set.of());
    }

    public static ClaimRequest fromHead(int destinationId, int max, Selector selector) {
        return new ClaimRequest(destinationId, max, null, selector);
    }

    /** The same for a consumer of groups. */
    public ClaimRequest by(GroupHolder consumer) {
        return new ClaimRequest(destinationId, max, null, selector, consumer, held);
    }

    /** The same behind a key. */
    public ClaimRequest behind(MessageKey key) {
        return new ClaimRequest(destinationId, max, key, selector, holder, held);
    }

    /** The same for up to this many messages. */
    public ClaimRequest atMost(int messages) {
        return new ClaimRequest(destinationId, messages, after, selector, holder, held);
    }

    /** The same in a transaction that has claimed these already. */
    public ClaimRequest holding(Set<MessageKey> claimed) {
        return new ClaimRequest(destinationId, max, after, selector, holder, Set.copyOf(claimed));
    }

    /** Whether it respects groups. */
    public boolean byGroups() {
        return holder != null;
    }
}
