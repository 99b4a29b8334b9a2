package org.readpast.jms.engine;

import jakarta.jms.JMSException;

/** Takes deliveries, one at a time for the whole session. A RuntimeException counts as one of the application's listener. */
@FunctionalInterface
public interface DeliveryListener {

    void onDelivery(Delivery delivery) throws JMSException;
}
