package org.readpast.jms.engine;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import org.readpast.jms.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The message listeners of a session's consumers, and the one thread that calls them (§8.7). Thread-safe. */
final class ConsumerListeners {

    private static final Logger LOG = LoggerFactory.getLogger(ConsumerListeners.class);

    private final EngineSession session;
    private final EngineConnection connection;
    private final Turn turn;
    private final SessionReceiver receiver;

    /** Null until there is a listener. Written with the turn. */
    private volatile DeliveryLoop loop;

    ConsumerListeners(EngineSession session, EngineConnection connection, Turn turn, SessionReceiver receiver) {
        this.session = session;
        this.connection = connection;
        this.turn = turn;
        this.receiver = receiver;
    }

    /** Sets a consumer's listener, or with null takes it away. */
    void listen(EngineConsumer consumer, DeliveryListener listener) throws JMSException {
        turn.lock();
        try {
            session.checkMayListen();
            if (listener != null && session.assigned().hasListener()) {
                throw new IllegalStateException(
                        session.name()
                                + " has a message listener of its own, so its consumers cannot have one (Session.setMessageListener)");
            }
            consumer.setListener(listener);
            if (listener != null && loop == null) {
                loop = DeliveryLoop.start(session, connection);
            } else {
                wakeUp();
            }
        } finally {
            turn.unlock();
        }
    }

    /**
     * Delivers one message to a consumer's listener.
     *
     * @param more whether the same consumer goes on afterwards
     */
    Delivered deliver(EngineConsumer consumer, boolean more) throws StoreException, JMSException {
        turn.lock();
        try {
            DeliveryListener listener = consumer.listener();
            return listener == null || !mayDeliver(consumer)
                    ? Delivered.NONE
                    : receiver.deliver(
                            consumer.claimer(), forgettingInterrupts(listener), () -> more && mayDeliver(consumer));
        } finally {
            session.afterWork();
            turn.unlock();
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
        return !consumer.isClosed() && !session.isOver() && session.isStarted();
    }

    /** The thread, if there is one, looks again. */
    void wakeUp() {
        DeliveryLoop current = loop;
        if (current != null) {
            current.wakeUp();
        }
    }
}
