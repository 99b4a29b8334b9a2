package org.readpast.jms.engine.transaction;

import jakarta.jms.JMSException;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.readpast.jms.engine.runtime.ProviderRuntime;
import org.readpast.jms.engine.runtime.Unacknowledged;
import org.readpast.jms.engine.support.Attempts;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.store.Claim;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.Redelivery;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * The transaction of one session: what is at stake in it, and how it ends. One SQL transaction, an epoch, follows the other.
 * Used by whoever has the session's lock; not thread-safe.
 *
 * <p>A transaction with something at stake whose SQL transaction broke is <em>doomed</em>: it goes on, but can only be rolled
 * back.
 */
public final class SessionTransaction {

    private static final Logger LOG = Loggers.of(SessionTransaction.class);

    private final ProviderRuntime runtime;
    private final String owner;
    private final StoreTransaction store;
    private final Outbox outbox;
    private final ClaimedMessages messages;
    private final Redeliverer redeliverer;
    private final ConnectionHandles handles;

    /** Made in the SQL transaction that is open. */
    private final List<Redelivery> deadLetters = new ArrayList<>();

    private boolean sharedWithApplication;

    /** Why it is doomed; null while it is not. */
    private StoreException doom;

    /** @param owner the session's name for logs and errors */
    public SessionTransaction(
            ProviderRuntime runtime,
            String owner,
            StoreTransaction store,
            ClaimedMessages messages,
            Redeliverer redeliverer) {
        this.runtime = runtime;
        this.owner = owner;
        this.store = store;
        this.outbox = new Outbox(runtime.settings().outboxBytes());
        this.messages = messages;
        this.redeliverer = redeliverer;
        this.handles = new ConnectionHandles(store);
    }

    /** Whether there is something that is to be committed or rolled back. */
    public boolean isAtStake() {
        return messages.isAnyDelivered() || outbox.hasGoneOut() || sharedWithApplication;
    }

    /** Whether the session's next commit or rollback means something. */
    public boolean isUnderWay() {
        return isAtStake() || !outbox.isEmpty() || doom != null;
    }

    /** Whether the end of the SQL transaction would undo some of what is at stake: leases outlive it. */
    boolean isUndoneByRollback() {
        return !messages.deliveredByLock().isEmpty() || outbox.hasGoneOut() || sharedWithApplication;
    }

    /** Whether nobody needs the SQL connection more than this session does. */
    public boolean isConnectionToSpare() {
        return store.isConnectionToSpare();
    }

    /** Holds messages back until the commit, all of them, unless too much is held back already. */
    public void send(List<NewMessage> sent) throws StoreException {
        if (outbox.hold(sent) || doom != null) {
            return;
        }
        List<NewMessage> early = outbox.held();
        outbox.wentOut();
        try {
            setSavepoint();
            store.insert(early);
        } catch (StoreException e) {
            broken(e);
            throw e;
        }
    }

    /** The SQL connection of this transaction, which from now on carries work of the application's. The handle is void in the next epoch. */
    public Connection share() throws StoreException {
        sharedWithApplication = true;
        try {
            setSavepoint();
            return handles.make();
        } catch (StoreException e) {
            broken(e);
            throw e;
        }
    }

    /**
     * Before the first work that a rollback cannot undo by hand: going back to here keeps the locks of what was claimed before, so that it
     * can be counted by the one who holds it. Later ones change nothing.
     */
    private void setSavepoint() throws StoreException {
        if (!messages.hasSavepoint()) {
            store.setSavepoint();
            messages.savepointSet();
        }
    }

    /** What is to become of a message that is not delivered. */
    @FunctionalInterface
    interface Planning {
        List<Redelivery> plan() throws JMSException;
    }

    /** Ends a delivery that came to nothing, and carries out a plan; at once where nothing else is at stake. */
    void endDelivery(Unacknowledged message, Planning planning) throws StoreException, JMSException {
        try {
            store.endDeliveries(Unacknowledged.suspects(List.of(message)));
            List<Redelivery> plan = planning.plan();
            store.redeliver(plan);
            deadLetters.addAll(plan);
            if (!isAtStake()) {
                store.commit(Settlement.NOTHING, null);
                newEpoch();
            }
        } catch (StoreException e) {
            broken(e);
            throw e;
        }
    }

    /** How the store commits a settlement, and what comes back with that. */
    @FunctionalInterface
    interface Commit<T> {
        T carryOut(Settlement settlement) throws StoreException;
    }

    /**
     * Commits all there is, as often as that makes sense; what is undone after a failure is up to the caller.
     *
     * @throws StoreException if it cannot be done, or it is not known whether it was
     */
    <T> T settle(Commit<T> commit) throws StoreException {
        if (doom != null) {
            throw doom;
        }
        T answer;
        try {
            answer = retried(commit);
        } catch (StoreException e) {
            broken(e);
            throw e;
        }
        committed();
        return answer;
    }

    /**
     * Commits sends and acknowledgements together.
     *
     * @throws jakarta.jms.TransactionRolledBackException if it cannot be done; all is undone
     * @throws JMSException if it is not known whether it was done
     */
    public void commit() throws JMSException {
        handles.ending(this::commitAll);
    }

