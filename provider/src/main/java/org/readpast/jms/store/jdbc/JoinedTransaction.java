package org.readpast.jms.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Predicate;
import org.readpast.jms.store.Claim;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.ConnectionSource;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.LeaseTerms;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.Redelivery;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.failure.Failures;
import org.readpast.jms.store.jdbc.transaction.PlainCommit;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * The application's transaction, on its connection. Nothing here commits, closes it or changes its settings. It is kept from being committed
 * only where part of it is undone, and the database would let the rest be committed. Not thread-safe.
 */
final class JoinedTransaction implements StoreTransaction {

    private static final Logger LOG = Loggers.of(JoinedTransaction.class);

    private static final String GOES_ON = "goes on";

    private final OpenStore store;
    private final ConnectionSource source;
    private final String consumer;

    JoinedTransaction(OpenStore store, ConnectionSource source, String consumer) {
        this.store = store;
        this.source = source;
        this.consumer = consumer;
    }

    @FunctionalInterface
    interface Step<T> {
        T on(Connection connection) throws SQLException, StoreException;
    }

    /** False: there is nothing that could be committed here. */
    @Override
    public boolean isOpen() {
        return false;
    }

    /** The application's connection, which it closes itself. */
    @Override
    public Connection connection() throws StoreException {
        try {
            return source.get();
        } catch (SQLException e) {
            throw store.failures().ofLogin(e, "The application's connection", "access");
        }
    }

    /** Does nothing: what the application does to its own connection is its own affair. */
    @Override
    public void retire(Connection connection) {
        LOG.debug("A connection of the application's is left as it is");
    }

    private SQLException setRollbackOnly(Connection connection, SQLException failure) {
        boolean goesOn = store.dialect().goesOnAfterErrors();
        try {
            source.setRollbackOnly(connection, goesOn);
            if (!goesOn && source.canRefuseCommit()) {
                // Nothing tells the application that such a commit is a rollback, unless it goes back to a savepoint
                // before.
                source.keepTo(GOES_ON, this::life);
            }
        } catch (SQLException | RuntimeException e) {
            failure.addSuppressed(e);
        }
        return failure;
    }

    private String life() throws SQLException {
        Connection connection = source.get();
        try {
            return life(store.dialect(), connection);
        } finally {
            giveBack(source, connection);
        }
    }

    /** See {@link MessageStore#transactionLife}, where nothing goes on after an error. */
    static String life(Dialect dialect, Connection connection) throws SQLException {
        return dialect.hasFailed(connection) ? "failed" : GOES_ON;
    }

    /** Always refused: savepoints are the application's. */
    @Override
    public void setSavepoint() {
        throw new IllegalStateException("A joined transaction is not marked");
    }

    /** Always refused: savepoints are the application's. */
    @Override
    public void rollbackToSavepoint() {
        throw new IllegalStateException("A joined transaction is rolled back by the application that began it");
    }

    @Override
    public List<StoredMessage> claim(ClaimRequest request) throws StoreException {
        if (store.queueSettings().isReceivePaused(request.destinationId())) {
            return List.of();
        }
        String subject = store.names().subject(request.destinationId());
        return step(subject, "claim", connection -> {
            requireTransaction(connection, subject, "claim");
            requireFreshReads(connection, subject, "claim");
            return store.names().isGone(request.destinationId())
                    ? List.of()
                    : OpenStore.locked(store.claims().claim(connection, request, new PlainCommit()));
        });
    }

    /** Counts on a connection of the store's own, away from the application's transaction. */
    @Override
    public StoredMessage beginDelivery(StoredMessage claimed) throws StoreException {
        return claimed.isSuspect() ? store.beginDelivery(claimed) : claimed;
    }

