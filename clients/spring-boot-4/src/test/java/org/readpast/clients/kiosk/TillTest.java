package org.readpast.clients.kiosk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.readpast.spring.boot.test.ReadpastTest;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * The slice as a user has it: each test after the first one would see what an earlier one has left. Its application ends with it, since
 * other tests here look at all threads of this JVM.
 */
@ReadpastTest
@DirtiesContext
@Import(Till.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TillTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Till till;
    private final JmsTemplate jms;

    TillTest(@Autowired Till till, @Autowired JmsTemplate jms) {
        this.till = till;
        this.jms = jms;
    }

    @BeforeEach
    void doNotWait() {
        jms.setReceiveTimeout(JmsTemplate.RECEIVE_TIMEOUT_NO_WAIT);
        till.heard().clear();
    }

    @Test
    @Order(1)
    void sender_sees_its_messages_in_the_test(@Autowired JmsListenerEndpointRegistry listeners) {
        listeners.getListenerContainer("returns").stop();
        till.order("tea");
        till.order("coffee");
        jms.convertAndSend("kiosk.sales", "never committed");
        assertThat(jms.receiveAndConvert("kiosk.orders")).isEqualTo("tea");
    }

    @Test
    @Order(2)
    void what_was_sent_before_is_rolled_back(@Autowired JmsListenerEndpointRegistry listeners) {
        assertThat(jms.receiveAndConvert("kiosk.orders")).isNull();
        assertThat(till.heard()).isEmpty();
        assertThat(listeners.getListenerContainer("returns").isRunning())
                .as("stopped by a test")
                .isFalse();
    }

    @Test
    @Order(3)
    @Transactional(propagation = Propagation.NOT_SUPPORTED)
    void listener_hears_what_is_committed() {
        jms.convertAndSend("kiosk.sales", "cake");
        await().atMost(PATIENCE).until(() -> till.heard().contains("cake"));
    }

    @Test
    @Order(4)
    @Transactional(propagation = Propagation.NOT_SUPPORTED)
    void queues_are_empty_and_the_listener_hears_again() {
        assertThat(jms.receiveAndConvert("kiosk.orders")).isNull();
        jms.convertAndSend("kiosk.sales", "bread");
        await().atMost(PATIENCE).until(() -> till.heard().contains("bread"));
        await().atMost(PATIENCE).until(() -> "bread".equals(jms.receiveAndConvert("kiosk.orders")));
    }

    @Test
    void components_that_are_not_imported_are_not_there(@Autowired ApplicationContext context) {
        assertThat(context.getBeansOfType(CardReader.class)).isEmpty();
    }

    /** Of the same slice, as its annotations go for what is within. */
    @Nested
    class Within {

        @Test
        void nested_test_has_the_database_of_the_test_too(@Autowired DataSource dataSource) throws SQLException {
            try (Connection connection = dataSource.getConnection()) {
                assertThat(connection.getMetaData().getURL()).startsWith("jdbc:h2:mem:");
            }
        }
    }
}
