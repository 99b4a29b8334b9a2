package org.readpast.jms.engine.transaction;

import java.util.concurrent.atomic.AtomicBoolean;
import org.readpast.jms.engine.source.Housekeeping;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * Takes a session's lock a little later, to end what nobody goes on with: a batch that is to be acknowledged, a message that was
 * claimed ahead. A session that is at work is left alone. Thread-safe.
 */
public final class IdleTimer {

    private static final Logger LOG = Loggers.of(IdleTimer.class);

    /** With the session's lock. */
    @FunctionalInterface
    public interface Work {
        void run() throws StoreException;
    }

    private final Housekeeping housekeeping;
    private final String owner;
    private final SessionLock lock;
    private final Work work;
    private final AtomicBoolean pending = new AtomicBoolean();

    public IdleTimer(Housekeeping housekeeping, String owner, SessionLock lock, Work work) {
        this.housekeeping = housekeeping;
        this.owner = owner;
        this.lock = lock;
        this.work = work;
    }

    /** Does the work in this many milliseconds, unless that was asked for already. */
    public void in(long millis) {
        if (pending.compareAndSet(false, true)) {
            housekeeping.releaseLater(millis, () -> workUnlessInUse(millis));
        }
    }

    private void workUnlessInUse(long millis) {
        pending.set(false);
        if (!lock.tryLock()) {
            in(millis);
            return;
        }
        try {
            work.run();
        } catch (StoreException e) {
            LOG.warn("{}: a batch could not be acknowledged and will be delivered again: {}", owner, e.getMessage());
        } finally {
            lock.unlock();
        }
    }
}
