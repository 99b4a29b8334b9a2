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
 * @param held what the transaction has claimed already, and does not claim again; may be empty all the same, but for claims by groups
 * @param lease by lease, on these terms, which does not go with a holder; or null for by lock
 */
public record ClaimRequest(
        int destinationId,
        int max,
        MessageKey after,
        Selector selector,
        GroupHolder holder,
        Set<MessageKey> held,
        LeaseTerms lease) {

    public ClaimRequest(int destinationId, int max, MessageKey after, Selector selector) {
        this(destinationId, max, after, selector, null, Set.of(), null);
    }

    public static ClaimRequest fromHead(int destinationId, int max, Selector selector) {
        return new ClaimRequest(destinationId, max, null, selector);
    }

    /** The same for a consumer of groups. */
    public ClaimRequest by(GroupHolder consumer) {
        return new ClaimRequest(destinationId, max, null, selector, consumer, held, lease);
    }

    /** The same behind a key. */
    public ClaimRequest behind(MessageKey key) {
        return new ClaimRequest(destinationId, max, key, selector, holder, held, lease);
    }

    /** The same for up to this many messages. */
    public ClaimRequest atMost(int messages) {
        return new ClaimRequest(destinationId, messages, after, selector, holder, held, lease);
    }

    /** The same in a transaction that has claimed these already. */
    public ClaimRequest holding(Set<MessageKey> claimed) {
        return new ClaimRequest(destinationId, max, after, selector, holder, Set.copyOf(claimed), lease);
    }

    /** The same by lease. */
    public ClaimRequest onLease(LeaseTerms terms) {
        return new ClaimRequest(destinationId, max, after, selector, holder, held, terms);
    }

    /** Whether it is by lease. */
    public boolean byLease() {
        return lease != null;
    }

    /** Whether it respects groups. */
    public boolean byGroups() {
        return holder != null;
    }
}
