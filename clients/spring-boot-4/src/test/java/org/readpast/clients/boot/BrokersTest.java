package org.readpast.clients.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.ConnectionFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.jndi.ReadpastInitialContextFactory;
import org.readpast.spring.ReadpastJmsListenerContainerFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** Beside the brokers that Boot configures by itself, with these brokers running in this JVM. */
class BrokersTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** One of them; the other one's configuration is left out, as if only one starter was there. */
    enum Broker {
        ARTEMIS(
                "org.springframework.boot.activemq.autoconfigure.ActiveMQAutoConfiguration",
                "org.springframework.boot.autoconfigure.jms.activemq.ActiveMQAutoConfiguration",
                "--spring.artemis.mode=embedded"),
        ACTIVEMQ(
                "org.springframework.boot.artemis.autoconfigure.ArtemisAutoConfiguration",
                "org.springframework.boot.autoconfigure.jms.artemis.ArtemisAutoConfiguration",
                "--spring.activemq.broker-url=vm://beside?broker.persistent=false&broker.useJmx=false");

        private final String[] options;

        Broker(String other, String otherInBoot3, String option) {
            options = new String[] {
                "--spring.datasource.url=jdbc:h2:mem:beside-" + name(),
                "--spring.autoconfigure.exclude=" + other + "," + otherInBoot3,
                option
            };
        }

        ConfigurableApplicationContext start(Class<?> application, String... more) {
            return SpringApplication.run(
                    application,
                    Stream.concat(Stream.of(options), Stream.of(more)).toArray(String[]::new));
        }
    }

    /** Artemis' server of these lines asks for the caller's Subject as JDK 24 and later do not answer any more. */
    static Stream<Broker> brokers() {
        return Stream.of(Broker.values())
                .filter(broker -> broker != Broker.ARTEMIS || Runtime.version().feature() < 24);
    }

    /** An application that says nothing. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Plain {}

    @ParameterizedTest
    @MethodSource("brokers")
    void broker_with_a_starter_comes_first(Broker broker) {
        try (ConfigurableApplicationContext application = broker.start(Plain.class)) {
            assertThat(application.getBeansOfType(ReadpastConnectionFactory.class))
                    .isEmpty();
            assertThat(application.getBeansOfType(ReadpastJmsListenerContainerFactory.class))
                    .isEmpty();
            JmsTemplate jms = application.getBean(JmsTemplate.class);
            jms.convertAndSend("first", "to the broker");
            assertThat(jms.receiveAndConvert("first")).isEqualTo("to the broker");
        }
    }

    /** An application that has both. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Both {
        @Bean
        Listeners listeners() {
            return new Listeners();
        }

        @Bean
        Sender sender(JmsTemplate broker, @Qualifier("readpastJmsTemplate") JmsTemplate readpast) {
            return new Sender(broker, readpast);
        }
    }

    /** Sends to both. */
    record Sender(JmsTemplate broker, JmsTemplate readpast) {}

    /** One at each. */
    static class Listeners {
        private final List<String> heard = new CopyOnWriteArrayList<>();

        @JmsListener(destination = "both")
        void broker(String text) {
            heard.add("broker: " + text);
        }

        @JmsListener(destination = "both", containerFactory = "readpastJmsListenerContainerFactory")
        void readpast(String text) {
            heard.add("readpast: " + text);
        }
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void both_are_there_by_qualifier(Broker broker) {
        try (ConfigurableApplicationContext application = broker.start(Both.class, "--readpast.enabled=true")) {
            assertThat(application.getBean(ConnectionFactory.class)).isNotInstanceOf(ReadpastConnectionFactory.class);
            Sender sender = application.getBean(Sender.class);
            TransactionTemplate transaction = application.getBean(TransactionTemplate.class);
            transaction.executeWithoutResult(status -> {
                sender.readpast().convertAndSend("both", "rolled back");
                status.setRollbackOnly();
            });
            transaction.executeWithoutResult(status -> sender.readpast().convertAndSend("both", "in a table"));
            sender.broker().convertAndSend("both", "in a broker");
            List<String> heard = application.getBean(Listeners.class).heard;
            await().atMost(PATIENCE).until(() -> heard.size() == 2);
            assertThat(heard).containsExactlyInAnyOrder("readpast: in a table", "broker: in a broker");
        }
    }

    @Test
    void connection_factory_of_JNDI_comes_first() {
        System.setProperty("java.naming.factory.initial", ReadpastInitialContextFactory.class.getName());
        System.setProperty("java.naming.provider.url", "readpast:jdbc:h2:mem:named");
        try (ConfigurableApplicationContext application =
                Database.H2.start(Plain.class, "--spring.jms.jndi-name=ConnectionFactory")) {
            assertThat(application.getBean(ConnectionFactory.class).toString()).contains("jdbc:h2:mem:named");
            assertThat(application.getBeansOfType(ReadpastJmsListenerContainerFactory.class))
                    .isEmpty();
        } finally {
            System.clearProperty("java.naming.factory.initial");
            System.clearProperty("java.naming.provider.url");
        }
    }
}
