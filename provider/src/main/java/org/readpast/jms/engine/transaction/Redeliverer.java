package org.readpast.jms.engine.transaction;

import jakarta.jms.JMSException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.readpast.jms.engine.runtime.LeasesInDoubt;
import org.readpast.jms.engine.runtime.ProviderRuntime;
import org.readpast.jms.engine.runtime.Unacknowledged;
import org.readpast.jms.engine.source.Release;
import org.readpast.jms.engine.support.Attempts;
import org.readpast.jms.store.Claim;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.Redelivery;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.threads.Loggers;
import org.readpast.jms.threads.Patience;
import org.slf4j.Logger;

/**
 * How delivered messages come back: with their deliveries counted, later, or as dead letters. Used by whoever has the session's lock; not
 * thread-safe.
 */
public final class Redeliverer {

    private static final Logger LOG = Loggers.of(Redeliverer.class);

    /** A server takes some milliseconds to notice that a connection is gone. One that does not notice has to be given up. */
    static final long NOTICE_MILLIS = 1_000;

    private final ProviderRuntime runtime;
    private final String owner;
    private final StoreTransaction store;
    private final BooleanSupplier endsInOrder;

    /**
     * @param owner the session's name for logs
     * @param endsInOrder whether messages come back now because deliveries end, and not because somebody has failed with them
     */
    public Redeliverer(ProviderRuntime runtime, String owner, StoreTransaction store, BooleanSupplier endsInOrder) {
        this.runtime = runtime;
        this.owner = owner;
        this.store = store;
        this.endsInOrder = endsInOrder;
    }

    /** How they come back; nothing is planned for those that come back as they were. */
    List<Redelivery> plan(List<Unacknowledged> back) {
        return endsInOrder.getAsBoolean() ? List.of() : runtime.redeliveries().plan(back);
    }

    /**
     * Raises delivery counts and commits that, while the locks are held, so no other consumer slips in between.
     *
     * @return null, or why it failed for certain; the messages come back with their counts as they were
     */
    Failure count(List<Unacknowledged> back) {
        return count(back, plan(back));
    }

    private Failure count(List<Unacknowledged> back, List<Redelivery> plan) {
        try {
            store.endDeliveries(Unacknowledged.suspects(back));
            store.redeliver(plan);
            store.commit(Settlement.NOTHING, null);
            runtime.redelivered(plan);
            return null;
        } catch (StoreException e) {
            store.rollback();
            if (e.failure() == Failure.IN_DOUBT) {
                // To count again might be to count twice, and too many deliveries make a dead letter.
                LOG.warn(
                        "{}: it is not known whether {} delivery counts were raised: {}",
                        owner,
                        back.size(),
                        e.getMessage());
                return null;
            }
            LOG.warn("{}: could not raise {} delivery counts in a rollback: {}", owner, back.size(), e.getMessage());
            return e.failure();
        }
    }

