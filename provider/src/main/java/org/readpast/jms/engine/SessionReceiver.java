package org.readpast.jms.engine;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoredMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a session's messages get from a claim to the application, by {@code receive} or by listener. Used with the session's
 * turn; not thread-safe.
 */
final class SessionReceiver {

    private static final Logger LOG = LoggerFactory.getLogger(SessionReceiver.class);

    private final EngineConnection connection;
    private final AcknowledgeMode mode;
    private final SessionTransaction transaction;
    private final Acknowledgement acknowledgement;
    private boolean inListener;

    SessionReceiver(
            EngineConnection connection,
            AcknowledgeMode mode,
            SessionTransaction transaction,
            Acknowledgement acknowledgement) {
        this.connection = connection;
        this.mode = mode;
        this.transaction = transaction;
        this.acknowledgement = acknowledgement;
    }

    /** Whether a listener is being called. */
    boolean isInListener() {
        return inListener;
    }

    /** Receives one message, or returns null if there is none. */
    <T> EngineConsumer.Received<T> receive(EngineConsumer consumer, DeliveryReader<T> reader)
            throws JMSException, StoreException {
        StoredMessage message = next(consumer);
        if (message == null) {
            acknowledgement.idle();
            return null;
        }
        T value = read(message, reader);
        transaction.take(Taken.of(message));
        acknowledgement.received(consumer);
        return new EngineConsumer.Received<>(value);
    }

    private <T> T read(StoredMessage message, DeliveryReader<T> reader) throws JMSException {
        try {
            return reader.read(SessionTransaction.delivery(message));
        } catch (MessageFormatException e) {
            if (mode == AcknowledgeMode.CLIENT || mode == AcknowledgeMode.TRANSACTED) {
                transaction.take(Taken.of(message));
            } else {
                acknowledgement.unread();
            }
            throw e;
        } catch (JMSException | RuntimeException e) {
            // Nobody will ever be able to read it: it counts, so that it does not block the queue for ever.
            transaction.take(Taken.of(message));
            acknowledgement.failed();
            throw e;
        }
    }

    /**
     * Delivers one message to a consumer's listener.
     *
     * @param mayGoOn whether, afterwards, the same consumer is to get the next one
     * @return false if there was none
     */
    boolean deliver(EngineConsumer consumer, DeliveryListener listener, Permission mayGoOn)
            throws StoreException, JMSException {
        StoredMessage message = next(consumer);
        if (message == null) {
            return false;
        }
        transaction.take(Taken.of(message));
        if (call(listener, consumer, SessionTransaction.delivery(message))) {
            acknowledgement.handled(consumer, mayGoOn.isGiven());
        } else {
            acknowledgement.failed();
        }
        return true;
    }

    /** Asked after the listener has returned, which may have changed the answer. */
    @FunctionalInterface
    interface Permission {
        boolean isGiven();
    }

    private boolean call(DeliveryListener listener, EngineConsumer consumer, Delivery delivery) {
        inListener = true;
        try {
            listener.onDelivery(delivery);
            return true;
        } catch (JMSException e) {
            LOG.warn(
                    "{}: message {} cannot be read",
                    consumer,
                    delivery.message().messageId(),
                    e);
            connection.report(e);
            return false;
        } catch (RuntimeException e) {
            LOG.warn(
                    "{}: the listener failed with message {}",
                    consumer,
                    delivery.message().messageId(),
                    e);
            return false;
        } finally {
            inListener = false;
        }
    }

    /** The next message that has deliveries left; one that has none goes to the dead letters. */
    private StoredMessage next(EngineConsumer consumer) throws StoreException, JMSException {
        while (true) {
            StoredMessage message = consumer.next(acknowledgement);
            if (message == null || !connection.hub().redeliveries().isExhausted(Taken.of(message))) {
                return message;
            }
            transaction.deadLetter(Taken.of(message));
        }
    }
}
