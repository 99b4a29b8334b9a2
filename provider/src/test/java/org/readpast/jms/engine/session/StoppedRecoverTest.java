package org.readpast.jms.engine.session;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.MemoryFactories;

/** Who recovers has failed with what was delivered, whether the connection is started just then or not (§6.2.10). */
@Timeout(90)
class StoppedRecoverTest {

    @Test
    void what_a_listener_has_not_acknowledged_is_redelivered_and_counted() throws Exception {
        try (Connection connection = new MemoryFactories().factory("").createConnection();
                Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
                Session sending = connection.createSession()) {
            Queue queue = session.createQueue("recovered");
            BlockingQueue<String> deliveries = new LinkedBlockingQueue<>();
            session.createConsumer(queue).setMessageListener(message -> {
                try {
                    deliveries.add(message.getJMSRedelivered() + " " + message.getIntProperty("JMSXDeliveryCount"));
                } catch (JMSException e) {
                    deliveries.add(e.toString());
                }
            });
            sending.createProducer(queue).send(sending.createMessage());
            connection.start();
            assertThat(deliveries.poll(60, TimeUnit.SECONDS)).isEqualTo("false 1");
            connection.stop();
            session.recover();
            connection.start();
            assertThat(deliveries.poll(60, TimeUnit.SECONDS)).isEqualTo("true 2");
        }
    }
}
