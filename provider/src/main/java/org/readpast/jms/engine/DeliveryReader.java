package org.readpast.jms.engine;

import jakarta.jms.JMSException;

/**
 * Turns a delivery into what {@code receive} returns, before the message is acknowledged. Where it fails in a session that
 * acknowledges by itself, the message is as if it had never been received (§8.6, {@code receiveBody}).
 */
@FunctionalInterface
public interface DeliveryReader<T> {

    T read(Delivery delivery) throws JMSException;
}
