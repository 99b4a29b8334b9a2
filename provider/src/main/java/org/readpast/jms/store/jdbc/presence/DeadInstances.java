package org.readpast.jms.store.jdbc.presence;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.jdbc.acknowledge.Leases;
import org.readpast.jms.store.jdbc.acknowledge.Suspects;
import org.readpast.jms.store.jdbc.claim.Groups;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.store.jdbc.transaction.ShortTransactions;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * Other instances whose lock is free: marks what they may have had in their hands, and removes them after a while. Whoever does either
 * holds the lock meanwhile, so that nobody else does, and the instance cannot come back halfway. Thread-safe.
 */
public final class DeadInstances {

    private static final Logger LOG = Loggers.of(DeadInstances.class);

    /** How long a JVM that lost its connection may take to come back. */
    static final long GRACE_MILLIS = 5_000;

    private final Statements statements;
    private final PresenceLock lock;
    private final ShortTransactions housekeeping;
    private final Suspects suspects;
    private final Leases leases;
    private final Groups groups;
    private final Destinations destinations;
    private final SubscriptionRows subscriptions;

    /** The one that looks. */
    private final String instance;

    /** How long others may take to come back from an outage, longer than it: an attempt of theirs to connect may still wait for an answer. */
    private final long returnNanos;

    /** Since when it has held its own lock, by {@link System#nanoTime()}. */
    private volatile long heldSinceNanos = System.nanoTime();

    /** Whether it has taken its lock again, and not only at its start: there was an outage, for it or for all. */
    private volatile boolean isBack;

    private volatile boolean wasThere;

    private volatile List<String> missing = List.of();

    /** Those without a row that had something all the same when it was last looked. Guarded by this. */
    private Set<String> orphaned = Set.of();

    public DeadInstances(
            Statements statements,
            PresenceLock lock,
            ShortTransactions housekeeping,
            Suspects suspects,
            Leases leases,
            Groups groups,
            Destinations destinations,
            String instance,
            long poolTimeoutMillis) {
        this.statements = statements;
        this.lock = lock;
        this.housekeeping = housekeeping;
        this.suspects = suspects;
        this.leases = leases;
        this.groups = groups;
        this.destinations = destinations;
        this.subscriptions = new SubscriptionRows(statements, destinations);
        this.instance = instance;
        this.returnNanos = TimeUnit.MILLISECONDS.toNanos(GRACE_MILLIS + poolTimeoutMillis);
    }

    /** The one that looks has taken its lock, at first or after an absence. */
    void appeared() {
        heldSinceNanos = System.nanoTime();
        isBack = wasThere;
        wasThere = true;
    }

    /**
     * Before the first claim of this JVM: what has died may have been its former life, and the message that killed it is the first of
     * its queue. A user who may not mark messages may not claim them either, and leaves it to others.
     */
    void markSuspects() throws StoreException {
        try {
            for (String other : unlocked()) {
                housekeeping.run("Instance " + other, "a look for its death", open -> {
                    if (lock.probe(open, other)) {
                        suspects.mark(open, other);
                    }
                    return null;
                });
            }
        } catch (StoreException e) {
            if (e.failure() != Failure.PERMISSION) {
                throw e;
            }
            LOG.debug("Instance {} leaves it to others to mark what dead instances had in their hands", instance, e);
        }
    }

    /**
     * Removes those whose lock has been free for a while, and returns how many. None of them for a while after an absence: when their locks
     * were seen to be free before, the database may have been about to go away.
     *
     * @throws StoreException if some could not be removed; the others are, unless they would fail as well
     */
    int reap() throws StoreException {
        int reaped = 0;
        List<String> left = new ArrayList<>();
        StoreException problem = null;
        for (String other : unlocked()) {
            try {
                Found found = reap(other, open -> missingFor(open, other) && !mayOthersComeBack());
                if (found == Found.REMOVED) {
                    reaped++;
                    LOG.info("Removed instance {}, whose JVM is gone", other);
                } else if (found == Found.MISSING) {
                    left.add(other);
                }
            } catch (StoreException e) {
                if (!e.failure().mayBeOfOneMessageNow()) {
                    throw e;
                }
                left.add(other);
                problem = e;
            }
        }
        missing = List.copyOf(left);
        if (problem != null) {
            throw problem;
        }
        return reaped;
    }

