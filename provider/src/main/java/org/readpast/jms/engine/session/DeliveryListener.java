package org.readpast.jms.engine.session;

import jakarta.jms.JMSException;
import org.readpast.jms.engine.source.Delivery;

/** Takes deliveries, one at a time for the whole session. A RuntimeException counts as one of the application's listener. */
@FunctionalInterface
public interface DeliveryListener {

    void onDelivery(Delivery delivery) throws JMSException;
}
