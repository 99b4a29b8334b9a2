package org.readpast.clients.kiosk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.readpast.spring.boot.test.ReadpastTest;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;
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
    void sender_sees_its_messages_in_the_test() {
        till.order("tea");
        till.order("coffee");
        jms.convertAndSend("kiosk.sales", "never committed");
        assertThat(jms.receiveAndConvert("kiosk.orders")).isEqualTo("tea");
    }

    @Test
    @Order(2)
    void what_was_sent_before_is_rolled_back() {
        assertThat(jms.receiveAndConvert("kiosk.orders")).isNull();
        assertThat(till.heard()).isEmpty();
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
}
