package org.readpast.jms.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.jdbc.connect.ListeningSocketFactory;
import org.readpast.jms.store.jdbc.row.BodyFormat;
import org.readpast.jms.store.jdbc.row.MessageRow;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.store.jdbc.transaction.CommitVerifier;
import org.readpast.jms.store.jdbc.transaction.ShortTransactions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** PostgreSQL's LISTEN and NOTIFY, on the channel named like the schema. */
public final class PostgresBell {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresBell.class);

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

    /** Settings for the driver of a connection that is to listen; what its URL sets wins. */
    public static Properties driverProperties() {
        Properties properties = new Properties();
        if (ListeningSocketFactory.isKnownToDriver()) {
            properties.setProperty(ListeningSocketFactory.SETTING, ListeningSocketFactory.class.getName());
        }
        return properties;
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

    /**
     * Inserts a message and rings for it in one autocommitted statement, if it is of a kind for which there is one.
     *
     * @return whether it was done
     */
    static boolean insertAndRing(OpenStore open, NewMessage message, String signature) throws StoreException {
        if (open.commits().leaveMarkers() || !open.sends().isPlain(message)) {
            return false;
        }
        String subject = open.subject(List.of(message));
        CommitVerifier verifier = open.commits().verifier();
        try {
            open.shortTransactions().runCommitting(subject, "send", connection -> {
                verifier.begin();
                return ShortTransactions.inAutocommit(connection, autocommitting -> {
                    try (Query insert = open.statements().query(autocommitting, "insert_message_and_ring")) {
                        MessageRow.bind(insert, message, BodyFormat.UTF_8, System.nanoTime());
                        insert.set("payload", payload(signature, List.of(message.destinationId())));
                        insert.rows().close();
                    }
                    return null;
                });
            });
            return true;
        } catch (StoreException e) {
            if (e.failure() != Failure.OTHER && e.failure() != Failure.PERMISSION) {
                open.commits().settle(verifier, e, subject, "send");
                return true;
            }
            // Such as one of a full queue of notifications, which must not keep a message from being sent.
            LOG.debug("Could not send and ring at once", e);
            return false;
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
            if (id.matches("[0-9]{1,9}")) {
                rung.add(Integer.valueOf(id));
            }
        }
    }
}