    /** Those whose lock was free when it was last looked, and that were not removed. */
    List<String> missing() {
        return missing;
    }

    /**
     * Removes an instance if its lock is free, and returns whether it was removed. One whose lock may be where it is not seen from here
     * is given its time all the same.
     */
    public boolean reapNow(String other) throws StoreException {
        boolean isShared = LockSpace.isShared(instance, other);
        return reap(other, open -> isShared || missingFor(open, other)) == Found.REMOVED;
    }

    /**
     * Removes what instances made after they were removed as dead, if they had something when it was last looked, too: they may be about to
     * come back. Where the lock is on the row nothing shows that such an instance is not there, and it stays.
     */
    synchronized void removeOrphaned() throws StoreException {
        Set<String> found = housekeeping.run("Instances", "look-up", this::orphaned);
        for (String other : found) {
            if (orphaned.contains(other) && reap(other, open -> orphaned(open).contains(other)) == Found.REMOVED) {
                LOG.info("Removed what instance {} made after it was removed, whose JVM is gone", other);
            }
        }
        orphaned = found;
    }

    private Set<String> orphaned(Connection open) throws SQLException {
        try (Query orphaned = statements.query(open, "orphaned_instances")) {
            Set<String> found = new HashSet<>(orphaned.values(ResultSet::getString));
            found.remove(instance);
            return found;
        }
    }

    /** Whether an instance whose lock is free is to be removed now. */
    @FunctionalInterface
    private interface Due {
        boolean on(Connection open) throws SQLException;
    }

    private enum Found {
        ALIVE,
        MISSING,
        REMOVED
    }

    private Found reap(String other, Due due) throws StoreException {
        boolean marksAtOnce = LockSpace.isShared(instance, other) && isSettled();
        List<Integer> dropped = new ArrayList<>();
        Found found = housekeeping.run("Instance " + other, "removal", open -> {
            dropped.clear();
            if (!lock.probe(open, other)) {
                return Found.ALIVE;
            }
            boolean removes = due.on(open);
            if (removes || marksAtOnce) {
                suspects.mark(open, other);
            }
            if (removes && !remove(open, other, dropped)) {
                open.rollback();
                return Found.MISSING;
            }
            return removes ? Found.REMOVED : Found.MISSING;
        });
        if (found == Found.REMOVED) {
            destinations.beginToRemoveMessages(dropped);
        }
        return found;
    }

    /**
     * Whether the one that looks has held its own lock for a while. If not, the database may have been away, and others who have not
     * their locks back yet are not dead. Marking would not be wrong, but makes all that waits slower to deliver.
     */
    private boolean isSettled() {
        return System.nanoTime() - heldSinceNanos > TimeUnit.MILLISECONDS.toNanos(GRACE_MILLIS);
    }

    private boolean mayOthersComeBack() {
        return isBack && System.nanoTime() - heldSinceNanos < returnNanos;
    }

    /** One look at all, since most of them live. */
    private List<String> unlocked() throws StoreException {
        return housekeeping.run(
                "Instances",
                "look-up",
                open -> lock.unlocked(open).stream()
                        .filter(other -> !other.equals(instance))
                        .toList());
    }

    private boolean missingFor(Connection open, String other) throws SQLException {
        try (Query mark = statements.query(open, "mark_missing")) {
            mark.set("instance", other).update();
        }
        try (Query missing = statements.query(open, "missing_for")) {
            return missing.set("instance", other)
                    .set("grace_millis", GRACE_MILLIS)
                    .rows()
                    .next();
        }
    }

    /**
     * Removes all that belongs to an instance, and its row; the caller holds its lock.
     *
     * @param dropped gets the destinations whose messages are to be removed after the commit
     * @return false where the row stays, because SQL transactions of the instance still work with groups of messages
     */
    boolean remove(Connection open, String gone, List<Integer> dropped) throws SQLException {
        leases.endAll(open, gone);
        subscriptions.endConsumers(open, gone, dropped);
        destinations.dropAll(open, gone, dropped);
        remove(open, "release_client_ids", gone);
        if (!groups.releaseAll(open, gone)) {
            return false;
        }
        suspects.forgetConsumed(open, gone);
        remove(open, "remove_presence", gone);
        return true;
    }

    private void remove(Connection open, String statement, String gone) throws SQLException {
        try (Query remove = statements.query(open, statement)) {
            remove.set("instance", gone).update();
        }
    }
}
