package org.readpast.jms.engine.session;

import jakarta.jms.JMSException;
import org.readpast.jms.engine.source.Delivery;

/**
 * Turns a delivery into what {@code receive} returns, before the message is acknowledged. Where it fails with a
 * MessageFormatException in a session that acknowledges by itself, the message is as if it had never been received
 * ({@code receiveBody}, §8.6); with any other exception it was delivered in vain, which counts.
 */
@FunctionalInterface
public interface DeliveryReader<T> {

    T read(Delivery delivery) throws JMSException;
}
