package org.readpast.jms.store.memory;

import java.sql.Connection;
import java.util.Collection;
import java.util.List;
import org.readpast.jms.store.Claim;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.LeaseTerms;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.Redelivery;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;

/** A session's units of work, one after the other. */
final class MemoryTransaction implements StoreTransaction {

    private final MemoryDatabase database;
    private final MemoryMessages messages;
    private final MemoryLeases leases;

    /** Null while none is open. */
    private Unit unit;

    MemoryTransaction(MemoryDatabase database, MemoryMessages messages) {
        this.database = database;
        this.messages = messages;
        this.leases = new MemoryLeases(database, messages);
    }

    /** What is done within the unit of work. */
    @FunctionalInterface
    private interface Step<T> {
        T in(Unit unit) throws StoreException;
    }

    /** Runs a step under the monitor, beginning a unit of work if none is open; a failed step ends it. */
    private <T> T step(Step<T> step) throws StoreException {
        synchronized (database) {
            if (unit == null) {
                unit = new Unit();
                database.open.add(unit);
            }
            try {
                return step.in(unit);
            } catch (StoreException | RuntimeException e) {
                rollBackUnit();
                throw e;
            }
        }
    }

    private void rollBackUnit() {
        if (unit != null) {
            unit.rollback();
            end();
        }
    }

    private void end() {
        database.open.remove(unit);
        unit = null;
    }

    @Override
    public boolean isOpen() {
        return unit != null;
    }

    @Override
    public Connection connection() throws StoreException {
        throw new StoreException(Failure.OTHER, "The message store is in memory and has no SQL connection", null);
    }

    @Override
    public void retire(Connection connection) {
        throw new UnsupportedOperationException("There are no SQL connections");
    }

    @Override
    public void setSavepoint() throws StoreException {
        step(open -> {
            open.setSavepoint();
            return null;
        });
    }

    @Override
    public void rollbackToSavepoint() throws StoreException {
        step(open -> {
            open.rollbackToSavepoint();
            return null;
        });
    }

    @Override
    public List<StoredMessage> claim(ClaimRequest request) throws StoreException {
        synchronized (database) {
            if (request.byLease()) {
                return leases.claim(request);
            }
            boolean first = unit == null;
            List<StoredMessage> claimed = step(open -> claim(open, request));
            if (first && claimed.isEmpty()) {
                rollBackUnit();
            }
            return claimed;
        }
    }

    private List<StoredMessage> claim(Unit open, ClaimRequest request) {
        return request.byGroups()
                ? new GroupClaim(database, messages, open, request).claim()
                : messages.claim(open, request);
    }

    @Override
    public StoredMessage beginDelivery(StoredMessage claimed) throws StoreException {
        if (!claimed.isSuspect()) {
            return claimed;
        }
        synchronized (database) {
            return claimed.afterUnended(database.run(own -> messages.countDelivery(own, claimed.key())));
        }
    }

    @Override
    public int endDeliveries(List<MessageKey> suspects) throws StoreException {
        return suspects.isEmpty() ? 0 : step(open -> messages.endDeliveries(open, suspects));
    }

    @Override
    public StoredMessage complete(StoredMessage message) throws StoreException {
        synchronized (database) {
            return message.lease() != null ? leases.complete(message) : step(open -> whole(open, message));
        }
    }

    private StoredMessage whole(Unit open, StoredMessage message) throws StoreException {
        Entry entry = database.messages.get(open, message.key());
        if (entry == null) {
            throw messages.claimLost(List.of(message.key()), 1);
        }
        return message.withBody(entry.message().body());
    }

    @Override
    public void insert(List<NewMessage> sent) throws StoreException {
        if (!sent.isEmpty()) {
            step(open -> {
                messages.insert(open, sent);
                return null;
            });
        }
    }

    @Override
    public void acknowledge(List<Claim> claims) throws StoreException {
        if (!claims.isEmpty()) {
            step(open -> {
                messages.acknowledge(open, Claim.keys(claims));
                return null;
            });
        }
    }

    @Override
    public List<MessageKey> lock(List<Claim> claims) throws StoreException {
        return claims.isEmpty()
                ? List.of()
                : step(open -> claims.stream()
                        .filter(claim -> database.messages.lock(open, claim.key()))
                        .filter(claim -> messages.isThere(open, claim))
                        .map(Claim::key)
                        .toList());
    }

    @Override
    public boolean isAnyThere(List<Claim> claims) throws StoreException {
        return !claims.isEmpty() && step(open -> claims.stream().anyMatch(claim -> messages.isThere(open, claim)));
    }

    @Override
    public List<StoredMessage> lease(List<StoredMessage> locked, LeaseTerms terms) throws StoreException {
        return step(open -> leases.take(open, locked, terms));
    }

    @Override
    public List<Redelivery> giveBack(Collection<Claim> leased, List<Redelivery> plan) throws StoreException {
        synchronized (database) {
            return leases.giveBack(leased, plan);
        }
    }

    @Override
    public void redeliver(List<Redelivery> redeliveries) throws StoreException {
        if (!redeliveries.isEmpty()) {
            step(open -> {
                messages.redeliver(open, redeliveries);
                return null;
            });
        }
    }

    @Override
    public List<StoredMessage> commit(Settlement settlement, ClaimRequest next) throws StoreException {
        synchronized (database) {
            settle(settlement);
            return next == null ? List.of() : claim(next);
        }
    }

    private void settle(Settlement settlement) throws StoreException {
        if (isOpen() || !settlement.isEmpty()) {
            step(open -> {
                messages.insert(open, settlement.sends());
                leases.settle(open, those(settlement.acknowledged(), true), settlement.returned());
                messages.acknowledge(open, Claim.keys(those(settlement.acknowledged(), false)));
                open.commit();
                end();
                return null;
            });
        }
    }

    private static List<Claim> those(List<Claim> claims, boolean byLease) {
        return claims.stream().filter(claim -> claim.byLease() == byLease).toList();
    }

    @Override
    public boolean commitAndLook(List<Claim> acknowledged, int destinationId) throws StoreException {
        synchronized (database) {
            settle(Settlement.acknowledgement(acknowledged));
            return !messages.available(null, ClaimRequest.fromHead(destinationId, 1, null))
                    .isEmpty();
        }
    }

    @Override
    public boolean claimsWithCommit(ClaimRequest next) {
        return !next.byLease() && next.selector() == null && !next.byGroups();
    }

    @Override
    public boolean isConnectionToSpare() {
        return true;
    }

    @Override
    public void commitVerified(Settlement settlement) throws StoreException {
        commit(settlement, null);
    }

    @Override
    public void rollback() {
        synchronized (database) {
            rollBackUnit();
        }
    }

    @Override
    public void close() {
        rollback();
    }
}
