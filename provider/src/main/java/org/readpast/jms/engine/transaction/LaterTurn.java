package org.readpast.jms.engine.transaction;

import java.util.concurrent.atomic.AtomicBoolean;
import org.readpast.jms.engine.source.Housekeeping;
import org.readpast.jms.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a session's turn a little later, to end what nobody goes on with: a batch that is to be acknowledged, a message that was
 * claimed ahead. A turn that is in use is left to its user. Thread-safe.
 */
public final class LaterTurn {

    private static final Logger LOG = LoggerFactory.getLogger(LaterTurn.class);

    /** With the session's turn. */
    @FunctionalInterface
    public interface Work {
        void run() throws StoreException;
    }

    private final Housekeeping housekeeping;
    private final String owner;
    private final Turn turn;
    private final Work work;
    private final AtomicBoolean pending = new AtomicBoolean();

    public LaterTurn(Housekeeping housekeeping, String owner, Turn turn, Work work) {
        this.housekeeping = housekeeping;
        this.owner = owner;
        this.turn = turn;
        this.work = work;
    }

    /** Does the work in so many milliseconds, unless that was asked for already. */
    public void in(long millis) {
        if (pending.compareAndSet(false, true)) {
            housekeeping.endLater(millis, () -> workUnlessInUse(millis));
        }
    }

    private void workUnlessInUse(long millis) {
        pending.set(false);
        if (!turn.tryLock()) {
            in(millis);
            return;
        }
        try {
            work.run();
        } catch (StoreException e) {
            LOG.warn("{}: a batch could not be acknowledged and will be delivered again: {}", owner, e.getMessage());
        } finally {
            turn.unlock();
        }
    }
}