    @Override
    public int endDeliveries(List<MessageKey> suspects) throws StoreException {
        if (suspects.isEmpty()) {
            return 0;
        }
        String subject = store.names().subject(suspects.get(0).destinationId());
        return change(subject, "counting deliveries", connection -> {
            requireTransaction(connection, subject, "counting deliveries");
            return store.suspects().endDeliveries(connection, suspects);
        });
    }

    @Override
    public StoredMessage complete(StoredMessage message) throws StoreException {
        return step(
                store.names().subject(message.key().destinationId()),
                "reading a message",
                connection -> store.settlements().complete(connection, message));
    }

    @Override
    public void insert(List<NewMessage> messages) throws StoreException {
        if (!messages.isEmpty()) {
            String subject = store.subject(messages);
            change(subject, "send", connection -> {
                if (messages.size() > 1 || messages.stream().anyMatch(store.sends()::isDeduplicated)) {
                    requireTransaction(connection, subject, "send of what takes more than one statement");
                }
                if (messages.stream().anyMatch(message -> message.publication() != null)) {
                    requireFreshReads(connection, subject, "publish");
                }
                store.sends().insert(connection, messages);
                return null;
            });
            store.joinedQueues().note(messages);
        }
    }

    @Override
    public void acknowledge(List<Claim> claims) throws StoreException {
        if (!claims.isEmpty()) {
            String subject = store.names().subject(claims.get(0).key().destinationId());
            change(subject, "acknowledge", connection -> {
                requireTransaction(connection, subject, "acknowledge");
                store.settlements().acknowledge(connection, claims, consumer);
                return null;
            });
        }
    }

    @Override
    public List<MessageKey> lock(List<Claim> claims) throws StoreException {
        if (claims.isEmpty()) {
            return List.of();
        }
        String subject = store.names().subject(claims.get(0).key().destinationId());
        return step(subject, "locking", connection -> {
            requireTransaction(connection, subject, "locking");
            return store.table().lockClaimed(connection, claims);
        });
    }

    /** Always refused: nothing is in doubt here, since the application commits. */
    @Override
    public boolean isAnyThere(List<Claim> claims) {
        throw new IllegalStateException("A joined transaction is committed by the application that began it");
    }

    /** Always refused: in the application's transaction messages are claimed by lock. */
    @Override
    public List<StoredMessage> lease(List<StoredMessage> locked, LeaseTerms terms) {
        throw new IllegalStateException("A joined transaction holds nothing by lease");
    }

    /** Always refused, as above. */
    @Override
    public List<Redelivery> giveBack(Collection<Claim> leased, List<Redelivery> plan) {
        throw new IllegalStateException("A joined transaction holds nothing by lease");
    }

    @Override
    public void redeliver(List<Redelivery> redeliveries) throws StoreException {
        if (!redeliveries.isEmpty()) {
            String subject = store.names().subject(redeliveries.get(0).key().destinationId());
            change(subject, "redelivery", connection -> {
                requireTransaction(connection, subject, "redelivery");
                store.redeliveries().carryOut(connection, redeliveries, consumer);
                return null;
            });
        }
    }

    /** Always refused: the transaction is the application's to commit. */
    @Override
    public List<StoredMessage> commit(Settlement settlement, ClaimRequest next) {
        throw new IllegalStateException("A joined transaction is committed by the application that began it");
    }

    /** Always refused: as {@link #commit}. */
    @Override
    public boolean commitAndLook(List<Claim> acknowledged, int destinationId) {
        throw new IllegalStateException("A joined transaction is committed by the application that began it");
    }

    @Override
    public boolean claimsWithCommit(ClaimRequest next) {
        return false;
    }

    /** How long it is kept is for the application to say. */
    @Override
    public boolean isConnectionToSpare() {
        return false;
    }

    /** Always refused: the transaction is the application's to commit. */
    @Override
    public void commitVerified(Settlement settlement) {
        throw new IllegalStateException("A joined transaction is committed by the application that began it");
    }

    /** Does nothing: the transaction is the application's to roll back. */
    @Override
    public void rollback() {
        LOG.debug("A joined transaction is left for the application to roll back");
    }