    private void commitAll() throws JMSException {
        if (doom != null) {
            throw undone(doom);
        }
        if (!isUnderWay()) {
            release();
            return;
        }
        List<NewMessage> sent = outbox.all();
        try {
            retried(settlement -> {
                store.commitVerified(settlement);
                return null;
            });
        } catch (StoreException e) {
            if (e.failure() != Failure.IN_DOUBT) {
                throw undone(e);
            }
            redeliverer.giveBack(messages.deliveredByLease());
            end();
            throw JmsErrors.jms(
                    owner + ": the connection broke during the commit, so it is not known whether "
                            + "it was carried out; look before you repeat it",
                    e);
        }
        committed();
        runtime.committed(sent);
    }

    private JMSException undone(StoreException cause) {
        abandon(messages.deliveredByLock(), cause.failure());
        return JmsErrors.rolledBack(
                owner + ": the transaction was rolled back; its messages will be delivered again", cause);
    }

    /** Commits; where all that it takes is still there after a failure, it is tried again. */
    private <T> T retried(Commit<T> commit) throws StoreException {
        Attempts attempts = Attempts.inTransaction();
        while (true) {
            try {
                store.endDeliveries(Unacknowledged.suspects(messages.delivered()));
                return commit.carryOut(
                        new Settlement(outbox.held(), messages.deliveredClaims(), messages.undeliveredLeases()));
            } catch (StoreException e) {
                if (isUndoneByRollback() || !attempts.another(e)) {
                    throw e;
                }
                LOG.debug("{}: commit failed, trying again: {}", owner, e.getMessage());
            }
        }
    }

    /** Nobody is to be woken for what was acknowledged, but for what was held by lease and went back with the commit. */
    private void committed() {
        List<Claim> returned = messages.takeUndeliveredLeases();
        messages.acknowledged();
        end();
        redeliverer.tellOf(returned);
    }

    /** Undoes everything: sends are dropped, delivered messages come back with their count raised. */
    public void rollback() {
        handles.ending(this::rollBackAll);
    }

    private void rollBackAll() {
        release();
        messages.rolledBack();
        redeliverer.giveBack(messages.deliveredByLease());
        List<Unacknowledged> back = new ArrayList<>(messages.deliveredByLock());
        Failure why = doom == null ? countHeld(back) : doom.failure();
        store.rollback();
        end(back, why);
    }

    /**
     * Goes back to the savepoint, if there is one, and counts those whose locks are still held, which takes them off the list. Returns null, or
     * why the SQL transaction broke at that.
     */
    private Failure countHeld(List<Unacknowledged> back) {
        if (messages.hasSavepoint()) {
            try {
                store.rollbackToSavepoint();
            } catch (StoreException e) {
                LOG.debug("{}: a savepoint did not hold, rolling back altogether: {}", owner, e.getMessage());
                return e.failure();
            }
        }
        List<Unacknowledged> held = back.stream()
                .filter(message -> messages.isLockedBeforeSavepoint(message.key()))
                .toList();
        Failure failure = held.isEmpty() ? null : redeliverer.count(held);
        if (failure == null) {
            back.removeAll(held);
        }
        return failure;
    }

    /**
     * Drops everything after a failure that already undid it in the database.
     *
     * @param back what was held by lock and is to be counted as delivered
     */
    void abandon(List<Unacknowledged> back, Failure why) {
        redeliverer.giveBack(messages.deliveredByLease());
        store.rollback();
        end(back, why);
    }

    /** Gives back the SQL connection and all claims, where nothing is at stake; others are woken for what nobody holds any more. */
    public void release() {
        if (isAtStake()) {
            return;
        }
        giveBackUndelivered();
        if (store.isOpen()) {
            store.rollback();
            newEpoch();
        }
    }

    public void close() {
        handles.ending(() -> {
            release();
            store.close();
            end();
        });
    }

    /** A statement has failed, and the SQL transaction with it. */
    void broken(StoreException problem) {
        if (isUndoneByRollback() && doom == null) {
            doom = problem;
        }
        newEpoch();
    }

    /** Nothing is at stake any more. */
    void end() {
        end(List.of(), null);
    }

    /**
     * @param back what is free now and is to be counted before others are woken for it
     * @param why what has ended the SQL transaction
     */
    private void end(List<Unacknowledged> back, Failure why) {
        outbox.clear();
        messages.forgetDelivered();
        sharedWithApplication = false;
        doom = null;
        newEpoch(() -> {
            giveBackUndelivered();
            redeliverer.countAfterwards(back, why);
        });
    }

    private void giveBackUndelivered() {
        redeliverer.giveBackUndelivered(messages.takeUndeliveredLeases());
    }

    private void newEpoch() {
        newEpoch(() -> {});
    }

    /** Whatever was claimed by lock is free, and others are woken for it, and for what is a dead letter now. */
    private void newEpoch(Runnable first) {
        handles.newEpoch();
        Map<Integer, Integer> free = messages.unlocked();
        try {
            first.run();
        } finally {
            free.forEach(runtime::arrived);
            runtime.redelivered(deadLetters);
            deadLetters.clear();
        }
    }
}
