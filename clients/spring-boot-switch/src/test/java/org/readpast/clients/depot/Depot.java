package org.readpast.clients.depot;

import jakarta.jms.ConnectionFactory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jms.autoconfigure.DefaultJmsListenerContainerFactoryConfigurer;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.messaging.handler.annotation.SendTo;
import org.springframework.transaction.annotation.Transactional;

/** An application of the Artemis starter, which knows nothing of either broker. */
@SpringBootApplication
class Depot {

    @Bean
    Orders orders(JdbcTemplate jdbc, JmsTemplate jms) {
        jdbc.execute("CREATE TABLE depot_order (item varchar(50) PRIMARY KEY)");
        return new Orders(jdbc, jms);
    }

    @Bean
    Workers workers(JmsTemplate jms) {
        return new Workers(jms);
    }

    /** As the reference of Boot has it for topics. */
    @Bean
    DefaultJmsListenerContainerFactory topics(
            DefaultJmsListenerContainerFactoryConfigurer configurer, ConnectionFactory connectionFactory) {
        DefaultJmsListenerContainerFactory factory = new DefaultJmsListenerContainerFactory();
        configurer.configure(factory, connectionFactory);
        factory.setPubSubDomain(true);
        return factory;
    }

    /** Stores an order and passes it on. */
    static class Orders {

        private final JdbcTemplate jdbc;
        private final JmsTemplate jms;

        Orders(JdbcTemplate jdbc, JmsTemplate jms) {
            this.jdbc = jdbc;
            this.jms = jms;
        }

        @Transactional
        public void place(String item) {
            jdbc.update("INSERT INTO depot_order (item) VALUES (?)", item);
            jms.convertAndSend("depot.orders", item, message -> {
                message.setStringProperty("size", item.length() > 5 ? "large" : "small");
                return message;
            });
        }
    }

    /** Each fails once for what is heavy. */
    static class Workers {

        private final List<String> heard = new CopyOnWriteArrayList<>();
        private final JmsTemplate jms;

        Workers(JmsTemplate jms) {
            this.jms = jms;
        }

        List<String> heard() {
            return heard;
        }

        @JmsListener(destination = "depot.orders", selector = "size = 'small'")
        @SendTo("depot.packed")
        String pack(String item) {
            return "packed " + item;
        }

        @JmsListener(destination = "depot.orders", selector = "size = 'large'")
        void carry(String item) {
            boolean again = heard.contains("lifted " + item);
            heard.add("lifted " + item);
            if (!again) {
                throw new IllegalStateException("too heavy at first");
            }
            JmsTemplate topic = new JmsTemplate(jms.getConnectionFactory());
            topic.setPubSubDomain(true);
            topic.convertAndSend("depot.news", "carried " + item);
        }

        @JmsListener(destination = "depot.packed")
        void packed(String text) {
            heard.add(text);
        }

        @JmsListener(destination = "depot.news", containerFactory = "topics", concurrency = "1")
        void news(String text) {
            heard.add(text);
        }
    }
}
