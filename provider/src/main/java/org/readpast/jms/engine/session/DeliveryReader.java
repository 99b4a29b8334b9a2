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

    /** Whether nothing of the application's is called, so that any thread may read. */
    default boolean isForAnyThread() {
        return false;
    }

    /** One that calls nothing of the application's. */
    static <T> DeliveryReader<T> forAnyThread(DeliveryReader<T> reader) {
        return new DeliveryReader<>() {

            @Override
            public T read(Delivery delivery) throws JMSException {
                return reader.read(delivery);
            }

            @Override
            public boolean isForAnyThread() {
                return true;
            }
        };
    }
}
