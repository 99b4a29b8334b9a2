package org.readpast.jms.store.jdbc.presence;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.readpast.jms.store.DatagramAddress;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.jdbc.connect.ConnectionPool;
import org.readpast.jms.store.jdbc.connect.Connections;
import org.readpast.jms.store.jdbc.connect.DedicatedConnection;
import org.readpast.jms.store.jdbc.connect.Gone;
import org.readpast.jms.store.jdbc.connect.ProcessName;
import org.readpast.jms.store.jdbc.connect.SpareConnection;
import org.readpast.jms.store.jdbc.connect.StoreOptions;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.store.jdbc.transaction.CommitVerification;
import org.readpast.jms.store.jdbc.transaction.ShortTransactions;
import org.readpast.jms.store.jdbc.upkeep.SchemaInstaller;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * The row of an instance and its lock. The lock lives on a connection of its own, and it alone says that the instance lives.
 * Thread-safe.
 */
public final class Registration {

    private static final Logger LOG = Loggers.of(Registration.class);

    private final String instance;

    /** Null where it hears no datagrams. */
    private final DatagramAddress address;

    private final String subject;
    private final Statements statements;
    private final SchemaInstaller schema;
    private final PresenceLock lock;
    private final LockSpace lockSpace;
    private final Connections connections;
    private final StoreOptions options;
    private final ConnectionPool pool;
    private final SpareConnection spare;
    private final ShortTransactions housekeeping;
    private final CommitVerification commits;
    private final ConsumedDestinations consumed;
    private final DeadInstances deadInstances;
    private final ClientIds clientIds;

    /** Whose session holds the lock; null while the lock is not held. Guarded by this. */
    private DedicatedConnection holder;

    /** What others are lent; null while nothing is. Guarded by this. */
    private DedicatedConnection lent;

    /** Whether the row was not there when it was last looked for, at first or since others removed it. Guarded by this. */
    private boolean rowWritten;

    private volatile List<Presence.Other> others = List.of();

    /**
     * @param address where it hears datagrams; null for nowhere
     * @param consumed noted again after an absence, as are the client ids
     */
    public Registration(
            String instance,
            DatagramAddress address,
            Statements statements,
            SchemaInstaller schema,
            PresenceLock lock,
            LockSpace lockSpace,
            Connections connections,
            StoreOptions options,
            ConnectionPool pool,
            SpareConnection spare,
            ShortTransactions housekeeping,
            CommitVerification commits,
            ConsumedDestinations consumed,
            DeadInstances deadInstances,
            ClientIds clientIds) {
        this.instance = instance;
        this.address = address;
        this.subject = "Instance " + instance;
        this.statements = statements;
        this.schema = schema;
        this.lock = lock;
        this.lockSpace = lockSpace;
        this.connections = connections;
        this.options = options;
        this.pool = pool;
        this.spare = spare;
        this.housekeeping = housekeeping;
        this.commits = commits;
        this.consumed = consumed;
        this.deadInstances = deadInstances;
        this.clientIds = clientIds;
    }

    /** Appears for the first time, unless others could not see its lock. */
    void appearFirst() throws StoreException {
        refresh();
        lockSpace.assertNobodyElsewhere(this::refresh, DeadInstances.GRACE_MILLIS);
    }

    /** The other instances that there were when it was last looked. */
    List<Presence.Other> others() {
        return others;
    }

    /** See {@link org.readpast.jms.store.Presence#refresh}. */
    synchronized Presence.Refreshed refresh() throws StoreException {
        boolean isTaken = false;
        if (holder != null) {
            try {
                spare.whileNotLent(this::look);
            } catch (SQLException e) {
                if (pool.failures().classify(e) == Failure.LOCK_TIMEOUT) {
                    LOG.info(
                            "{} has its lock, but cannot see the others while the table is locked: {}",
                            subject,
                            e.getMessage());
                } else {
                    lost(e);
                }
            } catch (RuntimeException e) {
                lost(e);
            }
        }
        if (holder == null) {
            appear();
            isTaken = true;
            try {
                spare.whileNotLent(this::look);
            } catch (OtherSession e) {
                boolean isNew = rowWritten;
                drop();
                lockSpace.withdraw(isNew);
                throw lockSpace.sessionIsLent();
            } catch (SQLException e) {
                throw pool.failures().of(e, holder.connection(), subject, "registration");
            }
        }
        boolean removed = rowWritten;
        rowWritten = false;
        if (removed) {
            return Presence.Refreshed.REMOVED;
        }
        return isTaken ? Presence.Refreshed.TAKEN_AGAIN : Presence.Refreshed.HELD;
    }

