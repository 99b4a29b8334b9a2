package org.readpast.jms.store.jdbc.presence;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.jdbc.claim.MessageTable;
import org.readpast.jms.store.jdbc.row.Names;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.store.jdbc.sql.StorableText;
import org.readpast.jms.store.jdbc.transaction.ShortTransactions;
import org.readpast.jms.store.jdbc.upkeep.Upkeep;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/** The rows of the destination table. Thread-safe. */
public final class Destinations {

    private static final Logger LOG = Loggers.of(Destinations.class);

    private static final int LONGEST_NAME = 400;

    /** How many messages of a removed destination are removed in one transaction. */
    private static final int BATCH = 500;

    /** How long a transaction may run, between a publish and its commit, without leaving messages that nobody sweeps. */
    private static final long DROPPED_MILLIS = TimeUnit.HOURS.toMillis(1);

    private final Statements statements;
    private final Names names;
    private final ShortTransactions shortTransactions;
    private final ShortTransactions housekeeping;
    private final MessageTable table;
    private final Upkeep upkeep;

    /** @param shortTransactions for who may hold a connection in a transaction already */
    public Destinations(
            Statements statements,
            Names names,
            ShortTransactions shortTransactions,
            ShortTransactions housekeeping,
            MessageTable table,
            Upkeep upkeep) {
        this.statements = statements;
        this.names = names;
        this.shortTransactions = shortTransactions;
        this.housekeeping = housekeeping;
        this.table = table;
        this.upkeep = upkeep;
    }

    public OptionalInt find(DestinationKind kind, String name) throws StoreException {
        Integer known = names.id(kind, name);
        if (known != null) {
            return OptionalInt.of(known);
        }
        if (!isStorable(name)) {
            return OptionalInt.empty();
        }
        ShortTransactions.Work<OptionalInt> look = connection -> {
            try (Query find = statements.query(connection, "find_destination")) {
                return find.set("kind", kind.code())
                        .set("name", name)
                        .value(ResultSet::getInt)
                        .map(OptionalInt::of)
                        .orElse(OptionalInt.empty());
            }
        };
        OptionalInt found = shortTransactions.runRepeatable(
                kind + " '" + name + "'",
                "look-up",
                table.looksInOneRoundTrip() ? connection -> ShortTransactions.inAutocommit(connection, look) : look);
        found.ifPresent(id -> names.remember(kind, name, id));
        return found;
    }

    /** See {@link org.readpast.jms.store.MessageStore#forgetMovedDestinations}. */
    public Set<Integer> forgetMoved() throws StoreException {
        Map<Integer, Names.Known> known = names.known();
        if (!known.isEmpty()) {
            ShortTransactions.Work<Void> look = open -> forgetMoved(open, known);
            housekeeping.run(
                    "Destinations",
                    "look-up",
                    table.looksInOneRoundTrip() ? open -> ShortTransactions.inAutocommit(open, look) : look);
        }
        return names.gone();
    }

    /**
     * The same on a new connection, which may lead to a database that was restored, or to another server, before anything else is done with
     * it: one statement, where anything is remembered.
     */
    public void forgetMoved(Connection connection) throws SQLException {
        Map<Integer, Names.Known> known = names.known();
        if (known.isEmpty()) {
            return;
        }
        if (table.looksInOneRoundTrip()) {
            ShortTransactions.inAutocommit(connection, open -> forgetMoved(open, known));
        } else {
            forgetMoved(connection, known);
            connection.commit();
        }
    }

    private Void forgetMoved(Connection open, Map<Integer, Names.Known> known) throws SQLException {
        Map<Integer, Names.Known> there = named(open, known.keySet());
        known.forEach((id, destination) -> {
            if (!destination.equals(there.get(id))) {
                names.forget(destination, id);
            }
        });
        return null;
    }

    private Map<Integer, Names.Known> named(Connection connection, Collection<Integer> ids) throws SQLException {
        Map<Integer, Names.Known> named = new HashMap<>();
        try (Query query = statements.query(connection, "name_destinations")) {
            statements.bindIds(query, ids);
            query.eachResult((rows, number) -> {
                while (rows.next()) {
                    int id = rows.getInt("destination_id");
                    String name = rows.getString("name");
                    // Of a kind that is not known it is none that was.
                    DestinationKind.of(rows.getString("kind"))
                            .ifPresent(kind -> named.put(id, new Names.Known(kind, name)));
                }
            });
        }
        return named;
    }

    static void checkName(String what, String name) throws StoreException {
        if (!isStorable(name)) {
            throw new StoreException(
                    Failure.DATA,
                    what + " '" + name + "': a name has at most " + LONGEST_NAME
                            + " characters, without NUL and broken surrogates; choose another",
                    null);
        }
    }

    static boolean isStorable(String name) {
        return name.length() <= LONGEST_NAME && StorableText.prefixLength(name) == name.length();
    }

    /**
     * Adds a destination, unless it is there.
     *
     * @param owner the instance it goes with, or null
     * @return whether it was added
     */
    public boolean create(DestinationKind kind, String name, String owner) throws StoreException {
        checkName(kind.toString(), name);
        return shortTransactions.insertUnlessThere(kind + " '" + name + "'", "creation", connection -> {
            try (Query create = creation(connection, kind, name, owner)) {
                return create.update();
            }
        });
    }

