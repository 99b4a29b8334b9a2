package org.readpast.clients.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.ConnectionFactory;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.messaginghub.pooled.jms.JmsPoolConnectionFactory;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.spring.ReadpastJmsListenerContainerFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.transaction.PlatformTransactionManager;

/** A connection factory around ours, as applications have them from their times with a broker. {@link StarterTest} has none. */
@ExtendWith(OutputCaptureExtension.class)
class WrappersTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** Sends through Spring's cache. */
    @Configuration(proxyBeanMethods = false)
    @Import(Shop.class)
    static class Cached {
        @Bean(defaultCandidate = false)
        CachingConnectionFactory wrapper(ReadpastConnectionFactory connectionFactory) {
            return new CachingConnectionFactory(connectionFactory);
        }

        @Bean
        JmsTemplate jmsTemplate(@Qualifier("wrapper") ConnectionFactory wrapper) {
            return new JmsTemplate(wrapper);
        }
    }

    /** Sends through a pool. */
    @Configuration(proxyBeanMethods = false)
    @Import(Shop.class)
    static class Pooled {
        @Bean(defaultCandidate = false, destroyMethod = "stop")
        JmsPoolConnectionFactory wrapper(ReadpastConnectionFactory connectionFactory) {
            JmsPoolConnectionFactory pool = new JmsPoolConnectionFactory();
            pool.setConnectionFactory(connectionFactory);
            return pool;
        }

        @Bean
        JmsTemplate jmsTemplate(@Qualifier("wrapper") ConnectionFactory wrapper) {
            return new JmsTemplate(wrapper);
        }
    }

    static Stream<Arguments> databasesAndWrappers() {
        return Database.all()
                .flatMap(database ->
                        Stream.of(Cached.class, Pooled.class).map(application -> Arguments.of(database, application)));
    }

    @ParameterizedTest
    @MethodSource("databasesAndWrappers")
    void senders_and_listeners_join_the_transaction(Database database, Class<?> shop) throws SQLException {
        database.makeTables();
        try (ConfigurableApplicationContext application = database.start(shop)) {
            Shop.Orders orders = application.getBean(Shop.Orders.class);
            orders.place("shipping", "one", false);
            assertThatThrownBy(() -> orders.place("shipping", "refused", true)).hasMessage("refused");
            orders.place("shipping", "two", false);
            JdbcTemplate jdbc = application.getBean(JdbcTemplate.class);
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(jdbc.queryForList("SELECT item FROM shipment ORDER BY item", String.class))
                                    .isEqualTo(List.of("one", "two")));
            // Each was delivered twice, and its row was written once: the first delivery was undone with it.
            assertThat(application.getBean(Shop.Shipping.class).heard())
                    .containsExactlyInAnyOrder("one", "one", "two", "two");
            assertThat(jdbc.queryForList("SELECT item FROM shop_order ORDER BY item", String.class))
                    .containsExactly("one", "two");
        }
    }

    /** Listens through Spring's cache, whose consumers cannot wait before the transaction. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class ListensThroughCache {
        @Bean(defaultCandidate = false)
        CachingConnectionFactory wrapper(ReadpastConnectionFactory connectionFactory) {
            return new CachingConnectionFactory(connectionFactory);
        }

        @Bean
        ReadpastJmsListenerContainerFactory throughCache(
                @Qualifier("wrapper") ConnectionFactory wrapper, PlatformTransactionManager transactionManager) {
            ReadpastJmsListenerContainerFactory factory = new ReadpastJmsListenerContainerFactory();
            factory.setConnectionFactory(wrapper);
            factory.setTransactionManager(transactionManager);
            return factory;
        }

        @Bean
        Listener listener() {
            return new Listener();
        }
    }

    /** One that hears through the cache. */
    static class Listener {
        @JmsListener(destination = "cached", containerFactory = "throughCache", concurrency = "1-3")
        void hear(String text) {
            // It is waiting that counts here.
        }
    }

    @Test
    void containers_over_a_wrapper_are_told_of_as_holding_connections(CapturedOutput output) {
        try (ConfigurableApplicationContext application = Database.H2.start(ListensThroughCache.class)) {
            assertThat(output.getAll()).containsOnlyOnce("hold up to 3 connections");
            assertThat(application.isRunning()).isTrue();
        }
    }
}
