package org.readpast.jms.engine.transaction;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.readpast.jms.engine.runtime.ProviderRuntime;
import org.readpast.jms.engine.runtime.Unacknowledged;
import org.readpast.jms.engine.source.Source;
import org.readpast.jms.store.Claim;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.Redelivery;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.threads.Loggers;
import org.readpast.jms.threads.Patience;
import org.slf4j.Logger;

/**
 * Acknowledges what was delivered in a session, and finds out what became of an acknowledgement that has failed. Used by whoever has the
 * session's lock; not thread-safe.
 */
public final class Acknowledger {

    private static final Logger LOG = Loggers.of(Acknowledger.class);

    private final ProviderRuntime runtime;
    private final String owner;
    private final StoreTransaction store;
    private final ClaimedMessages messages;
    private final Redeliverer redeliverer;
    private final SessionTransaction transaction;

    /** @param owner the session's name for logs */
    public Acknowledger(
            ProviderRuntime runtime,
            String owner,
            StoreTransaction store,
            ClaimedMessages messages,
            Redeliverer redeliverer,
            SessionTransaction transaction) {
        this.runtime = runtime;
        this.owner = owner;
        this.store = store;
        this.messages = messages;
        this.redeliverer = redeliverer;
        this.transaction = transaction;
    }

    /** Whether there is anything to acknowledge. */
    boolean hasDelivered() {
        return messages.isAnyDelivered();
    }

    /** Acknowledges all that was delivered and commits. */
    void settle() throws StoreException {
        transaction.settle(settlement -> store.commit(settlement, null));
    }

    /** Whether {@link #settleVerified} is needed to find out what became of an acknowledgement. */
    boolean verifiesByMarkers() {
        return store.leavesMarkers();
    }

    /** As {@link #settle}, with what it takes to find out what became of it. */
    void settleVerified() throws StoreException {
        transaction.settle(settlement -> {
            store.commitVerified(settlement);
            return null;
        });
    }

    /** As {@link #settle}, and looks in the same round trip, where that is possible, whether there may be more in a source. */
    boolean settleAndLook(Source source) throws StoreException {
        int from = source.destinationId();
        return transaction.settle(settlement -> store.commitAndLook(settlement.acknowledged(), from));
    }

    /** Undoes the last delivery and acknowledges those before it. */
    void rollbackLast() {
        List<Unacknowledged> delivered = messages.delivered();
        List<Unacknowledged> before = delivered.subList(0, delivered.size() - 1);
        Unacknowledged last = delivered.get(before.size());
        List<Redelivery> plan = redeliverer.plan(List.of(last));
        try {
            store.endDeliveries(Unacknowledged.suspects(delivered));
            if (last.leased()) {
                plan = store.giveBack(List.of(last.claim()), plan);
            } else {
                store.redeliver(plan);
            }
            store.commit(new Settlement(List.of(), Unacknowledged.claims(before), messages.undeliveredLeases()), null);
            messages.takeUndeliveredLeases();
            transaction.end();
            runtime.redelivered(plan);
        } catch (StoreException e) {
            LOG.warn("{}: the whole batch may be delivered again: {}", owner, e.getMessage());
            // In doubt they may have been counted.
            transaction.abandon(e.failure() == Failure.IN_DOUBT ? List.of() : messages.deliveredByLock(), e.failure());
        }
    }

    /**
     * After an acknowledgement that has failed. One whose connection broke during its commit is done again: see {@link #acknowledgeAgain}.
     * Every other one was undone, and the messages come back.
     *
     * @param reached whether they have reached the application, so that their deliveries count
     * @return whether the messages are acknowledged now, as far as is known
     */
    boolean acknowledgedAfterAll(StoreException failure, boolean reached) {
        Failure why = failure.failure();
        if (why != Failure.IN_DOUBT && why != Failure.UNDONE) {
            if (!reached) {
                redeliverer.giveBackUndelivered(Unacknowledged.claims(messages.deliveredByLease()));
                messages.forgetDelivered();
            }
            transaction.abandon(messages.deliveredByLock(), why);
            return false;
        }
        List<Unacknowledged> delivered = messages.delivered();
        List<Unacknowledged> byLease = messages.deliveredByLease();
        transaction.end();
        long millis = why == Failure.UNDONE
                ? Redeliverer.NOTICE_MILLIS
                : runtime.settings().poolTimeoutMillis();
        if (acknowledgeAgain(delivered, why, new Patience(millis))) {
            return true;
        }
        // In doubt they reach the application even now.
        if (reached || why == Failure.IN_DOUBT) {
            redeliverer.giveBack(byLease);
        } else {
            redeliverer.giveBackUndelivered(Unacknowledged.claims(byLease));
        }
        return false;
    }