    /**
     * After a real rollback the locks are gone: what others have claimed by now is theirs and stays as it is, the rest is
     * counted in a short transaction. Where a dead letter cannot be made, all are counted, and whoever claims it next is to make it.
     *
     * @param why what has ended the transaction; after a lost connection the server may hold its locks for a moment yet
     */
    void countAfterwards(List<Unacknowledged> back, Failure why) {
        if (back.isEmpty()) {
            return;
        }
        Patience patience = new Patience(why == Failure.CONNECTION_LOST ? NOTICE_MILLIS : 0);
        Attempts attempts = Attempts.inTransaction();
        boolean withDeadLetters = true;
        while (true) {
            try {
                Set<MessageKey> free = lockFree(back, patience);
                List<Unacknowledged> left = back.stream()
                        .filter(message -> free.contains(message.key()))
                        .toList();
                List<Redelivery> plan = plan(left);
                Failure failure = count(left, withDeadLetters ? plan : withoutDeadLetters(plan));
                if (failure == null || !failure.mayBeOfOneMessage() || !withDeadLetters) {
                    return;
                }
                withDeadLetters = false;
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
     * A delivery is to be rolled back that was not of the session's transaction, which holds nothing, and whose lock is lost: it is counted,
     * unless somebody else has the message by now.
     */
    public void countLost(Unacknowledged message) {
        countAfterwards(List.of(message), Failure.CONNECTION_LOST);
    }

    private static List<Redelivery> withoutDeadLetters(List<Redelivery> plan) {
        return plan.stream()
                .map(each -> each instanceof Redelivery.DeadLetter ? new Redelivery.AtOnce(each.key()) : each)
                .toList();
    }

    private Set<MessageKey> lockFree(List<Unacknowledged> back, Patience patience) throws StoreException {
        List<Claim> claims = Unacknowledged.claims(back);
        Set<MessageKey> free = new HashSet<>(store.lock(claims));
        while (free.size() < claims.size() && patience.pause()) {
            free.addAll(store.lock(claims));
        }
        return free;
    }

    /**
     * Puts delivered messages that are held by lease back at once, by their redelivery policy; where the database is away, as soon as it is
     * back.
     */
    void giveBack(List<Unacknowledged> leased) {
        if (endsInOrder.getAsBoolean()) {
            giveBackUndelivered(Unacknowledged.claims(leased));
        } else {
            giveBack(Unacknowledged.claims(leased), () -> runtime.redeliveries().plan(leased), runtime::redelivered);
        }
    }

    /** Puts messages that are held by lease back as they were; where the database is away, as soon as it is back. */
    void giveBackUndelivered(List<Claim> leased) {
        giveBack(leased, List::of, none -> tellOf(leased));
    }

    /** Gives back what a failed claim by lease may hold all the same. */
    void giveBackInDoubt(List<Claim> leased) {
        if (leased.isEmpty()) {
            return;
        }
        LeasesInDoubt.giveBack(
                runtime.store(),
                runtime.housekeeping(),
                owner + ": what may be held by lease",
                leased,
                () -> tellOf(leased));
    }

    /** Messages that were held by lease are in their queues again. */
    void tellOf(List<Claim> back) {
        back.forEach(claim -> runtime.arrived(claim.key().destinationId(), 1));
    }

    private void giveBack(List<Claim> leased, Supplier<List<Redelivery>> planning, Consumer<List<Redelivery>> onBack) {
        if (leased.isEmpty()) {
            return;
        }
        try {
            // Later on another thread, which is safe: it is no part of the session's SQL transaction.
            Release.carryOut(
                    runtime.housekeeping(),
                    owner + ": what was held by lease",
                    () -> onBack.accept(attemptToGiveBack(leased, planning)));
        } catch (StoreException e) {
            LOG.warn("{}: could not give back {} leased messages: {}", owner, leased.size(), e.getMessage());
        }
    }

    /** Tries again at once where that is worth it; without dead letters where one cannot be made. */
    private List<Redelivery> attemptToGiveBack(List<Claim> leased, Supplier<List<Redelivery>> planning)
            throws StoreException {
        Attempts attempts = Attempts.inShortTransactions();
        List<Redelivery> plan = planning.get();
        while (true) {
            try {
                return store.giveBack(leased, plan);
            } catch (StoreException e) {
                if (e.failure().mayBeOfOneMessage()
                        && plan.stream().anyMatch(Redelivery.DeadLetter.class::isInstance)) {
                    LOG.warn("{}: leased messages come back, dead letters among them: {}", owner, e.getMessage());
                    plan = withoutDeadLetters(plan);
                } else if (!attempts.another(e)) {
                    throw e;
                }
            }
        }
    }

    /** Moves a message that is held by lease and has no deliveries left to the dead letters, at once. */
    void deadLetterLeased(Unacknowledged message) throws StoreException, JMSException {
        List<Redelivery> plan = List.of(runtime.redeliveries().deadLetter(message, message.deliveryCount()));
        runtime.redelivered(store.giveBack(List.of(message.claim()), plan));
    }
}
