package org.readpast.jms.engine.runtime;

import jakarta.jms.JMSException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.readpast.jms.config.Settings;
import org.readpast.jms.engine.arrival.ArrivalNews;
import org.readpast.jms.engine.arrival.Arrivals;
import org.readpast.jms.engine.arrival.Ringer;
import org.readpast.jms.engine.arrival.Watcher;
import org.readpast.jms.engine.bell.Bell;
import org.readpast.jms.engine.source.ClientIds;
import org.readpast.jms.engine.source.Destinations;
import org.readpast.jms.engine.source.Groups;
import org.readpast.jms.engine.source.Housekeeping;
import org.readpast.jms.engine.source.OpenSources;
import org.readpast.jms.engine.source.Subscriptions;
import org.readpast.jms.engine.support.Closing;
import org.readpast.jms.engine.support.Outages;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.MessageStore.QueueMove;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.Redelivery;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.threads.Loggers;
import org.readpast.jms.threads.Threads;
import org.slf4j.Logger;

/**
 * What all connections of this JVM to one database, as one user of it, share: the store, the watcher, housekeeping, this JVM's
 * presence. Thread-safe.
 */
public final class ProviderRuntime implements ArrivalNews {

    private static final Logger LOG = Loggers.of(ProviderRuntime.class);

    private static final long CLOSE_MILLIS = 10_000;
    private static final AtomicInteger HUBS = new AtomicInteger();

    private final MessageStore store;
    private final Settings settings;
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final String name = String.valueOf(HUBS.incrementAndGet());
    private final AtomicInteger connections = new AtomicInteger();
    private final Arrivals arrivals = new Arrivals();
    private final Destinations destinations;
    private final RedeliveryPlanner redeliveries;
    private final Watcher watcher;
    private final Ringer ringer;
    private final Bell bell;
    private final Presence presence;
    private final Housekeeping housekeeping;
    private final Subscriptions subscriptions;
    private final Groups groups;
    private final OpenSources openSources = new OpenSources();
    private final JoinedDeliveries joinedDeliveries = new JoinedDeliveries();
    private final AtomicBoolean sentBesideTransaction = new AtomicBoolean();

    private final ClientIds clientIds;
    private final CombinedSends combinedSends;
    private final CombinedReceives combinedReceives;
    private final CombinedDeliveries combinedDeliveries;
    private final Outages outages;
    private final Closing closing;
    private final Management management;

    private ProviderRuntime(MessageStore store, Settings settings) throws StoreException {
        this.store = store;
        this.settings = settings;
        store.open();
        outages = new Outages(settings);
        closing = new Closing(settings, name);
        destinations = new Destinations(store);
        redeliveries = new RedeliveryPlanner(settings, destinations);
        ringer = new Ringer(store, name);
        bell = Bell.open(settings, store.isShared(), store.describe(), ringer::ring);
        presence = register();
        watcher = new Watcher(store, arrivals, bell, settings, outages);
        arrivals.onInterest(watcher::wakeUp);
        arrivals.onLeft(destinationId -> tellOthers(destinationId, 1));
        combinedSends = new CombinedSends(this::send, name);
        housekeeping = new Housekeeping(store, presence, settings, this, bell, outages, name);
        subscriptions = new Subscriptions(destinations, presence, arrivals, housekeeping);
        groups = new Groups(presence, housekeeping, this);
        long doubtMillis = settings.poolTimeoutMillis();
        combinedReceives = new CombinedReceives(store, redeliveries, groups, this, doubtMillis, name);
        combinedDeliveries = new CombinedDeliveries(
                store, redeliveries, groups, this, housekeeping, presence.instance(), doubtMillis, name);
        clientIds = new ClientIds(presence, housekeeping);
        management = new Management(store, presence, arrivals, watcher, bell);
    }

    private Presence register() throws StoreException {
        boolean registered = false;
        try {
            Presence mine = store.register(bell.address());
            registered = true;
            return mine;
        } finally {
            if (!registered) {
                bell.close();
            }
        }
    }

