package org.readpast.jms.engine.transaction;

import jakarta.jms.JMSException;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.readpast.jms.engine.runtime.MalformedRow;
import org.readpast.jms.engine.runtime.ProviderRuntime;
import org.readpast.jms.engine.runtime.Unacknowledged;
import org.readpast.jms.engine.source.Source;
import org.readpast.jms.engine.support.Attempts;
import org.readpast.jms.engine.support.GuardedConnection;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.store.Claim;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.Redelivery;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.threads.Loggers;
import org.readpast.jms.threads.Patience;
import org.slf4j.Logger;

/**
 * The transaction of one session: what it claims and delivers, what it sends at the commit. One SQL transaction follows the other, and
 * {@link #epoch} tells them apart. Used by whoever has the session's lock; not thread-safe.
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
    private final Redeliverer returns;

    /** Made in the SQL transaction that is open. */
    private final List<Redelivery> deadLetters = new ArrayList<>();

    private boolean sharedWithApplication;
    private StoreException doom;

    /** Asked by handles of the SQL connection, on whatever thread they are used. */
    private final AtomicLong epoch = new AtomicLong();

    /**
     * Held during each call of a handle of the SQL connection, and by whoever ends the transaction: who does so on another thread than works
     * with the handle, as a container whose transaction has timed out, does not give the connection to others between a question whether the
     * epoch goes on and what is done then.
     */
    private final ReentrantLock work = new ReentrantLock();

    /**
     * @param owner the session's name for logs and errors
     * @param consumer the name under which it consumes, for the histories of queues
     * @param endsInOrder see {@link Redeliverer}
     */
    public SessionTransaction(ProviderRuntime runtime, String owner, String consumer, BooleanSupplier endsInOrder) {
        this.runtime = runtime;
        this.owner = owner;
        this.store = runtime.store().transaction(consumer);
        this.outbox = new Outbox(runtime.settings().outboxBytes());
        this.messages = new ClaimedMessages(store);
        this.returns = new Redeliverer(runtime, owner, store, endsInOrder);
    }

    boolean hasDelivered() {
        return messages.isAnyDelivered();
    }

    /** How many messages to claim at once; see {@link ClaimedMessages#likelyToFollow}. */
    int likelyToFollow(int limit) {
        return messages.likelyToFollow(limit);
    }

    /** As the method below; never more than {@code max}. */
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
    int claim(Recipient recipient, int max, int most) throws StoreException {
        // A claim by lease has a transaction of its own, and leaves this one as it is.
        boolean alone = recipient.source().isLeased();
        Attempts attempts = alone ? Attempts.inShortTransactions() : Attempts.inTransaction();
        while (true) {
            try {
                return ready(recipient, claimOnce(recipient.source(), max, most));
            } catch (StoreException e) {
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

    private List<StoredMessage> claimOnce(Source source, int max, int most) throws StoreException {
        ClaimRequest request = source.request(max);
        List<StoredMessage> claimed;
        try {
            claimed = messages.claim(request, most);
        } finally {
            returns.giveBackInDoubt(store.leasesInDoubt());
        }
        if (request.byGroups() || !runtime.groups().discover(request.destinationId(), claimed)) {
            return claimed;
        }
        // Where something is at stake they stay locked until the end, which delays their groups and harms nothing.
        forgo(claimed);
        release();
        return messages.claim(source.requestByGroups(max), most);
    }

    private int ready(Recipient recipient, List<StoredMessage> claimed) {
        messages.ready(recipient, claimed);
        return claimed.size();
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
        returns.giveBackUndelivered(claimed.stream()
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
                broken(e);
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

    /** A message whose row cannot be read was not delivered: what holds it by lease has counted that, and puts it back. */
    public void giveUp(Unacknowledged message) {
        if (message.leased()) {
            returns.giveBack(List.of(message));
        }
        messages.putElsewhere();
    }

    /** Moves a claimed message that has no deliveries left to the dead letters, at once where nothing else is at stake. */
    public void deadLetter(Unacknowledged message) throws StoreException, JMSException {
        if (message.leased()) {
            deadLetterLeased(message);
            return;
        }
        try {
            endDeliveries(List.of(message));
            List<Redelivery> plan = List.of(runtime.redeliveries().deadLetter(message, message.deliveryCount()));
            store.redeliver(plan);
            deadLetters.addAll(plan);
            messages.putElsewhere();
            commitUnlessAtStake();
        } catch (StoreException e) {
            broken(e);
            throw e;
        }
    }

    /** Where that fails, it is back in its queue, and tried again by whoever gets it next. */
    private void deadLetterLeased(Unacknowledged message) throws StoreException, JMSException {
        boolean isDead = false;
        try {
            returns.deadLetterLeased(message);
            isDead = true;
        } finally {
            messages.putElsewhere();
            if (!isDead) {
                returns.giveBackUndelivered(List.of(message.claim()));
            }
        }
    }

    /** A message was not delivered after all: the delivery of a suspect one is not counted, at once where nothing else is at stake. */
    public void undeliver(Unacknowledged message) throws StoreException {
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

    /** The message is being delivered, and is to be acknowledged. */
    public void deliver(Unacknowledged message) {
        messages.deliver(message);
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
            Connection shared = store.connection();
            long now = epoch.get();
            return GuardedConnection.guard(shared, work, () -> epoch.get() == now, () -> store.retire(shared));
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

    /** Undoes all work since the savepoint, if there is one, and returns those of these messages whose locks are still held. */
    private List<Unacknowledged> goBackToSavepoint(List<Unacknowledged> back) throws StoreException {
        if (!messages.hasSavepoint()) {
            return back;
        }
        store.rollbackToSavepoint();
        return back.stream()
                .filter(message -> messages.isLockedBeforeSavepoint(message.key()))
                .toList();
    }

    /** Acknowledges all that was delivered and commits. */
    void settle() throws StoreException {
        settled(() -> store.commit(settlement(List.of()), null));
    }

    /** What a commit carries out. What is held by lease and was not delivered goes back with it. */
    private Settlement settlement(List<NewMessage> sends) {
        return new Settlement(sends, messages.deliveredClaims(), messages.undeliveredLeases());
    }

    /** Whether {@link #settleVerified} is needed to find out what became of an acknowledgement. */
    boolean verifiesByMarkers() {
        return store.leavesMarkers();
    }

    /** The same, with what it takes to find out what became of it. */
    void settleVerified() throws StoreException {
        settled(() -> {
            store.commitVerified(settlement(List.of()));
            return null;
        });
    }

    /** The same, and looks in the same round trip, where that is possible, whether there may be more in a source. */
    boolean settleAndLook(Source source) throws StoreException {
        int from = source.destinationId();
        return settled(() -> store.commitAndLook(messages.deliveredClaims(), from));
    }

    /** Acknowledges and commits, then claims again in the same round trip where that is possible; returns how many. */
    int settle(Recipient recipient, int max) throws StoreException {
        ClaimRequest next = recipient.source().request(max);
        List<StoredMessage> claimed = settled(() -> store.commit(settlement(List.of()), next));
        returns.giveBackInDoubt(store.leasesInDoubt());
        if (!next.byGroups() && runtime.groups().discover(next.destinationId(), claimed)) {
            forgo(claimed);
            release();
            return claimBehindCommit(recipient, max);
        }
        return ready(recipient, claimed);
    }

    /** What is committed must not be reported as failed because the claim after it did. */
    private int claimBehindCommit(Recipient recipient, int max) {
        try {
            return claim(recipient, max);
        } catch (StoreException e) {
            LOG.warn("{}: the transaction was committed, but the claim of the next messages failed", owner, e);
            return 0;
        }
    }

    private <T> T settled(Commit<T> commit) throws StoreException {
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
     * After an acknowledgement that has failed. One whose connection broke during its commit is done again: see
     * {@link Redeliverer#acknowledgeAgain}. Every other one was undone, and the messages come back.
     *
     * @param reached whether they have reached the application, so that their deliveries count
     * @return whether the messages are acknowledged now, as far as is known
     */
    boolean acknowledgedAfterAll(StoreException failure, boolean reached) {
        Failure why = failure.failure();
        if (why != Failure.IN_DOUBT && why != Failure.UNDONE) {
            if (!reached) {
                returns.giveBackUndelivered(Unacknowledged.claims(messages.deliveredByLease()));
                messages.forgetDelivered();
            }
            abandon(messages.deliveredByLock(), why);
            return false;
        }
        List<Unacknowledged> delivered = messages.delivered();
        List<Unacknowledged> byLease = messages.deliveredByLease();
        end();
        boolean acknowledged = returns.acknowledgeAgain(delivered, why);
        // In doubt they reach the application even now.
        if (!acknowledged && (reached || why == Failure.IN_DOUBT)) {
            returns.giveBack(byLease);
        } else if (!acknowledged) {
            returns.giveBackUndelivered(Unacknowledged.claims(byLease));
        }
        return acknowledged;
    }

    /**
     * After a doubt about messages of several sessions that were acknowledged together, while this transaction holds nothing and its session
     * waits for the end of that.
     *
     * @param patience for how long to look
     */
    public void settleDoubt(List<StoredMessage> messages, Patience patience) {
        List<Unacknowledged> doubtful =
                messages.stream().map(Unacknowledged::of).toList();
        returns.acknowledgeAgain(doubtful, Failure.IN_DOUBT, patience);
    }

    /**
     * A delivery is to be rolled back that was not of this transaction, which holds nothing, and whose lock is lost: it is counted, unless
     * somebody else has the message by now.
     */
    public void countLost(Unacknowledged message) {
        returns.countAfterwards(List.of(message), Failure.CONNECTION_LOST);
    }

    /**
     * Drops everything after a failure that already undid it in the database.
     *
     * @param back what was held by lock and is to be counted as delivered
     */
    private void abandon(List<Unacknowledged> back, Failure why) {
        returns.giveBack(messages.deliveredByLease());
        store.rollback();
        end(() -> returns.countAfterwards(back, why));
    }

    /** Undoes the last delivery and acknowledges those before it. */
    void rollbackLast() {
        List<Unacknowledged> delivered = messages.delivered();
        Unacknowledged last = delivered.get(delivered.size() - 1);
        List<Claim> before = messages.deliveredClaims().subList(0, delivered.size() - 1);
        List<Redelivery> plan = returns.plan(List.of(last));
        try {
            endDeliveries(delivered);
            if (last.leased()) {
                plan = store.giveBack(List.of(last.claim()), plan);
            } else {
                store.redeliver(plan);
            }
            store.commit(new Settlement(List.of(), before, messages.undeliveredLeases()), null);
            messages.forgetUndeliveredLeases();
            end();
            runtime.redelivered(plan);
        } catch (StoreException e) {
            LOG.warn("{}: the whole batch may be delivered again: {}", owner, e.getMessage());
            // In doubt they may have been counted.
            abandon(e.failure() == Failure.IN_DOUBT ? List.of() : messages.deliveredByLock(), e.failure());
        }
    }

    /**
     * Commits sends and acknowledgements together.
     *
     * @throws jakarta.jms.TransactionRolledBackException if it cannot be done; all is undone
     * @throws JMSException if it is not known whether it was done
     */
    public void commit() throws JMSException {
        ending(this::commitAll);
    }

    private void commitAll() throws JMSException {
        if (doom != null) {
            throw undone(doom);
        }
        if (outbox.isEmpty() && !messages.isAnyDelivered() && !sharedWithApplication) {
            release();
            return;
        }
        List<NewMessage> sent = outbox.all();
        try {
            retried(() -> {
                store.commitVerified(settlement(outbox.held()));
                return List.of();
            });
        } catch (StoreException e) {
            if (e.failure() != Failure.IN_DOUBT) {
                throw undone(e);
            }
            returns.giveBack(messages.deliveredByLease());
            end();
            throw JmsErrors.jms(
                    owner + ": the connection broke during the commit, so it is not known whether "
                            + "it was carried out; look before you repeat it",
                    e);
        }
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
        Attempts attempts = Attempts.inTransaction();
        while (true) {
            try {
                endDeliveries(messages.delivered());
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
        abandon(messages.deliveredByLock(), cause.failure());
        return JmsErrors.rolledBack(
                owner + ": the transaction was rolled back; its messages will be delivered again", cause);
    }

    /** Undoes everything: sends are dropped, delivered messages come back with their count raised. */
    public void rollback() {
        ending(this::rollBackAll);
    }

    private void rollBackAll() {
        release();
        List<Unacknowledged> back = messages.deliveredByLock();
        messages.rolledBack();
        returns.giveBack(messages.deliveredByLease());
        List<Unacknowledged> counted = List.of();
        Failure failure = doom == null ? null : doom.failure();
        if (doom == null) {
            try {
                List<Unacknowledged> held = goBackToSavepoint(back);
                failure = held.isEmpty() ? null : returns.count(held);
                counted = failure == null ? held : List.of();
            } catch (StoreException e) {
                LOG.debug("{}: a savepoint did not hold, rolling back altogether: {}", owner, e.getMessage());
                failure = e.failure();
            }
        }
        if (counted.isEmpty()) {
            store.rollback();
        }
        List<Unacknowledged> left = without(back, counted);
        Failure why = failure;
        end(() -> returns.countAfterwards(left, why));
    }

    private static List<Unacknowledged> without(List<Unacknowledged> messages, List<Unacknowledged> counted) {
        return messages.stream().filter(message -> !counted.contains(message)).toList();
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

    /**
     * Whether the next claim would cost nothing if it travelled with the commit now, nor keep a connection or a message from anybody, such as
     * those who receive together.
     */
    boolean mayClaimAhead(Source source) {
        return isConnectionToSpare()
                && !runtime.combinedReceives().isUnderWay(source.destinationId())
                && store.claimsWithCommit(source.request(1));
    }

    /** Whether nobody needs the SQL connection more than this session does. */
    public boolean isConnectionToSpare() {
        return store.isConnectionToSpare();
    }

    public void close() {
        ending(() -> {
            release();
            store.close();
            end();
        });
    }

    private <E extends Exception> void ending(SessionLock.Wait<E> end) throws E {
        work.lock();
        try {
            end.run();
        } finally {
            work.unlock();
        }
    }

    /** Whether there is something that is to be committed or rolled back. */
    public boolean isAtStake() {
        return messages.isAnyDelivered() || outbox.hasGoneOut() || sharedWithApplication;
    }

    /** Whether the session's next commit or rollback means something. */
    public boolean isUnderWay() {
        return isAtStake() || !outbox.isEmpty() || doom != null;
    }

    /** Whether the end of the SQL transaction would undo some of that: leases outlive it. */
    private boolean isUndoneByRollback() {
        return !messages.deliveredByLock().isEmpty() || outbox.hasGoneOut() || sharedWithApplication;
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
        end(() -> {});
    }

    /** @param first what is to be done with messages that are free now, before others are woken for them */
    private void end(Runnable first) {
        outbox.clear();
        messages.forgetDelivered();
        sharedWithApplication = false;
        doom = null;
        newEpoch(() -> {
            giveBackUndelivered();
            first.run();
        });
    }

    private void giveBackUndelivered() {
        List<Claim> leased = messages.undeliveredLeases();
        messages.forgetUndeliveredLeases();
        returns.giveBackUndelivered(leased);
    }

    /** Ends, and nobody is to be woken for what was acknowledged. */
    private void committed() {
        List<Claim> returned = messages.undeliveredLeases();
        messages.forgetUndeliveredLeases();
        messages.acknowledged();
        end();
        returned.forEach(claim -> runtime.arrived(claim.key().destinationId(), 1));
    }

    /** Whatever was claimed is free, and others are woken for it, and for what is a dead letter now. */
    private void newEpoch() {
        newEpoch(() -> {});
    }

    private void newEpoch(Runnable first) {
        epoch.incrementAndGet();
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
