package org.readpast.jms.engine.session;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import java.sql.Connection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.destination.ReadpastQueue;
import org.readpast.jms.engine.arrival.Waiter;
import org.readpast.jms.engine.runtime.ProviderRuntime;
import org.readpast.jms.engine.source.BrowseCursor;
import org.readpast.jms.engine.source.ConnectionContext;
import org.readpast.jms.engine.source.Source;
import org.readpast.jms.engine.source.Sources;
import org.readpast.jms.engine.source.Subscription;
import org.readpast.jms.engine.support.Joining;
import org.readpast.jms.engine.support.Problems;
import org.readpast.jms.engine.support.Uninterrupted;
import org.readpast.jms.engine.transaction.AcknowledgeMode;
import org.readpast.jms.engine.transaction.Acknowledgement;
import org.readpast.jms.engine.transaction.Acknowledger;
import org.readpast.jms.engine.transaction.ClaimedMessages;
import org.readpast.jms.engine.transaction.Claimer;
import org.readpast.jms.engine.transaction.IdleTimer;
import org.readpast.jms.engine.transaction.Recipient;
import org.readpast.jms.engine.transaction.Redeliverer;
import org.readpast.jms.engine.transaction.SessionLock;
import org.readpast.jms.engine.transaction.SessionTransaction;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.selector.Selector;
import org.readpast.jms.store.MessageStore.QueueMove;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;

/**
 * A session: one thread's context for sending and receiving. JMS lets one thread use it at a time, {@link #close} excepted;
 * the {@link #lock} makes sure of that, and is what stopping and closing wait for.
 */
public final class EngineSession implements ConsumerSession, ProviderSession {

    private final ConnectionContext connection;
    private final Consumer<EngineSession> onClose;
    private final ProviderRuntime runtime;
    private final String name;
    private final AcknowledgeMode mode;
    private final SessionTransaction transaction;
    private final Claimer claimer;
    private final Acknowledgement acknowledgement;
    private final SessionReceiver receiver;
    private final JoinedWork joined;
    private final SessionSender sender;
    private final SessionConsumers consumers;
    private final ConsumerListeners listeners;
    private final AssignedMessages assigned;

    private final SessionLock lock;

    private final AtomicBoolean closing = new AtomicBoolean();

    private volatile boolean closed;

    /** Whether it delivers nothing any more. */
    private volatile boolean over;

    /** Whether the application, and no listener of its, has it recovered. With the lock. */
    private boolean recovering;

    /** Whether nothing is left of it. */
    private final CountDownLatch ended = new CountDownLatch(1);

    /** @param lock its own, or that of several sessions in different databases which the application knows as one */
    public EngineSession(
            ProviderRuntime runtime,
            ConnectionContext connection,
            Sources sources,
            AcknowledgeMode mode,
            Joining joining,
            SessionLock lock,
            String name,
            Consumer<EngineSession> onClose) {
        this.lock = lock;
        this.connection = connection;
        this.onClose = onClose;
        this.runtime = runtime;
        this.name = name;
        this.mode = mode;
        String consumer = connection.consumerName();
        StoreTransaction store = runtime.store().transaction(consumer);
        ClaimedMessages messages = new ClaimedMessages(store);
        Redeliverer redeliverer = new Redeliverer(runtime, name, store, this::endsInOrder);
        this.transaction = new SessionTransaction(runtime, name, store, messages, redeliverer);
        this.claimer = new Claimer(runtime, store, messages, redeliverer, transaction);
        Acknowledger acknowledger = new Acknowledger(runtime, name, store, messages, redeliverer, transaction);
        this.consumers = new SessionConsumers(this, transaction, sources, runtime);
        this.joined = new JoinedWork(runtime, joining, name, consumer, mode == AcknowledgeMode.TRANSACTED);
        IdleTimer later = new IdleTimer(runtime.housekeeping(), name, lock, this::lapse);
        this.acknowledgement =
                Acknowledgement.of(mode, runtime.settings(), transaction, claimer, acknowledger, later::in);
        CombinedListening combined =
                new CombinedListening(runtime, transaction, claimer, acknowledger, redeliverer, acknowledgement);
        this.receiver =
                new SessionReceiver(connection, runtime, mode, claimer, acknowledger, acknowledgement, combined, lock);
        this.sender = new SessionSender(this, transaction, connection, runtime, joined, lock);
        this.assigned = new AssignedMessages(
                this, consumers, joined, transaction, claimer, runtime, lock, receiver, acknowledgement);
        this.listeners = new ConsumerListeners(
                this, consumers, assigned, joined, transaction, acknowledgement, connection, runtime, lock, receiver);
    }

