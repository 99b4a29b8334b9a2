package org.readpast.jms.engine.session;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.TransactionInProgressException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.readpast.jms.engine.runtime.MalformedRow;
import org.readpast.jms.engine.runtime.ProviderRuntime;
import org.readpast.jms.engine.runtime.Unacknowledged;
import org.readpast.jms.engine.source.Delivery;
import org.readpast.jms.engine.source.Source;
import org.readpast.jms.engine.support.Joining;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.Redelivery;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * A session's part in the application's own SQL transaction. Every operation finds the connection anew, does its work at once,
 * and leaves the transaction's end to the application: a send is there when that commits, a received message is gone then. Used
 * with the session's lock.
 */
final class JoinedWork {

    private static final Logger LOG = Loggers.of(JoinedWork.class);

    private final ProviderRuntime runtime;
    private final Joining joining;
    private final String owner;
    private final String consumer;
    private final CountedDelivery counted;
    private final boolean isTransacted;

    /**
     * The application's transaction in which this session last did something, until its own commit or rollback is called; null where it
     * can call neither.
     */
    private String workedIn;

    /**
     * @param owner the session's name for errors
     * @param consumer the name under which it consumes, for the histories of queues
     * @param isTransacted whether the session has a commit, which is to find out later that this was not its own
     */
    JoinedWork(ProviderRuntime runtime, Joining joining, String owner, String consumer, boolean isTransacted) {
        this.runtime = runtime;
        this.joining = joining;
        this.owner = owner;
        this.consumer = consumer;
        this.isTransacted = isTransacted;
        this.counted = new CountedDelivery(runtime, owner, consumer);
    }

    /** The last delivery, where deliveries are counted as they begin. */
    CountedDelivery counted() {
        return counted;
    }

    /** Whether any operation may join. */
    boolean isPossible() {
        return joining.kind() != Joining.Kind.NEVER;
    }

    /**
     * Whether the operation of the calling thread joins.
     *
     * @throws IllegalStateException if it must, and there is no transaction to join
     */
    boolean isActive() throws JMSException {
        try {
            boolean active = joining.isActive();
            if (active && isRequired() && !joining.source().isInTransaction()) {
                throw new IllegalStateException(owner
                        + (joining.kind() == Joining.Kind.BRANCH
                                ? ": no branch of a distributed transaction is started on this XA session; enlist its"
                                        + " XAResource in one, or take a session of createSession, which has transactions of its own"
                                : ": the option 'join' is ALWAYS, and the calling thread has no SQL "
                                        + "transaction to join; begin one, or set join to AUTO"));
            }
            return active;
        } catch (SQLException e) {
            throw failed("looking for the application's SQL transaction", e);
        }
    }

    private boolean isRequired() {
        return joining.kind() == Joining.Kind.ALWAYS || joining.kind() == Joining.Kind.BRANCH;
    }

    /**
     * To be called before something is done on its own: who has begun a transaction elsewhere may expect otherwise, and is told so once.
     *
     * @param what is committed by itself
     */
    void warnOfTransactionElsewhere(String what) throws JMSException {
        try {
            if (joining.kind() == Joining.Kind.AUTO
                    && joining.source().isTransactionElsewhere()
                    && runtime.isFirstBesideTransaction()) {
                LOG.warn(
                        "{}: a transaction is active that is not on this connection factory's DataSource, so {} is committed"
                                + " by itself, and will not be undone with that transaction. Give the factory the DataSource of the"
                                + " transaction manager, or set the option 'join' to NEVER if this is meant. Said once.",
                        owner,
                        what);
            }
        } catch (SQLException e) {
            throw failed("looking for a transaction", e);
        }
    }

    /** Refused on every database, though only some would refuse the statement. */
    private void checkMayChange(String what) throws JMSException {
        try {
            if (joining.source().isReadOnly()) {
                throw new IllegalStateException(
                        owner + ": the application's transaction is read-only, so nothing can be " + what
                                + " in it; do it in one that is not, such as a new one of its own (REQUIRES_NEW)");
            }
        } catch (SQLException e) {
            throw failed("looking for the application's SQL transaction", e);
        }
    }

