package org.readpast.clients.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.persistence.Entity;
import jakarta.persistence.EntityListeners;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.PostPersist;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** An application whose entities send: what they send with is made while the EntityManagerFactory is. */
@ExtendWith(OutputCaptureExtension.class)
class EntityListenerTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Ledger {
        @Bean
        Announcer announcer(JmsTemplate jms) {
            return new Announcer(jms);
        }
    }

    /** Its listener is a bean. */
    @Entity
    @EntityListeners(Announcer.class)
    static class Entry {
        @Id
        String item;
    }

    /** Tells of what was stored. */
    static class Announcer {
        private final JmsTemplate jms;

        Announcer(JmsTemplate jms) {
            this.jms = jms;
        }

        @PostPersist
        void stored(Entry entry) {
            jms.convertAndSend("entries", entry.item);
        }
    }

    @Test
    void entity_sends_in_its_transaction(CapturedOutput output) {
        try (ConfigurableApplicationContext application = SpringApplication.run(
                Ledger.class, "--spring.datasource.url=jdbc:h2:mem:ledger", "--spring.jpa.hibernate.ddl-auto=create")) {
            TransactionTemplate transaction = application.getBean(TransactionTemplate.class);
            transaction.executeWithoutResult(status -> {
                store(application, "refused");
                status.setRollbackOnly();
            });
            transaction.executeWithoutResult(status -> store(application, "coffee"));
            JmsTemplate jms = application.getBean(JmsTemplate.class);
            jms.setReceiveTimeout(JmsTemplate.RECEIVE_TIMEOUT_NO_WAIT);
            assertThat(jms.receiveAndConvert("entries")).isEqualTo("coffee");
            assertThat(jms.receiveAndConvert("entries")).isNull();
        }
        assertThat(output).doesNotContain("No transaction manager is of the DataSource");
    }

    private static void store(ConfigurableApplicationContext application, String item) {
        Entry entry = new Entry();
        entry.item = item;
        EntityManager entities = application.getBean(EntityManager.class);
        entities.persist(entry);
        entities.flush();
    }
}
