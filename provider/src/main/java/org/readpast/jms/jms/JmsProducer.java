package org.readpast.jms.jms;

import jakarta.jms.CompletionListener;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.QueueSender;
import jakarta.jms.Topic;
import jakarta.jms.TopicPublisher;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.engine.session.ProviderSession;

/** A producer of any domain (chapter 7). Used by one thread at a time, {@link #close} excepted. */
final class JmsProducer implements QueueSender, TopicPublisher {

    private final ProviderSession engine;
    private final ReadpastDestination fixed;
    private final PendingSends pendingSends;
    private Quality quality = Quality.DEFAULT;
    private volatile boolean closed;

    /**
     * @param fixed where it sends to, or null where each send says so
     */
    JmsProducer(ProviderSession engine, ReadpastDestination fixed, PendingSends pendingSends) {
        this.engine = engine;
        this.fixed = fixed;
        this.pendingSends = pendingSends;
    }

    @Override
    public void setDisableMessageID(boolean value) throws JMSException {
        checkOpen();
        quality = quality.withoutId(value);
    }

    @Override
    public boolean getDisableMessageID() throws JMSException {
        checkOpen();
        return quality.withoutId();
    }

    @Override
    public void setDisableMessageTimestamp(boolean value) throws JMSException {
        checkOpen();
        quality = quality.withoutTimestamp(value);
    }

    @Override
    public boolean getDisableMessageTimestamp() throws JMSException {
        checkOpen();
        return quality.withoutTimestamp();
    }

    @Override
    public void setDeliveryMode(int deliveryMode) throws JMSException {
        checkOpen();
        quality = quality.withDeliveryMode(deliveryMode);
    }

    @Override
    public int getDeliveryMode() throws JMSException {
        checkOpen();
        return quality.deliveryMode();
    }

    @Override
    public void setPriority(int defaultPriority) throws JMSException {
        checkOpen();
        quality = quality.withPriority(defaultPriority);
    }

    @Override
    public int getPriority() throws JMSException {
        checkOpen();
        return quality.priority();
    }

    @Override
    public void setTimeToLive(long timeToLive) throws JMSException {
        checkOpen();
        quality = quality.withTimeToLive(timeToLive);
    }

    @Override
    public long getTimeToLive() throws JMSException {
        checkOpen();
        return quality.timeToLive();
    }

    @Override
    public void setDeliveryDelay(long deliveryDelay) throws JMSException {
        checkOpen();
        quality = quality.withDeliveryDelay(deliveryDelay);
    }

    @Override
    public long getDeliveryDelay() throws JMSException {
        checkOpen();
        return quality.deliveryDelay();
    }

    @Override
    public Destination getDestination() throws JMSException {
        checkOpen();
        return fixed;
    }

    @Override
    public Queue getQueue() throws JMSException {
        checkOpen();
        return fixed instanceof Queue queue ? queue : null;
    }

    @Override
    public Topic getTopic() throws JMSException {
        checkOpen();
        return fixed instanceof Topic topic ? topic : null;
    }

    @Override
    public void send(Message message) throws JMSException {
        sendNow(fixed(), message, quality);
    }

    @Override
    public void send(Message message, int deliveryMode, int priority, long timeToLive) throws JMSException {
        sendNow(fixed(), message, quality(deliveryMode, priority, timeToLive));
    }

    @Override
    public void send(Destination destination, Message message) throws JMSException {
        sendNow(given(destination), message, quality);
    }

    @Override
    public void send(Destination destination, Message message, int deliveryMode, int priority, long timeToLive)
            throws JMSException {
        sendNow(given(destination), message, quality(deliveryMode, priority, timeToLive));
    }

    @Override
    public void send(Queue queue, Message message) throws JMSException {
        send((Destination) queue, message);
    }

    @Override
    public void send(Queue queue, Message message, int deliveryMode, int priority, long timeToLive)
            throws JMSException {
        send((Destination) queue, message, deliveryMode, priority, timeToLive);
    }

    @Override
    public void publish(Message message) throws JMSException {
        send(message);
    }

    @Override
    public void publish(Message message, int deliveryMode, int priority, long timeToLive) throws JMSException {
        send(message, deliveryMode, priority, timeToLive);
    }

    @Override
    public void publish(Topic topic, Message message) throws JMSException {
        send(topic, message);
    }

    @Override
    public void publish(Topic topic, Message message, int deliveryMode, int priority, long timeToLive)
            throws JMSException {
        send(topic, message, deliveryMode, priority, timeToLive);
    }

    @Override
    public void send(Message message, CompletionListener listener) throws JMSException {
        sendAsync(fixed(), message, quality, listener);
    }

    @Override
    public void send(Message message, int deliveryMode, int priority, long timeToLive, CompletionListener listener)
            throws JMSException {
        sendAsync(fixed(), message, quality(deliveryMode, priority, timeToLive), listener);
    }

    @Override
    public void send(Destination destination, Message message, CompletionListener listener) throws JMSException {
        sendAsync(given(destination), message, quality, listener);
    }

    @Override
    public void send(
            Destination destination,
            Message message,
            int deliveryMode,
            int priority,
            long timeToLive,
            CompletionListener listener)
            throws JMSException {
        sendAsync(given(destination), message, quality(deliveryMode, priority, timeToLive), listener);
    }

    /**
     * Waits for the callbacks of this producer's asynchronous sends (§7.3.4). Idempotent.
     *
     * @throws JMSException if they have not returned within the option {@code closeTimeoutMillis}
     */
    @Override
    public void close() throws JMSException {
        if (!closed) {
            engine.sender().whileCompleting(() -> pendingSends.await(engine.closeTimeoutMillis()));
            closed = true;
        }
    }

    private void sendNow(ReadpastDestination destination, Message message, Quality quality) throws JMSException {
        Outgoing.stamp(destination, message, quality).send(engine);
    }

    private void sendAsync(
            ReadpastDestination destination, Message message, Quality quality, CompletionListener listener)
            throws JMSException {
        if (listener == null) {
            throw new IllegalArgumentException("The CompletionListener is null; use a send without one");
        }
        Outgoing outgoing = Outgoing.stamp(destination, message, quality);
        pendingSends.send(message, listener, completion -> outgoing.sendAsync(engine, completion));
    }

    /** The destination of the producer, for the methods that take none. */
    private ReadpastDestination fixed() throws JMSException {
        checkOpen();
        if (fixed == null) {
            throw new UnsupportedOperationException(
                    "The producer was created without a destination; use a send with one");
        }
        return fixed;
    }

    /** The destination of a send, for the methods that take one. */
    private ReadpastDestination given(Destination destination) throws JMSException {
        checkOpen();
        if (fixed != null) {
            throw new UnsupportedOperationException(
                    "The producer was created for " + fixed + "; use a send without a destination");
        }
        return Destinations.target(destination);
    }

    private Quality quality(int deliveryMode, int priority, long timeToLive) throws JMSException {
        return quality.withDeliveryMode(deliveryMode).withPriority(priority).withTimeToLive(timeToLive);
    }

    private void checkOpen() throws JMSException {
        engine.checkOpen();
        if (closed) {
            throw new IllegalStateException("The producer is closed");
        }
    }
}