    void send(List<NewMessage> messages) throws JMSException, StoreException {
        checkMayChange("sent");
        try (StoreTransaction transaction = runtime.store().join(joining.source(), consumer)) {
            transaction.insert(messages);
        }
        workedIn = currentTransaction();
        keepTo(workedIn);
        List<NewMessage> sent =
                messages.stream().map(NewMessage::withoutContent).toList();
        boolean told = isToldAfterCommit(() -> runtime.committed(sent));
        LOG.trace("{}: somebody tells when the application's transaction commits: {}", owner, told);
        for (NewMessage message : messages) {
            if (message.deliveryDelayMillis() > 0) {
                runtime.housekeeping().dueIn(message.deliveryDelayMillis());
            }
        }
        runtime.arrivals().expect();
    }

    /** Wakes consumers when the application's transaction has committed, where anybody tells of that. No body is to be in memory until then. */
    private boolean isToldAfterCommit(Runnable waking) throws StoreException {
        try {
            return joining.source().afterCommit(waking);
        } catch (SQLException e) {
            throw runtime.store().explain(e, "The application's transaction", "looking for it");
        }
    }

    /**
     * Receives a message. Where the first one was put off, or is a dead letter now, a receive that does not wait finds none: what it found
     * besides could fail, and undo that.
     *
     * @return null if there is none; a value of null where the application is to commit first
     */
    <T> Received<T> receive(Source source, boolean waits, DeliveryReader<T> reader)
            throws JMSException, StoreException {
        checkMayChange("received");
        counted.forget();
        try (StoreTransaction transaction = runtime.store().join(joining.source(), consumer)) {
            do {
                List<StoredMessage> claimed = claim(transaction, source);
                if (claimed.isEmpty()) {
                    return null;
                }
                StoredMessage message = deliverable(transaction, claimed.get(0));
                if (message != null) {
                    return deliver(transaction, message, reader);
                }
            } while (waits);
            return new Received<>(null, false);
        }
    }

    /** Begins the delivery of a message; null where it has to wait, or has no deliveries left, and is put elsewhere. */
    private StoredMessage deliverable(StoreTransaction transaction, StoredMessage claimed)
            throws JMSException, StoreException {
        Unacknowledged before = Unacknowledged.of(claimed);
        boolean countsEach = joining.source().countsDeliveries();
        boolean cameBack = !countsEach && runtime.joinedDeliveries().cameBack(before);
        if (cameBack && isPutElsewhere(transaction, before, before.deliveryCount() + 1)) {
            return null;
        }
        StoredMessage message = MalformedRow.complete(
                transaction,
                countsEach
                        ? transaction.beginDelivery(claimed.suspected())
                        : beginDelivery(transaction, claimed, cameBack),
                runtime.redeliveries());
        Unacknowledged begun = Unacknowledged.of(message);
        if (countsEach) {
            begun = begun.counted();
            counted.begin(begun);
        }
        if (!runtime.redeliveries().isExhausted(begun)) {
            return message;
        }
        if (countsEach) {
            // Containers roll back where they were given no message, and its place would be undone with that.
            counted.exhausted(runtime.redeliveries().deliveriesOfExhausted(before, begun));
            return null;
        }
        return isPutElsewhere(transaction, begun, begun.deliveryCount()) ? null : message;
    }

    private <T> Received<T> deliver(StoreTransaction transaction, StoredMessage message, DeliveryReader<T> reader)
            throws JMSException, StoreException {
        if (MalformedRow.is(message, runtime.redeliveries())) {
            runtime.joinedDeliveries().forget(message.key());
            throw MalformedRow.failure(owner, message);
        }
        T value = reader.read(Delivery.of(message));
        transaction.endDeliveries(Unacknowledged.suspects(List.of(Unacknowledged.of(message))));
        transaction.acknowledge(List.of(message.claim()));
        workedIn = currentTransaction();
        keepTo(workedIn);
        return new Received<>(value, false);
    }

    /** Null where the session's own commit does not ask. */
    private String currentTransaction() throws StoreException {
        return !isTransacted || joining.kind() == Joining.Kind.BRANCH || joining.kind() == Joining.Kind.HANDED_OVER
                ? null
                : runtime.store().currentTransaction(joining.source());
    }

    /**
     * What came before in another transaction is lost: the application's must not be committed without it.
     *
     * @param known what tells the transaction from any other, or null if that was not asked yet
     */
    private void keepTo(String known) throws StoreException {
        try {
            if (!joining.source().canRefuseCommit()) {
                return;
            }
            String transaction = runtime.store().transactionLife(joining.source(), known);
            if (!joining.source().keepTo(transaction, this::lifeAtCommit)) {
                throw new StoreException(
                        Failure.OTHER,
                        owner
                                + ": an error such as a deadlock in a statement of the application's ended its transaction, and what"
                                + " was sent and received in it is undone; what came after it ran in another one, whose commit"
                                + " will be refused. Whoever catches such an error has to roll back and begin anew",
                        null);
            }
        } catch (SQLException e) {
            throw runtime.store().explain(e, "The application's transaction", "looking for it");
        }
    }

