package org.readpast.jms.store.jdbc.presence;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.jdbc.connect.ConnectionPool;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.store.jdbc.transaction.ShortTransactions;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * Makes sure that the locks which show that instances live are seen by all of them. They are not behind a pooler that lends a session for
 * one transaction, nor from another node of a distributed database: who lives would be taken for dead. An instance has the space that its
 * lock is in behind its name, where the database tells one. Thread-safe.
 */
public final class LockSpace {

    private static final Logger LOG = Loggers.of(LockSpace.class);

    private static final char BEFORE_SPACE = '@';
    private static final long PAUSE_MILLIS = 250;

    /** A pooler that lends the holder's session to a third connection meanwhile, such as one that a pool is opening, hides what it does. */
    private static final int TRIES = 3;

    /** How many sessions of a pooler are looked at for the one that has the lock. */
    private static final int SESSIONS = 8;

    /** Once by who looks, and once more each time that an instance has said that it is there. One that moves here says so once. */
    private static final int NOTED_MISSING = 3;

    private final Statements statements;
    private final PresenceLock lock;
    private final ShortTransactions housekeeping;
    private final ConnectionPool pool;
    private final String instance;
    private final String subject;

    public LockSpace(
            Statements statements,
            PresenceLock lock,
            ShortTransactions housekeeping,
            ConnectionPool pool,
            String instance) {
        this.statements = statements;
        this.lock = lock;
        this.housekeeping = housekeeping;
        this.pool = pool;
        this.instance = instance;
        this.subject = "Instance " + instance;
    }

    /** The name of a new instance. */
    public static String newInstance(PresenceLock lock, ShortTransactions housekeeping) throws StoreException {
        String space = "";
        try {
            space = housekeeping.run("Instance", "registration", lock::space);
        } catch (StoreException e) {
            if (e.failure().isTransient()) {
                throw e;
            }
            LOG.debug("This server does not tell which one it is", e);
        }
        return UUID.randomUUID() + (space.isEmpty() ? "" : BEFORE_SPACE + space);
    }

    /** Whether two instances were named in the same space, where a lock that is free is nobody's. */
    static boolean isShared(String one, String other) {
        return of(one).equals(of(other));
    }

    private static String of(String instance) {
        int before = instance.lastIndexOf(BEFORE_SPACE);
        return before < 0 ? "" : instance.substring(before);
    }

    private enum Second {
        REFUSED,
        SAME_SESSION,
        OTHER_SERVER
    }

    /**
     * Makes sure that another connection is refused the lock that this one holds.
     *
     * @param isNew whether the row of the instance goes where it is not
     */
    void assertRefusedToOthers(Connection holder, boolean isNew) throws StoreException {
        Second found = Second.REFUSED;
        for (int i = 0; i < TRIES && found == Second.REFUSED; i++) {
            found = housekeeping.run(subject, "registration", second -> tried(holder, second));
        }
        if (found == Second.SAME_SESSION) {
            withdraw(isNew);
            throw sessionIsLent();
        }
        if (found == Second.OTHER_SERVER) {
            pool.distrust();
            throw new StoreException(
                    Failure.LOCK_TIMEOUT,
                    subject
                            + ": registration failed, another connection was granted its lock: the two lead to different servers, by a"
                            + " failover, after which it works again, or since the address is that of several servers; then use one"
                            + " that is the primary's alone",
                    null);
        }
    }

    /**
     * Gives back the lock of an instance that is refused, if the pooler lends the session that has it to one of a few transactions which are
     * open at a time. Until it is given back, only that session may remove the row.
     *
     * @param isNew whether the row goes, too
     */
    void withdraw(boolean isNew) {
        List<Connection> lent = new ArrayList<>();
        try {
            Connection open;
            boolean isHolder;
            do {
                open = ShortTransactions.borrow(pool, subject, "registration");
                lent.add(open);
                isHolder = lock.isHeld(open, instance);
            } while (!isHolder && lent.size() < SESSIONS);
            if (isNew) {
                remove(open);
            }
            if (isHolder) {
                lock.release(open, instance);
            }
            open.commit();
        } catch (SQLException | StoreException e) {
            LOG.debug("{} is refused, and what it had is left to its session", subject, e);
        } finally {
            lent.forEach(open -> ShortTransactions.rollBack(pool, open));
        }
    }

