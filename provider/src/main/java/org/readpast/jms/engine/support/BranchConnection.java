package org.readpast.jms.engine.support;

import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.XAConnection;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.readpast.jms.store.ConnectionSource;
import org.readpast.jms.store.MessageStore.XaSource;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * The SQL connection of an XA session, and the driver's XAResource of it. The branches are the driver's: what a transaction manager calls is
 * passed on, and all that is known here is whether one is started, and which have not ended. A connection that has broken is replaced with the
 * next call: what was prepared on it can be ended on any other. Thread-safe, as transaction managers roll back on threads of their own.
 */
public final class BranchConnection implements ConnectionSource, XAResource {

    private static final Logger LOG = Loggers.of(BranchConnection.class);

    /** How long an operation may go on whose branch is to be undone. */
    private static final long PATIENCE_SECONDS = 10;

    /** A connection that was used so recently is not asked whether it is still there. */
    private static final long SURELY_ALIVE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final int VALIDATION_SECONDS = 5;

    private final XaSource source;
    private final NodeIdentifier node;

    /**
     * Held during each operation on the connection and each call of a transaction manager: a rollback comes before an operation or after it,
     * and not between two statements, the second of which would be committed by itself. Taken before the monitor of this.
     */
    private final ReentrantLock work = new ReentrantLock();

    /** Null while there is none. Guarded by this. */
    private XAConnection connection;

    /** Open as long as the connection: drivers roll back when another one is asked for. Guarded by this. */
    private Connection handle;

    /** The driver's. Guarded by this. */
    private XAResource resource;

    /** The branch that work belongs to now, or null. Guarded by this. */
    private Object started;

    /** The branches that were started here and have not ended. Guarded by this. */
    private final Map<Object, Branch> unfinished = new HashMap<>();

    /** The branches that part of what was done here is undone in. Guarded by this. */
    private final Set<Object> rollbackOnly = new HashSet<>();

    /** Those that ended with the last connection that broke, for whoever does not know yet. Guarded by this. */
    private final Set<Object> lost = new HashSet<>();

    /** When the driver last did what it was asked, by {@link System#nanoTime()}. Guarded by this. */
    private long usedAt;

    /** The application may have changed its settings. Guarded by this. */
    private boolean changed;

    /** Guarded by this. */
    private boolean closed;

    /** What has become of a branch. */
    private enum Stage {
        /** It ends with its connection. */
        AT_WORK,
        /** It was to be prepared, and nobody has said that it is: it may outlive its connection. */
        PREPARING,
        /** It outlives its connection. */
        PREPARED
    }

    /** One that was started here. */
    private static final class Branch {

        private Stage stage = Stage.AT_WORK;

        private final List<Runnable> afterCommit = new ArrayList<>();
    }

    /** @param node whose branches these are */
    public BranchConnection(XaSource source, NodeIdentifier node) {
        this.source = source;
        this.node = node;
    }

    /** Opens the connection, unless it is open. */
    public synchronized void open() throws SQLException {
        boolean isAtWork = started != null || !unfinished.isEmpty();
        if (handle != null && !handle.isClosed() && (isAtWork || (!changed && !isBroken()))) {
            return;
        }
        if (handle != null) {
            lost.clear();
        }
        unfinished.forEach((xid, branch) -> {
            if (branch.stage == Stage.AT_WORK) {
                lost.add(xid);
            }
        });
        unfinished.keySet().removeAll(lost);
        rollbackOnly.removeAll(lost);
        // A new connection is in no branch, and would commit each statement by itself.
        started = null;
        release();
        connection = source.open();
        try {
            setUp();
        } catch (SQLException | RuntimeException e) {
            release();
            throw e;
        }
        changed = false;
        usedAt = System.nanoTime();
    }

