package org.readpast.jms.engine.transaction;

import jakarta.jms.JMSException;
import java.util.Collection;
import java.util.List;
import org.readpast.jms.engine.runtime.MalformedRow;
import org.readpast.jms.engine.runtime.ProviderRuntime;
import org.readpast.jms.engine.runtime.Unacknowledged;
import org.readpast.jms.engine.source.Source;
import org.readpast.jms.engine.support.Attempts;
import org.readpast.jms.store.Claim;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * Claims messages for a session's recipients and hands them out one by one. Of each that it has handed out it is told what becomes of it: it
 * is delivered, or not delivered after all, given up, or a dead letter. Used by whoever has the session's lock; not thread-safe.
 */
public final class Claimer {

    private static final Logger LOG = Loggers.of(Claimer.class);

    private final ProviderRuntime runtime;
    private final StoreTransaction store;
    private final ClaimedMessages messages;
    private final Redeliverer redeliverer;
    private final SessionTransaction transaction;

    public Claimer(
            ProviderRuntime runtime,
            StoreTransaction store,
            ClaimedMessages messages,
            Redeliverer redeliverer,
            SessionTransaction transaction) {
        this.runtime = runtime;
        this.store = store;
        this.messages = messages;
        this.redeliverer = redeliverer;
        this.transaction = transaction;
    }

    /** Claims what is likely to be delivered in this transaction, up to the limit where that saves a look; returns how many. */
    int claimAhead(Recipient recipient, int limit) throws StoreException {
        return claim(recipient, recipient.atMost(messages.likelyToFollow(limit)), recipient.atMost(limit));
    }

    /** Never more than {@code max}; returns how many. */
    int claim(Recipient recipient, int max) throws StoreException {
        return claim(recipient, max, max);
    }

    /**
     * Claims messages that this session does not hold already. Where nothing would be lost, a deadlock or a broken connection
     * is tried again.
     *
     * @param most how many it may be; more than {@code max} where that saves a look
     * @return how many
     */
    private int claim(Recipient recipient, int max, int most) throws StoreException {
        // A claim by lease has a transaction of its own, and leaves the session's as it is.
        boolean alone = recipient.source().isLeased();
        Attempts attempts = alone ? Attempts.inShortTransactions() : Attempts.inTransaction();
        while (true) {
            try {
                return ready(recipient, claimOnce(recipient.source(), max, most));
            } catch (StoreException e) {
                boolean again = (alone || !transaction.isUndoneByRollback()) && attempts.another(e);
                if (!alone) {
                    transaction.broken(e);
                }
                if (!again) {
                    throw e;
                }
                LOG.debug("{}: claim failed, trying again: {}", recipient, e.getMessage());
            }
        }
    }

    private List<StoredMessage> claimOnce(Source source, int max, int most) throws StoreException {
        ClaimRequest request = source.request(max);
        List<StoredMessage> claimed;
        try {
            claimed = messages.claim(request, most);
        } finally {
            redeliverer.giveBackInDoubt(store.leasesInDoubt());
        }
        if (!discoversGroups(request, claimed)) {
            return claimed;
        }
        // Where something is at stake they stay locked until the end, which delays their groups and harms nothing.
        forgo(claimed);
        transaction.release();
        return messages.claim(source.requestByGroups(max), most);
    }

    private boolean discoversGroups(ClaimRequest request, List<StoredMessage> claimed) {
        return !request.byGroups() && runtime.groups().discover(request.destinationId(), claimed);
    }

    private int ready(Recipient recipient, List<StoredMessage> claimed) {
        messages.ready(recipient, claimed);
        return claimed.size();
    }

    /**
     * Whether the next claim would cost nothing if it travelled with the commit now, nor keep a connection or a message from anybody, such as
     * those who receive together.
     */
    boolean mayClaimWithCommit(Source source) {
        return store.isConnectionToSpare()
                && !runtime.combinedReceives().isUnderWay(source.destinationId())
                && store.claimsWithCommit(source.request(1));
    }