    /** The refusal where a connection has not the session that it had. */
    StoreException sessionIsLent() {
        return new StoreException(
                Failure.OTHER,
                subject
                        + ": registration failed, another connection has the session of the one that holds its lock: a pooler"
                        + " between here and the database lends a session for one transaction only, so that JVMs which live"
                        + " would be taken for dead. Connect to the database itself, or let the pooler keep a session for each"
                        + " connection (PgBouncer: pool_mode=session)",
                null);
    }

    /** The second one has begun a transaction when the holder is asked, and so keeps the session that it was lent. */
    private Second tried(Connection holder, Connection second) throws SQLException {
        if (!lock.isHeld(holder, instance) || lock.isHeld(second, instance)) {
            return Second.SAME_SESSION;
        }
        if (lock.probe(second, instance)) {
            return Second.OTHER_SERVER;
        }
        return lock.isHeld(holder, instance) ? Second.REFUSED : Second.SAME_SESSION;
    }

    private void remove(Connection open) throws SQLException {
        try (Query remove = statements.query(open, "remove_presence")) {
            remove.set("instance", instance).update();
        }
    }

    /** Tells others that this instance is there. */
    @FunctionalInterface
    interface Own {
        void refresh() throws StoreException;
    }

    private enum Other {
        HERE,
        SILENT,
        NOTED,
        GONE
    }

    /**
     * Fails where an instance lives whose lock is not seen from here. It is noted as missing, and says time and again that it is there. Whose
     * JVM died says nothing, and who moves here in a failover has its lock here by then: neither keeps anybody from starting.
     *
     * @param graceMillis after which an instance that says nothing is dead
     */
    void assertNobodyElsewhere(Own own, long graceMillis) throws StoreException {
        Map<String, Integer> noted = new HashMap<>();
        boolean isWaiting = true;
        while (isWaiting) {
            isWaiting = false;
            for (String other : elsewhere()) {
                Other found = housekeeping.run(
                        "Instance " + other, "a look for its death", open -> look(open, other, graceMillis));
                if (found == Other.NOTED && noted.merge(other, 1, Integer::sum) == NOTED_MISSING) {
                    throw new StoreException(
                            Failure.OTHER,
                            subject + ": registration failed, instance " + other
                                    + " lives, and its lock is not seen from here:"
                                    + " the two are connected to different nodes of a distributed database, and would take each"
                                    + " other for dead. Connect all JVMs that use this schema to the same node",
                            null);
                }
                isWaiting |= found == Other.NOTED || found == Other.SILENT;
            }
            if (isWaiting) {
                pause();
                own.refresh();
            }
        }
    }

    private List<String> elsewhere() throws StoreException {
        return housekeeping.run("Instances", "look-up", open -> {
            List<String> found = new ArrayList<>();
            try (Query list = statements.query(open, "list_presence");
                    ResultSet rows = list.rows()) {
                while (rows.next()) {
                    String other = rows.getString("instance");
                    if (!isShared(instance, other)) {
                        found.add(other);
                    }
                }
            }
            return found;
        });
    }

    private Other look(Connection open, String other, long graceMillis) throws SQLException {
        if (!lock.probe(open, other)) {
            return Other.HERE;
        }
        try (Query mark = statements.query(open, "mark_missing");
                Query missing = statements.query(open, "missing_for")) {
            if (mark.set("instance", other).update() > 0) {
                return Other.NOTED;
            }
            boolean isGone = missing.set("instance", other)
                    .set("grace_millis", graceMillis)
                    .rows()
                    .next();
            return isGone ? Other.GONE : Other.SILENT;
        }
    }

    private void pause() throws StoreException {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(Failure.OTHER, subject + ": registration was interrupted", e);
        }
    }
}