    /**
     * Opens the store, which authenticates, and begins to watch over it. To be called on a thread of ours, so that none of this
     * happens on a connection that belongs to a transaction of the application's.
     *
     * @throws JMSException if the database cannot be reached, refuses the user, or has not the schema; nothing is left open then
     */
    public static ProviderRuntime open(MessageStore store, Settings settings) throws JMSException {
        ProviderRuntime runtime = null;
        boolean open = false;
        try {
            runtime = new ProviderRuntime(store, settings);
            runtime.start();
            open = true;
            return runtime;
        } catch (StoreException e) {
            throw JmsErrors.jms("Connecting to " + store.describe() + " failed", e);
        } finally {
            if (!open && runtime != null) {
                runtime.close();
            } else if (!open) {
                store.close();
            }
        }
    }

    private void start() {
        housekeeping.start(
                this::isBack,
                groups::forgetIdle,
                this::followMoved,
                () -> bell.setPeers(presence.others()),
                new SelfReport(store, presence, openSources));
        // The connection that holds the lock may be lost as well, and is asked seldom at rest.
        watcher.onFailure(housekeeping::refreshPresenceSoon);
        threads.add(Threads.startShared("watcher-" + name, watcher));
        bell.start(
                presence,
                arrivals,
                housekeeping::refreshPresenceSoon,
                housekeeping::isAllowedAll,
                store::queueSettingsChecksum,
                name);
        management.start();
    }

    /** Rows of destinations may have been removed, or be others' since a restore. */
    private void followMoved() throws StoreException {
        Collection<Integer> gone = store.forgetMovedDestinations();
        // Before those who subscribe to them.
        destinations.createTemporariesAgain(presence, arrivals, housekeeping);
        subscriptions.followMoved(gone);
        destinations.followMoved(presence, arrivals);
        presence.forgetMoved();
    }

    private void isBack(Presence.Refreshed how) {
        if (how == Presence.Refreshed.REMOVED) {
            groups.lost();
            subscriptions.subscribeAgain();
        } else {
            subscriptions.confirm();
        }
    }

    /** A name for a new connection. */
    public String nextConnection() {
        return name + "-" + connections.incrementAndGet();
    }

    public MessageStore store() {
        return store;
    }

    public Settings settings() {
        return settings;
    }

    public Arrivals arrivals() {
        return arrivals;
    }

    public Destinations destinations() {
        return destinations;
    }

    public RedeliveryPlanner redeliveries() {
        return redeliveries;
    }

    public Presence presence() {
        return presence;
    }

    public Subscriptions subscriptions() {
        return subscriptions;
    }

    public ClientIds clientIds() {
        return clientIds;
    }

    public Closing closing() {
        return closing;
    }

    public Outages outages() {
        return outages;
    }

    public Groups groups() {
        return groups;
    }

    /** What the consumers of this JVM consume from. */
    public OpenSources openSources() {
        return openSources;
    }

    /** Receives of several sessions together. */
    public CombinedReceives combinedReceives() {
        return combinedReceives;
    }

    /** Deliveries to listeners of several sessions together. */
    public CombinedDeliveries combinedDeliveries() {
        return combinedDeliveries;
    }

    /** True once: for the first message that is sent on its own while the application has a transaction elsewhere. */
    public boolean isFirstBesideTransaction() {
        return sentBesideTransaction.compareAndSet(false, true);
    }

    public JoinedDeliveries joinedDeliveries() {
        return joinedDeliveries;
    }

    public Housekeeping housekeeping() {
        return housekeeping;
    }

    @Override
    public void arrived(int destinationId, int count) {
        tell(() -> tellOthers(destinationId, count - arrivals.arrived(destinationId, count)));
    }

