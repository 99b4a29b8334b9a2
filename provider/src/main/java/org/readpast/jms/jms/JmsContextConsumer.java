package org.readpast.jms.jms;

import jakarta.jms.JMSConsumer;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** A consumer of the simplified API: the classic one with its exceptions unchecked, and bodies (§8.6). */
final class JmsContextConsumer implements JMSConsumer {

    private static final long FOR_EVER = 0;
    private static final long NO_WAIT = -1;

    private final JmsConsumer consumer;

    JmsContextConsumer(JmsConsumer consumer) {
        this.consumer = consumer;
    }

    @Override
    public String getMessageSelector() {
        return Unchecked.get(consumer::getMessageSelector);
    }

    @Override
    public MessageListener getMessageListener() {
        return Unchecked.get(consumer::getMessageListener);
    }

    @Override
    public void setMessageListener(MessageListener listener) {
        Unchecked.run(() -> consumer.setMessageListener(listener));
    }

    @Override
    public Message receive() {
        return Unchecked.get(consumer::receive);
    }

    @Override
    public Message receive(long timeout) {
        return Unchecked.get(() -> consumer.receive(timeout));
    }

    @Override
    public Message receiveNoWait() {
        return Unchecked.get(consumer::receiveNoWait);
    }

    @Override
    public <T> T receiveBody(Class<T> c) {
        return receiveBody(c, FOR_EVER);
    }

    @Override
    public <T> T receiveBody(Class<T> c, long timeout) {
        return Unchecked.get(() -> consumer.receiveBody(c, timeout));
    }

    @Override
    public <T> T receiveBodyNoWait(Class<T> c) {
        return receiveBody(c, NO_WAIT);
    }

    @Override
    public void close() {
        Unchecked.run(consumer::close);
    }
}
