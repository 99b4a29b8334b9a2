package org.readpast.jms.store.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The rows of the destination table. */
final class Destinations {

    private static final Logger LOG = LoggerFactory.getLogger(Destinations.class);

    private static final int LONGEST_NAME = 400;

    /** How many messages of a removed destination are removed in one transaction. */
    private static final int BATCH = 500;

    /** How long a transaction may run, between a publish and its commit, without leaving messages that nobody sweeps. */
    private static final long DROPPED_MILLIS = TimeUnit.HOURS.toMillis(1);

    private Destinations() {}

    static OptionalInt find(OpenStore store, DestinationKind kind, String name) throws StoreException {
        Integer known = store.names().id(kind, name);
        if (known != null) {
            return OptionalInt.of(known);
        }
        if (!isStorable(name)) {
            return OptionalInt.empty();
        }
        ShortTransactions.Work<OptionalInt> look = connection -> {
            try (Query find = store.dialect().query(connection, "find_destination")) {
                ResultSet row = find.set("kind", kind.code()).set("name", name).rows();
                return row.next() ? OptionalInt.of(row.getInt(1)) : OptionalInt.empty();
            }
        };
        OptionalInt found = store.shortTransactions()
                .runRepeatable(
                        kind + " '" + name + "'",
                        "look-up",
                        store.dialect().looksInOneRoundTrip()
                                ? connection -> ShortTransactions.inAutocommit(connection, look)
                                : look);
        found.ifPresent(id -> store.names().remember(kind, name, id));
        return found;
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
    static boolean create(OpenStore store, DestinationKind kind, String name, String owner) throws StoreException {
        checkName(kind.toString(), name);
        return insertUnlessThere(store, kind + " '" + name + "'", "creation", connection -> {
            try (Query create = store.dialect().query(connection, "create_destination")) {
                return create.set("kind", kind.code())
                        .set("name", name)
                        .set("owner", owner)
                        .update();
            }
        });
    }

    /** Runs an insert that changes nothing where the key is taken, or fails with a duplicate key where it loses a race. */
    static boolean insertUnlessThere(
            OpenStore store, String subject, String action, ShortTransactions.Work<Integer> insert)
            throws StoreException {
        return insertUnlessThere(store.shortTransactions(), subject, action, insert);
    }

    static boolean insertUnlessThere(
            ShortTransactions transactions, String subject, String action, ShortTransactions.Work<Integer> insert)
            throws StoreException {
        try {
            return transactions.runRepeatable(subject, action, insert) > 0;
        } catch (StoreException e) {
            if (e.failure() == Failure.DUPLICATE_KEY) {
                return false;
            }
            throw e;
        }
    }

    /**
     * Removes the row of a temporary destination, or of a subscription that goes with its consumer, so that no producer finds it any
     * more. Its messages are for {@link #removeMessages}, after the commit.
     *
     * @return whether it was there
     */
    static boolean drop(Dialect dialect, Connection connection, String owner, int destinationId) throws SQLException {
        Subscriptions.leaveTopic(dialect, connection, destinationId);
        try (Query drop = dialect.query(connection, "drop_destination")) {
            if (drop.set("destination_id", destinationId).set("instance", owner).update() == 0) {
                return false;
            }
        }
        noteDropped(dialect, connection, destinationId);
        return true;
    }

    /**
     * Remembers a destination whose row is being removed, so that its messages are swept: those that are claimed, those that somebody
     * is about to commit, and all of them where this JVM does not get to removing them.
     */
    static void noteDropped(Dialect dialect, Connection connection, int destinationId) throws SQLException {
        try (Query note = dialect.query(connection, "note_dropped")) {
            note.set("destination_id", destinationId).update();
        }
    }

    /**
     * Removes the messages of destinations whose removal is committed. In transactions of their own, so that nobody waits for it: the one
     * that removes a subscription has locked its topic. What fails is left to be swept.
     */
    static void removeMessages(OpenStore store, List<Integer> dropped) {
        for (int destinationId : dropped) {
            try {
                removeMessages(store, destinationId);
            } catch (StoreException e) {
                LOG.debug("Messages of removed destination {} are left to be swept", destinationId, e);
            }
        }
    }

    /** Those that are claimed, by lock or by lease, stay until they are acknowledged or swept. */
    private static void removeMessages(OpenStore store, int destinationId) throws StoreException {
        Dialect dialect = store.dialect();
        int removed = BATCH;
        while (removed == BATCH) {
            removed = store.housekeeping()
                    .run(
                            store.names().subject(destinationId),
                            "removal of its messages",
                            open -> Math.max(
                                    dialect.dropMessages(open, destinationId, BATCH),
                                    dialect.dropDelayed(open, destinationId, BATCH)));
        }
    }

    /** Removes what is there of destinations that were removed; returns for how many there was something. */
    static int sweep(OpenStore store) throws StoreException {
        Dialect dialect = store.dialect();
        String subject = "Removed destinations";
        List<Integer> dropped =
                store.housekeeping().run(subject, "look-up", open -> ids(dialect.query(open, "list_dropped")));
        for (int destinationId : dropped) {
            removeMessages(store, destinationId);
        }
        store.housekeeping().run(subject, "sweep", open -> {
            try (Query forget = dialect.query(open, "forget_dropped")) {
                forget.set("age_millis", DROPPED_MILLIS).eachResult((rows, number) -> {});
                return null;
            }
        });
        return dropped.size();
    }

    /** The numbers in the first column of a query, which is closed. */
    static List<Integer> ids(Query query) throws SQLException {
        List<Integer> ids = new ArrayList<>();
        try (query;
                ResultSet rows = query.rows()) {
            while (rows.next()) {
                ids.add(rows.getInt(1));
            }
        }
        return ids;
    }

    /**
     * Removes the rows of all temporary destinations of an instance, and of the subscriptions that only its consumers have.
     *
     * @param dropped gets those whose messages are to be removed after the commit
     */
    static void dropAll(Dialect dialect, Connection connection, String owner, List<Integer> dropped)
            throws SQLException {
        for (int destinationId : ids(dialect.query(connection, "list_owned").set("instance", owner))) {
            if (drop(dialect, connection, owner, destinationId)) {
                dropped.add(destinationId);
            }
        }
    }
}
