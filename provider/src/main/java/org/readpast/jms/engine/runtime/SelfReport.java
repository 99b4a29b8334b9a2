package org.readpast.jms.engine.runtime;

import java.util.concurrent.TimeUnit;
import org.readpast.jms.engine.source.Chore;
import org.readpast.jms.engine.source.OpenSources;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.StoreException;

/**
 * Tells the database what only this JVM knows and whoever looks why messages stand still has to know: whether its pool is large enough, which
 * consumers are open, and whether a listener does not return. Used by one thread.
 */
final class SelfReport implements Chore {

    private final MessageStore store;
    private final Presence presence;
    private final OpenSources openSources;

    /** When threads were first seen to wait, by {@link System#nanoTime()}; null while none waits. */
    private Long waitingSince;

    SelfReport(MessageStore store, Presence presence, OpenSources openSources) {
        this.store = store;
        this.presence = presence;
        this.openSources = openSources;
    }

    @Override
    public void run() throws StoreException {
        MessageStore.PoolUse pool = store.poolUse();
        presence.report(new Presence.Report(
                System.currentTimeMillis(),
                pool,
                waitingSeconds(pool),
                openSources.longestListening(),
                openSources.consumers()));
    }

    private int waitingSeconds(MessageStore.PoolUse pool) {
        if (pool == null || pool.waiting() == 0) {
            waitingSince = null;
            return 0;
        }
        long now = System.nanoTime();
        if (waitingSince == null) {
            waitingSince = now;
        }
        return (int) TimeUnit.NANOSECONDS.toSeconds(now - waitingSince);
    }
}
