package org.readpast.clients.boot;

import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** An application as Spring Boot's users write one: nothing in it has to do with Readpast. With JPA its transactions are JPA's. */
@SpringBootApplication
class Shop {

    @Bean
    Orders orders(JdbcTemplate jdbc, JmsTemplate jms, EntityManager entities) {
        return new Orders(jdbc, jms, entities);
    }

    @Bean
    Shipping shipping(JdbcTemplate jdbc) {
        return new Shipping(jdbc);
    }

    /** A row of the table of orders. */
    @Entity
    @Table(name = "shop_order")
    static class ShopOrder {
        @Id
        String item;
    }

    /** Stores an order with its message. */
    static class Orders {

        private final JdbcTemplate jdbc;
        private final JmsTemplate jms;
        private final EntityManager entities;

        Orders(JdbcTemplate jdbc, JmsTemplate jms, EntityManager entities) {
            this.jdbc = jdbc;
            this.jms = jms;
            this.entities = entities;
        }

        @Transactional
        public void place(String queue, String item, boolean refused) {
            jdbc.update("INSERT INTO shop_order (item) VALUES (?)", item);
            jms.convertAndSend(queue, item);
            if (refused) {
                throw new IllegalArgumentException(item);
            }
        }

        @Transactional
        public void placeEntity(String queue, String item, boolean refused) {
            ShopOrder order = new ShopOrder();
            order.item = item;
            entities.persist(order);
            jms.convertAndSend(queue, item);
            if (refused) {
                throw new IllegalArgumentException(item);
            }
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void placeInOwnTransaction(String queue, String item) {
            place(queue, item, false);
        }

        @Transactional(readOnly = true)
        public void readOnly(String queue, String item) {
            jms.convertAndSend(queue, item);
        }
    }

    /** Each message fails once, after its row is written. */
    static class Shipping {

        private final List<String> heard = new CopyOnWriteArrayList<>();
        private final JdbcTemplate jdbc;

        Shipping(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        List<String> heard() {
            return heard;
        }

        @JmsListener(destination = "shipping", concurrency = "2-4")
        void ship(String item) {
            jdbc.update("INSERT INTO shipment (item) VALUES (?)", item);
            boolean again = heard.contains(item);
            heard.add(item);
            if (!again) {
                throw new IllegalStateException("the first delivery fails");
            }
        }
    }
}
