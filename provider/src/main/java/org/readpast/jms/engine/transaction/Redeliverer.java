package org.readpast.jms.engine.transaction;

import jakarta.jms.JMSException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.readpast.jms.engine.runtime.ProviderRuntime;
import org.readpast.jms.engine.runtime.Unacknowledged;
import org.readpast.jms.engine.support.Attempts;
import org.readpast.jms.store.Claim;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.Redelivery;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.threads.Patience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How delivered messages come back: with their deliveries counted, later, or as dead letters; and what becomes of those of which
 * it is not known whether they were acknowledged. Used by whoever has the session's lock; not thread-safe.
 */
public final class Redeliverer {

    private static final Logger LOG = LoggerFactory.getLogger(Redeliverer.class);

    /** A server takes some milliseconds to notice that a connection is gone. One that does not notice has to be given up. */
    private static final long NOTICE_MILLIS = 1_000;

    private final ProviderRuntime runtime;
    private final String owner;
    private final StoreTransaction store;
    private final BooleanSupplier endsInOrder;

    /**
     * @param owner the session's name for logs
     * @param endsInOrder whether messages come back now because deliveries end, and not because somebody has failed with them
     */
    Redeliverer(ProviderRuntime runtime, String owner, StoreTransaction store, BooleanSupplier endsInOrder) {
        this.runtime = runtime;
        this.owner = owner;
        this.store = store;
        this.endsInOrder = endsInOrder;
    }

    /** How they come back; nothing is planned for those that come back as they were. */
    List<Redelivery> plan(List<Unacknowledged> back) throws JMSException {
        return endsInOrder.getAsBoolean() ? List.of() : runtime.redeliveries().plan(back);
    }

    /**
     * Raises delivery counts and commits that, while the locks are held, so no other consumer slips in between.
     *
     * @return null, or why it failed for certain; the messages come back with their counts as they were
     */
    Failure count(List<Unacknowledged> back) {
        try {
            List<Redelivery> plan = plan(back);
            store.endDeliveries(Unacknowledged.suspects(back));
            store.redeliver(plan);
            store.commit(Settlement.NOTHING, null);
            runtime.redelivered(plan);
            return null;
        } catch (StoreException | JMSException e) {
            store.rollback();
            Failure failure = e instanceof StoreException problem ? problem.failure() : Failure.OTHER;
            if (failure == Failure.IN_DOUBT) {
                // To count again might be to count twice, and too many deliveries make a dead letter.
                LOG.warn(
                        "{}: it is not known whether {} delivery counts were raised: {}",
                        owner,
                        back.size(),
                        e.getMessage());
                return null;
            }
            LOG.warn("{}: could not raise {} delivery counts in a rollback: {}", owner, back.size(), e.getMessage());
            return failure;
        }
    }

    /**
     * After a real rollback the locks are gone: what others have claimed by now is theirs and stays as it is, the rest is
     * counted in a short transaction.
     *
     * @param why what has ended the transaction; after a lost connection the server may hold its locks for a moment yet
     */
    void countAfterwards(List<Unacknowledged> back, Failure why) {
        if (back.isEmpty()) {
            return;
        }
        Patience patience = new Patience(why == Failure.CONNECTION_LOST ? NOTICE_MILLIS : 0);
        Attempts attempts = Attempts.inTransaction();
        while (true) {
            try {
                Set<MessageKey> free = lockFree(back, patience);
                count(back.stream()
                        .filter(message -> free.contains(message.key()))
                        .toList());
                return;
            } catch (StoreException e) {
                store.rollback();
                // What broke the transaction may have broken other connections of the pool as well.
                if (!attempts.another(e)) {
                    LOG.warn(
                            "{}: could not raise {} delivery counts after a rollback: {}",
                            owner,
                            back.size(),
                            e.getMessage());
                    return;
                }
            }
        }
    }

    private Set<MessageKey> lockFree(List<Unacknowledged> back, Patience patience) throws StoreException {
        List<MessageKey> keys = back.stream().map(Unacknowledged::key).toList();
        Set<MessageKey> free = new HashSet<>(store.lock(keys));
        while (free.size() < keys.size() && patience.pause()) {
            free.addAll(store.lock(keys));
        }
        return free;
    }