    @Override
    public void close() {
        LOG.debug("A joined transaction is left for the application to end");
    }

    /** In autocommit mode the locks of a claim would be gone before it returned, and an id noted without its message. */
    private void requireTransaction(Connection connection, String subject, String action)
            throws SQLException, StoreException {
        if (source.commitsByItself(connection)) {
            throw new StoreException(
                    Failure.OTHER,
                    subject + ": " + action + " failed, the application's connection is in autocommit mode and has no "
                            + "transaction to join; begin one first",
                    null);
        }
    }

    /**
     * In a transaction that sees the database as it was when it began, subscriptions that exist would get nothing, and messages that
     * came later would never be found.
     */
    private void requireFreshReads(Connection connection, String subject, String action)
            throws SQLException, StoreException {
        if (!source.commitsByItself(connection)
                && connection.getTransactionIsolation() > store.dialect().highestIsolation()) {
            throw new StoreException(
                    Failure.OTHER,
                    subject + ": " + action
                            + " failed, the application's transaction does not see what others have committed"
                            + " since it began; set its isolation level to READ COMMITTED",
                    null);
        }
    }

    /** Takes one or more statements: if one of them fails, those before it must not be committed without it. */
    private <T> T change(String subject, String action, Step<T> step) throws StoreException {
        return step(subject, action, step, failure -> true);
    }

    private <T> T step(String subject, String action, Step<T> step) throws StoreException {
        return step(subject, action, step, this::endsTransaction);
    }

    private <T> T step(String subject, String action, Step<T> step, Predicate<SQLException> isByHalves)
            throws StoreException {
        return on(source, store.failures(), subject, action, connection -> {
            store.pool().checkLends();
            requirePart(connection, subject, action);
            try {
                return step.on(connection);
            } catch (SQLException e) {
                throw isByHalves.test(e) ? setRollbackOnly(connection, e) : e;
            } catch (RuntimeException | Error e) {
                throw setRollbackOnly(connection, Failures.unchecked(e));
            }
        });
    }

    /**
     * After a deadlock, and perhaps where there is no room, what came before is rolled back, and some databases begin another transaction with the
     * next statement.
     */
    private boolean endsTransaction(SQLException failure) {
        return !store.dialect().goesOnAfterErrors()
                || EnumSet.of(Failure.DEADLOCK, Failure.OUT_OF_SPACE)
                        .contains(store.failures().classify(failure));
    }

    private void requirePart(Connection connection, String subject, String action) throws SQLException, StoreException {
        if (!source.takesPart(connection, () -> store.begunTransaction(connection))) {
            throw new StoreException(
                    Failure.OTHER,
                    subject + ": " + action
                            + " failed. A transaction runs on this thread, and the DataSource's connection takes no part"
                            + " in it: it commits each statement by itself. Name a DataSource that is managed by the container's"
                            + " transaction manager (WildFly: jta=true, Open Liberty: transactional=true, TomEE: JtaManaged=true)",
                    null);
        }
    }

    /** Does something on an application's connection. */
    static <T> T on(ConnectionSource source, Failures failures, String subject, String action, Step<T> step)
            throws StoreException {
        Connection connection;
        try {
            connection = source.get();
        } catch (SQLException e) {
            throw failures.ofLogin(e, subject, action);
        } catch (RuntimeException e) {
            throw failures.ofLogin(Failures.unchecked(e), subject, action);
        }
        try {
            return step.on(connection);
        } catch (SQLException e) {
            throw failures.of(e, connection, subject, action);
        } finally {
            giveBack(source, connection);
        }
    }

    /** Trouble with that is the application's pool's. */
    private static void giveBack(ConnectionSource source, Connection connection) {
        try {
            source.giveBack(connection);
        } catch (SQLException | RuntimeException | Error e) {
            LOG.debug("Giving the application's connection back failed", e);
        }
    }
}