    private void setUp() throws SQLException {
        handle = connection.getConnection();
        source.prepare(handle);
        if (handle.getTransactionIsolation() != Connection.TRANSACTION_READ_COMMITTED) {
            handle.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
        resource = connection.getXAResource();
    }

    /** As a pool asks before it lends: whoever begins a transaction may not begin it anew when its first statement finds that out. */
    private boolean isBroken() {
        try {
            return System.nanoTime() - usedAt > SURELY_ALIVE_NANOS && !handle.isValid(VALIDATION_SECONDS);
        } catch (SQLException | RuntimeException e) {
            LOG.debug("The connection of an XA session does not say whether it is still there", e);
            return true;
        }
    }

    /** The session is closed. Where branches have not ended, the connection is closed after the last one. */
    public synchronized void close() {
        closed = true;
        releaseIfUnused();
    }

    private void releaseIfUnused() {
        if (closed && started == null && unfinished.isEmpty()) {
            release();
        }
    }

    private void release() {
        XAConnection released = connection;
        connection = null;
        handle = null;
        resource = null;
        if (released != null) {
            try {
                released.close();
            } catch (SQLException | RuntimeException e) {
                LOG.debug("Closing the connection of an XA session failed", e);
            }
        }
    }

    // For the session

    @Override
    public synchronized boolean isInTransaction() {
        return started != null;
    }

    @Override
    public Connection get() throws SQLException {
        work.lock();
        try {
            return current();
        } catch (SQLException e) {
            work.unlock();
            throw e;
        }
    }

    private synchronized Connection current() throws SQLException {
        if (started == null || handle == null) {
            throw new SQLException("The branch has ended meanwhile, perhaps since its transaction has timed out");
        }
        return handle;
    }

    /** Good for this branch, and nothing in it ends that. */
    @Override
    public synchronized Connection forApplication() throws SQLException {
        Object branch = started;
        return GuardedConnection.guard(current(), work, () -> isStarted(branch), this::change);
    }

    private synchronized boolean isStarted(Object branch) {
        return branch.equals(started);
    }

    private synchronized void change() {
        changed = true;
    }

    /** Drivers differ in what autocommit says in a branch: PostgreSQL's leaves it on. */
    @Override
    public boolean commitsByItself(Connection borrowed) {
        return !isInTransaction();
    }

    /**
     * Its transaction manager is told as soon as it asks for something. Some take what PostgreSQL's driver says at the commit of a failed
     * transaction for a commit that is to be repeated.
     */
    @Override
    public synchronized void setRollbackOnly(Connection borrowed, boolean goesOn) {
        rollbackOnly.add(started);
    }

    /** Nobody tells of a commit by recovery. */
    @Override
    public synchronized boolean afterCommit(Runnable task) {
        return unfinished.containsKey(started)
                && unfinished.get(started).afterCommit.add(task);
    }

    /** It is the session's as long as that lives. */
    @Override
    public void giveBack(Connection borrowed) {
        work.unlock();
    }

    // For the transaction manager

    @FunctionalInterface
    private interface Call<T> {
        T on(XAResource driver) throws XAException;
    }

    /**
     * Takes the lock for what undoes a branch. An operation of the branch that does not end is broken off with the connection: it may wait for
     * the lock of another branch of the same transaction, which is rolled back after this one.
     */
    private void lockToUndo(Xid xid) {
        if (!isLockedInTime()) {
            if (isStarted(branch(xid))) {
                breakOff(xid);
            }
            work.lock();
        }
    }

    private boolean isLockedInTime() {
        try {
            // The first asks no matter whether the thread is interrupted.
            return work.tryLock() || work.tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Nothing can be done on the handle any more, before the branch is rolled back: it would be committed by itself. */
    private void breakOff(Xid xid) {
        Connection aborted;
        XAResource driver;
        synchronized (this) {
            aborted = handle;
            driver = resource;
        }
        try {
            if (aborted != null) {
                aborted.abort(Runnable::run);
                driver.rollback(xid);
            }
        } catch (SQLException | XAException e) {
            LOG.debug("A branch is rolled back with its connection, which is closed", e);
        }
        synchronized (this) {
            release();
        }
    }

    private <T> T call(Call<T> call) throws XAException {
        work.lock();
        try {
            return on(call);
        } finally {
            work.unlock();
        }
    }

    private synchronized <T> T on(Call<T> call) throws XAException {
        try {
            open();
            T result = call.on(resource);
            usedAt = System.nanoTime();
            return result;
        } catch (SQLException e) {
            XAException failed = new XAException("The connection of an XA session cannot be opened: " + e.getMessage());
            failed.errorCode = XAException.XAER_RMFAIL;
            failed.initCause(e);
            throw failed;
        } finally {
            releaseIfUnused();
        }
    }

    /** What tells a branch from any other: classes of Xid need not have {@code equals}. */
    private static Object branch(Xid xid) {
        return List.of(
                xid.getFormatId(),
                ByteBuffer.wrap(xid.getGlobalTransactionId()),
                ByteBuffer.wrap(xid.getBranchQualifier()));
    }

    @Override
    public void start(Xid xid, int flags) throws XAException {
        node.see(xid);
        call(driver -> {
            driver.start(xid, flags);
            started = branch(xid);
            if (flags == TMNOFLAGS) {
                unfinished.put(started, new Branch());
            }
            return null;
        });
    }

    /** Whatever the driver says, what comes after it is no part of the branch. */
    @Override
    public void end(Xid xid, int flags) throws XAException {
        if (flags == TMFAIL) {
            lockToUndo(xid);
        } else {
            work.lock();
        }
        try {
            call(driver -> {
                leave(xid);
                checkNotLost(xid);
                driver.end(xid, flags);
                if (!unfinished.containsKey(branch(xid)) && rollbackOnly.remove(branch(xid))) {
                    // Another session began it, and is asked to prepare it.
                    throw new XAException(XAException.XA_RBROLLBACK);
                }
                return null;
            });
        } finally {
            work.unlock();
        }
    }

    private void checkNotLost(Xid xid) throws XAException {
        if (lost.contains(branch(xid))) {
            throw new XAException(XAException.XA_RBCOMMFAIL);
        }
    }

    private void leave(Xid xid) {
        if (branch(xid).equals(started)) {
            started = null;
        }
    }

    @Override
    public int prepare(Xid xid) throws XAException {
        return call(driver -> {
            checkMayBeCommitted(xid, driver);
            Branch branch = unfinished.getOrDefault(branch(xid), new Branch());
            branch.stage = Stage.PREPARING;
            try {
                int vote = driver.prepare(xid);
                branch.stage = Stage.PREPARED;
                if (vote == XA_RDONLY) {
                    finished(xid);
                }
                return vote;
            } catch (XAException e) {
                if (e.errorCode >= XAException.XA_RBBASE && e.errorCode <= XAException.XA_RBEND) {
                    // It has ended: its transaction manager asks nothing more of it.
                    finished(xid);
                }
                throw e;
            }
        });
    }

    private void checkMayBeCommitted(Xid xid, XAResource driver) throws XAException {
        checkNotLost(xid);
        if (rollbackOnly.contains(branch(xid))) {
            finished(xid);
            driver.rollback(xid);
            throw new XAException(XAException.XA_RBROLLBACK);
        }
    }

    /**
     * Whatever comes of it, the branch does not need this connection any more: where it fails, the database rolls back what was not prepared as
     * the connection ends, and what was prepared is ended on any other, perhaps by recovery, of which nobody tells.
     */
    private <T> T conclude(Xid xid, Call<T> call) throws XAException {
        work.lock();
        try {
            return call(call);
        } finally {
            try {
                drop(xid);
            } finally {
                work.unlock();
            }
        }
    }

    private synchronized void drop(Xid xid) {
        finished(xid);
        releaseIfUnused();
    }

    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
        List<Runnable> tasks = conclude(xid, driver -> {
            checkMayBeCommitted(xid, driver);
            driver.commit(xid, onePhase);
            return finished(xid);
        });
        tasks.forEach(Runnable::run);
    }

    @Override
    public void rollback(Xid xid) throws XAException {
        lockToUndo(xid);
        try {
            conclude(xid, driver -> {
                Branch branch = unfinished.get(branch(xid));
                if (!lost.remove(branch(xid))) {
                    rollback(xid, driver, branch != null && branch.stage == Stage.PREPARING);
                }
                return null;
            });
        } finally {
            work.unlock();
        }
    }

    /** @param maybeUnknown whether the database may not have prepared it, and has rolled it back then as its connection ended */
    private static void rollback(Xid xid, XAResource driver, boolean maybeUnknown) throws XAException {
        try {
            driver.rollback(xid);
        } catch (XAException e) {
            if (e.errorCode != XAException.XAER_NOTA || !maybeUnknown) {
                throw e;
            }
        }
    }

    @Override
    public void forget(Xid xid) throws XAException {
        call(driver -> {
            finished(xid);
            driver.forget(xid);
            return null;
        });
    }

    /** Returns what is to be done if that was a commit. */
    private List<Runnable> finished(Xid xid) {
        leave(xid);
        rollbackOnly.remove(branch(xid));
        Branch branch = unfinished.remove(branch(xid));
        return branch == null ? List.of() : branch.afterCommit;
    }

    @Override
    public Xid[] recover(int flag) throws XAException {
        return call(driver -> driver.recover(flag));
    }

    @Override
    public boolean isSameRM(XAResource other) throws XAException {
        XAResource drivers = other instanceof BranchConnection that ? that.call(driver -> driver) : other;
        return call(driver -> driver.isSameRM(drivers));
    }

    @Override
    public int getTransactionTimeout() throws XAException {
        return call(XAResource::getTransactionTimeout);
    }

    @Override
    public boolean setTransactionTimeout(int seconds) throws XAException {
        return call(driver -> driver.setTransactionTimeout(seconds));
    }
}