    private void lost(Exception why) {
        LOG.info("{} has lost its connection and takes another: {}", subject, why.getMessage());
        commits.connectionLost();
        pool.distrust();
        drop();
    }

    /** A driver or a pooler has put another session in the place of the one that holds the lock. */
    private static final class OtherSession extends SQLException {

        private static final long serialVersionUID = 1L;

        OtherSession() {
            super("Its session is another one than before, and its lock is gone");
        }
    }

    /** Reads all rows, on the connection that holds the lock, which shows that it still does. */
    private void look() throws SQLException {
        Connection connection = holder.connection();
        if (Gone.is(connection)) {
            throw new SQLException("It is closed, and its lock is gone");
        }
        if (!lock.isHeld(connection, instance)) {
            throw new OtherSession();
        }
        List<Presence.Other> found = new ArrayList<>();
        boolean there = false;
        boolean missing = false;
        try (Query list = statements.query(connection, "list_presence");
                ResultSet rows = list.rows()) {
            while (rows.next()) {
                if (rows.getString("instance").equals(instance)) {
                    there = true;
                    missing = rows.getInt("missing") != 0;
                } else {
                    found.add(new Presence.Other(rows.getString("instance"), rows.getString("host"), address(rows)));
                }
            }
        }
        if (!there) {
            throw new SQLException("Its row was removed while it held its lock");
        }
        if (missing) {
            update(connection, "mark_present");
        }
        others = List.copyOf(found);
    }

    /** Where an instance hears datagrams; null for none. */
    private static DatagramAddress address(ResultSet row) throws SQLException {
        String addresses = row.getString("addresses");
        String key = row.getString("secret");
        return addresses == null || key == null
                ? null
                : new DatagramAddress(List.of(addresses.split(",", -1)), row.getInt("port"), key);
    }

    private int update(Connection on, String statement) throws SQLException {
        try (Query update = statements.query(on, statement)) {
            return update.set("instance", instance).update();
        }
    }

    /** What losing the connection looks like, for tests. */
    synchronized void breakConnection() throws SQLException {
        holder.connection().close();
    }

    private void drop() {
        DedicatedConnection last = holder;
        holder = null;
        lendNoMore(last);
        giveUp(last, true);
    }

    /**
     * Writes the row where it is missing, takes the lock, makes sure that the row was not removed in between, and takes back what went with
     * it: all of that, or else it is not there yet.
     */
    private void appear() throws StoreException {
        DedicatedConnection dedicated = connect();
        Connection candidate = dedicated.connection();
        boolean held = false;
        try {
            checkSchema(candidate);
            ensureRow();
            held = lock.hold(candidate, instance);
            if (!held) {
                throw new StoreException(
                        Failure.LOCK_TIMEOUT,
                        subject
                                + ": registration failed, its lock is still held by its lost connection or by who removes it; "
                                + "nothing is to be done, it will be tried again",
                        null);
            }
            if (lock.outlivesRow()) {
                lockSpace.assertRefusedToOthers(candidate, rowWritten);
            }
            checkSchema(candidate);
            consumed.noteAgain();
            deadInstances.appeared();
            if (lock.outlivesRow()) {
                ensureRow();
            }
            clientIds.takeAgain();
            lend(dedicated);
            holder = dedicated;
        } catch (SQLException e) {
            throw pool.failures().of(e, candidate, subject, "registration");
        } finally {
            if (holder == null) {
                lendNoMore(dedicated);
                giveUp(dedicated, held);
            }
        }
    }

    /** While its lock was not held, a script may have been run for which this JVM is too old: it does nothing more then. */
    private void checkSchema(Connection candidate) throws SQLException, StoreException {
        try {
            schema.checkAgain(candidate);
            pool.refuse(null);
        } catch (StoreException e) {
            pool.refuse(e.getMessage());
            throw e;
        }
    }