    /** Acknowledges all that was delivered and commits, then claims in the same round trip where that is possible; returns how many. */
    int settleAndClaim(Recipient recipient, int max) throws StoreException {
        ClaimRequest next = recipient.source().request(max);
        List<StoredMessage> claimed = transaction.settle(settlement -> store.commit(settlement, next));
        redeliverer.giveBackInDoubt(store.leasesInDoubt());
        if (discoversGroups(next, claimed)) {
            forgo(claimed);
            transaction.release();
            return claimBehindCommit(recipient, max);
        }
        return ready(recipient, claimed);
    }

    /** What is committed must not be reported as failed because the claim after it did. */
    private int claimBehindCommit(Recipient recipient, int max) {
        try {
            return claim(recipient, max);
        } catch (StoreException e) {
            LOG.warn("{}: the transaction was committed, but the claim of the next messages failed", recipient, e);
            return 0;
        }
    }

    /** Whether a message is ready for a recipient. One that is leased has at least half of its time before it, or is claimed anew. */
    public boolean isReady(Recipient recipient) {
        StoredMessage first = messages.peek(recipient);
        if (first != null && first.lease() != null && first.lease().isHalfOver()) {
            forgo(recipient);
            return false;
        }
        return first != null;
    }

    /** Lets others have what is ready for a recipient, and returns how many that is. */
    public int forgo(Recipient recipient) {
        Collection<StoredMessage> forgone = messages.takeReady(recipient);
        forgo(forgone);
        return forgone.size();
    }

    private void forgo(Collection<StoredMessage> claimed) {
        messages.forgo(claimed);
        redeliverer.giveBackUndelivered(claimed.stream()
                .map(StoredMessage::claim)
                .filter(Claim::byLease)
                .toList());
    }

    /**
     * Takes the first message that is ready for a recipient; there is one.
     *
     * @return as it is to be delivered: counted already if it is suspect or cannot be read, with its body read
     * @throws StoreException if that could not be done; a message that is still held is the next one again
     */
    public StoredMessage next(Recipient recipient) throws StoreException {
        StoredMessage message = messages.take(recipient);
        runtime.arrivals().claimed(message.key().destinationId());
        boolean isComplete = false;
        try {
            StoredMessage complete = MalformedRow.complete(store, store.beginDelivery(message), runtime.redeliveries());
            isComplete = true;
            recipient.gets();
            return complete;
        } catch (StoreException e) {
            if (message.lease() == null) {
                transaction.broken(e);
            } else if (e.failure() == Failure.CLAIM_LOST) {
                messages.putElsewhere();
            }
            throw e;
        } finally {
            if (!isComplete) {
                messages.putBack(recipient);
            }
        }
    }

    /** The message is being delivered, and is to be acknowledged. */
    public void deliver(Unacknowledged message) {
        messages.deliver(message);
    }

    /** It was not delivered after all: the delivery of a suspect one is not counted, at once where nothing else is at stake. */
    public void undeliver(Unacknowledged message) throws StoreException, JMSException {
        if (message.suspicion() != null) {
            transaction.endDelivery(message, List::of);
        }
    }

    /** Its row cannot be read, so it was not delivered: what holds it by lease has counted that, and puts it back. */
    public void giveUp(Unacknowledged message) {
        if (message.leased()) {
            redeliverer.giveBack(List.of(message));
        }
        messages.putElsewhere();
    }

    /** It has no deliveries left: moves it to the dead letters, at once where nothing else is at stake. */
    public void deadLetter(Unacknowledged message) throws StoreException, JMSException {
        if (message.leased()) {
            deadLetterLeased(message);
            return;
        }
        transaction.endDelivery(
                message, () -> List.of(runtime.redeliveries().deadLetter(message, message.deliveryCount())));
        messages.putElsewhere();
    }

    /** Where that fails, it is back in its queue, and tried again by whoever gets it next. */
    private void deadLetterLeased(Unacknowledged message) throws StoreException, JMSException {
        boolean isDead = false;
        try {
            redeliverer.deadLetterLeased(message);
            isDead = true;
        } finally {
            messages.putElsewhere();
            if (!isDead) {
                redeliverer.giveBackUndelivered(List.of(message.claim()));
            }
        }
    }
}
