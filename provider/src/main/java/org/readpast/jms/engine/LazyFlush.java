package org.readpast.jms.engine;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.readpast.jms.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Acknowledges a session's lazy batch that nobody continues, a little later; one that is in use is left to its user. Thread-safe. */
final class LazyFlush {

    private static final Logger LOG = LoggerFactory.getLogger(LazyFlush.class);
    private static final long LAZY_MILLIS = 100;

    /** With the session's turn. */
    @FunctionalInterface
    interface Flush {
        void run() throws StoreException;
    }

    private final EngineSession session;
    private final ReentrantLock turn;
    private final Flush flush;
    private final AtomicBoolean pending = new AtomicBoolean();

    LazyFlush(EngineSession session, ReentrantLock turn, Flush flush) {
        this.session = session;
        this.turn = turn;
        this.flush = flush;
    }

    void soon() {
        if (pending.compareAndSet(false, true)) {
            session.hub().housekeeping().later(LAZY_MILLIS, this::flushUnlessInUse);
        }
    }

    private void flushUnlessInUse() {
        pending.set(false);
        if (!turn.tryLock()) {
            soon();
            return;
        }
        try {
            flush.run();
        } catch (StoreException e) {
            LOG.warn(
                    "{}: a batch could not be acknowledged and will be delivered again: {}",
                    session.name(),
                    e.getMessage());
        } finally {
            turn.unlock();
        }
    }
}