    /** The id of a temporary destination of this JVM, which was there just now. It is remembered until it is dropped. */
    int findOwned(DestinationKind kind, String name, String owner) throws StoreException {
        int id = find(kind, name)
                .orElseThrow(() -> new StoreException(
                        Failure.OTHER,
                        kind + " '" + name + "': somebody removed it as it was created; see whether instance " + owner
                                + " was removed as dead",
                        null));
        names.rememberOwn(kind, name, id);
        return id;
    }

    /** Two statements, since who only sends may make nothing that goes with an instance: it could never remove it. */
    Query creation(Connection connection, DestinationKind kind, String name, String owner) throws SQLException {
        Query create = owner == null
                ? statements.query(connection, "create_destination")
                : statements.query(connection, "create_owned").set("owner", owner);
        return create.set("kind", kind.code()).set("name", name);
    }

    /**
     * Removes the row of a temporary destination, or of a subscription that goes with its consumer, so that no producer finds it any
     * more. Its messages are for {@link #removeMessages}, after the commit.
     *
     * @return whether it was there
     */
    public boolean drop(Connection connection, String owner, int destinationId) throws SQLException {
        try (Query drop = statements.query(connection, "drop_destination")) {
            if (drop.set("destination_id", destinationId).set("instance", owner).update() == 0) {
                return false;
            }
        }
        leaveTopic(connection, destinationId);
        noteDropped(connection, destinationId);
        return true;
    }

    /** The same in a transaction of its own, and with its messages. */
    void drop(String owner, int destinationId) throws StoreException {
        names.forgetOwn(destinationId);
        boolean dropped = shortTransactions.run(
                names.subject(destinationId), "removal", open -> drop(open, owner, destinationId));
        if (dropped) {
            removeMessages(List.of(destinationId));
        }
    }

    /** Before a destination is removed that may be a subscription: the publishers of its topic, if that is there, are to notice. */
    private void leaveTopic(Connection open, int destinationId) throws SQLException {
        update(open, "raise_topic_version", destinationId);
        update(open, "drop_subscription", destinationId);
    }

    private void update(Connection open, String statement, int destinationId) throws SQLException {
        try (Query update = statements.query(open, statement)) {
            update.set("destination_id", destinationId).update();
        }
    }

    /**
     * Remembers a destination whose row is being removed, so that its messages are swept: those that are claimed, those that somebody
     * is about to commit, and all of them where this JVM does not get to removing them.
     */
    void noteDropped(Connection connection, int destinationId) throws SQLException {
        try (Query note = statements.query(connection, "note_dropped")) {
            note.set("destination_id", destinationId).update();
        }
    }

    /**
     * Removes the messages of destinations whose removal is committed. In transactions of their own, so that nobody waits for it: the one
     * that removes a subscription has locked its topic. What fails is left to be swept.
     */
    void removeMessages(List<Integer> dropped) {
        for (int destinationId : dropped) {
            boolean mayBeMore = true;
            while (mayBeMore) {
                mayBeMore = removeBatch(destinationId);
            }
        }
    }

    /** The same for who has other things to do: of each one batch, and the rest is left to be swept. */
    void beginToRemoveMessages(List<Integer> dropped) {
        dropped.forEach(this::removeBatch);
    }

    private boolean removeBatch(int destinationId) {
        try {
            return removeMessages(destinationId, BATCH) == BATCH;
        } catch (StoreException e) {
            LOG.debug("Messages of removed destination {} are left to be swept", destinationId, e);
            return false;
        }
    }

    /** Those that are claimed, by lock or by lease, stay until they are acknowledged or swept. */
    private int removeMessages(int destinationId, int max) throws StoreException {
        return housekeeping.run(names.subject(destinationId), "removal of its messages", open -> {
            int removed = upkeep.dropMessages(open, destinationId, max);
            return removed == max ? max : removed + upkeep.dropDelayed(open, destinationId, max - removed);
        });
    }

    /** See {@link org.readpast.jms.store.MessageStore#sweepDropped}. */
    public int sweep(int max) throws StoreException {
        String subject = "Removed destinations";
        List<Integer> dropped =
                housekeeping.run(subject, "look-up", open -> ids(statements.query(open, "list_dropped")));
        int removed = 0;
        for (int destinationId : dropped) {
            removed += removeMessages(destinationId, max - removed);
            if (removed == max) {
                return max;
            }
        }
        housekeeping.run(subject, "sweep", open -> {
            try (Query forget = statements.query(open, "forget_dropped")) {
                forget.set("age_millis", DROPPED_MILLIS).eachResult((rows, number) -> {});
                return null;
            }
        });
        return removed;
    }

    /** The ids that a query returns, which is closed. */
    static List<Integer> ids(Query query) throws SQLException {
        try (query) {
            return query.values(ResultSet::getInt);
        }
    }

    /**
     * Removes the rows of all temporary destinations of an instance, and of the subscriptions that only its consumers have.
     *
     * @param dropped gets those whose messages are to be removed after the commit
     */
    void dropAll(Connection connection, String owner, List<Integer> dropped) throws SQLException {
        for (int destinationId : ids(statements.query(connection, "list_owned").set("instance", owner))) {
            if (drop(connection, owner, destinationId)) {
                dropped.add(destinationId);
            }
        }
    }
}
