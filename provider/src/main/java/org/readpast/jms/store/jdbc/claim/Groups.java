package org.readpast.jms.store.jdbc.claim;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.GroupHolder;
import org.readpast.jms.store.GroupHolder.Group;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.jdbc.row.Names;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.store.jdbc.transaction.ShortTransactions;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * Which consumer has which group. Whoever works with messages of a group holds the lock of its row until the transaction ends;
 * whoever gives groups up steps over those. So a group never moves on while messages of it are unacknowledged. Thread-safe.
 */
public final class Groups {

    private static final Logger LOG = Loggers.of(Groups.class);
    private static final int BATCH = 500;

    private final Statements statements;
    private final GroupLocks locks;
    private final ShortTransactions shortTransactions;
    private final ShortTransactions beside;
    private final Names names;

    /** @param beside for who is claiming in a transaction that is open already */
    public Groups(
            Statements statements,
            GroupLocks locks,
            ShortTransactions shortTransactions,
            ShortTransactions beside,
            Names names) {
        this.statements = statements;
        this.locks = locks;
        this.shortTransactions = shortTransactions;
        this.beside = beside;
        this.names = names;
    }

    /**
     * Takes a group that nobody has, on a connection of its own. Returns false where somebody was faster, or where the database
     * cannot do it now: the transaction of the claim, which may hold much, shall not fail of that. A full database is told, as somebody has to
     * make room.
     */
    boolean take(GroupHolder holder, int destinationId, String group) throws StoreException {
        try {
            return insert(holder, destinationId, group);
        } catch (StoreException e) {
            if (!e.failure().isTransient() || e.failure() == Failure.OUT_OF_SPACE) {
                throw e;
            }
            LOG.debug("A group is left alone, since it could not be taken now: {}", e.getMessage());
            return false;
        }
    }

    private boolean insert(GroupHolder holder, int destinationId, String group) throws StoreException {
        // Before: where the answer is lost the group may be taken.
        holder.takes();
        boolean taken = beside.insertUnlessThere(names.subject(destinationId), "taking a group", connection -> {
            try (Query take = statements.query(connection, "take_group")) {
                return take.set("destination_id", destinationId)
                        .set("group_id", group)
                        .set("consumer", holder.consumer())
                        .set("instance", holder.instance())
                        .update();
            }
        });
        if (taken) {
            holder.uses(destinationId, group);
        }
        return taken;
    }

    /** Locks those of these groups that the consumer has and that nobody works with. */
    Set<String> lock(Connection connection, GroupHolder holder, int destinationId, Collection<String> wanted)
            throws SQLException {
        Set<String> locked = locks.lock(connection, destinationId, holder.consumer(), wanted);
        locked.forEach(group -> holder.uses(destinationId, group));
        return locked;
    }

    /** Locks a queue as a whole for a consumer that has it, or that can take it. */
    boolean lockWhole(Connection connection, GroupHolder holder, int destinationId)
            throws SQLException, StoreException {
        Set<String> whole = Set.of(GroupHolder.WHOLE_QUEUE);
        return !lock(connection, holder, destinationId, whole).isEmpty()
                || (take(holder, destinationId, GroupHolder.WHOLE_QUEUE)
                        && !lock(connection, holder, destinationId, whole).isEmpty());
    }

    /**
     * Gives up all groups of a consumer but those that somebody works with.
     *
     * @return whether none are left
     */
    public boolean release(GroupHolder holder) throws StoreException {
        return shortTransactions.runRepeatable("Groups", "release", connection -> {
            locks.release(connection, holder.instance(), holder.consumer());
            return !holds(connection, holder.instance(), holder.consumer());
        });
    }

    /**
     * Gives up all groups of an instance that is gone but those that somebody works with.
     *
     * @return whether none are left
     */
    public boolean releaseAll(Connection connection, String instance) throws SQLException {
        if (!holds(connection, instance, null)) {
            return true;
        }
        locks.release(connection, instance, null);
        return !holds(connection, instance, null);
    }

    /** Gives up what instances have that are not there any more. */
    public void releaseOrphaned(Connection connection) throws SQLException {
        List<String> gone;
        try (Query orphaned = statements.query(connection, "orphaned_groups")) {
            gone = orphaned.values(ResultSet::getString);
        }
        for (String instance : gone) {
            locks.release(connection, instance, null);
        }
    }

    private boolean holds(Connection connection, String instance, String consumer) throws SQLException {
        try (Query holds = statements.query(connection, "holds_groups");
                ResultSet row = holds.set("instance", instance)
                        .set("consumer", consumer)
                        .rows()) {
            return row.next();
        }
    }

    /** Gives up groups that were not used for this long and of which no message waits, in small batches. */
    public int forgetIdle(GroupHolder holder, long millis) throws StoreException {
        Map<Integer, List<String>> idle = new TreeMap<>();
        for (Group group : holder.idleFor(millis)) {
            idle.computeIfAbsent(group.destinationId(), id -> new ArrayList<>()).add(group.id());
        }
        int forgotten = 0;
        for (Map.Entry<Integer, List<String>> queue : idle.entrySet()) {
            List<String> groups = queue.getValue();
            for (int from = 0; from < groups.size(); from += BATCH) {
                forgotten +=
                        forget(holder, queue.getKey(), groups.subList(from, Math.min(from + BATCH, groups.size())));
            }
        }
        return forgotten;
    }

    private int forget(GroupHolder holder, int id, List<String> groups) throws StoreException {
        Set<String> gone = shortTransactions.runRepeatable(
                names.subject(id),
                "giving up groups",
                connection -> locks.forget(connection, id, holder.consumer(), groups));
        gone.forEach(group -> holder.forget(new Group(id, group)));
        return gone.size();
    }
}
