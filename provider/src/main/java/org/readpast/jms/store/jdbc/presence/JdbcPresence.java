package org.readpast.jms.store.jdbc.presence;

import java.sql.SQLException;
import java.util.List;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.GroupHolder;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.SubscriptionAnswer;
import org.readpast.jms.store.SubscriptionRequest;
import org.readpast.jms.store.jdbc.claim.Groups;
import org.readpast.jms.store.jdbc.row.Names;
import org.readpast.jms.store.jdbc.transaction.ShortTransactions;

/**
 * A row and a lock, and what belongs to the instance that has them. Whoever removes an instance holds its lock meanwhile, so that it cannot
 * come back halfway.
 */
public final class JdbcPresence implements Presence {

    /** Together well below the grace of {@link DeadInstances}, in which nobody removes a row. */
    private static final int REGISTRATIONS = 100;

    private static final long REGISTRATION_PAUSE_MILLIS = 20;

    private final String instance;
    private final Registration registration;
    private final ClientIds clientIds;
    private final ConsumedDestinations consumed;
    private final Reports reports;
    private final Subscriptions subscriptions;
    private final DeadInstances deadInstances;
    private final Names names;
    private final Destinations destinations;
    private final Groups groups;
    private final ShortTransactions housekeeping;

    public JdbcPresence(
            String instance,
            Registration registration,
            ClientIds clientIds,
            ConsumedDestinations consumed,
            Reports reports,
            Subscriptions subscriptions,
            DeadInstances deadInstances,
            Names names,
            Destinations destinations,
            Groups groups,
            ShortTransactions housekeeping) {
        this.instance = instance;
        this.registration = registration;
        this.clientIds = clientIds;
        this.consumed = consumed;
        this.reports = reports;
        this.subscriptions = subscriptions;
        this.deadInstances = deadInstances;
        this.names = names;
        this.destinations = destinations;
        this.groups = groups;
        this.housekeeping = housekeeping;
    }

    /** Appears for the first time. */
    public void register() throws StoreException {
        for (int attempt = 1; ; attempt++) {
            try {
                registration.appearFirst();
                deadInstances.markSuspects();
                return;
            } catch (StoreException e) {
                if (e.failure() != Failure.LOCK_TIMEOUT || attempt == REGISTRATIONS) {
                    close();
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
    public List<Other> others() {
        return registration.others();
    }

    @Override
    public List<String> missing() {
        return deadInstances.missing();
    }

    @Override
    public Refreshed refresh() throws StoreException {
        Refreshed refreshed = registration.refresh();
        if (refreshed == Refreshed.REMOVED) {
            reports.forget();
        }
        return refreshed;
    }

    /** What losing the connection looks like, for tests. */
    public void breakConnection() throws SQLException {
        registration.breakConnection();
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
    public void consumes(int destinationId, boolean byLease) throws StoreException {
        consumed.note(destinationId, byLease);
    }

    @Override
    public void forgetMoved() throws StoreException {
        consumed.forgetMoved();
    }

    @Override
    public void report(Report report) throws StoreException {
        reports.write(report);
    }

    @Override
    public int createTemporary(DestinationKind kind, String name) throws StoreException {
        if (!destinations.create(kind, name, instance)) {
            throw new StoreException(
                    Failure.DUPLICATE_KEY, kind + " '" + name + "': there is one of this name; choose another", null);
        }
        return destinations.findOwned(kind, name, instance);
    }

    @Override
    public int createTemporaryAgain(DestinationKind kind, String name) throws StoreException {
        destinations.create(kind, name, instance);
        return destinations.findOwned(kind, name, instance);
    }

    @Override
    public boolean isTemporary(DestinationKind kind, String name, int id) {
        return names.isOwn(kind, name, id);
    }

    @Override
    public void dropTemporary(int destinationId) throws StoreException {
        destinations.drop(instance, destinationId);
        consumed.forgetDropped(destinationId);
    }

    @Override
    public SubscriptionAnswer subscribe(SubscriptionRequest request) throws StoreException {
        return subscriptions.subscribe(request);
    }

    @Override
    public boolean isSubscription(SubscriptionRequest request, int destinationId) {
        return names.isOwn(DestinationKind.SUBSCRIPTION, SubscriptionName.of(request), destinationId);
    }

    @Override
    public void endConsumer(int destinationId, String consumer) throws StoreException {
        subscriptions.endConsumer(destinationId, consumer);
    }

    @Override
    public void forgoConsumer(SubscriptionRequest request) throws StoreException {
        subscriptions.forgoConsumer(request);
    }

    @Override
    public SubscriptionAnswer unsubscribe(String clientId, String name) throws StoreException {
        return subscriptions.unsubscribe(clientId, name);
    }

    @Override
    public boolean releaseGroups(GroupHolder holder) throws StoreException {
        return groups.release(holder);
    }

    @Override
    public int forgetIdleGroups(GroupHolder holder, long millis) throws StoreException {
        return groups.forgetIdle(holder, millis);
    }

    @Override
    public void releaseOrphaned() throws StoreException {
        housekeeping.run("Groups", "release", open -> {
            groups.releaseOrphaned(open);
            return null;
        });
        deadInstances.removeOrphaned();
    }

    @Override
    public int reapDead() throws StoreException {
        return deadInstances.reap();
    }

    @Override
    public void close() {
        destinations.beginToRemoveMessages(registration.end());
    }
}