    /**
     * After an acknowledgement that is in doubt: acknowledges again what is still there and free. What is not there was acknowledged.
     * What is there and locked may be held by that transaction, which the server has not seen the end of: it is asked for again, for
     * as long as an operation waits for a connection.
     *
     * @return false if it is not known whether they were acknowledged, so that they may be delivered again
     */
    boolean settleDoubt(List<Unacknowledged> doubtful) {
        Patience patience = new Patience(runtime.settings().poolTimeoutMillis());
        String problem;
        do {
            try {
                if (settledNow(doubtful)) {
                    return true;
                }
                problem = "a transaction that does not end holds some of them";
            } catch (StoreException e) {
                store.rollback();
                if (e.failure() == Failure.CLAIM_LOST) {
                    LOG.info("{}: an acknowledgement in doubt was carried out, or its lease was over.", owner);
                    return false;
                }
                problem = e.getMessage();
                if (!e.failure().isTransient() && e.failure() != Failure.IN_DOUBT) {
                    break;
                }
            }
        } while (patience.pause());
        LOG.warn(
                "{}: an acknowledgement is in doubt, so {} messages may be delivered once more: {}",
                owner,
                doubtful.size(),
                problem);
        return false;
    }

    /** Returns false, with no transaction open, if somebody holds some of them. */
    private boolean settledNow(List<Unacknowledged> doubtful) throws StoreException {
        List<MessageKey> byLock = doubtful.stream()
                .filter(message -> !message.leased())
                .map(Unacknowledged::key)
                .toList();
        Set<MessageKey> locked = new HashSet<>(store.lock(byLock));
        if (store.isAnyThere(
                byLock.stream().filter(key -> !locked.contains(key)).toList())) {
            store.rollback();
            return false;
        }
        List<Unacknowledged> left = doubtful.stream()
                .filter(message -> message.leased() || locked.contains(message.key()))
                .toList();
        store.endDeliveries(Unacknowledged.suspects(left));
        store.commit(Settlement.acknowledgement(Unacknowledged.claims(left)), null);
        LOG.info(
                "{}: settled an acknowledgement in doubt; {} of {} messages had still to be acknowledged.",
                owner,
                left.size(),
                doubtful.size());
        return true;
    }

    /**
     * Puts delivered messages that are held by lease back at once, by their redelivery policy. Where that fails they come back when
     * their lease is over.
     */
    void giveBack(List<Unacknowledged> leased) {
        Attempts attempts = Attempts.inShortTransactions();
        while (!leased.isEmpty()) {
            try {
                runtime.redelivered(store.giveBack(Unacknowledged.claims(leased), plan(leased)));
                return;
            } catch (StoreException e) {
                if (!attempts.another(e)) {
                    warn(leased.size(), e);
                    return;
                }
            } catch (JMSException e) {
                warn(leased.size(), e);
                return;
            }
        }
    }

    private void warn(int messages, Exception problem) {
        LOG.warn("{}: could not give back {} leased messages: {}", owner, messages, problem.getMessage());
    }

    /** Puts undelivered messages that are held by lease back as they were. What cannot be given back now is back when its lease is over. */
    void giveBackUndelivered(List<Claim> leased) {
        if (leased.isEmpty()) {
            return;
        }
        try {
            store.giveBack(leased, List.of());
            leased.forEach(claim -> runtime.arrived(claim.key().destinationId(), 1));
        } catch (StoreException e) {
            LOG.warn(
                    "{}: {} messages cannot be given back before their lease is over, and count as delivered: {}",
                    owner,
                    leased.size(),
                    e.getMessage());
        }
    }

    /** Moves a message that is held by lease and has no deliveries left to the dead letters, at once. */
    void deadLetterLeased(Unacknowledged message) throws StoreException, JMSException {
        List<Redelivery> plan = List.of(runtime.redeliveries().deadLetter(message, message.deliveryCount()));
        runtime.redelivered(store.giveBack(List.of(message.claim()), plan));
    }
}
