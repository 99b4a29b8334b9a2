package org.readpast.jms.engine;

import jakarta.jms.JMSException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.readpast.jms.config.Settings;
import org.readpast.jms.store.MessageStore;

/**
 * The hubs of this JVM, one for each database, user and settings, however many factories and connections there are. A hub
 * outlives its last connection for a while, since application servers and Spring open and close connections per message.
 * Thread-safe.
 */
public final class Hubs {

    private static final Hubs OF_THIS_JVM = new Hubs();

    private static final class Shared {
        private Hub hub;
        private int users;
        private ScheduledFuture<?> closing;
    }

    private final Map<Object, Shared> hubs = new HashMap<>();
    private final ScheduledThreadPoolExecutor closer;

    private Hubs() {
        closer = new ScheduledThreadPoolExecutor(1, Threads.named("closer"));
        closer.setRemoveOnCancelPolicy(true);
        closer.setKeepAliveTime(1, TimeUnit.SECONDS);
        closer.allowCoreThreadTimeOut(true);
    }

    /**
     * A new connection to the hub of this key, which is opened if there is none.
     *
     * @param key what tells databases and users apart
     * @param store makes the store of a new hub
     * @throws JMSException if the hub cannot be opened
     */
    public static EngineConnection connect(Object key, Settings settings, Supplier<MessageStore> store, Joining joining)
            throws JMSException {
        return OF_THIS_JVM.open(key, settings, store, joining);
    }

    private EngineConnection open(Object key, Settings settings, Supplier<MessageStore> store, Joining joining)
            throws JMSException {
        Shared shared;
        synchronized (this) {
            shared = hubs.computeIfAbsent(key, k -> new Shared());
            shared.users++;
            if (shared.closing != null) {
                shared.closing.cancel(false);
                shared.closing = null;
            }
        }
        try {
            Hub hub;
            synchronized (shared) {
                if (shared.hub == null) {
                    shared.hub = Hub.open(store.get(), settings);
                }
                hub = shared.hub;
            }
            return hub.connect(joining, () -> release(key, settings));
        } catch (JMSException | RuntimeException e) {
            release(key, settings);
            throw e;
        }
    }

    private synchronized void release(Object key, Settings settings) {
        Shared shared = hubs.get(key);
        shared.users--;
        if (shared.users == 0) {
            shared.closing =
                    closer.schedule(() -> closeIfUnused(key), settings.idleCloseMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void closeIfUnused(Object key) {
        Shared shared;
        synchronized (this) {
            shared = hubs.get(key);
            if (shared == null || shared.users > 0) {
                return;
            }
            hubs.remove(key);
        }
        // On a thread of its own: a database that does not answer any more must not keep the hubs of others open.
        Threads.start("close", () -> close(shared));
    }

    private static void close(Shared shared) {
        synchronized (shared) {
            if (shared.hub != null) {
                shared.hub.close();
            }
        }
    }
}
