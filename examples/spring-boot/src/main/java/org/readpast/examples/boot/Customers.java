package org.readpast.examples.boot;

import jakarta.persistence.EntityManager;
import java.util.UUID;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Places orders. */
@Component
class Customers {

    /** The end of the id of an order that nobody can invoice. */
    static final String UNICORN = "-unicorn";

    private final EntityManager entities;
    private final JmsTemplate jms;

    Customers(EntityManager entities, JmsTemplate jms) {
        this.entities = entities;
        this.jms = jms;
    }

    /** Stores an order and tells of it: both, or neither. */
    @Transactional
    public void order(String what) {
        String orderId = UUID.randomUUID() + what;
        entities.persist(new OrderStep(orderId, Step.ORDERED));
        jms.convertAndSend("shop.orders", orderId);
    }
}
