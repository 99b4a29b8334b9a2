package org.readpast.clients.boot;

import jakarta.jms.ConnectionFactory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jms.autoconfigure.DefaultJmsListenerContainerFactoryConfigurer;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;

/** An application as Spring Boot's users write one: the ConnectionFactory is the only bean that has to do with Readpast. */
@SpringBootApplication
class Shop {

    @Bean
    ConnectionFactory connectionFactory(DataSource dataSource) {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(dataSource);
        factory.setCreateSchema("true");
        return factory;
    }

    /** Listeners whose transaction is the DataSource's, so that what they write commits with their message. */
    @Bean
    DefaultJmsListenerContainerFactory joined(
            DefaultJmsListenerContainerFactoryConfigurer configurer,
            ConnectionFactory connectionFactory,
            PlatformTransactionManager transactionManager) {
        DefaultJmsListenerContainerFactory factory = new DefaultJmsListenerContainerFactory();
        configurer.configure(factory, connectionFactory);
        factory.setTransactionManager(transactionManager);
        return factory;
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
        public void place(String queue, String item) {
            jdbc.update("INSERT INTO shop_order (item) VALUES (?)", item);
            jms.convertAndSend(queue, item);
            if (item.equals("refused")) {
                throw new IllegalArgumentException(item);
            }
        }
    }

    /** Each message fails once. */
    static class Shipping {

        private final JdbcTemplate jdbc;
        private final List<String> heard = new CopyOnWriteArrayList<>();

        Shipping(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        List<String> heard() {
            return heard;
        }

        @JmsListener(destination = "plain", concurrency = "2-4")
        void plain(String item) {
            hear(item);
        }

        @JmsListener(destination = "joined", containerFactory = "joined")
        void joined(String item) {
            jdbc.update("INSERT INTO shipment (item) VALUES (?)", item);
            hear(item);
        }

        private void hear(String item) {
            boolean again = heard.contains(item);
            heard.add(item);
            if (!again) {
                throw new IllegalStateException("the first delivery fails");
            }
        }
    }
}
