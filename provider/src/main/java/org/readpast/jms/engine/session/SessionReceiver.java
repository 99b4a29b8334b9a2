package org.readpast.jms.engine.session;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.readpast.jms.codec.Shown;
import org.readpast.jms.engine.arrival.Arrivals;
import org.readpast.jms.engine.runtime.CombinedReceives;
import org.readpast.jms.engine.runtime.MalformedRow;
import org.readpast.jms.engine.runtime.ProviderRuntime;
import org.readpast.jms.engine.runtime.RedeliveryPlanner;
import org.readpast.jms.engine.runtime.Unacknowledged;
import org.readpast.jms.engine.source.ConnectionContext;
import org.readpast.jms.engine.source.Delivery;
import org.readpast.jms.engine.source.Source;
import org.readpast.jms.engine.transaction.AcknowledgeMode;
import org.readpast.jms.engine.transaction.Acknowledgement;
import org.readpast.jms.engine.transaction.Acknowledger;
import org.readpast.jms.engine.transaction.Claimer;
import org.readpast.jms.engine.transaction.Recipient;
import org.readpast.jms.engine.transaction.SessionLock;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.threads.Loggers;
import org.readpast.jms.threads.Patience;
import org.slf4j.Logger;

/**
 * How a session's messages get from a claim to the application, by {@code receive} or by listener. Used with the session's
 * lock; not thread-safe.
 */
final class SessionReceiver {

    private static final Logger LOG = Loggers.of(SessionReceiver.class);

    private final ConnectionContext connection;
    private final ProviderRuntime runtime;
    private final RedeliveryPlanner redeliveries;
    private final Arrivals arrivals;
    private final CombinedReceives combined;
    private final AcknowledgeMode mode;
    private final Claimer claimer;
    private final Acknowledger acknowledger;
    private final Acknowledgement acknowledgement;
    private final CombinedListening combinedListening;
    private final SessionLock lock;
    private boolean inListener;

    SessionReceiver(
            ConnectionContext connection,
            ProviderRuntime runtime,
            AcknowledgeMode mode,
            Claimer claimer,
            Acknowledger acknowledger,
            Acknowledgement acknowledgement,
            CombinedListening combinedListening,
            SessionLock lock) {
        this.connection = connection;
        this.runtime = runtime;
        this.redeliveries = runtime.redeliveries();
        this.arrivals = runtime.arrivals();
        this.combined = runtime.combinedReceives();
        this.mode = mode;
        this.claimer = claimer;
        this.acknowledger = acknowledger;
        this.acknowledgement = acknowledgement;
        this.combinedListening = combinedListening;
        this.lock = lock;
    }

    /** Whether a listener is being called. */
    boolean isInListener() {
        return inListener;
    }

    /** Receives one message, or returns null if there is none. */
    <T> Received<T> receive(Recipient recipient, DeliveryReader<T> reader) throws JMSException, StoreException {
        acknowledgement.receiving(recipient);
        Source source = recipient.source();
        if (mode != AcknowledgeMode.AUTO || !runtime.store().isCombined(source.request(1))) {
            return receiveAlone(recipient, reader);
        }
        int from = source.destinationId();
        combined.enter(from);
        try {
            return reader.isForAnyThread() && !claimer.isReady(recipient)
                    ? receiveCombined(recipient, from, reader)
                    : receiveAlone(recipient, reader);
        } finally {
            combined.leave(from);
        }
    }

    /** Receives together with other sessions, if many do so just now. */
    @SuppressWarnings("unchecked") // The reader has made the value.
    private <T> Received<T> receiveCombined(Recipient recipient, int from, DeliveryReader<T> reader)
            throws JMSException, StoreException {
        long mark = arrivals.mark(from);
        CombinedReceives.Outcome outcome = combined.receive(from, new CombinedReceives.Receiver() {

            @Override
            public Object read(StoredMessage message) throws JMSException {
                return reader.read(Delivery.of(message));
            }

            @Override
            public void settleDoubt(List<StoredMessage> messages, Patience patience) {
                acknowledger.settleDoubt(messages, patience);
            }
        });
        switch (outcome.kind()) {
            case ALONE -> {
                return receiveAlone(recipient, reader);
            }
            case NOTHING -> {
                arrivals.foundNothing(from, mark);
                return null;
            }
            case RECEIVED -> {}
        }
        arrivals.claimed(from);
        return new Received<>((T) outcome.value(), false);
    }

    private <T> Received<T> receiveAlone(Recipient recipient, DeliveryReader<T> reader)
            throws JMSException, StoreException {
        StoredMessage message = next(recipient);
        if (message == null) {
            acknowledgement.idle();
            return null;
        }
        if (MalformedRow.is(message, redeliveries)) {
            throw giveUp(recipient, message);
        }
        T value = read(message, reader);
        claimer.deliver(Unacknowledged.of(message));
        return new Received<>(value, acknowledgement.received(recipient));
    }

    /** Puts a message back whose row cannot be read. Its delivery has been counted, and is nothing to be acknowledged or rolled back. */
    private MessageFormatException giveUp(Recipient recipient, StoredMessage message) throws JMSException {
        claimer.giveUp(Unacknowledged.of(message));
        acknowledgement.unread();
        return MalformedRow.failure(recipient, message);
    }

