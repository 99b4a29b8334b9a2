package org.readpast.jms.store.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.GroupHolder;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.SubscriptionAnswer;
import org.readpast.jms.store.SubscriptionRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A row and a lock. The lock lives on a connection of its own, and it alone says that the instance lives. Whoever removes an
 * instance holds its lock meanwhile, so that it cannot come back halfway.
 */
final class JdbcPresence implements Presence {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcPresence.class);

    /** Together well below the grace of {@link DeadInstances}, in which nobody removes a row. */
    private static final int REGISTRATIONS = 100;

    private static final long REGISTRATION_PAUSE_MILLIS = 20;

    private final OpenStore store;
    private final Dialect dialect;
    private final String instance = UUID.randomUUID().toString();
    private final String subject = "Instance " + instance;

    private final Subscriptions subscriptions;

    private final ClientIds clientIds;

    private final ConsumedDestinations consumed;

    private final DeadInstances deadInstances;

    /** Holds the lock; null while the lock is not held. Guarded by this. */
    private Connection connection;

    /** What others are lent; null while nothing is. Guarded by this. */
    private Connection lent;

    private boolean autoCommitBefore;

    private int networkBefore;

    /** Whether the row was not there when it was last looked for, at first or since others removed it. Guarded by this. */
    private boolean rowWritten;

    private volatile int others;

    private JdbcPresence(OpenStore store) {
        this.store = store;
        this.dialect = store.dialect();
        this.consumed = new ConsumedDestinations(store, instance);
        this.deadInstances = new DeadInstances(store, instance);
        Subscriptions.Reaper reaper = deadInstances::reapNow;
        this.subscriptions = new Subscriptions(store, instance, reaper);
        this.clientIds = new ClientIds(store, instance, reaper);
    }

    static JdbcPresence register(OpenStore store) throws StoreException {
        JdbcPresence presence = new JdbcPresence(store);
        for (int attempt = 1; ; attempt++) {
            try {
                presence.refresh();
                presence.deadInstances.markSuspects();
                return presence;
            } catch (StoreException e) {
                if (e.failure() != Failure.LOCK_TIMEOUT || attempt == REGISTRATIONS) {
                    presence.close();
                    throw e;
                }
                pause(e);
            }
        }
    }

    /** Somebody who looks for dead instances has found the new row and is trying its lock; it is free again at once. */
    private static void pause(StoreException problem) throws StoreException {
        try {
            Thread.sleep(REGISTRATION_PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw problem;
        }
    }

    @Override
    public String instance() {
        return instance;
    }

    @Override
    public int others() {
        return others;
    }

    @Override
    public synchronized boolean refresh() throws StoreException {
        if (connection != null) {
            try {
                store.spare().whileNotLent(this::look);
            } catch (SQLException e) {
                LOG.warn("{} has lost its connection and takes another: {}", subject, e.getMessage());
                store.commits().connectionLost();
                store.pool().distrust();
                drop();
            }
        }
        if (connection == null) {
            appear();
            try {
                store.spare().whileNotLent(this::look);
            } catch (SQLException e) {
                throw dialect.failures().of(e, connection, subject, "registration");
            }
        }
        boolean removed = rowWritten;
        rowWritten = false;
        return removed;
    }

    /** Reads all rows, on the connection that holds the lock, which shows that it still does. */
    private void look() throws SQLException {
        if (!dialect.holdsPresence(connection, instance)) {
            throw new SQLException("The connection was made anew behind the driver's back, and its lock is gone");
        }
        int found = 0;
        boolean missing = false;
        try (Query list = dialect.query(connection, "list_presence");
                ResultSet rows = list.rows()) {
            while (rows.next()) {
                if (rows.getString(1).equals(instance)) {
                    missing = rows.getInt(2) != 0;
                } else {
                    found++;
                }
            }
        }
        if (missing) {
            update(connection, "mark_present");
        }
        others = found;
    }

    private int update(Connection on, String statement) throws SQLException {
        try (Query update = dialect.query(on, statement)) {
            return update.set("instance", instance).update();
        }
    }

    /** What losing the connection looks like, for tests. */
    synchronized void breakConnection() throws SQLException {
        connection.close();
    }

    private void drop() {
        Connection last = connection;
        connection = null;
        lendNoMore(last);
        giveUp(last, true);
    }

    /**
     * Writes the row where it is missing, takes the lock, makes sure that the row was not removed in between, and takes back what went with
     * it: all of that, or else it is not there yet.
     */
    private void appear() throws StoreException {
        ensureRow();
        Connection candidate = connect();
        boolean held = false;
        try {
            candidate.setAutoCommit(true);
            held = dialect.holdPresence(candidate, instance);
            if (!held) {
                throw new StoreException(
                        Failure.LOCK_TIMEOUT,
                        subject
                                + ": registration failed, its lock is still held by its lost connection or by who removes it; "
                                + "nothing is to be done, it will be tried again",
                        null);
            }
            consumed.noteAgain();
            deadInstances.appeared();
            if (dialect.presenceOutlivesItsRow()) {
                ensureRow();
            }
            if (rowWritten) {
                clientIds.takeAgain();
            }
            lend(candidate);
            connection = candidate;
        } catch (SQLException e) {
            throw dialect.failures().of(e, candidate, subject, "registration");
        } finally {
            if (connection == null) {
                lendNoMore(candidate);
                giveUp(candidate, held);
            }
        }
    }

    private Connection connect() throws StoreException {
        try {
            Connection candidate = store.connections().dedicated();
            networkBefore = NetworkBound.set(candidate, NetworkBound.question(store.options()));
            autoCommitBefore = candidate.getAutoCommit();
            return candidate;
        } catch (SQLException e) {
            throw dialect.failures().ofLogin(e, subject, "registration");
        }
    }

    /** Where the lock is a transaction, nothing else can be committed there: an application's DataSource then has to give one more. */
    private void lend(Connection holder) throws SQLException {
        if (holder.getAutoCommit()) {
            lent = holder;
        } else if (store.pool() instanceof ConnectionPool.Borrowed) {
            lent = store.connections().dedicated();
            lent.setAutoCommit(true);
        }
        if (lent != null) {
            store.spare().offer(lent);
        }
    }

    private void lendNoMore(Connection holder) {
        Connection last = lent;
        lent = null;
        if (last != null) {
            store.spare().withdraw(last);
            if (last != holder) {
                giveUp(last, false);
            }
        }
    }

    /** Gives the lock back with the connection. In an application's pool the session of the connection outlives its use here. */
    private void giveUp(Connection last, boolean held) {
        try {
            if (held && !last.isClosed()) {
                last.setAutoCommit(false);
                last.rollback();
                dialect.releasePresence(last, instance);
            }
            last.setAutoCommit(autoCommitBefore);
            NetworkBound.reset(last, networkBefore);
        } catch (SQLException e) {
            LOG.debug("{} could not give its lock back, its connection is ended", subject, e);
            abort(last);
        }
        try {
            last.close();
        } catch (SQLException e) {
            LOG.debug("Closing the connection of {} failed", subject, e);
        }
    }

    private void abort(Connection last) {
        try {
            last.abort(Runnable::run);
        } catch (SQLException e) {
            LOG.debug("Ending the connection of {} failed", subject, e);
        }
    }

    /** Notes in the row that the instance is there, or writes it. */
    private void ensureRow() throws StoreException {
        store.housekeeping().run(subject, "registration", open -> {
            if (update(open, "mark_present") > 0) {
                return null;
            }
            // Whatever becomes of the commit: the row was not there.
            rowWritten = true;
            try (Query register = dialect.query(open, "register_presence")) {
                register.set("instance", instance)
                        .set("host", ProcessName.host())
                        .set("process", ProcessName.process())
                        .update();
            }
            return null;
        });
    }

    @Override
    public boolean takeClientId(String clientId) throws StoreException {
        return clientIds.take(clientId);
    }

    @Override
    public void releaseClientId(String clientId) throws StoreException {
        clientIds.release(clientId);
    }

    @Override
    public void consumes(int destinationId) throws StoreException {
        consumed.note(destinationId);
    }

    @Override
    public int createTemporary(DestinationKind kind, String name) throws StoreException {
        if (!Destinations.create(store, kind, name, instance)) {
            throw new StoreException(
                    Failure.DUPLICATE_KEY, kind + " '" + name + "': there is one of this name; choose another", null);
        }
        return Destinations.find(store, kind, name)
                .orElseThrow(() -> new StoreException(
                        Failure.OTHER,
                        kind + " '" + name + "': somebody removed it as it was created; see whether " + subject
                                + " was removed as dead",
                        null));
    }

    @Override
    public void dropTemporary(int destinationId) throws StoreException {
        boolean dropped = store.shortTransactions()
                .run(
                        store.names().subject(destinationId),
                        "removal",
                        open -> Destinations.drop(dialect, open, instance, destinationId));
        if (dropped) {
            Destinations.removeMessages(store, List.of(destinationId));
        }
    }

    @Override
    public SubscriptionAnswer subscribe(SubscriptionRequest request) throws StoreException {
        SubscriptionAnswer answer = subscriptions.subscribe(request);
        if (answer.outcome() == SubscriptionAnswer.Outcome.DONE && request.name() != null) {
            consumed.noted(answer.destinationId());
        }
        return answer;
    }

    @Override
    public void endConsumer(int destinationId, String consumer) throws StoreException {
        subscriptions.endConsumer(destinationId, consumer);
    }

    @Override
    public SubscriptionAnswer unsubscribe(String clientId, String name) throws StoreException {
        return subscriptions.unsubscribe(clientId, name);
    }

    @Override
    public boolean releaseGroups(GroupHolder holder) throws StoreException {
        return store.groups().release(holder);
    }

    @Override
    public int forgetIdleGroups(GroupHolder holder, long millis) throws StoreException {
        return store.groups().forgetIdle(holder, millis);
    }

    @Override
    public void releaseOrphanedGroups() throws StoreException {
        store.housekeeping().run("Groups", "release", open -> {
            store.groups().releaseOrphaned(open);
            return null;
        });
    }

    @Override
    public int reapDead() throws StoreException {
        return deadInstances.reap();
    }

    @Override
    public synchronized void close() {
        Connection last = connection;
        connection = null;
        if (last == null) {
            return;
        }
        lendNoMore(last);
        List<Integer> dropped = new ArrayList<>();
        try {
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
            giveUp(last, true);
        }
        Destinations.removeMessages(store, dropped);
    }
}
