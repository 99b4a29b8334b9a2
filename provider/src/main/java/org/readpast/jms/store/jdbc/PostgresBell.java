package org.readpast.jms.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.store.jdbc.transaction.ShortTransactions;

/** PostgreSQL's LISTEN and NOTIFY, on the channel named like the schema. */
public final class PostgresBell {

    /** A payload is shorter than 8,000 bytes: a signature of 36 characters, and ids of up to 10 digits with commas. */
    private static final int IDS_PER_RING = 600;

    private final PGConnection connection;
    private final String signature;

    private PostgresBell(PGConnection connection, String signature) {
        this.connection = connection;
        this.signature = signature;
    }

    /**
     * Whether the driver's classes are to be seen here, without which nobody can listen. An application server may have the driver where
     * its adapters do not see it.
     */
    static boolean canListen() {
        try {
            Class.forName("org.postgresql.PGConnection", false, PostgresBell.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Rings for these queues, autocommitted: one round trip for each notification, of which one is nearly always enough. */
    static void ring(Statements statements, Connection connection, String signature, Collection<Integer> destinationIds)
            throws SQLException {
        List<Integer> ids = new ArrayList<>(destinationIds);
        for (int from = 0; from < ids.size(); from += IDS_PER_RING) {
            String payload = payload(signature, ids.subList(from, Math.min(ids.size(), from + IDS_PER_RING)));
            ShortTransactions.inAutocommit(connection, open -> {
                try (Query ring = statements.query(open, "ring")) {
                    ring.set("payload", payload).rows().close();
                }
                return null;
            });
        }
    }

    private static String payload(String signature, List<Integer> destinationIds) {
        return destinationIds.stream().map(String::valueOf).collect(Collectors.joining(",", signature + ":", ""));
    }

    /**
     * Listens on a connection in autocommit mode.
     *
     * @param signature whose rings are not to be heard
     */
    static PostgresBell listen(Statements statements, Connection connection, String signature) throws SQLException {
        try (Query listen = statements.query(connection, "listen")) {
            listen.statement().execute();
        }
        return new PostgresBell(connection.unwrap(PGConnection.class), signature);
    }

    /** Waits for a ring; anyone may have sent anything on the channel, so what is not a ring of ours is passed over. */
    Set<Integer> await(int millis) throws SQLException {
        Set<Integer> rung = new TreeSet<>();
        PGNotification[] heard = connection.getNotifications(millis);
        if (heard != null) {
            for (PGNotification notification : heard) {
                String payload = notification.getParameter();
                int colon = payload.indexOf(':');
                if (colon > 0 && !payload.startsWith(signature)) {
                    add(payload.substring(colon + 1), rung);
                }
            }
        }
        return rung;
    }

    private static void add(String ids, Set<Integer> rung) {
        for (String id : ids.split(",", -1)) {
            if (id.matches("[0-9]{1,10}") && Long.parseLong(id) <= Integer.MAX_VALUE) {
                rung.add(Integer.valueOf(id));
            }
        }
    }
}