    private <T> T read(StoredMessage message, DeliveryReader<T> reader) throws JMSException {
        try {
            return reader.read(Delivery.of(message));
        } catch (MessageFormatException e) {
            if (mode == AcknowledgeMode.CLIENT || mode == AcknowledgeMode.TRANSACTED) {
                claimer.deliver(Unacknowledged.of(message));
            } else {
                unread(message);
            }
            throw e;
        } catch (JMSException | RuntimeException | Error e) {
            // Nobody will ever be able to read it: it counts, so that it does not block the queue for ever.
            claimer.deliver(Unacknowledged.of(message));
            acknowledgement.failed();
            throw e;
        }
    }

    private void unread(StoredMessage message) throws JMSException {
        try {
            claimer.undeliver(Unacknowledged.of(message));
        } catch (StoreException e) {
            // Counted once too often, if it is suspect: better than to hide what the application is to be told.
            LOG.warn(
                    "Could not take back the count of a delivery of message {}: {}",
                    Shown.inOneLine(message.message().messageId()),
                    e.getMessage());
        }
        acknowledgement.unread();
    }

    /**
     * Delivers one message to a consumer's listener, together with those of other sessions where that is possible.
     *
     * @param mayGoOn whether, afterwards, the next message for the same recipient is to be delivered; asked when the listener has returned,
     *     which may have changed that
     */
    Delivered deliverCombined(Recipient recipient, DeliveryListener listener, BooleanSupplier mayGoOn)
            throws StoreException, JMSException {
        // With a lock of several, others would wait for whoever has it.
        if (mode != AcknowledgeMode.AUTO || lock.isOfSeveral()) {
            return deliver(recipient, listener, mayGoOn);
        }
        return combinedListening.deliver(
                recipient,
                new CombinedListening.Ways() {

                    @Override
                    public boolean call(Delivery delivery) {
                        return SessionReceiver.this.call(listener, recipient, delivery);
                    }

                    @Override
                    public Delivered alone(BooleanSupplier mayGoOn) throws StoreException, JMSException {
                        return deliver(recipient, listener, mayGoOn);
                    }
                },
                mayGoOn);
    }

    /** What a running listener has in hand becomes the session's own, if it is not. */
    void takeOver() {
        combinedListening.takeOver();
    }

    /** Nothing is delivered just now that others might have. */
    void forgo() {
        combinedListening.forgo();
    }

    /** The same in the session's own transaction. */
    Delivered deliver(Recipient recipient, DeliveryListener listener, BooleanSupplier mayGoOn)
            throws StoreException, JMSException {
        StoredMessage message = next(recipient);
        if (message == null) {
            return Delivered.NONE;
        }
        if (MalformedRow.is(message, redeliveries)) {
            reportUnread(giveUp(recipient, message));
            return Delivered.ONE;
        }
        claimer.deliver(Unacknowledged.of(message));
        boolean handled = false;
        try {
            handled = call(listener, recipient, Delivery.of(message));
        } finally {
            // Not even an Error may leave the message among those that the next acknowledgement covers.
            if (!handled) {
                acknowledgement.failed();
            }
        }
        if (!handled) {
            return Delivered.ONE;
        }
        if (!mayGoOn.getAsBoolean()) {
            acknowledgement.handled(recipient, false);
            return Delivered.ONE;
        }
        int from = recipient.source().destinationId();
        long mark = arrivals.mark(from);
        if (acknowledgement.handled(recipient, true)) {
            arrivals.foundNothing(from, mark);
            return Delivered.LAST;
        }
        return Delivered.ONE;
    }

    private void reportUnread(JMSException problem) {
        LOG.warn("{}", problem.getMessage());
        connection.report(problem);
    }

    private boolean call(DeliveryListener listener, Recipient recipient, Delivery delivery) {
        inListener = true;
        long begun = System.nanoTime();
        lock.setListening(true);
        recipient.source().listening(begun);
        try {
            listener.onDelivery(delivery);
            return true;
        } catch (JMSException e) {
            LOG.warn(
                    "{}: message {} cannot be read",
                    recipient,
                    Shown.inOneLine(delivery.message().messageId()),
                    e);
            connection.report(e);
            return false;
        } catch (Throwable e) {
            String what = recipient + ": the listener failed with message "
                    + Shown.inOneLine(delivery.message().messageId());
            Loggers.warn(LOG, what, e);
            if (!(e instanceof RuntimeException)) {
                connection.report(JmsErrors.unexpected(what, e));
            }
            return false;
        } finally {
            recipient.source().listened();
            lock.setListening(false);
            inListener = false;
            recipient.listenerTook(System.nanoTime() - begun);
        }
    }

    /** The next message that has deliveries left; one that has none goes to the dead letters. */
    private StoredMessage next(Recipient recipient) throws StoreException, JMSException {
        while (true) {
            if (!fill(recipient)) {
                return null;
            }
            StoredMessage message = claimer.next(recipient);
            if (!redeliveries.isExhausted(Unacknowledged.of(message))) {
                return message;
            }
            claimer.deadLetter(Unacknowledged.of(message));
        }
    }

    /** Claims, where no message is ready and the recipient may have more; returns whether there is one. */
    boolean fill(Recipient recipient) throws StoreException {
        if (!claimer.isReady(recipient) && recipient.isAllowedMore()) {
            int from = recipient.source().destinationId();
            long mark = arrivals.mark(from);
            acknowledgement.claim(recipient);
            if (!claimer.isReady(recipient)) {
                arrivals.foundNothing(from, mark);
            }
        }
        return claimer.isReady(recipient);
    }
}