    @Override
    public AcknowledgeMode mode() {
        return mode;
    }

    @Override
    public SessionSender sender() {
        return sender;
    }

    /** How a queue is moved to another database or from it; null if it is not. */
    public QueueMove moveOf(String queue) throws JMSException {
        try {
            return runtime.moveOf(queue);
        } catch (StoreException e) {
            throw JmsErrors.jms(name + ": looking whether queue '" + queue + "' was moved failed", e);
        }
    }

    /** Asks the database what is set for queues, instead of within some seconds. */
    public void refreshQueueSettings() throws JMSException {
        try {
            runtime.refreshQueueSettings();
        } catch (StoreException e) {
            throw JmsErrors.jms(name + ": looking what is set for queues failed", e);
        }
    }

    /**
     * Waits until every asynchronous send has been completed.
     *
     * @param call for whose sake, for the error
     * @throws IllegalStateException if it is called from a completion listener of its own
     */
    public void awaitCompleted(String call) throws JMSException {
        sender.awaitCompleted(call);
    }

    /** The facilities for application servers (§11.2.1). */
    public AssignedMessages assigned() {
        return assigned;
    }

    @Override
    public EngineConsumer consume(ReadpastDestination queue, Selector selector) throws JMSException {
        return consumers.create(queue, selector);
    }

    /**
     * A consumer of a queue, one of several that are waited for together.
     *
     * @param selector null for all messages
     * @param together is signalled with the consumer
     */
    public EngineConsumer consume(ReadpastDestination queue, Selector selector, Waiter together) throws JMSException {
        return consumers.create(queue, selector, together);
    }

    @Override
    public EngineConsumer subscribe(Subscription subscription) throws JMSException {
        return consumers.subscribe(subscription);
    }

    @Override
    public void unsubscribe(String subscriptionName) throws JMSException {
        consumers.unsubscribe(subscriptionName);
    }

    @Override
    public BrowseCursor browse(ReadpastQueue queue, Selector selector) throws JMSException {
        return consumers.browse(queue, selector);
    }

    @Override
    public void commit() throws JMSException {
        sender.awaitCompleted("commit");
        inTurn(() -> {
            checkTransacted("commit");
            joined.endsWithApplication("commit");
            transaction.commit();
        });
    }

    @Override
    public void rollback() throws JMSException {
        sender.awaitCompleted("rollback");
        inTurn(() -> {
            checkTransacted("rollback");
            joined.endsWithApplication("rollback");
            transaction.rollback();
        });
    }

    @Override
    public void recover() throws JMSException {
        inTurn(() -> {
            if (mode == AcknowledgeMode.TRANSACTED) {
                throw new IllegalStateException(
                        name + ": recover is for sessions that are not transacted; use rollback");
            }
            receiver.takeOver();
            recovering = !isInOwnListener();
            try {
                transaction.rollback();
            } finally {
                recovering = false;
            }
        });
    }

    @Override
    public void acknowledge() throws JMSException {
        inTurn(() -> {
            if (mode == AcknowledgeMode.CLIENT) {
                acknowledgement.acknowledge();
            }
        });
    }

