package org.readpast.jms.engine;

import jakarta.jms.JMSException;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.readpast.jms.codec.Body;
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
 * the session's turn; not thread-safe.
 *
 * <p>A transaction with something at stake whose SQL transaction broke is <em>doomed</em>: it goes on, but can only be rolled
 * back.
 */
final class SessionTransaction {

    private static final Logger LOG = LoggerFactory.getLogger(SessionTransaction.class);

    /** From so many locked messages on, a claim starts behind them instead of reading over them. */
    private static final int READ_OVER = 100;

    private final Hub hub;
    private final String owner;
    private final StoreTransaction store;
    private final Outbox outbox;
    private final List<Taken> taken = new ArrayList<>();
    private final Claims claims = new Claims();
    private boolean sharedWithApplication;

    /** The claims from before the mark in the SQL transaction; null where it has none. */
    private Set<MessageKey> lockedBeforeMark;

    private StoreException doom;
    private long epoch;
    private int lastBatch;

    /**
     * @param owner the session's name for logs and errors
     */
    SessionTransaction(Hub hub, String owner) {
        this.hub = hub;
        this.owner = owner;
        this.store = hub.store().transaction();
        this.outbox = new Outbox(hub.settings().outboxBytes());
    }

    /** Claims made in another epoch than this one are void. */
    long epoch() {
        return epoch;
    }

    boolean hasTaken() {
        return !taken.isEmpty();
    }

    /**
     * How many messages to claim at once: as many as the last transaction consumed are likely to be consumed again, beyond them
     * a quarter more at a time.
     */
    int likelyToFollow(int limit) {
        int expected = taken.size() < lastBatch ? lastBatch - taken.size() : taken.size() / 4;
        return Math.max(1, Math.min(limit, expected));
    }

    /**
     * Claims messages that this session has not claimed already. Where nothing would be lost, a deadlock or a broken connection
     * is tried again.
     *
     * @param claimer asks for the messages
     */
    List<StoredMessage> claim(Claimer claimer, int max) throws StoreException {
        Attempts attempts = new Attempts();
        while (true) {
            try {
                return claimOnce(claimer, max);
            } catch (StoreException e) {
                boolean again = !isAtStake() && attempts.another(e);
                broken(e);
                if (!again) {
                    throw e;
                }
                LOG.debug("{}: claim failed, trying again: {}", owner, e.getMessage());
            }
        }
    }

    private List<StoredMessage> claimOnce(Claimer claimer, int max) throws StoreException {
        ClaimRequest request = claimer.request(max);
        if (request.byGroups()) {
            return claimByGroups(request);
        }
        List<StoredMessage> claimed = claimAny(request);
        if (!hub.groups().discover(request.destinationId(), claimed)) {
            return claims.add(request.destinationId(), claimed);
        }
        // Where something is at stake they stay locked until the end, which delays their groups and harms nothing.
        release();
        return claimByGroups(claimer.request(max));
    }

    private List<StoredMessage> claimByGroups(ClaimRequest request) throws StoreException {
        int id = request.destinationId();
        return claims.add(id, store.claim(request.holding(claims.of(id))));
    }

    private List<StoredMessage> claimAny(ClaimRequest request) throws StoreException {
        int id = request.destinationId();
        int max = request.max();
        int mine = claims.count(id);
        if (mine > READ_OVER) {
            List<StoredMessage> behind = store.claim(new ClaimRequest(id, max, claims.last(id), request.selector()));
            if (!behind.isEmpty()) {
                return behind;
            }
        }
        // Our own locks do not keep a row from us, so as many more are asked for as could be ours.
        return store.claim(ClaimRequest.fromHead(id, max + mine, request.selector()));
    }

    /** Lets messages that were claimed and not delivered be claimed by another consumer of this session. */
    void forgo(Iterable<StoredMessage> messages) {
        claims.forgo(messages);
    }

    /** The message with its body read. */
    StoredMessage complete(StoredMessage message) throws StoreException {
        try {
            return complete(store, message);
        } catch (StoreException e) {
            broken(e);
            throw e;
        }
    }

    static StoredMessage complete(StoreTransaction store, StoredMessage message) throws StoreException {
        if (!(message.message().body() instanceof Body.Deferred)) {
            return message;
        }
        Body body = store.readBody(message);
        return new StoredMessage(message.key(), message.message().withBody(body), message.deliveryCount());
    }

