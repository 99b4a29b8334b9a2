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

/** The rows of the destination table. */
final class Destinations {

    private static final int LONGEST_NAME = 400;

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
                .run(
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
            return transactions.run(subject, action, insert) > 0;
        } catch (StoreException e) {
            if (e.failure() == Failure.DUPLICATE_KEY) {
                return false;
            }
            throw e;
        }
    }

    /**
     * Removes a temporary destination, or a subscription that goes with its consumer, with its messages; the row first, so that
     * no producer finds it any more.
     */
    static void drop(Dialect dialect, Connection connection, String owner, int destinationId) throws SQLException {
        Subscriptions.leaveTopic(dialect, connection, destinationId);
        try (Query drop = dialect.query(connection, "drop_destination")) {
            if (drop.set("destination_id", destinationId).set("instance", owner).update() == 0) {
                return;
            }
        }
        dropMessages(dialect, connection, destinationId);
    }

    /**
     * Removes the messages of a destination whose row is gone. Those that are claimed stay until they are acknowledged, and those
     * that somebody is about to commit cannot be seen: it is remembered, so that what is left is swept.
     */
    static void dropMessages(Dialect dialect, Connection connection, int destinationId) throws SQLException {
        try (Query note = dialect.query(connection, "note_dropped")) {
            note.set("destination_id", destinationId).update();
        }
        dropMessagesAgain(dialect, connection, destinationId);
    }

    private static void dropMessagesAgain(Dialect dialect, Connection connection, int destinationId)
            throws SQLException {
        dialect.dropMessages(connection, destinationId);
        try (Query drop = dialect.query(connection, "drop_delayed")) {
            drop.set("destination_id", destinationId).update();
        }
    }

    /** Removes what was committed for destinations after they were removed; returns for how many there was something. */
    static int sweep(Dialect dialect, Connection connection) throws SQLException {
        List<Integer> dropped = ids(dialect.query(connection, "list_dropped"));
        for (int destinationId : dropped) {
            dropMessagesAgain(dialect, connection, destinationId);
        }
        try (Query forget = dialect.query(connection, "forget_dropped")) {
            forget.set("age_millis", DROPPED_MILLIS).update();
        }
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

    /** Removes all temporary destinations of an instance, and the subscriptions that only its consumers have. */
    static void dropAll(Dialect dialect, Connection connection, String owner) throws SQLException {
        for (int destinationId : ids(dialect.query(connection, "list_owned").set("instance", owner))) {
            drop(dialect, connection, owner, destinationId);
        }
    }
}
