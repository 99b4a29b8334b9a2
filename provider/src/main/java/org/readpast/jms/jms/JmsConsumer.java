package org.readpast.jms.jms;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import jakarta.jms.QueueReceiver;
import jakarta.jms.Topic;
import jakarta.jms.TopicSubscriber;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.engine.session.DeliveryReader;
import org.readpast.jms.engine.session.EngineConsumer;
import org.readpast.jms.engine.session.ProviderConsumer;
import org.readpast.jms.engine.source.Delivery;
import org.readpast.jms.selector.Selector;
import org.readpast.jms.session.ContainerConsumer;

/** A consumer of any domain (chapter 8). Used by one thread at a time, {@link #close} excepted. */
final class JmsConsumer implements QueueReceiver, TopicSubscriber, ContainerConsumer {

    /** The engine's words for a receive that waits until there is a message. */
    private static final long FOR_EVER = 0;

    /** What waits longer than this waits for ever; applications write Long.MAX_VALUE for it, which overflows as nanoseconds. */
    private static final long A_CENTURY = TimeUnit.DAYS.toMillis(36_525);

    private final JmsSession session;
    private final ProviderConsumer engine;
    private final ReadpastDestination destination;
    private final Selector selector;
    private final boolean noLocal;
    private final DeliveryReader<Message> reader;
    private volatile MessageListener listener;

    JmsConsumer(
            JmsSession session,
            ProviderConsumer engine,
            ReadpastDestination destination,
            Selector selector,
            boolean noLocal) {
        this.session = session;
        this.engine = engine;
        this.destination = destination;
        this.selector = selector;
        this.noLocal = noLocal;
        this.reader = DeliveryReader.forAnyThread(session::received);
    }

    @Override
    public Queue getQueue() throws JMSException {
        checkOpen();
        return destination instanceof Queue queue ? queue : null;
    }

    @Override
    public Topic getTopic() throws JMSException {
        checkOpen();
        return destination instanceof Topic topic ? topic : null;
    }

    @Override
    public boolean getNoLocal() throws JMSException {
        checkOpen();
        return noLocal;
    }

    @Override
    public String getMessageSelector() throws JMSException {
        checkOpen();
        return Selectors.text(selector);
    }

    @Override
    public MessageListener getMessageListener() throws JMSException {
        checkOpen();
        return listener;
    }

    @Override
    public void setMessageListener(MessageListener newListener) throws JMSException {
        checkOpen();
        engine.listen(newListener == null ? null : delivery -> newListener.onMessage(session.received(delivery)));
        listener = newListener;
    }

    @Override
    public Message receive() throws JMSException {
        return engine.receive(FOR_EVER, reader);
    }

    /** As {@link #receiveNoWait} where the timeout is negative. */
    @Override
    public Message receive(long timeout) throws JMSException {
        return engine.receive(waiting(timeout), reader);
    }

    @Override
    public Message receiveNoWait() throws JMSException {
        return engine.receive(EngineConsumer.NO_WAIT, reader);
    }

    @Override
    public boolean awaitMessage(long timeout) throws JMSException {
        return engine.awaitMessage(waiting(timeout));
    }

    @Override
    public void failed(String why) throws JMSException {
        engine.failed(why);
    }

    @Override
    public void rolledBack() throws JMSException {
        engine.rolledBack();
    }

    @Override
    public void withdrawn() throws JMSException {
        engine.withdrawn();
    }

    /**
     * Receives a body. The body is read before the message is acknowledged, so that in a session that acknowledges by itself
     * a body of another type leaves the message where it was (§8.6).
     *
     * @param timeout in milliseconds; 0 for ever, negative for no wait
     * @throws MessageFormatException if the message has no body, or none of the type
     */
    <T> T receiveBody(Class<T> type, long timeout) throws JMSException {
        if (type == null) {
            throw new MessageFormatException("The class of the body to receive is null");
        }
        return engine.receive(waiting(timeout), delivery -> body(delivery, type));
    }

    @Override
    public void close() throws JMSException {
        engine.close();
    }

    private <T> T body(Delivery delivery, Class<T> type) throws JMSException {
        Message message = session.received(delivery);
        T body = message.getBody(type);
        if (body == null) {
            throw new MessageFormatException(
                    "A message from " + destination + " has no body to receive as " + type.getName() + "; use receive");
        }
        return body;
    }

    private static long waiting(long timeout) {
        if (timeout < 0) {
            return EngineConsumer.NO_WAIT;
        }
        return timeout > A_CENTURY ? FOR_EVER : timeout;
    }

    private void checkOpen() throws JMSException {
        session.checkOpen();
        if (engine.isClosed()) {
            throw new IllegalStateException("The consumer of " + destination + " is closed");
        }
    }
}