    static Delivery delivery(StoredMessage message) {
        return new Delivery(message.message(), message.deliveryCount() + 1, System.currentTimeMillis());
    }

    /** Moves a claimed message that has no deliveries left to the dead letters, at once where nothing else is at stake. */
    void deadLetter(Taken message) throws StoreException, JMSException {
        try {
            store.redeliver(List.of(hub.redeliveries().deadLetter(message, message.deliveryCount())));
            if (!isAtStake()) {
                store.commit(Settlement.NOTHING, null);
                newEpoch();
            }
        } catch (StoreException e) {
            broken(e);
            throw e;
        }
    }

    /** The message is being delivered. */
    void take(Taken message) {
        taken.add(message);
    }

    /** Holds messages back until the commit, all of them, unless too much is held back already. */
    void send(List<NewMessage> messages) throws StoreException {
        if (outbox.hold(messages) || doom != null) {
            return;
        }
        List<NewMessage> early = outbox.held();
        outbox.wentOut();
        try {
            mark();
            store.insert(early);
        } catch (StoreException e) {
            broken(e);
            throw e;
        }
    }

    /** The SQL connection of this transaction, which from now on carries work of the application's. */
    Connection share() throws StoreException {
        sharedWithApplication = true;
        try {
            mark();
            return store.connection();
        } catch (StoreException e) {
            broken(e);
            throw e;
        }
    }

    /** Before the first work that a rollback has to undo by a real one: the locks that are held now outlive that. */
    private void mark() throws StoreException {
        if (lockedBeforeMark == null) {
            store.mark();
            lockedBeforeMark = claims.all();
        }
    }

    /** Acknowledges all that was delivered and commits; returns nothing. */
    List<StoredMessage> settle() throws StoreException {
        return settle((ClaimRequest) null);
    }

    /** The same, then claims again in the same round trip where that is possible. */
    List<StoredMessage> settle(Claimer claimer, int max) throws StoreException {
        ClaimRequest next = claimer.request(max);
        List<StoredMessage> claimed = settle(next);
        if (!next.byGroups() && hub.groups().discover(next.destinationId(), claimed)) {
            release();
            return claim(claimer, max);
        }
        return claims.add(next.destinationId(), claimed);
    }

    private List<StoredMessage> settle(ClaimRequest next) throws StoreException {
        if (doom != null) {
            StoreException cause = doom;
            end();
            throw cause;
        }
        List<StoredMessage> claimed;
        try {
            claimed = store.commit(new Settlement(List.of(), keys()), next);
        } catch (StoreException e) {
            broken(e);
            throw e;
        }
        lastBatch = taken.size();
        end();
        return claimed;
    }

    /**
     * After an acknowledgement that is in doubt: acknowledges again what is still there and free. What is not was acknowledged,
     * or belongs to somebody else by now.
     */
    void settleDoubt() {
        List<MessageKey> keys = keys();
        end();
        try {
            List<MessageKey> left = store.lock(keys);
            store.commit(new Settlement(List.of(), left), null);
            LOG.info(
                    "{}: settled an acknowledgement in doubt; {} of {} messages had still to be acknowledged.",
                    owner,
                    left.size(),
                    keys.size());
        } catch (StoreException e) {
            store.rollback();
            LOG.warn(
                    "{}: an acknowledgement is in doubt, so {} messages may be delivered once more: {}",
                    owner,
                    keys.size(),
                    e.getMessage());
        }
    }

    /** Drops everything after a failure that already undid it in the database; counts are left as they are. */
    void abandon() {
        store.rollback();
        end();
    }

    /** Undoes the last delivery and acknowledges those before it. */
    void rollbackLast() throws JMSException {
        Taken last = taken.get(taken.size() - 1);
        List<MessageKey> before = keys().subList(0, taken.size() - 1);
        List<Redelivery> plan = hub.redeliveries().plan(List.of(last));
        try {
            store.redeliver(plan);
            store.commit(new Settlement(List.of(), before), null);
            end();
            hub.redelivered(plan);
        } catch (StoreException e) {
            LOG.warn("{}: the whole batch will be delivered again: {}", owner, e.getMessage());
            abandon();
        }
    }