    private String lifeAtCommit() throws SQLException {
        try {
            return runtime.store().transactionLife(joining.source(), null);
        } catch (StoreException e) {
            throw new SQLException(e.getMessage(), e);
        }
    }

    /**
     * Counts the delivery of a message that has come back here, or may have been in delivery when a JVM died, in a transaction of its own,
     * which the application does not roll back.
     */
    private StoredMessage beginDelivery(StoreTransaction transaction, StoredMessage claimed, boolean cameBack)
            throws StoreException {
        if (!cameBack) {
            runtime.joinedDeliveries().begin(Unacknowledged.of(claimed));
        }
        if (claimed.isSuspect()) {
            return transaction.beginDelivery(claimed);
        }
        return cameBack ? transaction.beginDelivery(claimed.suspected()).afterUncounted() : claimed;
    }

    /**
     * With the application's transaction, which may still be rolled back: makes a dead letter of a message that is exhausted, and puts off
     * one that has to wait.
     *
     * @param deliveries how often it has been delivered
     */
    private boolean isPutElsewhere(StoreTransaction transaction, Unacknowledged message, int deliveries)
            throws JMSException, StoreException {
        Redelivery plan = counted.plan(message, deliveries);
        if (plan instanceof Redelivery.AtOnce) {
            return false;
        }
        transaction.endDeliveries(Unacknowledged.suspects(List.of(message)));
        transaction.redeliver(List.of(plan));
        if (!isToldAfterCommit(() -> runtime.redelivered(List.of(plan)))) {
            runtime.mayBeRedelivered(List.of(plan));
        }
        return true;
    }

    private List<StoredMessage> claim(StoreTransaction transaction, Source source) throws StoreException {
        if (source.isLeased()) {
            // Elsewhere its claims count by themselves. By lock they do not, if this JVM dies.
            runtime.presence().consumes(source.destinationId(), false);
        }
        ClaimRequest request = source.lockingRequest(1);
        List<StoredMessage> claimed = transaction.claim(request);
        return !request.byGroups() && runtime.groups().discover(request.destinationId(), claimed)
                ? transaction.claim(source.lockingRequest(1))
                : claimed;
    }

    /**
     * What the session's commit or rollback means to work done in the application's transaction: refused while that transaction
     * runs; nothing once it has ended, as when a framework that enlisted the session calls commit last.
     */
    void endsWithApplication(String call) throws JMSException {
        if (joining.kind() == Joining.Kind.BRANCH) {
            throw new TransactionInProgressException(owner
                    + " is an XA session: its transaction manager ends its transactions, and nobody calls " + call);
        }
        if (joining.kind() == Joining.Kind.HANDED_OVER) {
            throw inProgress(call);
        }
        if (workedIn == null) {
            return;
        }
        try {
            boolean stillRuns = joining.source().isInTransaction()
                    && workedIn.equals(runtime.store().currentTransaction(joining.source()));
            if (stillRuns) {
                throw inProgress(call);
            }
            workedIn = null;
        } catch (SQLException e) {
            throw failed(call, e);
        } catch (StoreException e) {
            throw JmsErrors.jms(owner + ": " + call, e);
        }
    }

    /** The application's connection; closing it gives a pool's handle back. */
    Connection connection() throws JMSException {
        try {
            return joining.source().forApplication();
        } catch (SQLException e) {
            throw failed("getting the application's SQL connection", e);
        }
    }

    void checkMayListen() throws JMSException {
        if (joining.kind() == Joining.Kind.HANDED_OVER || isRequired()) {
            throw new IllegalStateException(
                    owner + ": a listener is called on a thread of the provider's, which has no "
                            + "transaction of the application's to join; "
                            + (joining.kind() == Joining.Kind.BRANCH
                                    ? "receive in a distributed transaction"
                                    : "use join=AUTO or NEVER, or receive"));
        }
    }

    private JMSException inProgress(String call) {
        return new TransactionInProgressException(
                owner + " takes part in the application's SQL transaction: " + call + " that one, not the session");
    }

    private JMSException failed(String activity, SQLException problem) {
        return JmsErrors.jms(
                owner + ": " + activity,
                runtime.store().explain(problem, "The application's DataSource", "getting a connection"));
    }
}