    /** What is committed must not be reported as failed because somebody could not be told of it. */
    private void tell(Runnable telling) {
        try {
            telling.run();
        } catch (RuntimeException | Error e) {
            LOG.warn("{}: what was committed is found later, as not all could be told of it", store.describe(), e);
        }
    }

    /** Nobody but this JVM receives from temporary queues of its own. */
    private void tellOthers(int destinationId, int count) {
        if (count > 0 && !destinations.isOwnTemporary(destinationId)) {
            bell.ring(destinationId, count);
            notifyOthers(destinationId);
        }
    }

    @Override
    public void available(int destinationId) {
        tell(() -> {
            arrivals.rung(List.of(destinationId));
            if (!destinations.isOwnTemporary(destinationId)) {
                bell.ringForSome(destinationId);
                notifyOthers(destinationId);
            }
        });
    }

    /**
     * How a queue is moved to another database or from it, null if it is not: as it was known a few seconds ago, unless a send was refused
     * since and the database can tell it.
     */
    public QueueMove moveOf(String queue) throws StoreException {
        if (store.isMoveLikely()) {
            try {
                refreshQueueSettings();
            } catch (StoreException e) {
                // Somebody who changes the settings of one queue must not keep others from theirs.
                if (e.failure() != Failure.LOCK_TIMEOUT) {
                    throw e;
                }
            }
        }
        return store.moveOf(queue);
    }

    /** What has waited for the end of a pause is there for whoever waits for it. */
    public void refreshQueueSettings() throws StoreException {
        store.refreshQueueSettings().forEach(this::available);
    }

    /** Stores messages in a small transaction of their own. */
    public void send(List<NewMessage> messages) throws StoreException {
        store.insert(messages);
        committed(messages);
    }

    /** The same with one message, together with those that other sessions send at the same time, if there are many. */
    public void sendCombined(NewMessage message) throws StoreException {
        if (store.isCombined(message)) {
            combinedSends.send(message);
        } else {
            send(List.of(message));
        }
    }

    /** Messages of this JVM were committed. */
    public void committed(List<NewMessage> messages) {
        for (NewMessage message : messages) {
            if (message.deliveryDelayMillis() > 0) {
                tell(() -> housekeeping.dueIn(message.deliveryDelayMillis()));
            } else if (message.publication() != null) {
                message.publication().reached().forEach(subscription -> arrived(subscription, 1));
            } else {
                arrived(message.destinationId(), 1);
            }
        }
    }

    /** Messages of this JVM were put back, put off, or put among the dead letters. */
    public void redelivered(List<Redelivery> redeliveries) {
        for (Redelivery redelivery : redeliveries) {
            if (redelivery instanceof Redelivery.DeadLetter dead) {
                joinedDeliveries.forget(dead.key());
            }
        }
        mayBeRedelivered(redeliveries);
    }

    /** They are so if a transaction of the application's commits, of whose end nobody tells. */
    public void mayBeRedelivered(List<Redelivery> redeliveries) {
        for (Redelivery redelivery : redeliveries) {
            if (redelivery instanceof Redelivery.Delayed delayed) {
                tell(() -> housekeeping.dueIn(delayed.delayMillis()));
            } else if (redelivery instanceof Redelivery.DeadLetter dead) {
                arrived(dead.target().id(), 1);
            } else {
                arrived(redelivery.key().destinationId(), 1);
            }
        }
    }

    /** By the database's own bell, where there are JVMs that do not hear this one's. */
    private void notifyOthers(int destinationId) {
        if (!bell.reachesAll() && !presence.others().isEmpty()) {
            ringer.ring(destinationId);
        }
    }

    public void close() {
        management.close();
        combinedSends.close();
        combinedReceives.close();
        combinedDeliveries.close();
        watcher.close();
        housekeeping.close();
        awaitThreads();
        bell.close();
        ringer.close();
        presence.close();
        store.close();
    }

    /** What they are doing on the database must be over before it is left. */
    private void awaitThreads() {
        try {
            for (Thread thread : threads) {
                thread.join(CLOSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
