package org.readpast.examples.boot;

import jakarta.persistence.EntityManager;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.stereotype.Component;

/**
 * Those who work on an order. Each method is called in a transaction: its row, the message that it passes on, and the end of the message
 * that it has got, or nothing of all that.
 */
@Component
class Departments {

    private final EntityManager entities;
    private final JmsTemplate jms;

    Departments(EntityManager entities, JmsTemplate jms) {
        this.entities = entities;
        this.jms = jms;
    }

    @JmsListener(destination = "shop.orders", concurrency = "2-5")
    void invoice(String orderId) {
        entities.persist(new OrderStep(orderId, Step.INVOICED));
        jms.convertAndSend("shop.shipping", orderId);
        if (orderId.endsWith(Customers.UNICORN)) {
            // The row and the message above are undone. The order comes again, and is a dead letter in the end.
            throw new IllegalArgumentException("There are no unicorns: order " + orderId);
        }
    }

    @JmsListener(destination = "shop.shipping", concurrency = "2-5")
    void ship(String orderId) {
        entities.persist(new OrderStep(orderId, Step.SHIPPED));
    }

    @JmsListener(destination = "DLQ")
    void refuse(String orderId) {
        entities.persist(new OrderStep(orderId, Step.REFUSED));
    }
}
