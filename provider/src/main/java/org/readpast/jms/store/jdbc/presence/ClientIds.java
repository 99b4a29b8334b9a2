package org.readpast.jms.store.jdbc.presence;

import java.sql.ResultSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.jdbc.row.HeaderColumns;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.store.jdbc.transaction.ShortTransactions;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/** The client ids that an instance has, which nobody else can have meanwhile. Thread-safe. */
public final class ClientIds {

    private static final Logger LOG = Loggers.of(ClientIds.class);

    private final Statements statements;
    private final ShortTransactions shortTransactions;
    private final String instance;
    private final Subscriptions.Reaper reaper;

    /** Those taken here, to take them again after an absence. Guarded by this. */
    private final Set<String> taken = new HashSet<>();

    public ClientIds(
            Statements statements, ShortTransactions shortTransactions, String instance, Subscriptions.Reaper reaper) {
        this.statements = statements;
        this.shortTransactions = shortTransactions;
        this.instance = instance;
        this.reaper = reaper;
    }

    /** Takes a client id, from an instance that is dead if need be; returns false if it is in use, here or elsewhere. */
    synchronized boolean take(String clientId) throws StoreException {
        String what = "Client id '" + clientId + "'";
        if (HeaderColumns.fit(clientId).length() < clientId.length()) {
            throw new StoreException(
                    Failure.DATA,
                    what + ": a client id has at most " + HeaderColumns.HEADER_LENGTH
                            + " characters, without NUL and broken surrogates; choose another",
                    null);
        }
        for (int attempt = 0; attempt < 2; attempt++) {
            if (shortTransactions.insertUnlessThere(what, "taking it", open -> {
                try (Query take = statements.query(open, "take_client_id")) {
                    return take.set("client_id", clientId)
                            .set("instance", instance)
                            .update();
                }
            })) {
                taken.add(clientId);
                return true;
            }
            String holder = holder(clientId);
            if (instance.equals(holder) && !isTaken(clientId)) {
                // The commit of an earlier attempt was in doubt.
                taken.add(clientId);
                return true;
            }
            if (holder != null && (holder.equals(instance) || !reaper.reap(holder))) {
                return false;
            }
        }
        return false;
    }

    /** Whether it was taken here, or another one that differs in trailing blanks, which is the same to SQL Server. */
    private boolean isTaken(String clientId) {
        return taken.stream().anyMatch(id -> id.stripTrailing().equals(clientId.stripTrailing()));
    }

    private String holder(String clientId) throws StoreException {
        return shortTransactions.run("Client id '" + clientId + "'", "look-up", open -> {
            try (Query find = statements.query(open, "client_id_holder")) {
                return find.set("client_id", clientId)
                        .value(ResultSet::getString)
                        .orElse(null);
            }
        });
    }

    synchronized void release(String clientId) throws StoreException {
        taken.remove(clientId);
        shortTransactions.run("Client id '" + clientId + "'", "release", open -> {
            try (Query release = statements.query(open, "release_client_id")) {
                return release.set("client_id", clientId)
                        .set("instance", instance)
                        .update();
            }
        });
    }

    /** Others may have removed the instance, and its client ids with it, but for those taken since; or a failover has lost some. */
    synchronized void takeAgain() throws StoreException {
        for (String clientId : List.copyOf(taken)) {
            if (!take(clientId) && !instance.equals(holder(clientId))) {
                taken.remove(clientId);
                LOG.warn(
                        "Instance {} was away for too long, somebody else has taken its client id {}",
                        instance,
                        clientId);
            }
        }
    }
}
