package org.readpast.javax.boot;

import java.util.concurrent.atomic.AtomicInteger;
import javax.jms.ConnectionFactory;
import javax.jms.JMSException;
import javax.jms.TextMessage;
import javax.sql.DataSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;

/** An application of its time, with one bean for Readpast: the connection factory over its DataSource. */
@SpringBootApplication
class Shop {

    @Bean
    ConnectionFactory connectionFactory(DataSource dataSource) {
        return new ReadpastConnectionFactory(dataSource);
    }

    /** Listeners run in the transactions of the application, which their message takes part in. */
    @Bean
    DefaultJmsListenerContainerFactory jmsListenerContainerFactory(
            ConnectionFactory connections, PlatformTransactionManager transactions) {
        DefaultJmsListenerContainerFactory listeners = new DefaultJmsListenerContainerFactory();
        listeners.setConnectionFactory(connections);
        listeners.setTransactionManager(transactions);
        listeners.setSessionTransacted(true);
        listeners.setReceiveTimeout(200L);
        return listeners;
    }

    @Bean
    Orders orders(JdbcTemplate jdbc, JmsTemplate jms) {
        return new Orders(jdbc, jms);
    }

    @Bean
    Shipping shipping(JdbcTemplate jdbc) {
        return new Shipping(jdbc);
    }

    /** Stores an order with its message. */
    static class Orders {

        private final JdbcTemplate jdbc;
        private final JmsTemplate jms;

        Orders(JdbcTemplate jdbc, JmsTemplate jms) {
            this.jdbc = jdbc;
            this.jms = jms;
        }

        @Transactional
        public void place(String queue, String item, boolean refused) {
            jdbc.update("INSERT INTO shop_order (item) VALUES (?)", item);
            jms.convertAndSend(queue, item);
            if (refused) {
                throw new IllegalArgumentException(item);
            }
        }
    }

    /** Stores a shipment for each order, and fails after the first. */
    static class Shipping {

        private final JdbcTemplate jdbc;
        private final AtomicInteger calls = new AtomicInteger();

        Shipping(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @JmsListener(destination = "orders")
        public void ship(TextMessage order) throws JMSException {
            jdbc.update(
                    "INSERT INTO shipment (item, delivery) VALUES (?, ?)",
                    order.getText(),
                    order.getIntProperty("JMSXDeliveryCount"));
            if (calls.getAndIncrement() == 0) {
                throw new IllegalStateException("the van is not there yet");
            }
        }

        int calls() {
            return calls.get();
        }
    }
}
