package org.readpast.examples.boot;

import jakarta.persistence.EntityManager;
import java.util.EnumMap;
import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.stereotype.Component;

/** A day in the shop: the customers place their orders, and it closes when each has been shipped or refused. */
@Component
class Day implements ApplicationRunner {

    /** Every so many orders there is one for a unicorn. */
    private static final int UNICORNS = 7;

    private final Customers customers;
    private final EntityManager entities;
    private final int orders;

    Day(Customers customers, EntityManager entities, @Value("${shop.orders}") int orders) {
        this.customers = customers;
        this.entities = entities;
        this.orders = orders;
    }

    @Override
    public void run(ApplicationArguments arguments) throws InterruptedException {
        System.out.println("The shop is open. " + orders + " orders are coming; every seventh is for a unicorn.");
        for (int i = 1; i <= orders; i++) {
            customers.order(i % UNICORNS == 0 ? Customers.UNICORN : "-coffee");
        }
        Map<Step, Long> steps = steps();
        System.out.println(steps);
        while (steps.get(Step.SHIPPED) + steps.get(Step.REFUSED) < steps.get(Step.ORDERED)) {
            Thread.sleep(200);
            Map<Step, Long> now = steps();
            if (!now.equals(steps)) {
                System.out.println(now);
            }
            steps = now;
        }
        System.out.println("The shop is closed. Each order that was not refused has been invoiced and shipped once.");
    }

    private Map<Step, Long> steps() {
        Map<Step, Long> steps = new EnumMap<>(Step.class);
        for (Step step : Step.values()) {
            steps.put(
                    step,
                    entities.createQuery("SELECT COUNT(o) FROM OrderStep o WHERE o.key.step = :step", Long.class)
                            .setParameter("step", step)
                            .getSingleResult());
        }
        return steps;
    }
}