    @Override
    public Connection sqlConnection(ReadpastDestination of) throws JMSException {
        lock.lock();
        try {
            checkOpen();
            if (joined.isActive()) {
                return joined.connection();
            }
            checkTransacted("sqlConnection");
            return transaction.share();
        } catch (StoreException e) {
            throw JmsErrors.jms(name + ": no SQL connection", e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void checkOpen() throws JMSException {
        if (closed && !isInOwnListener() && !sender.isInAwaitedCallback()) {
            throw new IllegalStateException("The session is closed");
        }
    }

    @Override
    public long closeTimeoutMillis() {
        return runtime.settings().closeTimeoutMillis();
    }

    @Override
    public void close() throws JMSException {
        checkMayClose();
        long deadline = runtime.closing().deadline();
        Uninterrupted.once(() -> close(deadline));
    }

    @Override
    public void awaitClosed() throws JMSException {
        checkMayClose();
        awaitEnd(runtime.closing().deadline());
    }

    /** Throws IllegalStateException to its own message listener and completion listeners, for which closing would wait. */
    public void checkMayClose() throws JMSException {
        sender.checkNotInCallback("close");
        if (isInOwnListener()) {
            throw new IllegalStateException(name + " cannot be closed from within its own message listener (§6.2.15)");
        }
    }

    /** @param deadlineNanos until when to wait, by {@link System#nanoTime()} */
    public void close(long deadlineNanos) throws JMSException {
        if (closing.compareAndSet(false, true)) {
            closeOnce(deadlineNanos);
        } else {
            awaitEnd(deadlineNanos);
        }
    }

    private void awaitEnd(long deadlineNanos) throws JMSException {
        if (!Uninterrupted.await(ended, deadlineNanos)) {
            throw runtime.closing().late(name, "a listener, another thread or the database");
        }
    }

    private void closeOnce(long deadlineNanos) throws JMSException {
        closed = true;
        consumers.wakeUp();
        listeners.wakeUp();
        lock.awaitFree(deadlineNanos);
        // A listener may have sent until now.
        Problems problems = new Problems();
        problems.attempt(() -> {
            if (!sender.close(deadlineNanos)) {
                throw runtime.closing().late(name, "a CompletionListener or an asynchronous send");
            }
        });
        problems.attempt(() -> runtime.closing().carryOut(name, deadlineNanos, () -> lock.during(this::end)));
        problems.throwFirst();
    }

    /** With the lock. */
    private void end() throws JMSException {
        try {
            acknowledgement.close();
        } finally {
            try {
                transaction.close();
            } finally {
                try {
                    consumers.end();
                } finally {
                    onClose.accept(this);
                    ended.countDown();
                }
            }
        }
    }

    // What consumers and the delivery loop ask of the session.

    @Override
    public <T> Received<T> receive(EngineConsumer consumer, boolean waits, DeliveryReader<T> reader)
            throws JMSException {
        lock.lock();
        try {
            if (consumer.isClosed() || isOver() || !isStarted()) {
                return null;
            }
            if (joined.isActive()) {
                return joined.receive(consumer.source(), waits, reader);
            }
            if (mode == AcknowledgeMode.AUTO) {
                joined.warnOfTransactionElsewhere("what is received");
            }
            return receiver.receive(consumer.recipient(), reader);
        } catch (StoreException e) {
            throw JmsErrors.jms(consumer + ": receive failed; nothing was lost, call receive again", e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void failed(String why) throws JMSException {
        inTurn(() -> joined.counted().failed(why));
    }

    @Override
    public void rolledBack() throws JMSException {
        inTurn(() -> joined.counted().rolledBack());
    }

    @Override
    public void withdrawn() throws JMSException {
        inTurn(() -> joined.counted().withdrawn());
    }

    @Override
    public boolean mayJoin() {
        return joined.isPossible();
    }

    /** Nobody goes on with what the acknowledge mode has left unfinished. With the lock. */
    private void lapse() throws StoreException {
        try {
            acknowledgement.lapse();
        } finally {
            consumers.afterWork();
        }
    }

    /**
     * Whether what comes back now does so because deliveries end: a listener is not to blame for what it has not finished when its
     * connection is stopped or closed, nor who rolls back what he has received once that is stopped. To close without a commit what has been
     * received is how an application may tell that it has failed, and so is to recover.
     */
    private boolean endsInOrder() {
        boolean listening = consumers.hasListener() || assigned.hasListener();
        return !recovering
                && (isOver() ? listening : !isStarted() && (listening || mode == AcknowledgeMode.TRANSACTED));
    }

    @Override
    public void listen(EngineConsumer consumer, DeliveryListener listener) throws JMSException {
        listeners.listen(consumer, listener);
    }

    @Override
    public void closed(EngineConsumer consumer) throws JMSException {
        consumers.closed(consumer);
        long deadline = runtime.closing().deadline();
        // A message listener may lend it to this thread, a completion listener's, yet.
        lock.awaitFree(deadline);
        if (lock.isHeldByCurrentThread() || lock.isLentToCurrentThread()) {
            lock.during(() -> end(consumer));
        } else {
            runtime.closing().carryOut(consumer.toString(), deadline, () -> lock.during(() -> end(consumer)));
        }
    }

    /** With the lock. */
    private void end(EngineConsumer consumer) throws JMSException {
        try {
            forgo(consumer);
        } finally {
            consumers.end(consumer.source());
        }
    }

    /** With the lock. */
    private void forgo(EngineConsumer consumer) throws JMSException {
        try {
            if (!receiver.isInListener()) {
                if (mode == AcknowledgeMode.DUPS_OK) {
                    acknowledgement.unread();
                }
                transaction.release();
            }
        } finally {
            claimer.forgo(consumer.recipient());
        }
    }

    @Override
    public void checkMayReceive() throws JMSException {
        if (consumers.hasListener() || assigned.hasListener()) {
            throw new IllegalStateException(
                    name + " has a message listener, so nothing can be received synchronously (§6.2.6)");
        }
    }

    /** Delivers nothing any more, as it and others that share its lock are going to be closed. */
    public void cease() {
        over = true;
        connectionChanged();
    }

    /** Started or stopped: whoever waits looks again. */
    public void connectionChanged() {
        consumers.wakeUp();
        listeners.wakeUp();
    }

    /** Returns when no message listener is running in this session any more; false if the time was over first. */
    public boolean awaitListener(long deadlineNanos) {
        return lock.awaitFree(deadlineNanos);
    }

    /** Returns when its completion listeners have returned, or when the time is over. It sends nothing more asynchronously from now on. */
    public void awaitCallbacks(long deadlineNanos) {
        sender.awaitCompleted(deadlineNanos);
    }

    /**
     * Returns when nobody is at work in this session, and lets others have what it has claimed and not delivered, if it can.
     *
     * @throws IllegalStateException if a listener is at work in it that waits for the caller, a completion listener
     */
    public void stopped() throws JMSException {
        lock.lock();
        try {
            if (receiver.isInListener()) {
                throw new IllegalStateException(
                        name + " cannot be stopped by a CompletionListener that its message listener waits for");
            }
            for (EngineConsumer consumer : consumers) {
                if (consumer.source().isLeased()) {
                    claimer.forgo(consumer.recipient());
                }
            }
            transaction.release();
        } finally {
            lock.unlock();
        }
    }

    public boolean isInOwnListener() {
        return lock.isHeldByCurrentThread() && lock.isListening();
    }

    /** Whether the caller is a message listener or a completion listener of this session. */
    public boolean isInListenerOrCallback() {
        return isInOwnListener() || sender.isInCallback();
    }

    public void checkNotInCallback(String call) throws JMSException {
        sender.checkNotInCallback(call);
    }

    public boolean isConsuming(ReadpastDestination destination) {
        return consumers.isConsuming(destination);
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public boolean isOver() {
        return over || closed || connection.isClosed();
    }

    @Override
    public boolean isStarted() {
        return connection.isStarted();
    }

    /** For whom it claims what a connection consumer assigns to it, this many messages in all. */
    public Recipient recipient(Source source, long allowance) {
        return new Recipient(source, name, allowance);
    }

    @Override
    public String name() {
        return name;
    }

    /** Whether it has something that is to be committed, rolled back or acknowledged; called by the thread that uses it. */
    public boolean isAtWork() {
        lock.lock();
        try {
            return transaction.isUnderWay();
        } finally {
            lock.unlock();
        }
    }

    /** Whether one of its consumers has a listener. */
    public boolean hasListener() {
        return consumers.hasListener();
    }

    private void checkTransacted(String call) throws JMSException {
        if (mode != AcknowledgeMode.TRANSACTED) {
            throw new IllegalStateException(name + ": " + call + " is for transacted sessions");
        }
    }

    @FunctionalInterface
    private interface Work {
        void run() throws JMSException;
    }

    private void inTurn(Work work) throws JMSException {
        lock.lock();
        try {
            checkOpen();
            work.run();
        } finally {
            consumers.afterWork();
            assigned.afterWork();
            lock.unlock();
        }
    }
}
