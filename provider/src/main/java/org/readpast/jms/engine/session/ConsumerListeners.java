package org.readpast.jms.engine.session;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import org.readpast.jms.engine.runtime.ProviderRuntime;
import org.readpast.jms.engine.source.ConnectionContext;
import org.readpast.jms.engine.transaction.Acknowledgement;
import org.readpast.jms.engine.transaction.SessionLock;
import org.readpast.jms.engine.transaction.SessionTransaction;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/** The message listeners of a session's consumers, and the one thread that calls them (§8.7). Thread-safe. */
final class ConsumerListeners {

    private static final Logger LOG = Loggers.of(ConsumerListeners.class);

    private final SessionContext session;
    private final SessionConsumers consumers;
    private final AssignedMessages assigned;
    private final JoinedWork joined;
    private final SessionTransaction transaction;
    private final Acknowledgement acknowledgement;
    private final ConnectionContext connection;
    private final ProviderRuntime runtime;
    private final SessionLock lock;
    private final SessionReceiver receiver;

    /** Null until there is a listener. Written with the lock. */
    private volatile DeliveryLoop loop;

    ConsumerListeners(
            SessionContext session,
            SessionConsumers consumers,
            AssignedMessages assigned,
            JoinedWork joined,
            SessionTransaction transaction,
            Acknowledgement acknowledgement,
            ConnectionContext connection,
            ProviderRuntime runtime,
            SessionLock lock,
            SessionReceiver receiver) {
        this.session = session;
        this.consumers = consumers;
        this.assigned = assigned;
        this.joined = joined;
        this.transaction = transaction;
        this.acknowledgement = acknowledgement;
        this.connection = connection;
        this.runtime = runtime;
        this.lock = lock;
        this.receiver = receiver;
    }

    /** Sets a consumer's listener, or with null takes it away. */
    void listen(EngineConsumer consumer, DeliveryListener listener) throws JMSException {
        lock.lock();
        try {
            session.checkOpen();
            joined.checkMayListen();
            if (listener != null && assigned.hasListener()) {
                throw new IllegalStateException(
                        session.name()
                                + " has a message listener of its own, so its consumers cannot have one (Session.setMessageListener)");
            }
            consumer.setListener(listener);
            if (listener != null && loop == null) {
                start(consumer);
            } else {
                wakeUp();
            }
        } finally {
            lock.unlock();
        }
    }

    /** For the first consumer that has a listener, which has none where there is no thread. */
    private void start(EngineConsumer consumer) {
        DeliveryLoop first = new DeliveryLoop(session, consumers, this, transaction, connection, runtime);
        boolean started = false;
        loop = first;
        try {
            first.start();
            started = true;
        } finally {
            if (!started) {
                loop = null;
                consumer.setListener(null);
            }
        }
    }

    /**
     * Delivers one message to a consumer's listener.
     *
     * @param more whether the same consumer goes on afterwards
     */
    Delivered deliver(EngineConsumer consumer, boolean more) throws StoreException, JMSException {
        lock.lock();
        try {
            DeliveryListener listener = consumer.listener();
            if (!mayDeliver(consumer)) {
                receiver.forgo();
                return Delivered.NONE;
            }
            return receiver.deliverCombined(
                    consumer.recipient(), forgettingInterrupts(listener), () -> more && mayDeliver(consumer));
        } finally {
            consumers.afterWork();
            lock.unlock();
        }
    }

    /** Nothing was found for any listener; called by the delivery loop before it waits. */
    void idle() throws StoreException {
        lock.lock();
        try {
            acknowledgement.idle();
        } finally {
            consumers.afterWork();
            lock.unlock();
        }
    }

    /** It is called on a thread of ours, which has still to talk to the database; nobody but the listener can have interrupted that. */
    private DeliveryListener forgettingInterrupts(DeliveryListener listener) {
        return delivery -> {
            try {
                listener.onDelivery(delivery);
            } finally {
                if (Thread.interrupted()) {
                    LOG.debug("{}: a listener interrupted its thread, which goes on", session.name());
                }
            }
        };
    }

    private boolean mayDeliver(EngineConsumer consumer) {
        return consumer.listener() != null && !consumer.isClosed() && !session.isOver() && session.isStarted();
    }

    /** The thread, if there is one, looks again. */
    void wakeUp() {
        DeliveryLoop current = loop;
        if (current != null) {
            current.wakeUp();
        }
    }
}
