package org.readpast.jms.engine.transaction;

import jakarta.jms.JMSException;
import java.sql.Connection;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.readpast.jms.engine.runtime.MalformedRow;
import org.readpast.jms.engine.runtime.ProviderRuntime;
import org.readpast.jms.engine.runtime.Unacknowledged;
import org.readpast.jms.engine.source.Source;
import org.readpast.jms.engine.support.Attempts;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.Redelivery;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transaction of one session: what it claimed, what of it was delivered, what it sends at the commit. One SQL transaction
 * follows the other; claims live only as long as the one they were made in, which {@link #epoch} tells. Used by whoever has
 * the session's lock; not thread-safe.
 *
 * <p>A transaction with something at stake whose SQL transaction broke is <em>doomed</em>: it goes on, but can only be rolled
 * back.
 */
public final class SessionTransaction {

    private static final Logger LOG = LoggerFactory.getLogger(SessionTransaction.class);

    private final ProviderRuntime runtime;
    private final String owner;
    private final StoreTransaction store;
    private final Outbox outbox;
    private final UnacknowledgedMessages taken = new UnacknowledgedMessages();
    private final Claims claims;
    private final Redeliverer returns;
    private final Savepoint savepoint;
    private boolean sharedWithApplication;
    private StoreException doom;

    /** Asked by handles of the SQL connection, on whatever thread they are used. */
    private final AtomicLong epoch = new AtomicLong();

    /** Messages that are still locked though this session may claim them again, by queue. */
    private final Map<Integer, Integer> forgone = new HashMap<>();

    /**
     * @param owner the session's name for logs and errors
     * @param consumer who consumes in it, for the histories of queues
     * @param endsInOrder see {@link Redeliverer}
     */
    public SessionTransaction(ProviderRuntime runtime, String owner, String consumer, BooleanSupplier endsInOrder) {
        this.runtime = runtime;
        this.owner = owner;
        this.store = runtime.store().transaction(consumer);
        this.outbox = new Outbox(runtime.settings().outboxBytes());
        this.claims = new Claims(store);
        this.returns = new Redeliverer(runtime, owner, store, endsInOrder);
        this.savepoint = new Savepoint(store, owner);
    }

    /** Claims made in another epoch than this one are void. */
    public long epoch() {
        return epoch.get();
    }

    boolean hasTaken() {
        return !taken.isEmpty();
    }

    /** How many messages to claim at once; see {@link UnacknowledgedMessages#likelyToFollow}. */
    int likelyToFollow(int limit) {
        return taken.likelyToFollow(limit);
    }

    /**
     * Claims messages that this session has not claimed already. Where nothing would be lost, a deadlock or a broken connection
     * is tried again.
     *
     * @param source where the messages wait
     */
    List<StoredMessage> claim(Source source, int max) throws StoreException {
        Attempts attempts = new Attempts();
        while (true) {
            try {
                return claimOnce(source, max);
            } catch (StoreException e) {
                // A claim by lease has a transaction of its own, and leaves this one as it is.
                boolean alone = source.isLeased();
                boolean again = (alone || !isUndoneByRollback()) && attempts.another(e);
                if (!alone) {
                    broken(e);
                }
                if (!again) {
                    throw e;
                }
                LOG.debug("{}: claim failed, trying again: {}", owner, e.getMessage());
            }
        }
    }

    private List<StoredMessage> claimOnce(Source source, int max) throws StoreException {
        ClaimRequest request = source.request(max);
        List<StoredMessage> claimed = claims.claim(request);
        if (request.byGroups() || !runtime.groups().discover(request.destinationId(), claimed)) {
            return claimed;
        }
        // Where something is at stake they stay locked until the end, which delays their groups and harms nothing.
        forgo(claimed);
        release();
        return claims.claim(source.requestByGroups(max));
    }

    /** Lets messages that were claimed and not delivered be claimed by another consumer of this session. */
    void forgo(Collection<StoredMessage> messages) {
        claims.forgo(messages);
        returns.forgo(messages);
        for (StoredMessage message : messages) {
            if (message.lease() == null) {
                forgone.merge(message.key().destinationId(), 1, Integer::sum);
            }
        }
    }

    /** The message as it is to be delivered: counted already if it is suspect or cannot be read, with its body read. */
    StoredMessage complete(StoredMessage message) throws StoreException {
        try {
            return MalformedRow.complete(store, store.beginDelivery(message), runtime.redeliveries());
        } catch (StoreException e) {
            if (message.lease() == null) {
                broken(e);
            }
            throw e;
        }
    }

    /** A message whose row cannot be read was not delivered: what holds it by lease has counted that, and puts it back. */
    public void giveUp(Unacknowledged message) {
        if (message.leased()) {
            returns.giveBack(List.of(message));
        }
    }

    /** Moves a claimed message that has no deliveries left to the dead letters, at once where nothing else is at stake. */
    public void deadLetter(Unacknowledged message) throws StoreException, JMSException {
        if (message.leased()) {
            returns.deadLetterLeased(message);
            return;
        }
        try {
            endDeliveries(List.of(message));
            store.redeliver(List.of(runtime.redeliveries().deadLetter(message, message.deliveryCount())));
            commitUnlessAtStake();
        } catch (StoreException e) {
            broken(e);
            throw e;
        }
    }

    /** A message was not delivered after all: the delivery of a suspect one is not counted, at once where nothing else is at stake. */
    public void untake(Unacknowledged message) throws StoreException {
        if (message.suspicion() == null) {
            return;
        }
        try {
            endDeliveries(List.of(message));
            commitUnlessAtStake();
        } catch (StoreException e) {
            broken(e);
            throw e;
        }
    }

    private void commitUnlessAtStake() throws StoreException {
        if (!isAtStake()) {
            store.commit(Settlement.NOTHING, null);
            newEpoch();
        }
    }

    /** Before messages are acknowledged or redelivered. */
    private void endDeliveries(List<Unacknowledged> messages) throws StoreException {
        store.endDeliveries(Unacknowledged.suspects(messages));
    }

    /** The message is being delivered. */
    public void take(Unacknowledged message) {
        taken.add(message);
    }

    /** Holds messages back until the commit, all of them, unless too much is held back already. */
    public void send(List<NewMessage> messages) throws StoreException {
        if (outbox.hold(messages) || doom != null) {
            return;
        }
        List<NewMessage> early = outbox.held();
        outbox.wentOut();
        try {
            savepoint.set(claims);
            store.insert(early);
        } catch (StoreException e) {
            broken(e);
            throw e;
        }
    }

    /** The SQL connection of this transaction, which from now on carries work of the application's. */
    public Connection share() throws StoreException {
        sharedWithApplication = true;
        try {
            savepoint.set(claims);
            return store.connection();
        } catch (StoreException e) {
            broken(e);
            throw e;
        }
    }

    /** The application has changed the connection's settings, or may have. On whatever thread it did so. */
    public void changed(Connection connection) {
        store.retire(connection);
    }

    /** Acknowledges all that was delivered and commits; returns nothing. */
    List<StoredMessage> settle() throws StoreException {
        return settled(() -> store.commit(new Settlement(List.of(), taken.keys()), null));
    }

    /** The same, and looks in the same round trip, where that is possible, whether there may be more in a source. */
    boolean settleAndLook(Source source) throws StoreException {
        int from = source.destinationId();
        return settled(() -> store.commitAndLook(taken.keys(), from));
    }

    /** Acknowledges and commits, then claims again in the same round trip where that is possible. */
    List<StoredMessage> settle(Source source, int max) throws StoreException {
        ClaimRequest next = source.request(max);
        List<StoredMessage> claimed = settled(() -> store.commit(new Settlement(List.of(), taken.keys()), next));
        if (!next.byGroups() && runtime.groups().discover(next.destinationId(), claimed)) {
            release();
            return claimBehindCommit(source, max);
        }
        return claims.add(next.destinationId(), claimed);
    }

    /** What is committed must not be reported as failed because the claim after it did. */
    private List<StoredMessage> claimBehindCommit(Source source, int max) {
        try {
            return claim(source, max);
        } catch (StoreException e) {
            LOG.warn("{}: the transaction was committed, but the claim of the next messages failed", owner, e);
            return List.of();
        }
    }

    private <T> T settled(Commit<T> commit) throws StoreException {
        if (doom != null) {
            StoreException cause = doom;
            end();
            throw cause;
        }
        T answer;
        try {
            answer = retried(commit);
        } catch (StoreException e) {
            broken(e);
            throw e;
        }
        taken.committed();
        committed();
        return answer;
    }

    /**
     * After an acknowledgement that is in doubt: see {@link Redeliverer#settleDoubt}.
     *
     * @return false if it is not known whether they were acknowledged, so that they may be delivered again
     */
    boolean settleDoubt() {
        List<Unacknowledged> doubtful = taken.all();
        end();
        return returns.settleDoubt(doubtful);
    }

    /** Drops everything after a failure that already undid it in the database; counts are left as they are. */
    void abandon() {
        returns.giveBack(taken.leased());
        store.rollback();
        end();
    }

    /** Undoes the last delivery and acknowledges those before it. */
    void rollbackLast() throws JMSException {
        Unacknowledged last = taken.last();
        List<MessageKey> before = taken.keysBeforeLast();
        List<Redelivery> plan = returns.plan(List.of(last));
        try {
            endDeliveries(taken.all());
            if (last.leased()) {
                plan = store.giveBack(List.of(last.key()), plan);
            } else {
                store.redeliver(plan);
            }
            store.commit(new Settlement(List.of(), before), null);
            end();
            runtime.redelivered(plan);
        } catch (StoreException e) {
            LOG.warn("{}: the whole batch may be delivered again: {}", owner, e.getMessage());
            abandon();
        }
    }

    /**
     * Commits sends and acknowledgements together.
     *
     * @throws jakarta.jms.TransactionRolledBackException if it cannot be done; all is undone
     * @throws JMSException if it is not known whether it was done
     */
    public void commit() throws JMSException {
        if (doom != null) {
            throw undone(doom);
        }
        if (outbox.isEmpty() && taken.isEmpty() && !sharedWithApplication) {
            release();
            return;
        }
        List<NewMessage> sent = outbox.all();
        try {
            retried(() -> {
                store.commitVerified(new Settlement(outbox.held(), taken.keys()));
                return List.of();
            });
        } catch (StoreException e) {
            if (e.failure() != Failure.IN_DOUBT) {
                throw undone(e);
            }
            returns.giveBack(taken.leased());
            end();
            throw JmsErrors.jms(
                    owner + ": the connection broke during the commit, so it is not known whether "
                            + "it was carried out; look before you repeat it",
                    e);
        }
        taken.committed();
        committed();
        runtime.committed(sent);
    }

    /** A commit, and what came back with it. */
    @FunctionalInterface
    private interface Commit<T> {
        T carryOut() throws StoreException;
    }

    /** Commits; where all that it takes is still there after a failure, it is tried again. */
    private <T> T retried(Commit<T> commit) throws StoreException {
        Attempts attempts = new Attempts();
        while (true) {
            try {
                endDeliveries(taken.all());
                return commit.carryOut();
            } catch (StoreException e) {
                if (isUndoneByRollback() || !attempts.another(e)) {
                    throw e;
                }
                LOG.debug("{}: commit failed, trying again: {}", owner, e.getMessage());
            }
        }
    }

    private JMSException undone(StoreException cause) {
        List<Unacknowledged> back = taken.locked();
        returns.giveBack(taken.leased());
        store.rollback();
        end();
        returns.countAfterwards(back);
        return JmsErrors.rolledBack(
                owner + ": the transaction was rolled back; its messages will be delivered again", cause);
    }

    /** Undoes everything: sends are dropped, delivered messages come back with their count raised. */
    public void rollback() {
        release();
        List<Unacknowledged> back = taken.locked();
        taken.rolledBack();
        returns.giveBack(taken.leased());
        List<Unacknowledged> held = doom == null ? savepoint.undo(back) : List.of();
        if (held.isEmpty() || !returns.count(held)) {
            store.rollback();
            held = List.of();
        }
        end();
        List<Unacknowledged> counted = held;
        returns.countAfterwards(
                back.stream().filter(message -> !counted.contains(message)).toList());
    }

    /** Gives back the SQL connection and all claims, where nothing is at stake; others are woken for what nobody holds any more. */
    public void release() {
        if (!isAtStake() && store.isOpen()) {
            store.rollback();
            newEpoch();
        }
    }

    /** Whether the next claim would cost nothing if it travelled with the commit now, nor keep a connection from anybody. */
    boolean mayClaimAhead(Source source) {
        return isConnectionToSpare() && store.claimsWithCommit(source.request(1));
    }

    /** Whether nobody needs the SQL connection more than this session does. */
    public boolean isConnectionToSpare() {
        return store.isConnectionToSpare();
    }

    public void close() {
        release();
        store.close();
        end();
    }

    /** Whether there is something that is to be committed or rolled back. */
    public boolean isAtStake() {
        return !taken.isEmpty() || outbox.hasGoneOut() || sharedWithApplication;
    }

    /** Whether the end of the SQL transaction would undo some of that: leases outlive it. */
    private boolean isUndoneByRollback() {
        return !taken.locked().isEmpty() || outbox.hasGoneOut() || sharedWithApplication;
    }

    boolean isDoomed() {
        return doom != null;
    }

    private void broken(StoreException problem) {
        if (isUndoneByRollback() && doom == null) {
            doom = problem;
        }
        newEpoch();
    }

    private void end() {
        outbox.clear();
        taken.clear();
        sharedWithApplication = false;
        doom = null;
        newEpoch();
    }

    /** Ends, and nobody is to be woken for what was acknowledged. */
    private void committed() {
        claims.acknowledged(taken.keys());
        end();
    }

    /** Whatever was claimed is free, and others are woken for it. */
    private void newEpoch() {
        epoch.incrementAndGet();
        savepoint.forget();
        Map<Integer, Integer> free = claims.counts();
        forgone.forEach((queue, count) -> free.merge(queue, count, Integer::sum));
        claims.clear();
        forgone.clear();
        free.forEach((queue, count) -> {
            if (count > 0) {
                runtime.arrived(queue, count);
            }
        });
    }
}
