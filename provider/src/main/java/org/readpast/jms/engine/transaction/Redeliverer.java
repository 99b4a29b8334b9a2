package org.readpast.jms.engine.transaction;

import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.readpast.jms.engine.runtime.ProviderRuntime;
import org.readpast.jms.engine.runtime.Unacknowledged;
import org.readpast.jms.engine.support.Attempts;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.Patience;
import org.readpast.jms.store.Redelivery;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How delivered messages come back: with their deliveries counted, later, or as dead letters; and what becomes of those of which
 * it is not known whether they were acknowledged. Used by whoever has the session's lock; not thread-safe.
 */
public final class Redeliverer {

    private static final Logger LOG = LoggerFactory.getLogger(Redeliverer.class);

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
     * @return false if it failed for certain; the messages come back with their counts as they were
     */
    boolean count(List<Unacknowledged> back) {
        try {
            List<Redelivery> plan = plan(back);
            store.endDeliveries(Unacknowledged.suspects(back));
            store.redeliver(plan);
            store.commit(Settlement.NOTHING, null);
            runtime.redelivered(plan);
            return true;
        } catch (StoreException | JMSException e) {
            store.rollback();
            if (e instanceof StoreException problem && problem.failure() == Failure.IN_DOUBT) {
                // To count again might be to count twice, and too many deliveries make a dead letter.
                LOG.warn(
                        "{}: it is not known whether {} delivery counts were raised: {}",
                        owner,
                        back.size(),
                        e.getMessage());
                return true;
            }
            LOG.warn("{}: could not raise {} delivery counts in a rollback: {}", owner, back.size(), e.getMessage());
            return false;
        }
    }

    /**
     * After a real rollback the locks are gone: what others have claimed by now is theirs and stays as it is, the rest is
     * counted in a short transaction.
     */
    void countAfterwards(List<Unacknowledged> back) {
        if (back.isEmpty()) {
            return;
        }
        Attempts attempts = new Attempts();
        while (true) {
            try {
                Set<MessageKey> free = new LinkedHashSet<>(
                        store.lock(back.stream().map(Unacknowledged::key).toList()));
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
        List<MessageKey> left = new ArrayList<>(keys(doubtful, Unacknowledged::leased));
        List<MessageKey> locked = keys(doubtful, message -> !message.leased());
        left.addAll(store.lock(locked));
        if (store.isAnyThere(locked.stream().filter(key -> !left.contains(key)).toList())) {
            store.rollback();
            return false;
        }
        store.endDeliveries(Unacknowledged.suspects(doubtful).stream()
                .filter(left::contains)
                .toList());
        store.commit(new Settlement(List.of(), left), null);
        LOG.info(
                "{}: settled an acknowledgement in doubt; {} of {} messages had still to be acknowledged.",
                owner,
                left.size(),
                doubtful.size());
        return true;
    }

    private static List<MessageKey> keys(List<Unacknowledged> messages, Predicate<Unacknowledged> which) {
        return messages.stream().filter(which).map(Unacknowledged::key).toList();
    }

    /**
     * Puts delivered messages that are held by lease back at once, by their redelivery policy. Where that fails they come back when
     * their lease is over.
     */
    void giveBack(List<Unacknowledged> leased) {
        Attempts attempts = new Attempts();
        while (!leased.isEmpty()) {
            try {
                List<MessageKey> keys = leased.stream().map(Unacknowledged::key).toList();
                runtime.redelivered(store.giveBack(keys, plan(leased)));
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

    /** Puts those of these undelivered messages that are held by lease back as they were. */
    void forgo(Collection<StoredMessage> undelivered) {
        List<MessageKey> keys = undelivered.stream()
                .filter(message -> message.lease() != null)
                .map(StoredMessage::key)
                .toList();
        if (keys.isEmpty()) {
            return;
        }
        try {
            store.giveBack(keys, List.of());
            keys.forEach(key -> runtime.arrived(key.destinationId(), 1));
        } catch (StoreException e) {
            LOG.debug("{}: leased messages are given back with the end of the transaction: {}", owner, e.getMessage());
        }
    }

    /** Moves a message that is held by lease and has no deliveries left to the dead letters, at once. */
    void deadLetterLeased(Unacknowledged message) throws StoreException, JMSException {
        List<Redelivery> plan = List.of(runtime.redeliveries().deadLetter(message, message.deliveryCount()));
        runtime.redelivered(store.giveBack(List.of(message.key()), plan));
    }
}