    private DedicatedConnection connect() throws StoreException {
        try {
            return limited();
        } catch (SQLException e) {
            throw pool.failures().ofLogin(e, subject, "registration");
        }
    }

    /** Who is lent it, and whoever waits behind, is not to wait for as long as some transaction holds a lock. */
    private DedicatedConnection limited() throws SQLException {
        DedicatedConnection taken = DedicatedConnection.take(connections, options);
        try {
            lock.limitWaits(taken.connection());
            return taken;
        } catch (SQLException | RuntimeException | Error e) {
            giveUp(taken, false);
            throw e;
        }
    }

    /** Where the lock is a transaction, nothing else can be committed there: an application's DataSource then has to give one more. */
    private void lend(DedicatedConnection locked) throws SQLException {
        if (locked.connection().getAutoCommit()) {
            lent = locked;
        } else if (pool instanceof ConnectionPool.Borrowed) {
            lent = limited();
        }
        if (lent != null) {
            spare.offer(lent.connection());
        }
    }

    private void lendNoMore(DedicatedConnection locked) {
        DedicatedConnection last = lent;
        lent = null;
        if (last != null) {
            spare.withdraw(last.connection());
            if (last != locked) {
                giveUp(last, false);
            }
        }
    }

    /** Gives the lock back with the connection. In an application's pool the session of the connection outlives its use here. */
    private void giveUp(DedicatedConnection dedicated, boolean held) {
        Connection last = dedicated.connection();
        try {
            if (!Gone.is(last)) {
                if (held) {
                    last.setAutoCommit(false);
                    last.rollback();
                    lock.release(last, instance);
                }
                last.setAutoCommit(true);
                lock.unlimitWaits(last);
                dedicated.reset();
            }
        } catch (SQLException | RuntimeException | Error e) {
            LOG.debug("{} could not give its lock back, its connection is ended", subject, e);
            abort(last);
        }
        try {
            last.close();
        } catch (SQLException | RuntimeException | Error e) {
            // A pool that the application has closed meanwhile: HikariCP has a NullPointerException for what it has
            // ended.
            LOG.debug("Closing the connection of {} failed", subject, e);
        }
    }

    private void abort(Connection last) {
        try {
            last.abort(Runnable::run);
        } catch (SQLException | RuntimeException | Error e) {
            LOG.debug("Ending the connection of {} failed", subject, e);
        }
    }

    /** Notes in the row that the instance is there, or writes it. */
    private void ensureRow() throws StoreException {
        housekeeping.run(subject, "registration", open -> {
            if (update(open, "mark_present") > 0) {
                return null;
            }
            // Whatever becomes of the commit: the row was not there.
            rowWritten = true;
            try (Query register = statements.query(open, "register_presence")) {
                bind(register).update();
            }
            return null;
        });
    }

    private Query bind(Query register) throws SQLException {
        register.set("instance", instance).set("host", ProcessName.host()).set("process", ProcessName.process());
        String addresses = null;
        Integer port = null;
        String secret = null;
        if (address != null) {
            addresses = String.join(",", address.hosts());
            port = address.port();
            secret = address.secret();
        }
        return register.set("addresses", addresses)
                .set("port", port)
                .set("secret", secret)
                .set("provider_version", ProcessName.version())
                .set("schema_version", schema.needed());
    }

    /** Removes the instance and gives the lock back; returns the destinations whose messages are to be removed. */
    synchronized List<Integer> end() {
        List<Integer> dropped = new ArrayList<>();
        DedicatedConnection dedicated = holder;
        holder = null;
        if (dedicated == null) {
            return dropped;
        }
        lendNoMore(dedicated);
        Connection last = dedicated.connection();
        try {
            if (Gone.is(last)) {
                LOG.debug("{} is left for others to remove, since its connection was closed", subject);
                return dropped;
            }
            last.setAutoCommit(false);
            if (!deadInstances.remove(last, instance, dropped)) {
                LOG.debug(
                        "{} is left for others to remove, since its messages of groups are not acknowledged", subject);
            }
            last.commit();
        } catch (SQLException e) {
            LOG.debug("{} could not be removed, others will do it", subject, e);
            dropped.clear();
        } finally {
            giveUp(dedicated, true);
        }
        return dropped;
    }
}
