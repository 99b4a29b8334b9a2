package org.readpast.jms.store.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;

/** The rows of the destination table. */
final class Destinations {

    private static final int LONGEST_NAME = 400;

    private Destinations() {}

    static OptionalInt find(OpenStore store, DestinationKind kind, String name) throws StoreException {
        Integer known = store.names().id(kind, name);
        if (known != null) {
            return OptionalInt.of(known);
        }
        if (!isStorable(name)) {
            return OptionalInt.empty();
        }
        OptionalInt found = store.shortTransactions().run(kind + " '" + name + "'", "look-up", connection -> {
            try (Query find = store.dialect().query(connection, "find_destination")) {
                ResultSet row = find.set("kind", kind.code()).set("name", name).rows();
                return row.next() ? OptionalInt.of(row.getInt(1)) : OptionalInt.empty();
            }
        });
        found.ifPresent(id -> store.names().remember(kind, name, id));
        return found;
    }

    private static boolean isStorable(String name) {
        return name.length() <= LONGEST_NAME && StorableText.prefixLength(name) == name.length();
    }

    /**
     * Adds a destination, unless it is there.
     *
     * @param owner the instance it goes with, or null
     * @return whether it was added
     */
    static boolean create(OpenStore store, DestinationKind kind, String name, String owner) throws StoreException {
        if (!isStorable(name)) {
            throw new StoreException(
                    Failure.DATA,
                    kind + " '" + name + "': a name has at most " + LONGEST_NAME
                            + " characters, without NUL and broken surrogates; choose another",
                    null);
        }
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
        try {
            return store.shortTransactions().run(subject, action, insert) > 0;
        } catch (StoreException e) {
            if (e.failure() == Failure.DUPLICATE_KEY) {
                return false;
            }
            throw e;
        }
    }

    /** Removes a temporary destination with its messages; the row first, so that no producer finds it any more. */
    static void drop(Dialect dialect, Connection connection, String owner, int destinationId) throws SQLException {
        try (Query drop = dialect.query(connection, "drop_destination")) {
            if (drop.set("destination_id", destinationId).set("instance", owner).update() == 0) {
                return;
            }
        }
        for (String statement : List.of("drop_messages", "drop_delayed")) {
            try (Query drop = dialect.query(connection, statement)) {
                drop.set("destination_id", destinationId).update();
            }
        }
    }

    /** Removes all temporary destinations of an instance. */
    static void dropAll(Dialect dialect, Connection connection, String owner) throws SQLException {
        List<Integer> owned = new ArrayList<>();
        try (Query list = dialect.query(connection, "list_owned");
                ResultSet rows = list.set("instance", owner).rows()) {
            while (rows.next()) {
                owned.add(rows.getInt(1));
            }
        }
        for (int destinationId : owned) {
            drop(dialect, connection, owner, destinationId);
        }
    }
}
