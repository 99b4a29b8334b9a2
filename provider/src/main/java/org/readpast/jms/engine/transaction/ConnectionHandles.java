package org.readpast.jms.engine.transaction;

import java.sql.Connection;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.readpast.jms.engine.support.GuardedConnection;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;

/**
 * The application's handles of a session's SQL connection. Each is void when the SQL transaction ends that it was made in: one follows the
 * other, and the epoch tells them apart. Handles are used on any thread; this is used by whoever has the session's lock.
 */
final class ConnectionHandles {

    private final StoreTransaction store;

    private final AtomicLong epoch = new AtomicLong();

    /**
     * Held during each call of a handle, and by whoever ends the transaction: who does so on another thread than works with the handle, as a
     * container whose transaction has timed out, does not give the connection to others between a question whether the epoch goes on and
     * what is done then.
     */
    private final ReentrantLock work = new ReentrantLock();

    ConnectionHandles(StoreTransaction store) {
        this.store = store;
    }

    /** A handle of the SQL connection, void in the next epoch. */
    Connection make() throws StoreException {
        Connection shared = store.connection();
        long now = epoch.get();
        return GuardedConnection.guard(shared, work, () -> epoch.get() == now, () -> store.retire(shared));
    }

    void newEpoch() {
        epoch.incrementAndGet();
    }

    /** Ends the transaction while no handle is at work. */
    <E extends Exception> void ending(SessionLock.Wait<E> end) throws E {
        work.lock();
        try {
            end.run();
        } finally {
            work.unlock();
        }
    }
}