    /**
     * After a doubt about messages of several sessions that were acknowledged together, while this session's transaction holds nothing and
     * waits for the end of that.
     *
     * @param patience for how long to look
     */
    public void settleDoubt(List<StoredMessage> doubtful, Patience patience) {
        acknowledgeAgain(doubtful.stream().map(Unacknowledged::of).toList(), Failure.IN_DOUBT, patience);
    }

    /**
     * After an acknowledgement whose connection broke during its commit: acknowledges again what is still there and free. What is not there was acknowledged
     * if that is in doubt, and somebody else has received it if it is known to be undone. What is there and locked may be held by that
     * transaction, which the server has not seen the end of: it is asked for again.
     *
     * @param why {@link Failure#IN_DOUBT} or {@link Failure#UNDONE}
     * @param patience for how long to ask: while in doubt for as long as an operation waits for a connection
     * @return whether they are acknowledged now; if not, they may be delivered again, or have been
     */
    boolean acknowledgeAgain(List<Unacknowledged> delivered, Failure why, Patience patience) {
        boolean undone = why == Failure.UNDONE;
        String problem;
        do {
            try {
                int left = acknowledgeLeft(delivered, undone);
                if (left >= 0) {
                    return !undone || left == delivered.size();
                }
                problem = "a transaction that does not end holds some of them";
            } catch (StoreException e) {
                store.rollback();
                if (e.failure() == Failure.CLAIM_LOST) {
                    LOG.info("{}: an acknowledgement was carried out before, or its lease was over.", owner);
                    return false;
                }
                // From now on what is not there may have been acknowledged here.
                undone &= e.failure() != Failure.IN_DOUBT;
                problem = e.getMessage();
                if (!e.failure().isTransient() && e.failure() != Failure.IN_DOUBT) {
                    break;
                }
            }
        } while (patience.pause());
        LOG.warn(
                "{}: {}, so {} messages may be delivered once more: {}",
                owner,
                undone ? "an acknowledgement was undone with its connection" : "an acknowledgement is in doubt",
                delivered.size(),
                problem);
        return false;
    }

    /**
     * Returns how many were left to be acknowledged, or -1, with no transaction open, if somebody holds some of them. Before he has done with
     * these, others may have got the rest: it is acknowledged, but where all of them are known not to be yet, and are so together.
     */
    private int acknowledgeLeft(List<Unacknowledged> delivered, boolean undone) throws StoreException {
        List<Claim> byLock = delivered.stream()
                .map(Unacknowledged::claim)
                .filter(claim -> !claim.byLease())
                .toList();
        Set<MessageKey> locked = new HashSet<>(store.lock(byLock));
        boolean isAnyHeld = store.isAnyThere(
                byLock.stream().filter(claim -> !locked.contains(claim.key())).toList());
        if (isAnyHeld && (undone || locked.isEmpty() || byLock.size() < delivered.size())) {
            store.rollback();
            return -1;
        }
        List<Unacknowledged> left = delivered.stream()
                .filter(message -> message.leased() || locked.contains(message.key()))
                .toList();
        store.endDeliveries(Unacknowledged.suspects(left));
        store.commit(Settlement.acknowledgement(Unacknowledged.claims(left)), null);
        LOG.info(
                "{}: the connection broke during an acknowledgement; {} of {} messages had still to be acknowledged.",
                owner,
                left.size(),
                delivered.size());
        return isAnyHeld ? -1 : left.size();
    }
}