    /**
     * Commits sends and acknowledgements together.
     *
     * @throws jakarta.jms.TransactionRolledBackException if it cannot be done; all is undone
     * @throws JMSException if it is not known whether it was done
     */
    void commit() throws JMSException {
        if (doom != null) {
            throw undone(doom);
        }
        if (outbox.isEmpty() && taken.isEmpty() && !sharedWithApplication) {
            release();
            return;
        }
        List<NewMessage> sent = outbox.all();
        Attempts attempts = new Attempts();
        while (true) {
            try {
                store.commit(new Settlement(outbox.held(), keys()), null);
                break;
            } catch (StoreException e) {
                if (e.failure() == Failure.IN_DOUBT) {
                    end();
                    throw JmsErrors.jms(
                            owner + ": the connection broke during the commit, so it is not known whether "
                                    + "it was carried out; look before you repeat it",
                            e);
                }
                if (isAtStake() || !attempts.another(e)) {
                    throw undone(e);
                }
            }
        }
        lastBatch = taken.size();
        end();
        hub.committed(sent);
    }

    private JMSException undone(StoreException cause) {
        List<Taken> back = List.copyOf(taken);
        store.rollback();
        end();
        countAfterwards(back);
        return JmsErrors.rolledBack(
                owner + ": the transaction was rolled back; its messages will be delivered again", cause);
    }

    /** Undoes everything: sends are dropped, delivered messages come back with their count raised. */
    void rollback() {
        List<Taken> back = List.copyOf(taken);
        List<Taken> held = undoneButForLocks();
        lastBatch = Math.max(lastBatch / 2, back.size());
        if (held.isEmpty() || !count(held)) {
            store.rollback();
            held = List.of();
        }
        end();
        List<Taken> counted = held;
        countAfterwards(
                back.stream().filter(message -> !counted.contains(message)).toList());
    }

    /** Undoes what cannot be dropped by hand, and returns the delivered messages whose locks are still held. */
    private List<Taken> undoneButForLocks() {
        if (doom != null) {
            return List.of();
        }
        Set<MessageKey> held = lockedBeforeMark;
        if (held == null) {
            return List.copyOf(taken);
        }
        try {
            store.rollbackToMark();
            return taken.stream()
                    .filter(message -> held.contains(message.key()))
                    .toList();
        } catch (StoreException e) {
            LOG.debug("{}: a savepoint did not hold, rolling back altogether: {}", owner, e.getMessage());
            return List.of();
        }
    }

    /**
     * Raises delivery counts and commits that, while the locks are held, so no other consumer slips in between.
     *
     * @return false if it failed; the messages come back with their counts as they were
     */
    private boolean count(List<Taken> back) {
        try {
            List<Redelivery> plan = hub.redeliveries().plan(back);
            store.redeliver(plan);
            store.commit(Settlement.NOTHING, null);
            hub.redelivered(plan);
            return true;
        } catch (StoreException | JMSException e) {
            store.rollback();
            LOG.warn("{}: could not raise {} delivery counts in a rollback: {}", owner, back.size(), e.getMessage());
            return false;
        }
    }

    /**
     * After a real rollback the locks are gone: what others have claimed by now is theirs and stays as it is, the rest is
     * counted in a short transaction.
     */
    private void countAfterwards(List<Taken> back) {
        if (back.isEmpty()) {
            return;
        }
        Attempts attempts = new Attempts();
        while (true) {
            try {
                Set<MessageKey> free = new LinkedHashSet<>(
                        store.lock(back.stream().map(Taken::key).toList()));
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

    /** Gives back the SQL connection and all claims, where nothing is at stake. */
    void release() {
        if (!isAtStake() && store.isOpen()) {
            store.rollback();
            newEpoch();
        }
    }

    void close() {
        store.close();
        end();
    }

    /** Whether ending the SQL transaction would undo something. */
    boolean isAtStake() {
        return !taken.isEmpty() || outbox.hasGoneOut() || sharedWithApplication;
    }

    boolean isDoomed() {
        return doom != null;
    }

    private void broken(StoreException problem) {
        if (isAtStake() && doom == null) {
            doom = problem;
        }
        newEpoch();
    }

    private List<MessageKey> keys() {
        return taken.stream().map(Taken::key).toList();
    }

    private void end() {
        outbox.clear();
        taken.clear();
        sharedWithApplication = false;
        doom = null;
        newEpoch();
    }

    private void newEpoch() {
        epoch++;
        lockedBeforeMark = null;
        claims.clear();
    }
}
